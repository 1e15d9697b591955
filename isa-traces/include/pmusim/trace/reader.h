// Readers of binary and text traces. They return one item after the other, in constant memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "pmusim/trace/byte_source.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Invalid input. what() is one line with the file, position (line or byte offset), error and correct form.
struct TraceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Properties of a trace, from the header (binary) or counted (text: zero until the end is reached).
struct TraceInfo {
  Isa isa = Isa::ppc;              ///< instruction set
  std::string program;             ///< name of the recorded program, may be empty
  std::uint64_t instructions = 0;  ///< lines, each an iteration of a rep (numbering.h); 0: unknown
  std::uint32_t version = 0;       ///< version of the binary format; 0 for text
  std::uint64_t chunks = 0;        ///< number of chunks of a binary trace read so far
  bool isa_line = false;           ///< the text form begins with `! isa NAME`
};

/// An item of a trace: a directive or an instruction.
struct Item {
  const Directive* directive = nullptr;  ///< not null: the item is a directive, and `instruction` is meaningless
  Instruction instruction;               ///< valid if `directive` is null
};

/// Returns the items of a trace one after the other.
class Reader {
 public:
  virtual ~Reader() = default;
  /// Properties of the trace; counts grow during reading.
  [[nodiscard]] virtual const TraceInfo& info() const = 0;
  /// Reads the next item; false at the end. The data that the item refers to is valid until the next call. Throws
  /// TraceError.
  bool next(Item& item) {
    if (taken_ == items_.size()) {
      items_ = read();
      taken_ = 0;
      if (items_.empty()) return false;
    }
    item = items_[taken_++];
    return true;
  }
  /// Reads the items from which next() takes: at least one, none at the end. They are valid until the next call. Only
  /// the first of them may be a directive, or have a static instruction that find() did not return before. Throws
  /// TraceError. For readers that read from another one; use next() otherwise, and not both.
  virtual std::span<const Item> read() = 0;
  /// The static instruction at an address among those read so far (with the latest bytes); null if unknown.
  [[nodiscard]] virtual const Code* find(std::uint64_t pc) const = 0;
  /// Number of static instructions read so far; their ids are 0 to code_count() - 1.
  [[nodiscard]] virtual std::uint32_t code_count() const = 0;

 protected:
  /// The items of the last read() that next() has returned.
  [[nodiscard]] std::span<const Item> taken() const { return items_.first(taken_); }

 private:
  std::span<const Item> items_;
  std::size_t taken_ = 0;
};

/// Options for reading a trace.
struct ReadOptions {
  /// ISA of a text trace without `! isa NAME` (`.pmt` files contain the ISA). Empty: such a trace is an error.
  std::optional<Isa> isa;
  /// Returns the intact items of a damaged or truncated file, then ends; the defect is passed to on_damage.
  bool salvage = false;
  /// Gets the message of the defect, once.
  std::function<void(const std::string&)> on_damage;
};

/// Opens `.pmt`, text, or zstd-compressed text, recognised by content. Throws TraceError.
[[nodiscard]] std::unique_ptr<Reader> open(const std::filesystem::path& file, const ReadOptions& options = {});
/// Opens the content of any trace file, recognised in the same way; messages call it `name`.
[[nodiscard]] std::unique_ptr<Reader> open(std::unique_ptr<ByteSource> source, const std::string& name,
                                           const ReadOptions& options = {});
/// Opens a text trace in memory; messages call it `name`.
[[nodiscard]] std::unique_ptr<Reader> open_text(std::string text, std::string name, const ReadOptions& options = {});
/// The same for content in memory.
[[nodiscard]] std::unique_ptr<Reader> open_memory(std::string content, std::string name,
                                                  const ReadOptions& options = {});

}  // namespace pmusim::trace
