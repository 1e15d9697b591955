// Properties of a trace reader for any input.
#pragma once

#include <cstdint>
#include <string>

#include "pmusim/trace/reader.h"
#include "pmusim/trace/text.h"
#include "testbench/fuzz/input.h"

namespace pmusim::trace::fuzz {

using pmusim::fuzz::require;

/// Reads all items and returns them as text. The reader may only throw a TraceError, with one line that begins with the
/// name.
inline std::string read_as_text(const std::string& input, const ReadOptions& options, std::string& error) {
  std::string text;
  try {
    const auto reader = open_memory(input, "input", options);
    if (reader->info().isa_line) text = "! isa " + std::string(name_of(reader->info().isa)) + "\n";
    std::uint64_t instructions = 0;
    for (Item item; reader->next(item);) {
      if (item.directive != nullptr) {
        append_line(text, *item.directive);
      } else {
        ++instructions;
        const Code* code = item.instruction.code;
        require(code != nullptr && code->id < reader->code_count(), "ids are below the number of entries");
        require(reader->find(code->pc) == code, "find() gives the latest");
        append_line(text, reader->info().isa, item.instruction);
      }
      text += '\n';
    }
    if (!options.salvage) require(reader->info().instructions == instructions, "all instructions were read");
  } catch (const TraceError& e) {
    error = e.what();
    require(error.starts_with("input:") && error.find('\n') == error.npos, "an error is one line with the name");
  }
  return text;
}

/// Salvage must give the items that an ordinary reader gives before its error; a trace without error must read the same
/// as text.
inline void check(const std::string& input, const ReadOptions& options) {
  std::string error, ignored;
  const std::string text = read_as_text(input, options, error);
  ReadOptions salvage = options;
  salvage.salvage = true;
  require(read_as_text(input, salvage, ignored) == text, "salvage gives what is before the defect");
  if (!error.empty()) return;
  ReadOptions again = options;
  if (!text.starts_with("! isa")) {
    // it was in the header of a binary trace
    again.isa = open_memory(input, "input", options)->info().isa;
  }
  require(read_as_text(text, again, error) == text && error.empty(), "what was read is legal text and reads the same");
}

}  // namespace pmusim::trace::fuzz
