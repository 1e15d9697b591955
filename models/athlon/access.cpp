// Access to the Athlon's counters: RDMSR, WRMSR, RDPMC, the local APIC entry and the debug registers.
// 22007 Rev. E pp. 162-168.
#include <algorithm>
#include <array>

#include "models/athlon/monitor.h"

namespace pmusim::pmu::athlon {
namespace {

constexpr RegisterInfo info(Space space, std::uint32_t number, std::string_view name, unsigned width, RegisterKind kind,
                            bool writable = true) {
  return {{space, number}, name, width, kind, writable};
}

constexpr std::array infos{
    info(Space::msr, msr::perf_evt_sel0 + 0, "PerfEvtSel0", 32, RegisterKind::control),
    info(Space::msr, msr::perf_evt_sel0 + 1, "PerfEvtSel1", 32, RegisterKind::control),
    info(Space::msr, msr::perf_evt_sel0 + 2, "PerfEvtSel2", 32, RegisterKind::control),
    info(Space::msr, msr::perf_evt_sel0 + 3, "PerfEvtSel3", 32, RegisterKind::control),
    info(Space::msr, msr::perf_ctr0 + 0, "PerfCtr0", 48, RegisterKind::counter),
    info(Space::msr, msr::perf_ctr0 + 1, "PerfCtr1", 48, RegisterKind::counter),
    info(Space::msr, msr::perf_ctr0 + 2, "PerfCtr2", 48, RegisterKind::counter),
    info(Space::msr, msr::perf_ctr0 + 3, "PerfCtr3", 48, RegisterKind::counter),
    info(Space::msr, msr::tsc, "TSC", 64, RegisterKind::data),
    info(Space::rdpmc, 0, "RDPMC0", 48, RegisterKind::data, false),
    info(Space::rdpmc, 1, "RDPMC1", 48, RegisterKind::data, false),
    info(Space::rdpmc, 2, "RDPMC2", 48, RegisterKind::data, false),
    info(Space::rdpmc, 3, "RDPMC3", 48, RegisterKind::data, false),
    info(Space::apic, lvt::offset, "LVTPC", 32, RegisterKind::control),
    info(Space::dr, 0, "DR0", 32, RegisterKind::data),
    info(Space::dr, 1, "DR1", 32, RegisterKind::data),
    info(Space::dr, 2, "DR2", 32, RegisterKind::data),
    info(Space::dr, 3, "DR3", 32, RegisterKind::data),
    info(Space::dr, debug::control, "DR7", 32, RegisterKind::data),
};

constexpr bool is_select(std::uint32_t number) { return number - msr::perf_evt_sel0 < counters; }
constexpr bool is_counter(std::uint32_t number) { return number - msr::perf_ctr0 < counters; }
constexpr bool is_known_msr(std::uint32_t number) {
  return is_select(number) || is_counter(number) || number == msr::tsc;
}

/// True if the value is a 48-bit number, sign-extended to 64 bits.
constexpr bool in_counter_range(std::uint64_t value) {
  const auto sign = static_cast<std::int64_t>(value) >> (counter_bits - 1);
  return sign == 0 || sign == -1;
}

}  // namespace

std::span<const RegisterInfo> AthlonMonitor::registers() const { return infos; }

Fault AthlonMonitor::access_fault(RegisterId id, std::uint64_t value, bool is_write, const Accessor& who) const {
  const bool most_privileged = who.cpl == 0;
  bool allowed = false;
  switch (id.space) {
    case Space::msr:
      allowed = most_privileged && (is_known_msr(id.number) || behaviour_.unknown_msr_reads_zero) &&
                !(is_write && is_counter(id.number) && behaviour_.counter_write_faults && !in_counter_range(value));
      break;
    case Space::rdpmc:
      allowed = !is_write && (id.number < counters || behaviour_.rdpmc_index_masked) &&
                (most_privileged || who.counter_reads_allowed);
      break;
    // Protection of the APIC's page is left to the system.
    case Space::apic:
      allowed = id.number == lvt::offset;
      break;
    case Space::dr:
      allowed = most_privileged && (id.number < debug::breakpoints || id.number == debug::control);
      break;
    default:
      break;
  }
  return allowed ? Fault::none : Fault::general_protection;
}

AccessResult AthlonMonitor::read(RegisterId id, const Accessor& who) {
  const Fault fault = access_fault(id, 0, false, who);
  if (fault != Fault::none) return {fault, 0};
  switch (id.space) {
    case Space::rdpmc:
      return {Fault::none, counters_[id.number % counters].value};
    case Space::apic: {
      const std::uint32_t status = due_in_ != 0 || pending_ ? lvt::delivery_status : 0;
      return {Fault::none, behaviour_.has_apic ? lvt_ | status : 0};
    }
    case Space::dr:
      return {Fault::none, id.number == debug::control ? debug_.control : debug_.address[id.number]};
    default:
      break;
  }
  if (is_select(id.number)) return {Fault::none, counters_[id.number - msr::perf_evt_sel0].select};
  if (id.number == msr::tsc) return {Fault::none, tsc_};
  if (!is_counter(id.number)) return {Fault::none, 0};
  const std::uint64_t value = counters_[id.number - msr::perf_ctr0].value;
  const bool extend = behaviour_.counter_read_sign_extends && value >= counter_modulus / 2;
  return {Fault::none, extend ? value - counter_modulus : value};
}

AccessResult AthlonMonitor::write(RegisterId id, std::uint64_t value, const Accessor& who) {
  const Fault fault = access_fault(id, value, true, who);
  if (fault != Fault::none) return {fault, 0};
  const auto word = static_cast<std::uint32_t>(value);
  if (id.space == Space::apic) {
    write_lvt(word);
  } else if (id.space == Space::dr && id.number == debug::control) {
    debug_.control = (word & debug::control_writable) | debug::control_always_set;
  } else if (id.space == Space::dr) {
    debug_.address[id.number] = word;
  } else if (is_select(id.number)) {
    write_select(id.number - msr::perf_evt_sel0, word);
  } else if (is_counter(id.number)) {
    counters_[id.number - msr::perf_ctr0].value = value % counter_modulus;
    tell_written(id.number - msr::perf_ctr0, value % counter_modulus);
  } else if (id.number == msr::tsc) {
    tsc_ = value;
  }
  return {Fault::none, 0};
}

void AthlonMonitor::write_select(unsigned i, std::uint32_t value) {
  Counter& c = counters_[i];
  if (!behaviour_.bit21_kept) value &= ~select::reserved;
  if (value == c.select) return;
  c.select = value;
  c.edge_flop = false;
  const auto code = static_cast<std::uint8_t>(value & select::event_mask);
  const auto unit_mask = static_cast<std::uint8_t>(value >> select::unit_mask_shift);
  c.selection.clear();
  const bool known = std::any_of(entries_.begin(), entries_.end(), [&](const EventRow& e) { return e.code == code; });
  if (!known && behaviour_.undefined_event_counts_clocks) c.selection.add(clocks());
  for (const EventRow& entry : entries_) {
    if (entry.code != code || !entry.only_if.holds(behaviour_) || !entry.path.holds(behaviour_)) continue;
    if (entry.unit == 0 || (entry.unit & unit_mask) != 0) c.selection.add(entry.line);
  }
}

void AthlonMonitor::write_lvt(std::uint32_t value) {
  if (!behaviour_.has_apic) return;
  lvt_ = value & lvt::writable;
}

// A write to a counter replaces the increment of its clock. A write to a selector applies from the next clock, or from
// its own clock (pmu.select_write).
Consumed AthlonMonitor::consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value,
                                           const Accessor& who, AccessResult& result) {
  const bool to_counter =
      id.space == Space::msr && is_counter(id.number) && access_fault(id, value, true, who) == Fault::none;
  const bool to_select = id.space == Space::msr && is_select(id.number);
  if (to_select && behaviour_.select_writes_at_once) {
    result = write(id, value, who);
    return consume(block, at, at + 1);
  }
  if (to_counter) held_ = id.number - msr::perf_ctr0;
  const Consumed consumed = consume(block, at, at + 1);
  held_ = counters;
  result = write(id, value, who);
  return consumed;
}

}  // namespace pmusim::pmu::athlon
