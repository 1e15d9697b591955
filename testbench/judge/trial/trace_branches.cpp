#include "testbench/judge/trial/trace_branches.h"

#include <fmt/format.h>

#include "models/activity/ia64.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/text.h"

namespace pmusim::testbench {

namespace {

constexpr unsigned slots = 3;
constexpr std::uint64_t bundle_bytes = 16;
/// Encodes an instruction's id: four times the bundle plus the slot, the thread, and a mark for instructions outside
/// the program.
constexpr unsigned slot_bits = 2, thread_bit = 62;
constexpr std::uint64_t handler = std::uint64_t{1} << 61, wrong_path = std::uint64_t{1} << 63;

}  // namespace

TraceBranches::TraceBranches(std::vector<std::unique_ptr<trace::Reader>> traces) {
  for (std::unique_ptr<trace::Reader>& reader : traces) programs_.emplace_back().reader = std::move(reader);
}

/// Reads until a branch that retires is found; false at the end of the trace.
bool TraceBranches::read_on(Program& program) {
  for (trace::Item item; program.next.empty();) {
    if (!program.reader->next(item)) return false;
    if (item.directive != nullptr) continue;
    const trace::Instruction& executed = item.instruction;
    const std::uint32_t id = executed.code->id;
    if (id >= program.known.size()) {
      program.known.resize(id + 1);
      program.slots.resize(id + 1);
    }
    if (!program.known[id]) {
      const trace::ia64::Bundle bundle = trace::ia64::decode(*executed.code);
      for (unsigned slot = 0; slot < slots; ++slot)
        program.slots[id][slot] = bundle.slots[slot].kind == trace::ia64::Kind::branch;
      program.known[id] = true;
    }
    const unsigned taken = executed.taken ? trace::taken_slot(executed.mask) : slots;
    for (unsigned slot = 0; slot < slots; ++slot) {
      if (!program.slots[id][slot] || executed.mask[slot] == '-') continue;
      program.next.push_back(
          {program.bundles, executed.code->pc, slot == taken ? executed.target : 0, slot, slot == taken});
    }
    ++program.bundles;
  }
  return true;
}

void TraceBranches::consume(const activity::Block& block) {
  for (const auto& retired : block.column(activity::Signal::retire)) {
    if (retired.ref == activity::no_ref || !problem_.empty()) continue;
    const auto& instruction = block.instructions[retired.ref];
    if (!block.syllables[retired.ref].has(activity::ia64::Kind::branch)) continue;
    if ((instruction.id & (handler | wrong_path)) != 0) continue;
    Program& program = programs_[programs_.size() > 1 ? instruction.id >> thread_bit & 1 : 0];
    const std::uint64_t ordinal = (instruction.id & (handler - 1)) >> slot_bits;
    const auto place = [&] {
      return fmt::format("the branch of slot {} at 0x{:x} that retires in cycle {}{}", instruction.slot, instruction.ip,
                         block.begin + retired.at, instruction.taken ? ", taken," : "");
    };
    if (!read_on(program)) {
      problem_ = place() + " is not in the trace";
      return;
    }
    const Branch branch = program.next.front();
    program.next.pop_front();
    ++branches_;
    const bool same = branch.ordinal == ordinal && branch.bundle == instruction.ip && branch.slot == instruction.slot &&
                      branch.taken == instruction.taken &&
                      (!branch.taken || branch.target / bundle_bytes == instruction.next_ip / bundle_bytes);
    if (same) continue;
    problem_ = fmt::format("{} is in the trace slot {} at 0x{:x}, {}", place(), branch.slot, branch.bundle,
                           branch.taken ? fmt::format("taken to 0x{:x}", branch.target) : "not taken");
  }
}

void TraceBranches::finish() {
  for (Program& program : programs_) {
    if (!problem_.empty() || !read_on(program)) continue;
    problem_ = fmt::format("the branch of slot {} at 0x{:x} in the trace does not retire", program.next.front().slot,
                           program.next.front().bundle);
  }
}

}  // namespace pmusim::testbench
