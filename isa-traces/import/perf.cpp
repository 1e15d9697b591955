// `perf script --insn-trace`: a line for each executed instruction,
//     COMMAND TID [CPU] TIME: PC SYMBOL+0xN (FILE) insn: BYTES
// Fields before the pc can be omitted with -F. Data addresses are not reported.
#include <fmt/format.h>

#include "step.h"

namespace pmusim::trace::import {
namespace {

constexpr const char* right = "right: 'COMMAND TID TIME: PC SYMBOL (FILE) insn: BYTES' (perf script --insn-trace)";

/// Splits a line into words.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (skip_blanks(text); !text.empty(); skip_blanks(text)) {
    words.push_back(text.substr(0, text.find_first_of(" \t")));
    text.remove_prefix(words.back().size());
  }
  return words;
}

bool is_number(std::string_view word, int base) { return take_number(word, base) && word.empty(); }

/// True for a time such as `25139.693828608:`.
bool is_time(std::string_view word) {
  if (!word.ends_with(':')) return false;
  word.remove_suffix(1);
  return take_number(word, 10) && take(word, ".") && is_number(word, 10);
}

class Perf final : public LineParser {
  Line parse(std::string_view line, Step& step) override {
    if (line.find_first_not_of(" \t") == line.npos || line.starts_with('#')) return Line::nothing;
    if (line.find("instruction trace error") != line.npos) return Line::gap;
    const std::size_t mark = line.rfind(" insn: ");
    if (mark == line.npos) {
      throw LineError{
          fmt::format("no bytes of the instruction; {}; without --xed and, from perf 6.9 on, with "
                      "--insn-trace=raw",
                      right)};
    }
    read_bytes(line.substr(mark + 7), step);
    const std::vector<std::string_view> words = words_of(line.substr(0, mark));
    std::size_t at = 0;  // without a time the pc is first
    while (at < words.size() && !is_time(words[at])) ++at;
    if (at == words.size()) {
      at = 0;
    } else {
      std::size_t tid = at;
      while (tid > 0 && !is_number(words[tid - 1], 10)) --tid;  // [CPU] stands before the time
      if (tid > 0) step.thread = words[tid - 1];
      ++at;
    }
    if (at >= words.size() || !is_number(words[at], 16))
      throw LineError{fmt::format("no pc after the time; {}", right)};
    std::string_view pc = words[at];
    step.pc = *take_number(pc, 16);
    return Line::step;
  }

  static void read_bytes(std::string_view text, Step& step) {
    for (const std::string_view word : words_of(text)) {
      if (word.size() != 2 || !is_number(word, 16) || step.known == step.bytes.size())
        throw LineError{fmt::format("'{:.40}': not the bytes of an instruction; {}", text, right)};
      std::string_view digits = word;
      step.bytes[step.known++] = static_cast<std::uint8_t>(*take_number(digits, 16));
    }
    step.length = step.known;
    if (step.known == 0) throw LineError{fmt::format("no bytes after insn:; {}", right)};
  }
};

}  // namespace

std::unique_ptr<LineParser> perf_parser() { return std::make_unique<Perf>(); }

}  // namespace pmusim::trace::import
