#include "models/alpha/ev5/monitor.h"

#include <algorithm>
#include <array>

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu {

models::Parameters alpha_ev5_pmu_parameters() { return alpha::parameters_of(alpha::Chip::ev5); }
models::Parameters alpha_pca56_pmu_parameters() { return alpha::parameters_of(alpha::Chip::pca56); }
std::unique_ptr<Monitor> make_alpha_ev5_monitor(const models::Parameters& parameters) {
  return std::make_unique<alpha::Ev5Monitor>(alpha::Behaviour(alpha::Chip::ev5, parameters), alpha::ev5_multiplexer());
}
std::unique_ptr<Monitor> make_alpha_pca56_monitor(const models::Parameters& parameters) {
  return std::make_unique<alpha::Ev5Monitor>(alpha::Behaviour(alpha::Chip::pca56, parameters),
                                             alpha::pca56_multiplexer());
}

namespace alpha {
namespace {

using namespace ev5;
using activity::State;

constexpr RegisterInfo info(std::uint32_t number, std::string_view name, RegisterKind kind, bool writable = true) {
  return {{Space::ipr, number}, name, 64, kind, writable};
}
constexpr RegisterInfo pmctr_info = info(ipr::pmctr, "PMCTR", RegisterKind::counter);
constexpr RegisterInfo icsr_info = info(ipr::icsr, "ICSR", RegisterKind::control);
constexpr RegisterInfo isr_info = info(ipr::isr, "ISR", RegisterKind::status, false);
constexpr RegisterInfo hwint_clr_info = info(ipr::hwint_clr, "HWINT_CLR", RegisterKind::status);
constexpr std::array ev5_infos{pmctr_info, icsr_info, info(ipr::bc_ctl, "BC_CTL", RegisterKind::control), isr_info,
                               hwint_clr_info};
constexpr std::array pca56_infos{pmctr_info, icsr_info, info(ipr::cbu_config, "CBU_CONFIG", RegisterKind::control),
                                 isr_info, hwint_clr_info};

/// Hardware modes, as bits of a set.
enum Mode : std::uint8_t { kernel = 1, executive = 2, supervisor = 4, user = 8, pal = 16 };

/// The modes that are counted, indexed by Ku, Kp, Kk in bits 2 to 0 (21164PC manual p. 5-30).
constexpr std::array<std::uint8_t, 8> counted{
    kernel | executive | supervisor | user | pal,  // 000
    user | pal,                                    // 001
    kernel | executive | supervisor | user,        // 010
    user,                                          // 011
    kernel | executive | supervisor | pal,         // 100
    pal,                                           // 101
    kernel | executive | supervisor,               // 110
    executive | supervisor,                        // 111: here Kk excludes only kernel mode
};

std::uint8_t counted_modes(std::uint64_t pmctr) {
  return counted[((pmctr & pmctr::kill_user) != 0 ? 4 : 0) | ((pmctr & pmctr::kill_pal) != 0 ? 2 : 0) |
                 ((pmctr & pmctr::kill_kernel) != 0 ? 1 : 0)];
}

/// The hardware reads Tru64's bit for user mode as executive mode.
Mode mode(std::uint64_t cpl, bool in_pal, bool user_is_user) {
  if (in_pal) return pal;
  if (cpl == 3 && !user_is_user) return executive;
  return static_cast<Mode>(1u << (cpl & 3));
}

}  // namespace

Ev5Monitor::Ev5Monitor(const Behaviour& behaviour, std::span<const Event> table)
    : AlphaMonitor(behaviour, ev5::counters), table_(table) {
  configure();
}

std::span<const RegisterInfo> Ev5Monitor::registers() const {
  if (behaviour_.chip == Chip::pca56) return pca56_infos;
  return ev5_infos;
}

void Ev5Monitor::configure() {
  const bool has_scache = behaviour_.chip == Chip::ev5;
  const std::uint64_t select2 = pmctr::select[2].of(pmctr_);
  for (unsigned i = 0; i < ev5::counters; ++i) {
    Counter& c = counters_[i];
    const std::uint64_t width = std::uint64_t{1} << pmctr::counter[i].bits;
    c.period = control(i) == control::short_period ? 256 : width;
    c.modulus = width;
    std::uint64_t second = 0;
    if (i != 0) second = second_ >> (has_scache ? second_shift : pca56_second_shift)[i - 1] & second_mask;
    // SEL2 = 2 and 3 narrow the flow change event of counter 1: SEL2 takes the role of the second select.
    const bool flow = i == 1 && pmctr::select[1].of(pmctr_) == flow_change;
    if (flow) second = select2;
    c.choose(find_event(table_, behaviour_, i, static_cast<unsigned>(pmctr::select[i].of(pmctr_)),
                        static_cast<unsigned>(second)));
  }
}

unsigned Ev5Monitor::requesting() const {
  unsigned set = 0;
  for (unsigned i = 0; i < ev5::counters; ++i) set |= control(i) >= control::long_period ? 1u << i : 0;
  return set;
}

std::uint64_t Ev5Monitor::value_of(std::uint32_t number) const {
  switch (number) {
    case ipr::pmctr: {
      std::uint64_t value = pmctr_;
      for (unsigned i = 0; i < ev5::counters; ++i) value |= pmctr::counter[i].put(counters_[i].value);
      return value;
    }
    case ipr::icsr:
      return icsr_ | (marked() ? icsr::pmp : 0);
    case ipr::isr:
      return std::uint64_t{requests()} << interrupt_shift;
    default:
      return 0;
  }
}

void Ev5Monitor::set_value(std::uint32_t number, std::uint64_t value) {
  switch (number) {
    case ipr::pmctr:
      pmctr_ = value;
      for (unsigned i = 0; i < ev5::counters; ++i) {
        counters_[i].write(pmctr::counter[i].of(value));
        pmctr_ &= ~pmctr::counter[i].mask();
      }
      configure();
      for (unsigned i = 0; i < ev5::counters; ++i) tell_written(i, counters_[i].value);
      break;
    case ipr::icsr:
      icsr_ = value & ~icsr::pmp;
      break;
    case ipr::hwint_clr:
      withdraw(static_cast<unsigned>(value >> interrupt_shift & 7));
      break;
    case ipr::bc_ctl:
    case ipr::cbu_config:
      second_ = value;
      configure();
      break;
    default:
      break;
  }
}

// PALcode sets PMP to the mark of each process that it switches to, so the mark itself is used.
AlphaMonitor::Stretch Ev5Monitor::gates(const Block& block, Cycle at, Cycle to) const {
  const Held cpl = held(block, State::cpl, at);
  const Held in_pal = held(block, State::pal_mode, at);
  const Held mark = held(block, State::process_marked, at);
  to = std::min({to, cpl.until, in_pal.until, mark.until});
  const bool process = (icsr_ & icsr::pma) != 0 || mark.value != 0;
  const bool counted = (counted_modes(pmctr_) & mode(cpl.value, in_pal.value != 0, behaviour_.user_is_user)) != 0;
  unsigned on = 0;
  const std::uint64_t least = behaviour_.counts_unnamed ? control::counts : control::long_period;
  for (unsigned i = 0; i < ev5::counters; ++i) on |= control(i) >= least ? 1u << i : 0;
  return {at, to, process && counted ? on : 0u, true, on, counted, process};
}

}  // namespace alpha
}  // namespace pmusim::pmu
