#include "testbench/oracle/family_alpha.h"

#include <stdexcept>
#include <string>

#include "testbench/oracle/events_alpha.h"

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
// The 21164 filters by the hardware's mode, and there user code runs in executive mode under Tru64.
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
          [](const Event&, const Choices&) { return false; },
          false,
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

const Family* alpha_family_of(std::string_view target) {
  for (const Family& family : families) {
    if (family.name == target) return &family;
  }
  return nullptr;
}

}  // namespace pmusim::oracle
