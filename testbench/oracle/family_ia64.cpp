// The Itanium 2 and the Montecito: levels, the gates of PSR, thresholds, and the choices of their parameters.

#include <stdexcept>

#include "testbench/oracle/choices.h"
#include "testbench/oracle/events_itanium2.h"
#include "testbench/oracle/family.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle {

namespace {

constexpr ChoiceRow ia64_rows[] = {
    {"pmu.syllable_overcount", &Choices::overcounts_syllables},
    {"pmu.unknown_prediction", &Choices::unknown_left_out},
    {"pmu.increment_limit", &Choices::uncapped},
    {"pmu.lfetch_reference", &Choices::lfetch_is_reference},
    {"pmu.replayed_misses", &Choices::replayed_misses},
    {"pmu.fetch_hits", &Choices::prefetch_hits},
    {"pmu.walker_loads", &Choices::walker_loads_left_out},
    {"pmu.bus_reads", &Choices::line_reads_only},
    {"pmu.ozq_cancels_any", &Choices::any_queue_cancel},
    {"pmu.fine_mask", &Choices::fine_uses_mask},
    {"pmu.fine_union", &Choices::fine_union},
    {"pmu.inv_scope", &Choices::every_range_inverted},
    {"pmu.data_channels", &Choices::data_channels_and},
    {"pmu.dear_candidates", &Choices::semaphores_tracked},
    {"pmu.dear_random", &Choices::data_ear_random},
    {"pmu.dear_hazard", &Choices::hazard_is_valid},
    {"pmu.dear_chk_a", &Choices::check_clears_address},
    {"pmu.btb_type0", &Choices::all_types_record_none},
    {"pmu.btb_target", &Choices::every_target_written},
    {"pmu.btb_rfi", &Choices::rfi_left_out},
    {"pmu.btb_choice", &Choices::first_untaken_branch},
    {"pmu.nop_predicate", &Choices::nops_all},
    {"pmu.long_instruction", &Choices::long_is_two},
};

using activity::State;

void check_itanium2(const Request& request) {
  check_ia64(request);
  const ia64::Qualifiers none, &q = request.ia64;
  if (q.all_threads || q.traces_addresses || q.trace_delay != 0 || !(q.line_states == none.line_states)) {
    throw std::invalid_argument(request.event + ": the Itanium 2 has no threads, line states and IP-EAR");
  }
}

constexpr ChoiceRow itanium2_rows[] = {{"pmu.ia32_retirement", &Choices::ia32_left_out}};

/// Intel's event list (251110-001, as oprofile has it) names it without a definition; libpfm does not have it.
constexpr std::string_view undefined[] = {"TAGGED_L2_DATA_RETURN_POR"};

// The Itanium counts cycles with more occurrences than the threshold.
const Family itanium2_family = {
    .name = "itanium2",
    .privilege_state = State::cpl,
    .gate_state = State::psr,
    .privilege = [](std::uint64_t level, std::uint64_t psr, std::uint64_t) { return gates_of(level, psr); },
    .privileges = psr_gates,
    .admits = [](const Request& r, Privilege p, const Choices&) { return runs_under(r, p); },
    .bound = [](const Request& r) { return r.threshold > 0 ? r.threshold + 1 : 0; },
    .events = itanium2_events,
    .choices = choices_of<ia64_rows, itanium2_rows>,
    .flat_names = true,
    .check = check_itanium2,
    .trace_entries = 8,
    .undefined = undefined};

}  // namespace

const Family& itanium2::family() { return itanium2_family; }

// The Montecito is the Itanium 2 with two threads.

namespace {

void check_montecito(const Request& request) {
  check_ia64(request);
  if (request.ia64.instruction_set == ia64::InstructionSet::ia32) {
    throw std::invalid_argument(request.event + ": the Montecito executes no IA-32 instructions");
  }
  if (request.ia64.trace_delay > 255) throw std::invalid_argument(request.event + ": a trace delay is 0 to 255 cycles");
}

constexpr ChoiceRow montecito_rows[] = {
    {"pmu.floating_background", &Choices::background_left_out},
    {"pmu.self_floating_all", &Choices::self_floating_all_floats},
    {"pmu.ear_background", &Choices::forgets_in_background},
    {"pmu.qualified_cycles", &Choices::awaited_cycles},
    {"pmu.halted_cycles", &Choices::halted_sevenfold},
    {"pmu.ipear_entry", &Choices::traces_bundles},
    {"pmu.ipear_cycles", &Choices::traces_distance},
    {"pmu.thread", nullptr, &Choices::thread},
};

Choices montecito_choices(const ParameterLookup& parameters) {
  Choices choices = read_choices({ia64_rows, montecito_rows}, parameters);
  choices.whole_opcodes = true;
  return choices;
}

// The Montecito has no IA-32 mode; the bit of that gate says which thread is active.
constexpr Privilege other_thread = 16;
bool admits_thread(const Request& request, Privilege p, const Choices& choices) {
  const unsigned active = (p & other_thread) != 0 ? 1 : 0;
  return (request.ia64.all_threads || active == choices.thread) && runs_under(request, p & ~other_thread);
}
Family make_family() {
  Family family = itanium2::family();
  family.name = "montecito";
  family.privilege = [](std::uint64_t level, std::uint64_t psr, std::uint64_t thread) {
    return gates_of(level, psr & ~activity::ia64::psr::is) | (thread != 0 ? other_thread : 0);
  };
  family.admits = admits_thread;
  family.events = montecito_events;
  family.choices = montecito_choices;
  family.check = check_montecito;
  family.trace_entries = 16;
  family.undefined = {};
  return family;
}

}  // namespace

const Family& montecito::family() {
  static const Family family = make_family();
  return family;
}

}  // namespace pmusim::oracle
