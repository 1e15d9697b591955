// The Alpha family: five chips that differ in their events and in the filters of their counters.
#include <stdexcept>

#include "testbench/oracle/events_alpha.h"
#include "testbench/oracle/family.h"

namespace pmusim::oracle {
namespace {

using activity::State;

// Bits of a privilege: the operating system's mode, PALmode, marked process (PME).
constexpr Privilege mode_mask = 3, pal_mode = 4, marked_process = 8, privileges = 16;
enum Mode : Privilege { kernel, executive, supervisor, user };

Privilege privilege_of(std::uint64_t cpl, std::uint64_t pal, std::uint64_t marked) {
  return static_cast<Privilege>(cpl & mode_mask) | (pal != 0 ? pal_mode : 0) | (marked != 0 ? marked_process : 0);
}
bool admits_process(const Request& request, Privilege p, const Choices& choices) {
  return !request.marked || choices.marks_ignored || (p & marked_process) != 0;
}
// The 21164 filters by the hardware's modes; under Tru64 user code runs in executive mode.
bool admits_mode(const Request& request, Privilege p, const Choices& choices) {
  if (!admits_process(request, p, choices)) return false;
  if ((p & pal_mode) != 0) return request.alpha.pal;
  Privilege mode = p & mode_mask;
  if (mode == user && !choices.user_is_user) mode = executive;
  if (mode == user) return request.user;
  return request.kernel || (mode != kernel && request.alpha.executive_and_supervisor);
}

void check_process(const Request& r) {
  if (r.marked && !*r.marked) throw std::invalid_argument(r.event + ": an Alpha counts all or the marked processes");
  if (r.threshold != 0 || r.invert || r.edge) {
    throw std::invalid_argument(r.event + ": an Alpha neither compares nor inverts nor detects edges");
  }
}
void check_no_modes(const Request& r) {
  check_process(r);
  if (!r.user || !r.kernel || r.alpha != alpha::Qualifiers{}) {
    throw std::invalid_argument(r.event + ": only the 21164 distinguishes modes and changes of flow");
  }
}
void check_modes(const Request& r) {
  check_process(r);
  const bool some = r.user || r.kernel || r.alpha.pal;
  if (r.alpha.executive_and_supervisor == some) {
    throw std::invalid_argument(
        r.event + ": a counter is for user, kernel or PALcode modes, or for executive and supervisor mode");
  }
}

constexpr ChoiceRow alpha_in_order_rows[] = {{"pmu.increment_limit", &Choices::uncapped},
                                             {"pmu.trap_cycles", &Choices::traps_apart}};
constexpr ChoiceRow alpha_ev4_rows[] = {{"pmu.selective_counting", &Choices::marks_ignored},
                                        {"pmu.half_counts", &Choices::halves_dropped}};
constexpr ChoiceRow alpha_ev5_rows[] = {{"pmu.os_user_mode", &Choices::user_is_user},
                                        {"pmu.dtb_miss", &Choices::dtb_misses_of_loads},
                                        {"pmu.integer_operate", &Choices::addresses_do_not_operate}};
constexpr ChoiceRow alpha_pca56_rows[] = {{"pmu.pca56_external", &Choices::external_pin_counts},
                                          {"pmu.sys_read_flush", &Choices::system_misses_alone}};
constexpr ChoiceRow alpha_ev6_rows[] = {{"pmu.increment_limit", &Choices::uncapped},
                                        {"pmu.ret_mispredicts", &Choices::counts_retired_mispredicts}};

Choices with_long_stall(Choices choices, const ParameterLookup& parameters) {
  if (parameters) choices.long_stall = static_cast<std::uint32_t>(parameters("pmu.long_stall"));
  return choices;
}
Choices alpha_ev4_choices(const ParameterLookup& parameters) {
  Choices choices = read_choices({alpha_in_order_rows, alpha_ev4_rows}, parameters);
  if (parameters) choices.pin_clock = static_cast<std::uint32_t>(parameters("pmu.pin_clock"));
  return choices;
}
Choices alpha_ev5_choices(const ParameterLookup& parameters) {
  return with_long_stall(read_choices({alpha_in_order_rows, alpha_ev5_rows}, parameters), parameters);
}
Choices alpha_pca56_choices(const ParameterLookup& parameters) {
  return with_long_stall(read_choices({alpha_in_order_rows, alpha_ev5_rows, alpha_pca56_rows}, parameters), parameters);
}
Choices alpha_ev6_choices(const ParameterLookup& parameters) { return read_choices({alpha_ev6_rows}, parameters); }

Family of(std::string_view name, const std::vector<Event>& (*events)(), Choices (*choices)(const ParameterLookup&)) {
  return {name,
          State::cpl,
          State::pal_mode,
          privilege_of,
          privileges,
          admits_process,
          [](const Request&) { return 0u; },
          events,
          choices,
          true,
          false,
          check_no_modes,
          0,
          State::process_marked};
}
Family with_modes(Family family) {
  family.admits = admits_mode;
  family.check = check_modes;
  return family;
}

const Family families[] = {of("alpha-ev4", alpha_ev4_events, alpha_ev4_choices),
                           with_modes(of("alpha-ev5", alpha_ev5_events, alpha_ev5_choices)),
                           with_modes(of("alpha-pca56", alpha_pca56_events, alpha_pca56_choices)),
                           of("alpha-ev6", alpha_ev6_events, alpha_ev6_choices),
                           of("alpha-ev67", alpha_ev67_events, [](const ParameterLookup&) { return Choices{}; })};

}  // namespace

const Family& alpha_ev4::family() { return families[0]; }
const Family& alpha_ev5::family() { return families[1]; }
const Family& alpha_pca56::family() { return families[2]; }
const Family& alpha_ev6::family() { return families[3]; }
const Family& alpha_ev67::family() { return families[4]; }

}  // namespace pmusim::oracle
