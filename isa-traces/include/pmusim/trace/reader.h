// Reading a trace, binary or text: one item after the other, memory flat.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Bad input. what() is one line: file, place (line or byte offset), what is wrong, what would be right.
struct TraceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Facts from the header (binary) or counted (text: zero until the end is reached).
struct TraceInfo {
  Isa isa = Isa::ppc;              ///< instruction set
  std::string program;             ///< name of the recorded program, may be empty
  std::uint64_t instructions = 0;  ///< lines (IA-64: bundles); 0 if unknown
  std::uint32_t version = 0;       ///< of the binary format; 0 for text
  std::uint64_t chunks = 0;        ///< of a binary trace, read so far
  bool isa_line = false;           ///< the text has `! isa NAME`; a writer told so makes the same lines again
};

/// One step of a trace: a directive or an instruction.
struct Item {
  const Directive* directive = nullptr;  ///< set: this is a directive, `instruction` is meaningless
  Instruction instruction;               ///< valid where `directive` is null
};

/// Gives the items of a trace one after the other.
class Reader {
 public:
  virtual ~Reader() = default;
  /// What is known of the trace; counts grow while it is read.
  [[nodiscard]] virtual const TraceInfo& info() const = 0;
  /// The next item, or false at the end. What it points to is valid until the next call. Throws TraceError.
  virtual bool next(Item& item) = 0;
  /// The static instruction at an address, among those met so far (the latest bytes); null if unknown.
  [[nodiscard]] virtual const Code* find(std::uint64_t pc) const = 0;
  /// Number of static instructions met so far; ids are below it.
  [[nodiscard]] virtual std::uint32_t code_count() const = 0;
};

/// What to expect, and what to do about damage.
struct ReadOptions {
  /// ISA of a text trace that does not say (`.pmt` files do). Empty: an error unless the text has `! isa NAME`.
  std::optional<Isa> isa;
  /// Hand out what is whole in a damaged or cut file, then end; the defect goes to on_damage.
  bool salvage = false;
  /// Gets the message of the defect, once.
  std::function<void(const std::string&)> on_damage;
};

/// Opens `.pmt`, text, or text packed with zstd, told apart by content. Throws TraceError.
[[nodiscard]] std::unique_ptr<Reader> open(const std::filesystem::path& file, const ReadOptions& options = {});
/// The same for a text trace held in memory; `name` stands for the file in messages.
[[nodiscard]] std::unique_ptr<Reader> open_text(std::string text, std::string name, const ReadOptions& options = {});
/// The same for the content of any trace file held in memory, told apart as open() does.
[[nodiscard]] std::unique_ptr<Reader> open_memory(std::string content, std::string name,
                                                  const ReadOptions& options = {});

}  // namespace pmusim::trace
