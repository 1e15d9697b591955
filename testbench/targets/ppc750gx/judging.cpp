// Facts for judging the PowerPC 750GX: the instruction breakpoint, reserved codes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pmusim/trace/ppc.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/judge/trial/trace_counts.h"

namespace pmusim::testbench {

using oracle::Request;

namespace {

void complete(Group& group, const Landmarks& landmarks) {
  for (Check& check : group.checks) {
    if (check.request.event != "IABR_MATCHES") continue;
    check.request.address = landmarks.instruction;
    check.request.breakpoint = oracle::breakpoint_translation;
    // IABR[0:29] word address, bit 30 BE, bit 31 TE; the core runs with translation, so TE is set.
    group.extra.push_back({"IABR", (landmarks.instruction & 0xfffffffc) | 1});
  }
}

constexpr std::string_view reserved_row = "PM_RSVD_";

/// The write that selects processor cycles on a counter.
ExtraWrite cycles_before(unsigned counter) {
  const std::array before{ExtraWrite{"MMCR0", 1u << 6}, ExtraWrite{"MMCR0", 1}, ExtraWrite{"MMCR1", 1u << 27},
                          ExtraWrite{"MMCR1", 1u << 22}};
  return before.at(counter - 1);
}

/// Every reserved code of every selector: the counter must hold, even if it counted before, or follow pmu.reserved_code
/// (user's manual, tables 11-2 to 11-5). Codes beyond the last row with a name are reported under that row.
void apart(const std::string& target, const std::vector<Request>&, const Landmarks&, std::vector<Group>& groups) {
  struct Range {
    unsigned counter, first, last;
  };
  const std::vector<std::string> rows = row_names(target);
  for (const Range& range : {Range{1, 13, 127}, Range{2, 9, 9}, Range{2, 17, 63}, Range{3, 9, 9}, Range{3, 14, 14},
                             Range{3, 18, 31}, Range{4, 7, 7}, Range{4, 9, 9}, Range{4, 15, 31}}) {
    std::string row;
    for (unsigned code = range.first; code <= range.last; ++code) {
      const std::string own = fmt::format("{}{}_{}", reserved_row, range.counter, code);
      if (std::find(rows.begin(), rows.end(), own) != rows.end()) row = own;
      Group& group = groups.emplace_back();
      Check check = plain_check({.event = row, .umasks = {}}, all_levels[0]);
      check.raw = fmt::format("PMC{}={}", range.counter, code);
      group.extra.push_back(cycles_before(range.counter));
      group.checks.push_back(std::move(check));
    }
  }
}

constexpr std::string_view traces[] = {"ppc750gx"};

// Counts that follow from the instructions of a PowerPC trace alone. A branch that writes neither LR nor CTR is folded
// and never completes (User's Manual 2.3.3).

using trace::Code;
using trace::Directive;

/// The rows that instructions of these kinds count for; branches, no-operations and cache operations have none.
struct Counting {
  std::vector<trace::ppc::Kind> kinds;
  std::vector<std::string_view> rows;
};
const std::vector<Counting> countings = [] {
  using enum trace::ppc::Kind;
  // If trap_word traps, an interrupt follows in the trace. system_call returns to the next instruction; the system's
  // part is not in the trace.
  return std::vector<Counting>{
      {{integer, integer_extended, compare, multiply, multiply_high, multiply_high_unsigned, multiply_immediate, divide,
        trap_word},
       {"INTEGER_OPERATIONS"}},
      {{load, store, load_multiple, store_multiple, load_string, store_string, load_reserve, store_conditional},
       {"LOADS_AND_STORES"}},
      {{load_reserve}, {"RESERVED_LOADS"}},
      {{store_conditional}, {"STORE_CONDITIONAL_INSTRUCTIONS"}},
      {{fp_single, fp_double_add, fp_double_multiply, fp_compare, fp_divide_single, fp_divide_double, fp_reciprocal,
        fp_move, fp_status},
       {"FPU_INSTRUCTIONS"}},
      {{sync}, {"SYNC_INSTRUCTIONS"}},
      {{eieio}, {"EIEIO_INSTRUCTIONS"}},
      {{sync, eieio, condition_logical, move_to_special, move_from_special, move_condition, move_from_msr,
        segment_register, tlb_management, isync, system_call},
       {"SYSTEM_UNIT_INSTRUCTIONS"}},
  };
}();

class PpcLineCounter final : public TableLineCounter {
 public:
  explicit PpcLineCounter(std::string_view target) : TableLineCounter(target) {}
  bool directive(const Directive& directive, unsigned& level) override {
    if (directive.name != "msr") return TableLineCounter::directive(directive, level);
    if (const auto problem = level_operand(directive, "pr")) level = *problem != 0 ? 3 : 0;
    return true;
  }

 private:
  [[nodiscard]] CountedRows decode(const Code& code) const override {
    using trace::ppc::Kind;
    const trace::ppc::Operation op = trace::ppc::classify(code);
    const bool folded = op.kind == Kind::branch && !op.links && !op.decrements_count;
    CountedRows counted;
    counted.always = folded ? 0 : row("INSTRUCTIONS_COMPLETED");
    for (const Counting& counting : countings) {
      if (std::find(counting.kinds.begin(), counting.kinds.end(), op.kind) == counting.kinds.end()) continue;
      for (const std::string_view name : counting.rows) counted.always |= row(name);
    }
    if (op.kind == Kind::store_conditional) counted.stored = row("STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT");
    counted.silent = op.kind == Kind::illegal || op.kind == Kind::move_to_msr || op.kind == Kind::return_from_interrupt;
    return counted;
  }
};

}  // namespace

const JudgingFacts targets::ppc750gx::judging{
    .apart = apart, .complete = complete, .traces = traces, .line_counter = line_counter_of<PpcLineCounter>};
// The 750GL has the facts of the 750GX.
const JudgingFacts targets::ppc750gl::judging = targets::ppc750gx::judging;

}  // namespace pmusim::testbench
