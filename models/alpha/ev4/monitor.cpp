#include "models/alpha/ev4/monitor.h"

#include <algorithm>
#include <array>

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu {

models::Parameters alpha_ev4_pmu_parameters() { return alpha::parameters_of(alpha::Chip::ev4); }
std::unique_ptr<Monitor> make_alpha_ev4_monitor(const models::Parameters& parameters) {
  return std::make_unique<alpha::Ev4Monitor>(alpha::Behaviour(alpha::Chip::ev4, parameters));
}

namespace alpha {
namespace {

using namespace ev4;

constexpr std::array infos{
    RegisterInfo{{Space::ipr, ipr::iccsr}, "ICCSR", 64, RegisterKind::control, true},
    RegisterInfo{{Space::ipr, ipr::hier}, "HIER", 64, RegisterKind::control, true},
    RegisterInfo{{Space::ipr, ipr::hirr}, "HIRR", 64, RegisterKind::status, false},
    RegisterInfo{{Space::ipr, ipr::sl_clr}, "SL_CLR", 64, RegisterKind::status, true},
    RegisterInfo{{Space::ipr, ipr::pme_option}, "PME_OPTION", 2, RegisterKind::control, true},
};

constexpr unsigned palmode = 0xb;
/// Bit 0 of PCMUX0 distinguishes cycles from cycles in PALmode. With other selects it is ignored.
unsigned input0(std::uint64_t iccsr, bool low_bit_selects) {
  const auto select = static_cast<unsigned>(iccsr >> iccsr::pcmux0_shift & iccsr::pcmux0_mask);
  return select == palmode || low_bit_selects ? select : select & ~1u;
}

/// Halves of an event between two carries.
constexpr std::uint64_t halves(unsigned events_log2) { return std::uint64_t{2} << events_log2; }

}  // namespace

Ev4Monitor::Ev4Monitor(const Behaviour& behaviour, std::span<const Event> table)
    : AlphaMonitor(behaviour, ev4::counters), table_(table) {
  counters_[0].modulus = halves(16);
  counters_[1].modulus = halves(12);
  select();
}

std::span<const RegisterInfo> Ev4Monitor::registers() const { return infos; }

void Ev4Monitor::select() {
  counters_[0].choose(find_event(table_, behaviour_, 0, input0(iccsr_, behaviour_.low_bit_selects)));
  counters_[1].choose(
      find_event(table_, behaviour_, 1, static_cast<unsigned>(iccsr_ >> iccsr::pcmux1_shift & iccsr::pcmux1_mask)));
  counters_[0].period = (iccsr_ & iccsr::pc0) != 0 ? halves(12) : halves(16);
  counters_[1].period = (iccsr_ & iccsr::pc1) != 0 ? halves(8) : halves(12);
}

unsigned Ev4Monitor::enabled() const {
  return ((hier_ & hier::pc0) != 0 ? 1u : 0u) | ((hier_ & hier::pc1) != 0 ? 2u : 0u);
}

std::uint64_t Ev4Monitor::value_of(std::uint32_t number) const {
  switch (number) {
    case ipr::iccsr:
      return iccsr_;
    case ipr::hier:
      return hier_;
    case ipr::hirr:
      return ((requests() & 1) != 0 ? hirr::pc0 : 0) | ((requests() & 2) != 0 ? hirr::pc1 : 0);
    case ipr::pme_option:
      return option_;
    default:
      return 0;
  }
}

void Ev4Monitor::set_value(std::uint32_t number, std::uint64_t value) {
  switch (number) {
    case ipr::iccsr:
      iccsr_ = value;
      select();
      break;
    case ipr::hier:
      hier_ = value & (hier::pc0 | hier::pc1);
      break;
    case ipr::sl_clr:
      withdraw(((value & hier::pc0) == 0 ? 1u : 0u) | ((value & hier::pc1) == 0 ? 2u : 0u));
      break;
    case ipr::pme_option:
      option_ = value & (option::all | option::marked);
      break;
    default:
      break;
  }
}

AlphaMonitor::Stretch Ev4Monitor::gates(const Block& block, Cycle at, Cycle to) const {
  const bool selective = option_ == option::marked || (option_ == 0 && !behaviour_.no_option_is_all);
  if (!selective || !behaviour_.marks_matter) return {at, to, 3, true};
  const Held mark = held(block, activity::State::process_marked, at);
  return {at, std::min(to, mark.until), mark.value != 0 ? 3u : 0u, true, 7, {}, mark.value != 0};
}

}  // namespace alpha
}  // namespace pmusim::pmu
