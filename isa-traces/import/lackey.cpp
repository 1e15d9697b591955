// Valgrind's tool lackey with --trace-mem=yes: a line `I  PC,LENGTH` for each executed instruction, followed by its
// accesses ` L ADDRESS,SIZE`, ` S ADDRESS,SIZE` and ` M ADDRESS,SIZE` (a load and a store). Addresses are hexadecimal,
// sizes decimal. Lines of Valgrind itself begin with == or --. Valgrind omits loads whose result is not used, and
// reports the load of an atomic instruction twice.
#include <fmt/format.h>

#include "step.h"

namespace pmusim::trace::import {
namespace {

[[noreturn]] void fail(std::string_view line) {
  throw LineError{
      fmt::format("'{:.40}': no line of lackey; expected 'I  PC,LENGTH', ' L|S|M ADDRESS,SIZE' "
                  "(valgrind --tool=lackey --trace-mem=yes --log-file=FILE PROGRAM)",
                  line)};
}

constexpr bool is_message(std::string_view line) {
  return line.starts_with("==") || line.starts_with("--") || line.starts_with("**");
}
constexpr bool is_superblock(std::string_view line) { return line.starts_with("SB "); }
constexpr bool is_instruction(std::string_view line) { return line.starts_with("I "); }
bool is_access(std::string_view line) {
  skip_blanks(line);
  return line.starts_with("L ") || line.starts_with("S ") || line.starts_with("M ");
}

constexpr std::string_view one_process = "for its process: lines of another process are refused";

constexpr LineKind lackey_lines[] = {
    {"an executed instruction", "I  08049000,5", Becomes::read, "", is_instruction},
    {"a load, a store, or both (`M`) of the instruction before", " L 0804a00c,4", Becomes::read, "", is_access},
    {"entry of a superblock (`--trace-superblocks=yes`)", "SB 08049000", Becomes::ignored,
     "its instructions have lines of their own", is_superblock},
    {"a message of Valgrind (`==`, debugging `--`) or of the program to it (`**`)",
     "==4711== Lackey, an example Valgrind tool", Becomes::read, one_process, is_message},
    {"an empty line", "", Becomes::ignored, "it says nothing", is_empty},
    {"anything else, such as the program's own output", "Hello", Becomes::refused,
     "no line of lackey; expected 'I  PC,LENGTH', ' L|S|M ADDRESS,SIZE' (valgrind --tool=lackey --trace-mem=yes "
     "--log-file=FILE PROGRAM)",
     is_any},
};

class Lackey final : public LineParser {
  Line parse(std::string_view line, Step& step) override {
    if (is_message(line)) {
      check_process(line);
      return Line::nothing;
    }
    std::string_view rest = line;
    skip_blanks(rest);
    const char kind = rest.empty() ? '?' : rest.front();
    if (rest.size() < 2 || rest[1] != ' ') fail(line);
    rest.remove_prefix(2);
    skip_blanks(rest);
    const auto address = take_number(rest, 16);
    if (!address || !take(rest, ",")) fail(line);
    const auto size = take_number(rest, 10);
    if (!size || *size == 0 || *size > 65535 || !rest.empty()) fail(line);
    if (kind == 'I') {
      step.pc = *address;
      step.length = static_cast<unsigned>(*size);
      return Line::step;
    }
    using Kind = StepAccess::Kind;
    if (kind != 'L' && kind != 'S' && kind != 'M') fail(line);
    step.accesses.push_back({kind == 'L'   ? Kind::load
                             : kind == 'S' ? Kind::store
                                           : Kind::modify,
                             *address, static_cast<std::uint16_t>(*size)});
    return Line::more;
  }

  /// Valgrind's own lines name the process, as in `==17== `. A child that the program has forked writes to the same
  /// file.
  void check_process(std::string_view line) {
    std::string_view rest = line.substr(2);
    const auto process = take_number(rest, 10);
    if (!process || !rest.starts_with(line.substr(0, 2))) return;
    if (process_ && *process_ != *process)
      throw LineError{
          fmt::format("lines of process {} after those of process {}; expected the log of one process, as "
                      "--log-file=FILE.%p writes it",
                      *process, *process_)};
    process_ = process;
  }

  std::optional<std::uint64_t> process_;
};

}  // namespace

std::span<const LineKind> lackey_kinds() { return lackey_lines; }
std::unique_ptr<LineParser> lackey_parser() { return std::make_unique<Lackey>(); }

}  // namespace pmusim::trace::import
