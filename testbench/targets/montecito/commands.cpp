#include "testbench/targets/ia64/commands.h"

namespace pmusim::testbench::targets::montecito {
namespace {

constexpr auto ratios = ia64::ratios_of("CPU_OP_CYCLES_ALL");
constexpr auto generic = ia64::generic_events_of("CPU_OP_CYCLES_ALL", "L2I_DEMAND_READS");

constexpr NeverAsked never_asked[] = {
    ia64::freeze,
    ia64::overflow,
    {"PMC36", "", "1", "a matcher that is not asked for matches everything"},
    {"PMC39", "ds", "1", "the trace buffer keeps no predictions"},
    {"PMC42", "mode", "1", "there is one mode"},
    ia64::reads,
    ia64::writes,
    ia64::executes,
    ia64::data_levels,
};

}  // namespace

extern const CommandFacts commands{
    .ratios = ratios, .generic = generic, .never_asked = never_asked, .perf = ia64::no_perf};

}  // namespace pmusim::testbench::targets::montecito
