// Plans of the Alphas: periods with their interrupts, profiled instructions, and the flows that SEL2 narrows.
#include <algorithm>
#include <array>
#include <iterator>

#include "pmusim/trace/alpha.h"
#include "testbench/judge/question/event_facts.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/judge/trial/trace_counts.h"
#include "testbench/oracle/profile.h"
#include "testbench/targets/alpha/chips.h"

namespace pmusim::testbench {

using oracle::Request;

namespace {

using alphas::counter_of;
using alphas::has_modes;
using alphas::periods_of;

constexpr std::string_view statistics = "PF67_PM_";

bool is_statistic(const Request& row) { return row.event.starts_with(statistics); }

Group alone(Check check) {
  Group group;
  group.checks.push_back(std::move(check));
  return group;
}

/// Checks a row with a period: its interrupts or samples, and with a period of the hardware also its count.
Group sampled(const Request& row, Sampled::By by, std::uint64_t period) {
  Check check = plain_check(row, all_levels[0]);
  if (by == Sampled::By::hardware) check.attributes.emplace_back("freq", static_cast<std::uint32_t>(period));
  Group group = alone(std::move(check));
  group.sampled = Sampled{by, period};
  return group;
}

/// SEL2 restricts the events of SEL1 = 8. No event string of counter 1 alone can express this.
void narrowed_flows(std::vector<Group>& groups) {
  using oracle::alpha::Flow;
  struct Narrowed {
    std::string_view beside;
    Flow flow;
  };
  for (const Narrowed& n : {Narrowed{"PF5_MUX2_C_PC_MISPR", Flow::jumps},
                            Narrowed{"PF5_MUX2_C_BRANCH_MISPREDICTS", Flow::conditional_branches}}) {
    Check flow = plain_check({.event = "PF5_MUX1_FLOW_CHANGE", .umasks = {}}, all_levels[0]);
    flow.request.alpha.flow = n.flow;
    flow.raw = "CTR1=0x8";
    Group group = alone(std::move(flow));
    group.checks.push_back(plain_check({.event = std::string(n.beside), .umasks = {}}, all_levels[0]));
    groups.push_back(std::move(group));
  }
}

/// Micro-traces have their subject in the 41st instruction, or in every iteration of a loop of 17.
constexpr std::array<std::uint64_t, 2> short_profiles{41, 16};
constexpr std::uint64_t long_profile = 1009, preset_period = 400;

void apart(const std::string& target, const std::vector<Request>& rows, const Landmarks&, std::vector<Group>& groups) {
  for (const Request& row : rows) {
    if (is_statistic(row)) {
      for (const std::uint64_t period : short_profiles) groups.push_back(sampled(row, Sampled::By::profile_me, period));
      continue;
    }
    for (const std::uint32_t period : periods_of(target, counter_of(target, row.event))) {
      groups.push_back(sampled(row, Sampled::By::hardware, period));
    }
    if (target != "alpha-ev4") groups.push_back(sampled(row, Sampled::By::presets, preset_period));
  }
  if (has_modes(target)) narrowed_flows(groups);
}

// Long traces: the shortest periods, and one statistic for each mode of the counters.
void apart_on_long(const std::string& target, const std::vector<Request>& rows, const Landmarks&,
                   std::vector<Group>& groups) {
  static constexpr std::array<std::string_view, 4> modes{"PF67_PM_INFLT_RETIRES", "PF67_PM_DELAY",
                                                         "PF67_PM_INFLT_BCACHE_MISS", "PF67_PM_INFLT_REPLAYS"};
  for (const Request& row : rows) {
    if (is_statistic(row)) {
      if (std::find(modes.begin(), modes.end(), row.event) != modes.end())
        groups.push_back(sampled(row, Sampled::By::profile_me, long_profile));
      continue;
    }
    const auto periods = periods_of(target, counter_of(target, row.event));
    groups.push_back(periods.empty() ? sampled(row, Sampled::By::presets, preset_period)
                                     : sampled(row, Sampled::By::hardware, periods.back()));
  }
}

std::vector<Group> sets(const std::string& target, const std::vector<Request>& rows, const Landmarks&,
                        const Levels& levels) {
  std::vector<Group> groups;
  if (!levels.user || !levels.kernel) return groups;  // modes are those of the questions
  std::vector<Request> counted;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(counted),
               [](const Request& r) { return !is_statistic(r); });
  for (const std::vector<std::size_t>& pass : passes_of(target, counted)) {
    Group& group = groups.emplace_back();
    for (const std::size_t row : pass) group.checks.push_back(plain_check(counted[row], all_levels[0]));
  }
  return groups;
}

/// A counter whose interrupts are off has CTL = 1; one with a period has 2 or 3.
bool is_without_interrupts(const Group& group, const Check& check) {
  const auto has_period = [](const Attribute& attribute) { return attribute.first == "freq"; };
  return !group.samples() && std::none_of(check.attributes.begin(), check.attributes.end(), has_period);
}
constexpr BrokenPromise promises_of_ev5[] = {
    {"pmu.ctl_1", 1, is_without_interrupts, "a counter without interrupts (CTL = 1) is off"}};

std::vector<std::string> statistics_of_profiles() {
  const auto names = oracle::profile_statistics();
  return {names.begin(), names.end()};
}

/// The micro-traces of all chips are in one folder.
constexpr std::string_view traces[] = {"alpha"};

// Counts that follow from the instructions of an Alpha trace alone. PALcode that the hardware enters on its own is not
// in the trace. On the 21264 conditional branches always retire once; the total of instructions is known only if no
// translation misses. The 21064 and 21164 count at issue, and instructions stopped by a trap or a replay issue again:
// operates of the 21064, on which only accesses are stopped, are known in any case, those of the 21164 only if nothing
// loads or stores.

using trace::Code;
using trace::Directive;
using trace::Instruction;

/// The extensions that a chip executes, and whether what a trap or a replay stops issues, and counts, again.
struct Chip {
  std::string_view target;
  std::size_t extensions;  ///< of those below, the first ones
  bool issues_again;
};
constexpr Chip chips[] = {{"alpha-ev4", 0, false},
                          {"alpha-ev5", 1, true},
                          {"alpha-pca56", 2, true},
                          {"alpha-ev6", 3, false},
                          {"alpha-ev67", 4, false}};
constexpr trace::alpha::Extension extensions[] = {trace::alpha::Extension::bwx, trace::alpha::Extension::mvi,
                                                  trace::alpha::Extension::fix, trace::alpha::Extension::cix};
const Chip& chip_of(std::string_view target) {
  return *std::find_if(std::begin(chips), std::end(chips), [&](const Chip& chip) { return chip.target == target; });
}

class AlphaLineCounter final : public TableLineCounter {
 public:
  explicit AlphaLineCounter(std::string_view target) : TableLineCounter(target), chip_(chip_of(target)) {}
  bool directive(const Directive& directive, unsigned& level) override {
    return directive.name == "cpl" || directive.name == "ipl" || directive.name == "process" ||
           TableLineCounter::directive(directive, level);
  }

