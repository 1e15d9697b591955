// Facts for judging the Athlon: breakpoints and their debug registers, parameters that break a promise.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "pmusim/trace/x86.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/judge/trial/trace_counts.h"

namespace pmusim::testbench {

using oracle::Request;

namespace {

constexpr std::string_view breakpoint_event = "BREAKPOINT_MATCHES_FOR_DR";

/// DR7 for one breakpoint: local enable, R/W and LEN fields (IA-32, debug registers).
std::uint64_t debug_control(unsigned index, std::uint32_t kind, std::uint32_t length) {
  const std::uint64_t length_code = length == 4 ? 3 : length == 2 ? 1 : 0;
  return (std::uint64_t{1} << (2 * index)) | (std::uint64_t{kind} << (16 + 4 * index)) |
         (length_code << (18 + 4 * index));
}

/// Adds the debug registers of a breakpoint event: DR0 matches execution, DR1 writes, DR2 and DR3 reads or writes,
/// unless the request already names a kind.
void add_breakpoint(Check& check, Group& group, const Landmarks& landmarks) {
  if (!check.request.event.starts_with(breakpoint_event)) return;
  const unsigned index = static_cast<unsigned>(check.request.event.back() - '0');
  constexpr std::array<std::uint32_t, 4> kinds{oracle::breakpoint_execute, oracle::breakpoint_write,
                                               oracle::breakpoint_read_write, oracle::breakpoint_read_write};
  const std::uint32_t kind = check.request.breakpoint != 0 ? check.request.breakpoint & 3u : kinds[index];
  const bool executes = kind == oracle::breakpoint_execute, writes = kind == oracle::breakpoint_write;
  const std::uint64_t place = executes ? landmarks.instruction : writes ? landmarks.store : landmarks.load;
  const std::uint32_t size = std::min(executes ? 1 : writes ? landmarks.store_size : landmarks.load_size, 4u);
  const std::uint32_t length = size == 3 ? 2 : size;
  check.request.address = place & ~std::uint64_t{length - 1};
  check.request.breakpoint = kind | (length << oracle::breakpoint_length_shift);
  group.extra.push_back({fmt::format("DR{}", index), check.request.address});
  group.extra.push_back({"DR7", debug_control(index, kind, length)});
}

/// The breakpoints of a group share DR7: every write of it contains the bits of all.
void complete(Group& group, const Landmarks& landmarks) {
  for (Check& check : group.checks) add_breakpoint(check, group, landmarks);
  std::uint64_t control = 0;
  for (const ExtraWrite& write : group.extra) control |= write.reg == "DR7" ? write.value : 0;
  for (ExtraWrite& write : group.extra) {
    if (write.reg == "DR7") write.value = control;
  }
}

/// Every kind of breakpoint in a debug register.
void breakpoint_kinds(const Request& row, const Landmarks& landmarks, std::vector<Group>& groups) {
  for (const std::uint32_t kind :
       {oracle::breakpoint_execute, oracle::breakpoint_write, oracle::breakpoint_read_write}) {
    Group& group = groups.emplace_back();
    group.checks.push_back(plain_check(row, all_levels[0]));
    group.checks.back().request.breakpoint = kind | (1u << oracle::breakpoint_length_shift);
    complete(group, landmarks);
  }
}

void apart(const std::string&, const std::vector<Request>& rows, const Landmarks& landmarks,
           std::vector<Group>& groups) {
  for (const Request& row : rows) {
    if (row.event.starts_with(breakpoint_event)) breakpoint_kinds(row, landmarks, groups);
  }
}

constexpr std::string_view traces[] = {"athlon"};

bool leaves_out_counter_0(const Group& group, const Check&) {
  const auto& unavailable = group.unavailable_counters;
  return std::find(unavailable.begin(), unavailable.end(), 0u) != unavailable.end();
}
bool asks_for_interrupts(const Group& group, const Check& check) {
  const auto& list = check.attributes;
  return group.samples() || std::find(list.begin(), list.end(), Attribute{"intr", 1}) != list.end();
}
constexpr BrokenPromise promises[] = {
    {"pmu.has_apic", 0, asks_for_interrupts, "no counter interrupts"},
    {"pmu.enable_scope", 1, leaves_out_counter_0, "no counter counts without the EN of PerfEvtSel0"}};

// Counts that follow from the instructions of an IA-32 trace alone. Without interrupts and self-modifying code exactly
// these instructions retire.

using trace::Code;
using trace::Directive;
using trace::Instruction;

class X86LineCounter final : public TableLineCounter {
 public:
  explicit X86LineCounter(std::string_view target) : TableLineCounter(target) {}
  bool directive(const Directive& directive, unsigned& level) override {
    if (directive.name == "snoop") restarts_ = true;  // it may hit code in flight
    if (directive.name == "if") return true;
    if (directive.name != "cpl") return TableLineCounter::directive(directive, level);
    if (const auto cpl = level_operand(directive, "")) level = *cpl;
    return true;
  }

 private:
  [[nodiscard]] CountedRows decode(const Code& code) const override {
    using trace::x86::BranchKind;
    const trace::x86::Operation op = trace::x86::classify(code);
    CountedRows counted;
    counted.always = row("RETIRED_INSTRUCTIONS");
    counted.silent = op.kind == trace::x86::Kind::illegal;
    counted.iterates = op.repeats;
    if (op.mnemonic == "into")  // it does not always transfer
      counted.undetermined = row("RETIRED_FAR_CONTROL_TRANSFERS") | row("RETIRED_TAKEN_BRANCH_INSTRUCTIONS");
    // INT n of a program returns to the next instruction; its kernel part is not in the trace.
    const bool far = op.branch == BranchKind::far_transfer || op.kind == trace::x86::Kind::far_transfer;
    if (far || op.software_interrupt) {
      counted.always |= row("RETIRED_FAR_CONTROL_TRANSFERS") | row("RETIRED_BRANCH_INSTRUCTIONS") |
                        row("RETIRED_TAKEN_BRANCH_INSTRUCTIONS");
    } else if (op.branch != BranchKind::none) {
      counted.always |= row("RETIRED_BRANCH_INSTRUCTIONS");
      counted.taken |= row("RETIRED_TAKEN_BRANCH_INSTRUCTIONS");
    }
    if (op.branch == BranchKind::ret) counted.always |= row("RETIRED_NEAR_RETURNS");
    return counted;
  }
  bool look(const Instruction& executed) override {
    code_.insert(executed.code->pc / page);
    for (const trace::Access& access : executed.accesses) {
      if (access.store) written_.insert(access.address / page);
    }
    return true;
  }
  // A restart of the pipeline counts as an instruction.
  [[nodiscard]] Rows undetermined() const override {
    const bool written =
        std::any_of(written_.begin(), written_.end(), [&](std::uint64_t number) { return code_.contains(number); });
    return restarts_ || written ? row("RETIRED_INSTRUCTIONS") : 0;
  }
  static constexpr std::uint64_t page = 4096;
  std::set<std::uint64_t> code_, written_;  ///< pages
  bool restarts_ = false;
};

}  // namespace

const JudgingFacts targets::athlon::judging{.apart = apart,
                                            .complete = complete,
                                            .broken_promises = promises,
                                            .traces = traces,
                                            .line_counter = line_counter_of<X86LineCounter>};

}  // namespace pmusim::testbench
