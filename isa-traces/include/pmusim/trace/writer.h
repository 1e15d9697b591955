// Writing a trace. A writer writes to a temporary name and takes the final one on close(), so that a file
// under its name is always whole.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "pmusim/trace/reader.h"

namespace pmusim::trace {

class Writer {
 public:
  virtual ~Writer() = default;
  /// Throws TraceError when the item is not legal (discontinuity without a directive) or cannot be written.
  virtual void write(const Item& item) = 0;
  /// Finishes the file. Without it, the destructor removes what was written.
  virtual void close() = 0;
};

[[nodiscard]] std::unique_ptr<Writer> create_pmt(const std::filesystem::path& file, Isa isa, const std::string& program);
[[nodiscard]] std::unique_ptr<Writer> create_text(const std::filesystem::path& file, Isa isa);  ///< `.zst`: packed
/// Copies every item of a reader; returns the number of instructions.
std::uint64_t copy(Reader& from, Writer& to);

}  // namespace pmusim::trace
