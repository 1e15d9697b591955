// The Montecito: the Itanium 2 with two threads, and the choices of its parameters.
#include <stdexcept>

#include "testbench/oracle/events_montecito.h"
#include "testbench/oracle/family.h"
#include "testbench/oracle/family_ia64.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle {
namespace {

void check_montecito(const Request& request) {
  check_ia64(request);
  if (request.ia64.instruction_set == ia64::InstructionSet::ia32) {
    throw std::invalid_argument(request.event + ": the Montecito executes no IA-32 instructions");
  }
  if (request.ia64.trace_delay > 255) throw std::invalid_argument(request.event + ": a trace delay is 0 to 255 cycles");
}

constexpr ChoiceRow montecito_rows[] = {
    {"pmu.line_states_none", &Choices::no_line_state_is_all},
    {"pmu.floating_background", &Choices::background_left_out},
    {"pmu.self_floating_all", &Choices::self_floating_all_floats},
    {"pmu.all_threads_mode", &Choices::own_mode_for_all},
    {"pmu.ear_background", &Choices::forgets_in_background},
    {"pmu.qualified_cycles", &Choices::awaited_cycles},
    {"pmu.halted_cycles", &Choices::halted_sevenfold},
    {"pmu.ipear_entry", &Choices::traces_bundles},
    {"pmu.ipear_cycles", &Choices::traces_distance},
    {"pmu.ipear_cut", &Choices::trace_never_cut},
    {"pmu.ipear_flush", &Choices::trace_branch_flushes},
};

Choices montecito_choices(const ParameterLookup& parameters) {
  Choices choices = read_choices({ia64::choice_rows(), montecito_rows}, parameters);
  choices.whole_opcodes = true;
  if (parameters) choices.thread = static_cast<unsigned>(parameters("pmu.thread"));
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
