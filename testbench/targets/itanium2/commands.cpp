#include "testbench/targets/ia64/commands.h"

namespace pmusim::testbench::targets::itanium2 {
namespace {

constexpr auto ratios = ia64::ratios_of("CPU_CYCLES");
constexpr auto generic = ia64::generic_events_of("CPU_CYCLES", "L2_INST_DEMAND_READS");

constexpr NeverAsked never_asked[] = {
    ia64::freeze,   ia64::overflow,    {"PMC4", "enable", "0", "no counter runs without it"}, ia64::reads, ia64::writes,
    ia64::executes, ia64::data_levels,
};

}  // namespace

extern const CommandFacts commands{
    .ratios = ratios, .generic = generic, .never_asked = never_asked, .perf = ia64::no_perf};

}  // namespace pmusim::testbench::targets::itanium2