 private:
  [[nodiscard]] CountedRows decode(const Code& code) const override {
    using trace::alpha::BranchKind;
    using trace::alpha::Kind;
    const trace::alpha::Operation op = trace::alpha::classify(code);
    CountedRows counted;
    counted.silent = op.kind == Kind::illegal || !has(op.extension) || op.kind >= Kind::hw_mfpr;
    if (op.is_integer_operate()) counted.always |= row("PF_INTOPS") | row("PF5_MUX1_INTEGER_OPERATE");
    if (op.is_fp_operate()) counted.always |= row("PF_FPINST") | row("PF5_MUX1_C_FP_INSTRUCTIONS");
    if (op.is_load() && !op.nop) counted.always |= row("PF5_MUX1_C_LOAD_INSTRUCTIONS");
    if (op.is_store()) counted.always |= row("PF5_MUX1_C_STORE_INSTRUCTIONS");
    if (op.kind == Kind::load_locked) counted.always |= row("PF5_MUX2_C_LOAD_LOCKED");
    if (op.branch == BranchKind::conditional) counted.always |= row("PF6_MUX1_RET_COND_BRANCHES");
    // No-operations and trap barriers are squashed when they are mapped, and never retire.
    const bool squashed = op.nop || op.kind == Kind::trap_barrier || op.kind == Kind::exception_barrier;
    if (!squashed) counted.always |= row("RETINST") | row("PF6_MUX0_RET_INSTRUCTIONS");
    return counted;
  }
  [[nodiscard]] bool has(trace::alpha::Extension extension) const {
    const auto lacks = std::span(extensions).subspan(chip_.extensions);
    return std::find(lacks.begin(), lacks.end(), extension) == lacks.end();
  }
  bool look(const Instruction& executed) override {
    using trace::TlbOutcome;
    const trace::Annotations* const says = executed.annotations;
    const TlbOutcome code = says == nullptr ? TlbOutcome::unset : says->itlb;
    const TlbOutcome data = says == nullptr ? TlbOutcome::unset : says->dtlb;
    const bool accesses = !executed.accesses.empty();
    accesses_ |= accesses;
    flows_ |=
        code != TlbOutcome::hit || (accesses && data != TlbOutcome::hit) || opcode(*executed.code) == 0;  // call_pal
    const bool any_address = opcode(*executed.code) == 0x0b || opcode(*executed.code) == 0x0f;  // ldq_u, stq_u
    const auto unaligned = [&](const trace::Access& a) { return !any_address && a.address % a.size != 0; };
    const bool traps = (says != nullptr && says->trap != trace::Trap::unset) || code == TlbOutcome::fault ||
                       data == TlbOutcome::fault ||
                       std::any_of(executed.accesses.begin(), executed.accesses.end(), unaligned);
    return !traps;
  }
  [[nodiscard]] Rows undetermined() const override {
    if (accesses_ && chip_.issues_again) return ~Rows{0};
    return flows_ ? row("RETINST") | row("PF6_MUX0_RET_INSTRUCTIONS") : 0;
  }
  static unsigned opcode(const Code& code) { return code.bytes[3] >> 2; }
  const Chip& chip_;
  bool accesses_ = false, flows_ = false;
};

/// The facts shared by the chips, completed with those of one chip.
JudgingFacts of(std::vector<std::string> (*more_rows)() = nullptr,
                std::span<const BrokenPromise> broken_promises = {}) {
  return {.apart = apart,
          .apart_on_long = apart_on_long,
          .sets = sets,
          .together = alphas::are_together,
          .more_rows = more_rows,
          .broken_promises = broken_promises,
          .traces = traces,
          .line_counter = line_counter_of<AlphaLineCounter>,
          .interrupts = alphas::make_interrupt_trials};
}

}  // namespace

const JudgingFacts targets::alpha_ev4::judging = of();
const JudgingFacts targets::alpha_ev5::judging = of(nullptr, promises_of_ev5);
const JudgingFacts targets::alpha_pca56::judging = of(nullptr, promises_of_ev5);
const JudgingFacts targets::alpha_ev6::judging = of();
const JudgingFacts targets::alpha_ev67::judging = of(statistics_of_profiles);

}  // namespace pmusim::testbench
