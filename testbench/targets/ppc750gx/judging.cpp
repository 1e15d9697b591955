// Facts for judging the PowerPC 750GX: the instruction breakpoint, reserved codes.
#include "testbench/targets/ppc750gx/judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pmusim/trace/ppc.h"
#include "testbench/judge/trial/trace_counts.h"

namespace pmusim::testbench {

using oracle::Request;

namespace {

void complete(Group& group, const Landmarks& landmarks);

void add_iabr(Group& group, const Landmarks& landmarks) {
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
void reserved_codes(const std::string& target, std::vector<Group>& groups) {
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

void apart(const std::string& target, const std::vector<Request>&, const Landmarks&, std::vector<Group>& groups) {
  reserved_codes(target, groups);
}

void complete(Group& group, const Landmarks& landmarks) { add_iabr(group, landmarks); }

constexpr std::string_view traces[] = {"ppc750gx"};

// Counts that follow from the instructions of a PowerPC trace alone. A branch that writes neither LR nor CTR is folded
// and never completes (User's Manual 2.3.3).

using trace::Code;
using trace::Directive;
using trace::Instruction;

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
    switch (op.kind) {
      case Kind::integer:
      case Kind::integer_extended:
      case Kind::compare:
      case Kind::multiply:
      case Kind::multiply_high:
      case Kind::multiply_high_unsigned:
      case Kind::multiply_immediate:
      case Kind::divide:
      case Kind::trap_word:  // if it traps, an interrupt follows in the trace
        counted.always |= row("INTEGER_OPERATIONS");
        break;
      case Kind::load:
      case Kind::store:
      case Kind::load_multiple:
      case Kind::store_multiple:
      case Kind::load_string:
      case Kind::store_string:
        counted.always |= row("LOADS_AND_STORES");
        break;
      case Kind::load_reserve:
        counted.always |= row("LOADS_AND_STORES") | row("RESERVED_LOADS");
        break;
      case Kind::store_conditional:
        counted.always |= row("LOADS_AND_STORES") | row("STORE_CONDITIONAL_INSTRUCTIONS");
        counted.stored |= row("STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT");
        break;
      case Kind::fp_single:
      case Kind::fp_double_add:
      case Kind::fp_double_multiply:
      case Kind::fp_compare:
      case Kind::fp_divide_single:
      case Kind::fp_divide_double:
      case Kind::fp_reciprocal:
      case Kind::fp_move:
      case Kind::fp_status:
        counted.always |= row("FPU_INSTRUCTIONS");
        break;
      case Kind::sync:
        counted.always |= row("SYSTEM_UNIT_INSTRUCTIONS") | row("SYNC_INSTRUCTIONS");
        break;
      case Kind::eieio:
        counted.always |= row("SYSTEM_UNIT_INSTRUCTIONS") | row("EIEIO_INSTRUCTIONS");
        break;
      case Kind::condition_logical:
      case Kind::move_to_special:
      case Kind::move_from_special:
      case Kind::move_condition:
      case Kind::move_from_msr:
      case Kind::segment_register:
      case Kind::tlb_management:
      case Kind::isync:
      case Kind::system_call:  // returns to the next instruction; the system's part is not in the trace
        counted.always |= row("SYSTEM_UNIT_INSTRUCTIONS");
        break;
      case Kind::illegal:
      case Kind::move_to_msr:
      case Kind::return_from_interrupt:
        counted.silent = true;
        break;
      default:  // branches, no-operations, cache operations
        break;
    }
    return counted;
  }
  bool look(const Instruction&) override { return true; }
  [[nodiscard]] Rows undetermined() const override { return 0; }
};

std::unique_ptr<LineCounter> make_line_counter(std::string_view target) {
  return std::make_unique<PpcLineCounter>(target);
}

}  // namespace

namespace targets {
namespace ppc750gx {
extern const JudgingFacts judging{.events = {events()},
                                  .apart = apart,
                                  .complete = complete,
                                  .traces = traces,
                                  .identities = {identities()},
                                  .line_counter = make_line_counter};
}  // namespace ppc750gx
// The 750GL has the facts of the 750GX.
namespace ppc750gl {
extern const JudgingFacts judging = ppc750gx::judging;
}  // namespace ppc750gl
}  // namespace targets

}  // namespace pmusim::testbench
