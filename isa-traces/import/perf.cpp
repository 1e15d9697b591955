// `perf script --insn-trace`: a line for each executed instruction,
//     COMMAND TID [CPU] TIME: PC SYMBOL+0xN (FILE) insn: BYTES
// Fields before the pc can be omitted with -F. Data addresses are not reported.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "step.h"

namespace pmusim::trace::import {
namespace {

constexpr const char* whole_line =
    "expected 'COMMAND TID TIME: PC SYMBOL (FILE) insn: BYTES' (perf script --insn-trace)";

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

bool has(std::string_view line, std::string_view text) { return line.find(text) != line.npos; }

constexpr std::string_view bytes_mark = " insn: ";

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == line.npos; }
bool is_header(std::string_view line) { return line.starts_with('#'); }
bool is_lost(std::string_view line) { return has(line, "instruction trace error") || has(line, "PERF_RECORD_LOST"); }
bool has_bytes(std::string_view line) { return has(line, bytes_mark); }
bool is_record(std::string_view line) { return has(line, "PERF_RECORD_"); }
/// Events that perf makes from packets of Intel PT that are of no instruction (perf-intel-pt(1), itrace options o and
/// p).
bool is_packet(std::string_view line) {
  constexpr std::string_view names[] = {
      "cbr:", "psb:", "mwait:", "pwre:", "exstop:", "pwrx:", "ptwrite:", "evt:", "iflag:"};
  for (const std::string_view word : words_of(line)) {
    if (std::find(std::begin(names), std::end(names), word) != std::end(names)) return true;
  }
  return false;
}

constexpr LineKind perf_lines[] = {
    {"an empty line", "", Becomes::ignored, "it says nothing", is_blank},
    {"the header (`--header`)", "# captured on    : Sun Nov 29 10:00:00 2026", Becomes::ignored,
     "it is of no instruction", is_header},
    {"a part of the execution that was lost",
     " instruction trace error type 1 time 7.1 cpu 0 pid 5 tid 5 ip 0x1 code 5", Becomes::read,
     "the program goes on elsewhere: see `--gap`", is_lost},
    {"an executed instruction with its bytes", "spin 12115 26445.255752811:  8049000 _start+0x0 (./spin) insn: eb fe",
     Becomes::read, "", has_bytes},
    {"a record of the session (`--show-mmap-events`, `--show-switch-events`)",
     "spin 12115 26445.25: PERF_RECORD_SWITCH OUT preempt", Becomes::ignored, "it is of no instruction", is_record},
    {"a frequency, power, PTWRITE or other packet (`--itrace=op`)",
     "spin 12115 [000] 26445.25: cbr:  cbr: 42 freq: 4219 MHz (156%)  0 [unknown] ([unknown])", Becomes::ignored,
     "it is of no instruction", is_packet},
    {"anything else, such as a branch, or an instruction without bytes",
     "spin 12115 26445.25: branches:  8049000 _start+0x0 (./spin) => 8049000 _start+0x0 (./spin)", Becomes::refused,
     "no bytes of the instruction; expected 'COMMAND TID TIME: PC SYMBOL (FILE) insn: BYTES' (perf script "
     "--insn-trace); "
     "without --xed and, from perf 6.9 on, with --insn-trace=raw",
     is_any},
};

class Perf final : public LineParser {
  Line parse(std::string_view line, Step& step) override {
    if (is_lost(line)) return Line::gap;
    const std::size_t mark = line.rfind(bytes_mark);
    read_bytes(line.substr(mark + bytes_mark.size()), step);
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
      throw LineError{fmt::format("no pc after the time; {}", whole_line)};
    std::string_view pc = words[at];
    step.pc = *take_number(pc, 16);
    return Line::step;
  }

  static void read_bytes(std::string_view text, Step& step) {
    for (const std::string_view word : words_of(text)) {
      if (word.size() != 2 || !is_number(word, 16) || step.known == step.bytes.size())
        throw LineError{fmt::format("'{:.40}': not the bytes of an instruction; {}", text, whole_line)};
      std::string_view digits = word;
      step.bytes[step.known++] = static_cast<std::uint8_t>(*take_number(digits, 16));
    }
    step.length = step.known;
    if (step.known == 0) throw LineError{fmt::format("no bytes after insn:; {}", whole_line)};
  }
};

}  // namespace

std::span<const LineKind> perf_kinds() { return perf_lines; }
std::unique_ptr<LineParser> perf_parser() { return std::make_unique<Perf>(); }

}  // namespace pmusim::trace::import
