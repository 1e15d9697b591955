// The Athlon: levels and operating modes, a counter mask, and the choices of its parameters.
#include <stdexcept>

#include "testbench/oracle/events_athlon.h"
#include "testbench/oracle/family.h"

namespace pmusim::oracle {
namespace {

using activity::State;

constexpr Privilege user_level = 1;
/// Bits above the user level: the operating mode.
constexpr unsigned mode_shift = 1;
Privilege athlon_privilege(std::uint64_t cpl, std::uint64_t mode, std::uint64_t) {
  return (cpl > 0 ? user_level : 0) | static_cast<Privilege>(mode << mode_shift);
}
/// Whether a request counts at this CPL in this operating mode (activity::OperatingMode).
bool counts_at(const Request& request, std::uint64_t cpl, std::uint64_t mode, const Choices& choices) {
  constexpr std::int64_t kernel = 0, user = 1;
  const bool has_levels = mode == static_cast<std::uint64_t>(activity::OperatingMode::protected_mode);
  const std::int64_t level = !has_levels ? choices.level_of_mode.at(mode) : cpl > 0 ? user : kernel;
  return (request.kernel && level == kernel) || (request.user && level == user);
}
bool admits_athlon(const Request& request, Privilege p, const Choices& choices) {
  return counts_at(request, p & user_level, p >> mode_shift, choices);
}
void check_athlon(const Request& r) {
  if (r.marked) throw std::invalid_argument(r.event + ": the Athlon has no marked processes");
  if (r.threshold > 255) throw std::invalid_argument(r.event + ": a counter mask is 0 to 255");
  const std::uint32_t kind = r.breakpoint & 3u, length = r.breakpoint >> breakpoint_length_shift;
  if (kind == 2 || (length & (length - 1)) != 0 || length > 8 || (kind != breakpoint_execute && length == 0)) {
    throw std::invalid_argument(r.event + ": a breakpoint is execute, write or read_write, of 1, 2, 4 or 8 bytes");
  }
}

constexpr ChoiceRow athlon_rows[] = {
    {"pmu.inv_without_mask", &Choices::invert_alone},
    {"pmu.privilege_gate", &Choices::privilege_first},
    {"pmu.edge_input", &Choices::edge_before_gate},
    {"pmu.count_in_halt", &Choices::counts_in_halt},
    {"pmu.counting_with_pc", &Choices::pin_control_stops},
    {"pmu.refill_mask_bit0", &Choices::refill_bit0_nothing},
    {"pmu.evict_scope", &Choices::evict_dirty_only},
    {"pmu.branches_with_traps", &Choices::branches_with_traps},
    {"pmu.far_with_traps", &Choices::far_with_traps},
    {"pmu.instructions_with_traps", &Choices::instructions_with_traps},
    {"pmu.edge_amount", &Choices::edge_adds_events},
    {"pmu.far_mispredicted", &Choices::far_mispredicted},
    {"pmu.dispatch_stalls", &Choices::stalls_added},
    {"pmu.increment_limit", &Choices::three_at_most},
    {"pmu.wrong_path", &Choices::wrong_path_left_out},
    {"pmu.snoop_resyncs", &Choices::snoop_resyncs_left_out},
    {"pmu.retired_unit", &Choices::operations_retire},
};

Choices athlon_choices(const ParameterLookup& parameters) {
  Choices choices = read_choices({athlon_rows}, parameters);
  if (!parameters) return choices;
  using activity::OperatingMode;
  const auto level = [&](OperatingMode mode) -> std::int64_t& {
    return choices.level_of_mode[static_cast<std::size_t>(mode)];
  };
  level(OperatingMode::real) = parameters("pmu.real_privilege");
  level(OperatingMode::virtual_8086) = parameters("pmu.v86_privilege");
  level(OperatingMode::system_management) = parameters("pmu.smm_privilege");
  return choices;
}

const Family athlon_family = {"athlon",
                              State::cpl,
                              State::operating_mode,
                              athlon_privilege,
                              8,
                              admits_athlon,
                              [](const Request& r) { return r.threshold; },
                              athlon_events,
                              athlon_choices,
                              true,
                              false,
                              check_athlon};

}  // namespace

const Family& athlon::family() { return athlon_family; }

}  // namespace pmusim::oracle
