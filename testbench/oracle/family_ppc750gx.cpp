// The 750GX and 750GL: levels and marked processes, and the choices of their parameters.
#include <stdexcept>

#include "testbench/oracle/events_ppc750gx.h"
#include "testbench/oracle/family.h"

namespace pmusim::oracle {
namespace {

using activity::State;

// Bits of a privilege: user level (problem state), marked process.
constexpr Privilege user_level = 1, marked_process = 2;

bool admits_level(const Request& request, Privilege p, const Choices&) {
  const bool level = (p & user_level) != 0 ? request.user : request.kernel;
  return level && (!request.marked || *request.marked == ((p & marked_process) != 0));
}

Privilege ppc750gx_privilege(std::uint64_t msr, std::uint64_t, std::uint64_t) {
  return ((msr & activity::msr::pr) != 0 ? user_level : 0) | ((msr & activity::msr::pm) != 0 ? marked_process : 0);
}
void check_ppc750gx(const Request& r) {
  if (r.invert || r.edge) throw std::invalid_argument(r.event + ": the 750GX neither inverts nor detects edges");
  if (r.threshold > 63) throw std::invalid_argument(r.event + ": a threshold is 0 to 63 cycles");
}

constexpr ChoiceRow ppc750gx_rows[] = {
    {"pmu.msr_effect", &Choices::msr_of_next_cycle},
    {"pmu.dispatch_wrong_path", &Choices::dispatch_correct_path},
    {"pmu.tb_write_edge", &Choices::time_base_write_no_edge},
    {"pmu.tb_select", &Choices::time_base_reversed},
    {"pmu.threshold_compare", &Choices::threshold_reached_counts},
    {"pmu.threshold_queue", &Choices::threshold_any_position},
    {"pmu.threshold_untracked", &Choices::threshold_all_accesses},
    {"pmu.pmc4_8", &Choices::mispredicts_reserved},
    {"pmu.dispatch_folded", &Choices::folded_are_dispatched},
    {"pmu.iabr_be", &Choices::breakpoint_needs_enable},
    {"pmu.iabr_translation", &Choices::breakpoint_everywhere},
    {"pmu.threshold_start", &Choices::latency_from_allocation},
    {"pmu.pmc1_7", &Choices::l2_lookups_all},
    {"pmu.pmc2_11", &Choices::cache_operations_too},
    {"pmu.pmc1_13", &Choices::fetch_misses_on_13},
    {"pmu.pmc4_31", &Choices::data_misses_on_31},
    {"pmu.pmc2_9", &Choices::level_toggles_on_9},
    {"pmu.pmc3_9", &Choices::marked_toggles_user},
    {"pmu.pmc4_9", &Choices::marked_toggles_supervisor},
    {"pmu.pmc3_5", &Choices::pending_misses_too},
    {"pmu.pmc3_8", &Choices::taken_when_predicted},
    {"pmu.pmc2_15", &Choices::fetch_miss_cycles},
    {"pmu.pmc2_11_multiple", &Choices::words_of_multiples},
    {"pmu.threshold_end", &Choices::latency_to_line},
    {"pmu.reserved_code", &Choices::reserved_are_cycles},
};

Choices ppc750gx_choices(const ParameterLookup& parameters) { return read_choices({ppc750gx_rows}, parameters); }

// A 750GX counter adds the occurrences; the threshold belongs to one event's rule, not to the counter.
const Family ppc750gx_family = {"ppc750gx",
                                State::msr,
                                State::msr,
                                ppc750gx_privilege,
                                4,
                                admits_level,
                                [](const Request&) { return 0u; },
                                ppc750gx_events,
                                ppc750gx_choices,
                                [](const Event&, const Choices& c) { return c.msr_of_next_cycle; },
                                true,
                                false,
                                check_ppc750gx};

}  // namespace

const Family& ppc750gx::family() { return ppc750gx_family; }

}  // namespace pmusim::oracle
