#include "models/alpha/ev6/monitor.h"

#include <algorithm>
#include <array>

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu {

models::Parameters alpha_ev6_pmu_parameters() { return alpha::parameters_of(alpha::Chip::ev6); }
models::Parameters alpha_ev67_pmu_parameters() { return alpha::parameters_of(alpha::Chip::ev67); }
std::unique_ptr<Monitor> make_alpha_ev6_monitor(const models::Parameters& parameters) {
  return std::make_unique<alpha::Ev6Monitor>(alpha::Behaviour(alpha::Chip::ev6, parameters), alpha::ev6_multiplexer());
}
std::unique_ptr<Monitor> make_alpha_ev67_monitor(const models::Parameters& parameters) {
  return std::make_unique<alpha::Ev6Monitor>(alpha::Behaviour(alpha::Chip::ev67, parameters),
                                             alpha::ev67_multiplexer());
}

namespace alpha {
namespace {

using namespace ev6;
using activity::State;

constexpr RegisterInfo info(std::uint32_t number, std::string_view name, RegisterKind kind, bool writable = true) {
  return {{Space::ipr, number}, name, 64, kind, writable};
}
constexpr std::array infos{
    info(ipr::pctr_ctl, "PCTR_CTL", RegisterKind::counter),
    info(ipr::i_ctl, "I_CTL", RegisterKind::control),
    info(ipr::pctx, "PCTX", RegisterKind::control),
    info(ipr::ier_cm, "IER_CM", RegisterKind::control),
    info(ipr::isum, "ISUM", RegisterKind::status, false),
    info(ipr::hw_int_clr, "HW_INT_CLR", RegisterKind::status),
    // 21264A
    info(ipr::i_stat, "I_STAT", RegisterKind::data, false),
    info(ipr::pmpc, "PMPC", RegisterKind::data, false),
};
constexpr std::size_t ev6_infos = 6;

}  // namespace

Ev6Monitor::Ev6Monitor(const Behaviour& behaviour, std::span<const Event> table)
    : AlphaMonitor(behaviour, ev6::counters), table_(table) {
  for (Counter& c : counters_) c.modulus = c.period = counter_modulus;
  write_pctr_ctl(0);
}

std::span<const RegisterInfo> Ev6Monitor::registers() const {
  return is_ev67() ? std::span<const RegisterInfo>(infos) : std::span<const RegisterInfo>(infos).first(ev6_infos);
}

unsigned Ev6Monitor::sl1() const {
  return static_cast<unsigned>(is_ev67() ? selects_ >> pctr_ctl::sl1_shift & pctr_ctl::sl1_ev67
                                         : selects_ & pctr_ctl::sl1_ev6);
}

std::vector<std::string> Ev6Monitor::not_modelled() const {
  const bool counts = (i_ctl_ >> (i_ctl::pct_en_shift + 1) & 1) != 0;
  if (!is_ev67() || profiles() || sl1() != retire_delay_mode || !counts) return {};
  return {
      "PCTR1 with PCTR_CTL SL0 = 0, SL1 = 1: the 21264/EV67 manual does not define what it counts; use SL1 = 0, 2 or "
      "3, "
      "or leave PCT1_EN off"};
}

void Ev6Monitor::write_pctr_ctl(std::uint64_t value) {
  for (unsigned i = 0; i < ev6::counters; ++i) {
    if (behaviour_.threshold_raises && counters_[i].value > counter_modulus - margin[i]) request(i);
    counters_[i].write(value >> pctr_ctl::shift[i] & pctr_ctl::counter_mask);
    counters_[i].backlog = 0;
    increments_[i] = 0;
    tell_written(i, counters_[i].value);
  }
  const std::uint64_t sl1_bits = is_ev67() ? pctr_ctl::sl1_ev67 << pctr_ctl::sl1_shift : pctr_ctl::sl1_ev6;
  selects_ = value & (pctr_ctl::sl0 | sl1_bits);
  if (is_ev67()) {
    counters_[0].choose(find_event(table_, behaviour_, 0, sl1()));
    counters_[1].choose(find_event(table_, behaviour_, 1, sl1()));
  } else {
    counters_[0].choose(find_event(table_, behaviour_, 0, (selects_ & pctr_ctl::sl0) != 0 ? 1 : 0));
    counters_[1].choose(find_event(table_, behaviour_, 1, sl1()));
  }
  if (profiles()) {
    profile_.arm();
  } else {
    profile_.stop();
  }
}

// A read includes the part of a burst of retirement that has not been added yet.
std::uint64_t Ev6Monitor::read_pctr_ctl() const {
  std::uint64_t value = selects_;
  for (unsigned i = 0; i < ev6::counters; ++i) {
    value |= (counters_[i].value + counters_[i].backlog + increments_[i]) % counter_modulus << pctr_ctl::shift[i];
  }
  if (is_ev67()) value |= profile_.sample().status;
  if ((value >> pctr_ctl::sign_bit & 1) != 0) value |= ~std::uint64_t{0} << pctr_ctl::sign_bit;
  return value;
}

std::uint64_t Ev6Monitor::value_of(std::uint32_t number) const {
  switch (number) {
    case ipr::pctr_ctl:
      return read_pctr_ctl();
    case ipr::i_ctl:
      return i_ctl_;
    case ipr::pctx:
      return pctx_ | (marked() ? pctx::ppce : 0);
    case ipr::ier_cm:
      return ier_cm_;
    case ipr::isum:
      return std::uint64_t{requests() & enabled()} << interrupt_shift;
    case ipr::i_stat:
      return profile_.sample().i_stat;
    case ipr::pmpc:
      return profile_.sample().pmpc;
    default:
      return 0;
  }
}

void Ev6Monitor::set_value(std::uint32_t number, std::uint64_t value) {
  switch (number) {
    case ipr::pctr_ctl:
      write_pctr_ctl(value);
      break;
    case ipr::i_ctl:
      i_ctl_ = value;
      break;
    case ipr::pctx:
      pctx_ = value & ~pctx::ppce;
      break;
    case ipr::ier_cm:
      ier_cm_ = value;
      break;
    case ipr::hw_int_clr:
      withdraw(static_cast<unsigned>(value >> interrupt_shift & 3));
      break;
    default:
      break;
  }
}

// PALcode sets PPCE to the mark of each process that it switches to, so the mark itself is used.
AlphaMonitor::Stretch Ev6Monitor::gates(const Block& block, Cycle at, Cycle to) const {
  const Held mark = held(block, State::process_marked, at);
  const bool process = (i_ctl_ & i_ctl::spce) != 0 || mark.value != 0;
  const auto on = static_cast<unsigned>(i_ctl_ >> i_ctl::pct_en_shift & 3);
  return {at, std::min(to, mark.until), process ? on : 0u, true, on, {}, process};
}

void Ev6Monitor::add(unsigned i, const Block& block, Cycle from, Cycle to) {
  if (from >= to) return;
  Counter& c = counters_[i];
  Counter whole = c;  // a burst is not spread over cycles in a window
  whole.backlog = 0;
  Scan scan = whole.scan(behaviour_, block, from, to);
  c.value = (c.value + scan.added + scan.backlog) % c.modulus;
  note_probe(i, scan.n, true);
}

void Ev6Monitor::select_instruction(const Block& block, Stretch& s) {
  if ((s.counting & 1) == 0) return;
  Counter& pctr0 = counters_[0];
  const ProfileMe::Selected selected = profile_.select(block, s.begin, s.end, counter_modulus - pctr0.value);
  pctr0.value = (pctr0.value + selected.fetched) % counter_modulus;
  note_probe(0, static_cast<std::uint32_t>(selected.fetched), true);
}

void Ev6Monitor::follow_instruction(const Block& block, Stretch& s) {
  const ProfileMe::Parts parts = profile_.follow(block, s.begin, s.end, behaviour_.overcount_cycles);
  const bool counts0 = (s.counting & 1) != 0, counts1 = (s.counting & 2) != 0;
  if (counts0 && parts.residue_end > s.begin) {
    const std::uint64_t fetched = std::min(ProfileMe::fetched(block, s.begin, parts.residue_end), profile_.room());
    counters_[0].value = (counters_[0].value + fetched) % counter_modulus;
    profile_.overcounted(fetched);
  }
  if (counts0) add(0, block, parts.window_begin, parts.window_end);
  if (counts1 && sl1() == bcache_mode) {
    add(1, block, parts.early_begin, parts.early_end);
  } else if (counts1) {
    add(1, block, parts.window_begin, parts.window_end);
  }
  if (!parts.last) return;
  sampled_ = true;
  const std::uint64_t delay = profile_.finish(behaviour_.only_mispredicts_retire);
  if (counts1 && sl1() == retire_delay_mode) counters_[1].value = (counters_[1].value + delay) % counter_modulus;
  request(0);
}

// A read of a counter that is off shows the increment, but the counter does not keep it.
void Ev6Monitor::note_increments(const Block& block, const Stretch& s) {
  static constexpr std::uint32_t most[ev6::counters] = {4, 1};
  for (unsigned i = 0; i < ev6::counters; ++i) {
    const bool on = (i_ctl_ >> (i_ctl::pct_en_shift + i) & 1) != 0;
    increments_[i] = on ? 0 : std::min(counters_[i].scan(behaviour_, block, s.end - 1, s.end).n, most[i]);
  }
}

void Ev6Monitor::count(const Block& block, Stretch& s) {
  sampled_ = false;
  if (!profiles()) {
    AlphaMonitor::count(block, s);
    if (behaviour_.shows_increment) note_increments(block, s);
    return;
  }
  for (unsigned i = 0; i < ev6::counters; ++i) note_probe(i, 0, false);
  switch (profile_.phase()) {
    case ProfileMe::Phase::selecting:
      select_instruction(block, s);
      break;
    case ProfileMe::Phase::following:
      follow_instruction(block, s);
      break;
    case ProfileMe::Phase::stopped:
      break;
  }
}

std::span<const Indicator> Ev6Monitor::indicators() const {
  static constexpr Indicator with_profile[] = {
      {"overflow", 2}, {"interrupt_requests", 2}, {"instruction_followed"}, {"sample_written"}};
  return is_ev67() ? std::span<const Indicator>(with_profile) : AlphaMonitor::indicators();
}

std::uint64_t Ev6Monitor::indicator(std::size_t i) const {
  constexpr std::size_t followed = 2, written = 3;
  if (i == followed) return profile_.phase() == ProfileMe::Phase::following ? 1 : 0;
  return i == written ? static_cast<std::uint64_t>(sampled_) : AlphaMonitor::indicator(i);
}

Cycle Ev6Monitor::quiet() const {
  if (!profiles()) return AlphaMonitor::quiet();
  switch (profile_.phase()) {
    case ProfileMe::Phase::selecting:  // a cycle fetches at most that number, and the window comes later
      return (counter_modulus - counters_[0].value) / Selection::most_occurrences_per_cycle;
    case ProfileMe::Phase::following:
      return 0;
    case ProfileMe::Phase::stopped:
      break;
  }
  return Cycle{1} << 40;
}

}  // namespace alpha
}  // namespace pmusim::pmu
