// Writing a trace. A writer writes to a temporary name and takes the final one on close(), so that a file
// under its name is always whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "pmusim/trace/reader.h"

namespace pmusim::trace {

/// Takes the items of a trace one after the other.
class Writer {
 public:
  virtual ~Writer() = default;
  /// Throws TraceError when the item is not legal (discontinuity without a directive) or cannot be written.
  virtual void write(const Item& item) = 0;
  /// Finishes the file. Without it, the destructor removes what was written.
  virtual void close() = 0;
};

/// How a `.pmt` file is made.
struct PmtOptions {
  int level = 9;                              ///< of zstd, 1 to 22
  std::uint32_t chunk_instructions = 262144;  ///< most instructions in a chunk, 1 to 16,777,216
  bool isa_line = true;                       ///< exporting the trace begins with `! isa NAME`
};
/// Same items, same options: same bytes. Throws TraceError when the file cannot be made.
[[nodiscard]] std::unique_ptr<Writer> create_pmt(const std::filesystem::path& file, Isa isa, const std::string& program,
                                                 const PmtOptions& options = {});
/// A name that ends in `.zst` is packed. `isa_line`: begin with `! isa NAME`, so that the text tells its ISA itself.
[[nodiscard]] std::unique_ptr<Writer> create_text(const std::filesystem::path& file, Isa isa, bool isa_line = true);
/// Copies every item of a reader; returns the number of instructions. Does not close.
std::uint64_t copy(Reader& from, Writer& to);

}  // namespace pmusim::trace
