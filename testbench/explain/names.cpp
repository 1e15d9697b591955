#include "testbench/explain/names.h"

#include <array>

namespace pmusim::testbench {
namespace {

struct StepText {
  std::string_view name, meaning;
};
// In the order of pmu::Step.
constexpr auto steps = std::to_array<StepText>({
    {"signal", "occurrences of the event's signals, and cycles of its states"},
    {"selected", "selected by event code and unit mask, as the event counts them"},
    {"opcode", "passed by the opcode matcher"},
    {"code_range", "passed by the instruction address range"},
    {"data_range", "passed by the data address ranges"},
    {"together", "in cycles in which all levels of the event are on"},
    {"clock", "while the core clock runs"},
    {"enabled", "while the counter is enabled"},
    {"frozen", "while the PMU is not frozen"},
    {"stopped", "while no signalled interrupt has stopped the counting"},
    {"trigger", "after the trigger"},
    {"thread", "of the hardware threads that are counted"},
    {"privilege", "at the privilege levels that are counted"},
    {"monitor_bit", "while the bit of the PSR that runs the counter is 1"},
    {"instruction_set", "in the instruction sets that are counted"},
    {"process", "of the processes that are counted"},
    {"first", "the first of each cycle"},
    {"limited", "no more than the counter takes in a cycle"},
    {"carried", "no more than the counter takes in a cycle; the rest follows in the cycles after it"},
    {"threshold", "cycles in which the comparison holds"},
    {"inverted", "inverted: the cycles, or slots, in which it does not"},
    {"sampled", "cycles in which the slower clock sees it"},
    {"long_run", "cycles in which it has been on for long enough"},
    {"edges", "cycles in which the condition begins to hold"},
    {"added", "added to the counter"},
});
static_assert(steps.size() == pmu::step_count);

}  // namespace

std::string_view name_of(pmu::Step step) { return steps.at(static_cast<std::size_t>(step)).name; }
std::string_view meaning_of(pmu::Step step) { return steps.at(static_cast<std::size_t>(step)).meaning; }

}  // namespace pmusim::testbench
