// The Itanium 2: levels, the gates of PSR, thresholds, and the choices of its parameters.
#include <stdexcept>

#include "testbench/oracle/events_itanium2.h"
#include "testbench/oracle/family.h"
#include "testbench/oracle/family_ia64.h"

namespace pmusim::oracle {
namespace {

using activity::State;

void check_itanium2(const Request& request) {
  check_ia64(request);
  const ia64::Qualifiers none, &q = request.ia64;
  if (q.all_threads || q.traces_addresses || q.trace_delay != 0 || !(q.line_states == none.line_states)) {
    throw std::invalid_argument(request.event + ": the Itanium 2 has no threads, line states and IP-EAR");
  }
}

constexpr ChoiceRow itanium2_rows[] = {{"pmu.ia32_retirement", &Choices::ia32_left_out}};

Choices itanium2_choices(const ParameterLookup& parameters) {
  return read_choices({ia64::choice_rows(), itanium2_rows}, parameters);
}

/// Intel's event list (251110-001, as oprofile has it) names it without a definition; libpfm does not have it.
constexpr std::string_view undefined[] = {"TAGGED_L2_DATA_RETURN_POR"};

// The Itanium counts cycles with more occurrences than the threshold.
const Family itanium2_family = {
    "itanium2",
    State::cpl,
    State::psr,
    [](std::uint64_t level, std::uint64_t psr, std::uint64_t) { return gates_of(level, psr); },
    psr_gates,
    [](const Request& r, Privilege p, const Choices&) { return runs_under(r, p); },
    [](const Request& r) { return r.threshold > 0 ? r.threshold + 1 : 0; },
    itanium2_events,
    itanium2_choices,
    [](const Event&, const Choices&) { return false; },
    true,
    true,
    check_itanium2,
    8,
    State::thread,
    undefined};

}  // namespace

const Family& itanium2::family() { return itanium2_family; }

}  // namespace pmusim::oracle
