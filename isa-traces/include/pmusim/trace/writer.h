// Writers of traces. A writer writes a temporary file, which close() renames, so that a file with the final name is
// always complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "pmusim/trace/reader.h"

namespace pmusim::trace {

/// Writes the items of a trace one after the other.
class Writer {
 public:
  virtual ~Writer() = default;
  /// Writes an item. Throws TraceError if it is not legal (discontinuity without a directive) or cannot be written.
  virtual void write(const Item& item) = 0;
  /// Completes the file. Without it, the destructor removes the file.
  virtual void close() = 0;
};

/// Options for a `.pmt` file.
struct PmtOptions {
  int level = 9;                              ///< compression level of zstd, 1 to 22
  std::uint32_t chunk_instructions = 262144;  ///< maximum of lines in a chunk, 1 to 16,777,216
  bool isa_line = true;                       ///< the exported text begins with `! isa NAME`
};
/// Creates a `.pmt` file. The same items and options give the same bytes. Throws TraceError if the file cannot be
/// created.
[[nodiscard]] std::unique_ptr<Writer> create_pmt(const std::filesystem::path& file, Isa isa, const std::string& program,
                                                 const PmtOptions& options = {});
/// Creates a text trace, zstd-compressed if the name ends in `.zst`. `isa_line`: it begins with `! isa NAME`.
[[nodiscard]] std::unique_ptr<Writer> create_text(const std::filesystem::path& file, Isa isa, bool isa_line = true);
/// Copies all items of a reader; returns the number of instructions (numbering.h). Does not close the writer.
std::uint64_t copy(Reader& from, Writer& to);

}  // namespace pmusim::trace
