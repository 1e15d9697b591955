// QEMU's plugin execlog (contrib/plugins/execlog.c): one line for each executed instruction,
//     VCPU, 0xPC, 0xOPCODE, "DISASSEMBLY"[, load|store, 0xADDRESS[, DEVICE]]...[, REGISTER -> 0xVALUE]...
// OPCODE is the instruction's first four bytes as a number of the host, which is assumed to be little-endian. Bytes
// after a shorter instruction are meaningless. Access sizes are missing. Fields that are neither load nor store are the
// device of a physical address (a whole system), or a changed register (option reg=, QEMU 9 and later).
#include <algorithm>

#include "step.h"

namespace pmusim::trace::import {
namespace {

[[noreturn]] void fail(const char* what) {
  throw LineError{
      std::string(what) +
      "; expected lines of QEMU's execlog, VCPU, 0xPC, 0xOPCODE, \"DISASSEMBLY\"[, load|store, 0xADDRESS]... "
      "(qemu-i386 -plugin libexeclog.so -d plugin -D FILE PROGRAM)"};
}

std::uint64_t address(std::string_view& text) {
  if (!take(text, "0x")) fail("an address without 0x");
  const auto value = take_number(text, 16);
  if (!value) fail("no address after 0x");
  return *value;
}

bool begins_with_number(std::string_view line) { return take_number(line, 10).has_value(); }
bool changes_register(std::string_view line) { return begins_with_number(line) && line.find(" -> 0x") != line.npos; }

constexpr LineKind execlog_lines[] = {
    {"at exit, for a virtual processor that executed nothing", "", Becomes::ignored, "it says nothing", is_empty},
    {"an executed instruction with changed registers (`reg=`)",
     "0, 0x8049000, 0x90018b, \"movl (%ecx), %eax\", load, 0x0804a00c, eax -> 0x00000005", Becomes::read,
     "without the values", changes_register},
    {"an executed instruction with its accesses", "0, 0x8049000, 0x90018b, \"movl (%ecx), %eax\", load, 0x0804a00c",
     Becomes::read, "", begins_with_number},
    {"anything else, such as the program's own output", "Hello", Becomes::refused,
     "no number of a virtual processor; expected lines of QEMU's execlog, VCPU, 0xPC, 0xOPCODE, \"DISASSEMBLY\"[, "
     "load|store, 0xADDRESS]... (qemu-i386 -plugin libexeclog.so -d plugin -D FILE PROGRAM)",
     is_any},
};

class Execlog final : public LineParser {
  Line parse(std::string_view line, Step& step) override {
    std::string_view rest = line;
    if (!take_number(rest, 10)) fail("no number of a virtual processor");
    step.thread = line.substr(0, line.size() - rest.size());
    if (!take(rest, ", ")) fail("no comma after the virtual processor");
    step.pc = address(rest);
    if (!take(rest, ", ")) fail("no comma after the pc");
    const std::uint64_t opcode = address(rest);
    for (step.known = 0; step.known < 4; ++step.known)
      step.bytes[step.known] = static_cast<std::uint8_t>(opcode >> 8 * step.known);
    if (!take(rest, ", \"")) fail("no disassembly after the opcode");
    const std::size_t end = rest.find('"');
    if (end == rest.npos) fail("the disassembly has no end");
    rest.remove_prefix(end + 1);
    while (take(rest, ", ")) {
      StepAccess access;
      if (take(rest, "load, ")) {
        access.kind = StepAccess::Kind::load;
      } else if (take(rest, "store, ")) {
        access.kind = StepAccess::Kind::store;
      } else {  // the device of a physical address, or a changed register
        rest.remove_prefix(std::min(rest.find(','), rest.size()));
        continue;
      }
      access.address = address(rest);
      step.accesses.push_back(access);
    }
    if (!rest.empty()) fail("something after the accesses");
    return Line::step;
  }
};

}  // namespace

std::span<const LineKind> execlog_kinds() { return execlog_lines; }
std::unique_ptr<LineParser> execlog_parser() { return std::make_unique<Execlog>(); }

}  // namespace pmusim::trace::import
