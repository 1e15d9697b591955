// Access to the SPRs of the 750GX monitor. User's Manual Table 11-1 and p. 350.
#include <algorithm>
#include <array>

#include "models/ppc750gx/monitor.h"

namespace pmusim::pmu::ppc750gx {
namespace {

constexpr RegisterInfo info(std::uint32_t number, std::string_view name, RegisterKind kind, bool writable) {
  return {{Space::spr, number}, name, 32, kind, writable};
}

constexpr std::array infos{
    info(spr::mmcr0, "MMCR0", RegisterKind::control, true),
    info(spr::mmcr1, "MMCR1", RegisterKind::control, true),
    info(spr::pmc1, "PMC1", RegisterKind::counter, true),
    info(spr::pmc2, "PMC2", RegisterKind::counter, true),
    info(spr::pmc3, "PMC3", RegisterKind::counter, true),
    info(spr::pmc4, "PMC4", RegisterKind::counter, true),
    info(spr::sia, "SIA", RegisterKind::status, true),
    info(spr::mmcr0 - spr::user_copy, "UMMCR0", RegisterKind::data, false),
    info(spr::mmcr1 - spr::user_copy, "UMMCR1", RegisterKind::data, false),
    info(spr::pmc1 - spr::user_copy, "UPMC1", RegisterKind::data, false),
    info(spr::pmc2 - spr::user_copy, "UPMC2", RegisterKind::data, false),
    info(spr::pmc3 - spr::user_copy, "UPMC3", RegisterKind::data, false),
    info(spr::pmc4 - spr::user_copy, "UPMC4", RegisterKind::data, false),
    info(spr::sia - spr::user_copy, "USIA", RegisterKind::data, false),
    info(spr::iabr, "IABR", RegisterKind::data, true),
    info(spr::tbl_read, "TBL", RegisterKind::data, false),
    info(spr::tbu_read, "TBU", RegisterKind::data, false),
    info(spr::tbl_write, "TBLW", RegisterKind::data, true),
    info(spr::tbu_write, "TBUW", RegisterKind::data, true),
};

constexpr bool is_monitor_register(std::uint32_t supervisor_spr) {
  return supervisor_spr >= spr::mmcr0 && supervisor_spr <= spr::pmc4;
}

/// Index of the counter with this SPR number; `counters`: not a counter.
constexpr unsigned counter_index(std::uint32_t supervisor_spr) {
  constexpr std::array<std::uint32_t, counters> numbers{spr::pmc1, spr::pmc2, spr::pmc3, spr::pmc4};
  return static_cast<unsigned>(std::find(numbers.begin(), numbers.end(), supervisor_spr) - numbers.begin());
}

}  // namespace

std::span<const RegisterInfo> Ppc750gxMonitor::registers() const { return infos; }

Fault Ppc750gxMonitor::access_fault(RegisterId id, bool is_write, const Accessor& who) const {
  if (id.space != Space::spr) return Fault::illegal_instruction;
  switch (id.number) {
    case spr::tbl_read:
    case spr::tbu_read:
      return is_write ? Fault::illegal_instruction : Fault::none;
    case spr::tbl_write:
    case spr::tbu_write:
      if (who.cpl != 0) return behaviour_.supervisor_fault;
      return is_write ? Fault::none : Fault::illegal_instruction;
    case spr::sda:
    case spr::sda - spr::user_copy:
      if (!behaviour_.missing_spr_is_no_op) return Fault::illegal_instruction;
      break;
    case spr::iabr:
      break;
    default:
      if (is_monitor_register(id.number)) break;
      if (!is_monitor_register(id.number + spr::user_copy)) return Fault::illegal_instruction;
      return is_write ? Fault::illegal_instruction : Fault::none;
  }
  return who.cpl != 0 && (id.number & spr::privileged) != 0 ? behaviour_.supervisor_fault : Fault::none;
}

std::uint32_t Ppc750gxMonitor::value_of(std::uint32_t supervisor_spr) const {
  if (const unsigned i = counter_index(supervisor_spr); i < counters) return pmc_[i];
  switch (supervisor_spr) {
    case spr::mmcr0:
      return mmcr0_;
    case spr::mmcr1:
      return mmcr1_;
    case spr::sia:
      return sia_;
    case spr::iabr:
      return iabr_;
    case spr::tbl_read:
      return static_cast<std::uint32_t>(time_base_.value());
    case spr::tbu_read:
      return static_cast<std::uint32_t>(time_base_.value() >> 32);
    default:
      return 0;
  }
}

void Ppc750gxMonitor::set_value(std::uint32_t supervisor_spr, std::uint32_t value) {
  if (const unsigned i = counter_index(supervisor_spr); i < counters) {
    pmc_[i] = value;
    tell_written(i, value);
    return;
  }
  const std::uint64_t time_base = time_base_.value();
  switch (supervisor_spr) {
    case spr::mmcr0:
      mmcr0_ = value;
      stopped_ = released_ = false;
      select();
      break;
    case spr::mmcr1:
      mmcr1_ = behaviour_.mmcr1_keeps_reserved ? value : value & ~mmcr1::reserved;
      select();
      break;
    case spr::sia:
      sia_ = value;
      break;
    case spr::iabr:
      iabr_ = value;
      break;
    case spr::tbl_write:
      time_base_.write((time_base & 0xffff'ffff'0000'0000) | value);
      break;
    case spr::tbu_write:
      time_base_.write((time_base & 0xffff'ffff) | std::uint64_t{value} << 32);
      break;
    default:
      break;
  }
}

void Ppc750gxMonitor::select() {
  const std::array<unsigned, counters> codes{(mmcr0_ >> mmcr0::pmc1select_shift) & mmcr0::pmc1select_mask,
                                             mmcr0_ & mmcr0::pmc2select_mask,
                                             (mmcr1_ >> mmcr1::pmc3select_shift) & mmcr1::select_mask,
                                             (mmcr1_ >> mmcr1::pmc4select_shift) & mmcr1::select_mask};
  for (unsigned i = 0; i < counters; ++i) {
    const auto fits = [&](const EventRow& e) { return e.code == codes[i] && (e.counter == 0 || e.counter == i + 1); };
    const bool reserved = codes[i] != 0 && std::none_of(entries_.begin(), entries_.end(), fits);
    selected_[i] = {};
    if (reserved && behaviour_.reserved_codes_count) selected_[i].selection.add(every_cycle());
    for (const EventRow& entry : entries_) {
      if (!fits(entry)) continue;
      if (!entry.only_if.holds(behaviour_)) continue;
      if (entry.toggle.mask != 0) {
        selected_[i].toggle = entry.toggle;
      } else if (entry.time_base) {
        selected_[i].time_base = true;
      } else {
        selected_[i].selection.add(entry.line);
      }
    }
  }
}

AccessResult Ppc750gxMonitor::read(RegisterId id, const Accessor& who) {
  const Fault fault = access_fault(id, false, who);
  if (fault != Fault::none) return {fault, 0};
  const bool user_copy = is_monitor_register(id.number + spr::user_copy);
  return {Fault::none, value_of(user_copy ? id.number + spr::user_copy : id.number)};
}

AccessResult Ppc750gxMonitor::write(RegisterId id, std::uint64_t value, const Accessor& who) {
  const Fault fault = access_fault(id, true, who);
  if (fault == Fault::none) set_value(id.number, static_cast<std::uint32_t>(value));
  return {fault, 0};
}

Consumed Ppc750gxMonitor::consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value,
                                             const Accessor& who, AccessResult& result) {
  const bool writes = access_fault(id, true, who) == Fault::none;
  held_ = writes ? counter_index(id.number) : counters;
  const Consumed consumed = consume(block, at, at + 1);
  held_ = counters;
  result = write(id, value, who);
  return consumed;
}

}  // namespace pmusim::pmu::ppc750gx
