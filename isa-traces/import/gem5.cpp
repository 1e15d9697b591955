// gem5's --debug-flags=Exec (src/cpu/exetrace.cc): a line for each executed instruction or micro-operation,
//     TICK: CPU: [AASID ]T0 : 0xPC [@SYMBOL[+N]][.UPC] : DISASSEMBLY[ : CLASS : [ D=0xVALUE][ A=0xADDRESS]...]
// An instruction that consists of micro-operations has a line without a class, followed by the lines of the
// micro-operations with their number after a dot; together they form one step. Lines of other flags are skipped.
// Versions before 2020, the last ones with Alpha, have no colon after CPU, no blank before UPC, and only @SYMBOL[+N] if
// the pc has a symbol.
// A line that ends with FAULTING is of an instruction that did not execute; it is printed again when it does. With
// ExecSpeculative, a - before the thread marks an instruction of a wrong path, and a + one that is executed.
#include <fmt/format.h>

#include "step.h"

namespace pmusim::trace::import {
namespace {

constexpr const char* right =
    "expected 'TICK: CPU: T0 : 0xPC @SYMBOL : DISASSEMBLY : CLASS : D=0x... A=0x...' "
    "(gem5 --debug-flags=Exec --debug-file=FILE)";

/// Removes the part before " : " from the text. False if there is no " : "; the field is then the whole text.
bool take_field(std::string_view& text, std::string_view& field) {
  const std::size_t colon = text.find(" : ");
  if (colon == text.npos) {
    field = text;
    text = {};
    return false;
  }
  field = text.substr(0, colon);
  text.remove_prefix(colon + 3);
  return true;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

/// The beginning of a line, up to the first " : ": CPU, path, address space and thread.
struct Head {
  bool tick = false;
  std::string_view cpu;
  std::string_view thread;  ///< its number; empty if there is none
  bool wrong_path = false;
  std::string_view rest;  ///< after the " : "; empty if there is none
};

Head head_of(std::string_view line) {
  Head head;
  std::string_view field;
  skip_blanks(line);
  head.tick = take_number(line, 10) && take(line, ": ");
  head.rest = line;
  if (!take_field(head.rest, field)) return head;
  head.cpu = field.substr(0, field.find_first_of(": "));
  head.wrong_path = has_word(field, "-");
  const std::size_t blank = field.rfind(' ');
  if (blank != field.npos && field[blank + 1] == 'T') head.thread = field.substr(blank + 2);
  return head;
}

/// True for a line that begins with the name of a processor and a place, as without ExecThread.
bool names_place(std::string_view line) {
  skip_blanks(line);
  static_cast<void>(take_number(line, 10) && take(line, ": "));
  const std::size_t blank = line.find(' ');
  const std::string_view place = blank == line.npos ? "" : line.substr(blank + 1);
  return line.starts_with("system.") && (place.starts_with("0x") || place.starts_with('@')) &&
         place.find(" : ") != place.npos;
}

bool is_executed(std::string_view line) { return !head_of(line).thread.empty(); }
bool lacks_tick(std::string_view line) { return is_executed(line) && !head_of(line).tick; }
bool is_wrong_path(std::string_view line) { return is_executed(line) && head_of(line).wrong_path; }
bool is_faulting(std::string_view line) { return is_executed(line) && has_word(line, "FAULTING"); }
bool has_tick(std::string_view line) { return head_of(line).tick; }

constexpr LineKind gem5_lines[] = {
    {"an instruction without its time (`-ExecTicks`)", "system.cpu T0 : 0x1004    : bis r21,r20,r20 : IntAlu :",
     Becomes::refused, "no tick; expected gem5 --debug-flags=Exec --debug-file=FILE, without -ExecTicks", lacks_tick},
    {"an instruction without its thread (`-ExecThread`)",
     " 252000: system.cpu 0x1004    : bis r21,r20,r20 : IntAlu :", Becomes::refused,
     "no thread; expected gem5 --debug-flags=Exec --debug-file=FILE, without -ExecThread", names_place},
    {"an instruction of a wrong path (`ExecSpeculative`)",
     " 252000: system.cpu - T0 : 0x1008    : bis r21,r20,r20 : IntAlu :", Becomes::ignored, "it did not execute",
     is_wrong_path},
    {"a fault (`ExecFaulting`)", " 252000: system.cpu T0 : 0x1004    : ldq r22,0(r20) : MemRead :  A=0x590 FAULTING",
     Becomes::read, "not executed: left out with its micro-operations until printed again", is_faulting},
    {"an executed instruction or micro-operation, or the instruction of the micro-operations that follow",
     " 252000: system.cpu T0 : 0x1004    : bis r21,r20,r20 : IntAlu :  D=0x594", Becomes::read, "", is_executed},
    {"a line of another debug flag", " 252000: system.cpu.dcache: access for ReadReq [590:597] hit", Becomes::ignored,
     "it is of no instruction", has_tick},
    {"a message of gem5 or of the program", "Memory Usage: 763680 KBytes", Becomes::ignored, "it is of no instruction",
     is_any},
};

class Gem5 final : public LineParser {
  Line parse(std::string_view line, Step& step) override {
    const Head head = head_of(line);
    std::string_view rest = head.rest, field;
    const std::string_view cpu = head.cpu, number = head.thread;
    step.thread = number == "0" ? std::string(cpu) : fmt::format("{}.T{}", cpu, number);

    const bool has_words = take_field(rest, field);  // pc, symbol, number of the micro-operation
    const std::string_view place = field;
    std::optional<unsigned> micro;
    if (take(field, "0x")) {
      const auto pc = take_number(field, 16);
      if (!pc || !has_words) throw LineError{fmt::format("'{:.60}': cut off after the pc; {}", line, right)};
      step.pc = *pc;
      micro = micro_operation(field);
    } else if (take(field, "@") && has_words) {
      micro = read_symbol(field, step);
    } else {
      throw LineError{fmt::format("'{:.40}': neither a pc nor a symbol; {}", place, right)};
    }
    read_address(rest, step);
    const bool faults = has_word(rest, "FAULTING");

    // A micro-operation belongs to the preceding instruction, unless it is the first one of an instruction without its
    // own line.
    const bool goes_on =
        micro && step.thread == thread_ && step.pc == pc_ && step.symbol == symbol_ && (*micro > micro_ || !counting_);
    thread_ = step.thread;
    pc_ = step.pc;
    symbol_ = step.symbol;
    counting_ = micro.has_value();
    micro_ = micro.value_or(0);
    if (faults) thread_.clear();  // the next line begins the instruction anew
    return faults ? goes_on ? Line::undone : Line::nothing : goes_on ? Line::more : Line::step;
  }

  /// The number N of `0x1234 @symbol+8. N`.
  static std::optional<unsigned> micro_operation(std::string_view field) {
    while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
    const std::size_t dot = field.rfind('.');
    if (dot == field.npos) return std::nullopt;
    field.remove_prefix(dot + 1);
    skip_blanks(field);
    const auto number = take_number(field, 10);
    if (!number || !field.empty()) return std::nullopt;  // the dot belongs to a symbol
    return static_cast<unsigned>(*number);
  }

  /// Parses `SYMBOL[+N][.UPC]`. Symbols may contain dots: without a +N, the text after a dot is a UPC only if the part
  /// before it is the symbol of the preceding line.
  std::optional<unsigned> read_symbol(std::string_view field, Step& step) const {
    while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
    std::optional<unsigned> micro;
    const std::size_t dot = field.rfind('.');
    const std::size_t plus = field.rfind('+');
    const bool before_dot = plus != field.npos && plus < dot;
    if (dot != field.npos && (before_dot || (pc_ == 0 && field.substr(0, dot) == symbol_))) {
      micro = micro_operation(field);
      if (micro) field = field.substr(0, dot);
    }
    if (plus != field.npos && plus < field.size()) {
      std::string_view digits = field.substr(plus + 1);
      const auto offset = take_number(digits, 10);
      if (!offset || !digits.empty()) throw LineError{fmt::format("'@{:.60}': no number after +; {}", field, right)};
      step.pc = *offset;
      field = field.substr(0, plus);
    }
    step.symbol = field;
    return micro;
  }

  static void read_address(std::string_view rest, Step& step) {
    std::string_view disassembly;
    if (!take_field(rest, disassembly)) return;  // an instruction made of micro-operations
    std::size_t at = rest.find(" A=0x");
    if (rest.starts_with("A=0x")) at = 0;
    if (at == rest.npos) return;
    std::string_view digits = rest.substr(rest.find("0x", at) + 2);
    const auto address = take_number(digits, 16);
    if (!address) throw LineError{fmt::format("no address after A=0x; {}", right)};
    using Kind = StepAccess::Kind;
    const auto has = [&](std::string_view word) { return rest.find(word) != rest.npos; };
    const bool load = has("MemRead") || has("IsLoad"), store = has("MemWrite") || has("IsStore");
    const Kind kind = load == store ? Kind::unknown : load ? Kind::load : Kind::store;
    step.accesses.push_back({kind, *address, 0});
  }

  std::string thread_;
  std::uint64_t pc_ = 0;  // relative to symbol_, if there is one
  std::string symbol_;
  unsigned micro_ = 0;
  bool counting_ = false;  // the preceding line was a micro-operation
};

}  // namespace

std::span<const LineKind> gem5_kinds() { return gem5_lines; }
std::unique_ptr<LineParser> gem5_parser() { return std::make_unique<Gem5>(); }

}  // namespace pmusim::trace::import
