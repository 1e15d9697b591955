// Access to the registers of IA-64 monitors. SDM volume 2, 7.2.1 and 7.1.1.
#include <fmt/format.h>

#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "models/ia64/monitor.h"

namespace pmusim::pmu::ia64 {
namespace {

/// Implemented bits of a register that hardware writes.
constexpr std::uint64_t implemented_bits(PmdRole role) {
  if (role == PmdRole::fetch_address) return ~std::uint64_t{0x1c};
  if (role == PmdRole::fetch_latency) return 0x1fff;
  return role == PmdRole::data_latency ? 0xffff : ~std::uint64_t{0};
}

/// A register that hardware writes as a whole: of an event address register, or an entry of the ring.
template <class Capturing>
auto& word_of(Capturing& capturing, PmdRole role, std::uint32_t entry) {
  switch (role) {
    case PmdRole::fetch_address:
      return capturing.fetch_ear.registers.fetch;
    case PmdRole::fetch_latency:
      return capturing.fetch_ear.registers.latency;
    case PmdRole::data_address:
      return capturing.data_ear.registers.address;
    case PmdRole::data_latency:
      return capturing.data_ear.registers.latency;
    case PmdRole::data_instruction:
      return capturing.data_ear.registers.instruction;
    default:
      return capturing.branch_ring.registers.entries[entry];
  }
}

template <class Range>
const Range* range_of(std::span<const Range> ranges, std::uint32_t number) {
  for (const Range& range : ranges) {
    if (number >= range.first && number < std::uint32_t{range.first} + range.count) return &range;
  }
  return nullptr;
}

/// The registers of a family, in the order of their spaces and numbers.
class RegisterList {
 public:
  explicit RegisterList(const Family& family) {
    for (const PmcRange& range : family.pmcs) {
      const RegisterKind kind = range.first < first_counter ? RegisterKind::status : RegisterKind::control;
      add(Space::pmc, "PMC", range.first, range.count, kind, range.writable != 0);
    }
    for (const PmdRange& range : family.pmds) {
      const RegisterKind kind = range.role == PmdRole::counter ? RegisterKind::counter : RegisterKind::data;
      add(Space::pmd, "PMD", range.first, range.count, kind);
    }
    add(Space::ibr, "IBR", 0, breakpoints, RegisterKind::control);
    add(Space::dbr, "DBR", 0, breakpoints, RegisterKind::control);
    infos_.push_back({{Space::cr, pmv}, "PMV", 64, RegisterKind::control, true});
  }
  [[nodiscard]] std::span<const RegisterInfo> infos() const { return infos_; }

 private:
  void add(Space space, const char* name, std::uint32_t first, std::uint32_t count, RegisterKind kind,
           bool writable = true) {
    for (std::uint32_t number = first; number < first + count; ++number) {
      names_.push_back(fmt::format("{}{}", name, number));
      infos_.push_back({{space, number}, names_.back(), 64, kind, writable});
    }
  }
  std::deque<std::string> names_;
  std::vector<RegisterInfo> infos_;
};

}  // namespace

std::span<const RegisterInfo> register_infos(const Family& family) {
  static std::mutex mutex;
  static std::map<const Family*, RegisterList> lists;
  const std::lock_guard lock(mutex);
  return lists.try_emplace(&family, family).first->second.infos();
}

std::span<const RegisterInfo> Ia64Monitor::registers() const { return infos_; }

// Every index of PMC and PMD can be accessed; unimplemented registers read 0 and ignore writes.
Fault Ia64Monitor::access_fault(RegisterId id, bool is_write, const Accessor& who) const {
  switch (id.space) {
    case Space::pmd:
      return is_write && who.cpl != 0 ? Fault::privileged_instruction : Fault::none;
    case Space::pmc:
      break;
    case Space::ibr:
    case Space::dbr:
      if (id.number >= breakpoints) return Fault::illegal_instruction;
      break;
    case Space::cr:
      if (id.number != pmv) return Fault::illegal_instruction;
      break;
    default:
      return Fault::illegal_instruction;
  }
  return who.cpl != 0 ? Fault::privileged_instruction : Fault::none;
}

// Less privileged code reads 0 while PSR.sp is 1, and from the registers of a monitor whose pm bit is set.
bool Ia64Monitor::hidden(std::uint32_t number, const Accessor& who) const {
  const PmdRange* const range = range_of(family_->pmds, number);
  if (who.cpl == 0 || range == nullptr) return false;
  if ((modes_[behaviour_.thread].psr & activity::ia64::psr::sp) != 0) return true;
  if (range->role != PmdRole::counter && behaviour_.filters_counters_only) return false;
  const ConfigurationNumbers& configured_by = family_->numbers;
  switch (range->role) {
    case PmdRole::counter:
      return (pmc_[number] & config::pm) != 0;
    case PmdRole::fetch_address:
    case PmdRole::fetch_latency:
      return (pmc_[configured_by.fetch_ear] & fetch_config::pm) != 0;
    case PmdRole::data_address:
    case PmdRole::data_latency:
    case PmdRole::data_instruction:
      return (pmc_[configured_by.data_ear] & config::pm) != 0;
    default:
      return ring_gate_.privileged;
  }
}

std::uint64_t Ia64Monitor::pmc(std::uint32_t number) const { return number < pmc_.size() ? pmc_[number] : 0; }

std::uint64_t Ia64Monitor::pmd(std::uint32_t number) const {
  const PmdRange* const range = range_of(family_->pmds, number);
  if (range == nullptr) return 0;
  const BranchRingRegisters& ring = capturing_.branch_ring.registers;
  switch (range->role) {
    case PmdRole::counter:
      return counter_[number - first_counter].read();
    case PmdRole::ring_index:
      return index_word(family_->ring, ring);
    case PmdRole::ring_flags:
      return flags_word(family_->ring, ring);
    default:
      return word_of(capturing_, range->role, number - range->first);
  }
}

void Ia64Monitor::set_pmc(std::uint32_t number, std::uint64_t value) {
  const PmcRange* const range = range_of(family_->pmcs, number);
  if (range == nullptr) return;
  constexpr std::uint32_t first_stored = first_counter;
  const bool stores_all = behaviour_.stores_reserved && number >= first_stored;
  const bool was_frozen = frozen();
  pmc_[number] = stores_all ? value : (value & range->writable) | (range->reset & ~range->writable);
  if (number == 0) {  // the value that software writes overrides a pending freeze
    freeze_at_ = activity::never;
    if (was_frozen && frozen()) capturing_.ip_ear.cut(now_, capturing_.branch_ring.registers);
    capturing_.ip_ear.settle();
    if (behaviour_.pmc0_raises && value >> pmc0::overflow_shift != 0 && (pmc_[0] >> pmc0::overflow_shift) != 0)
      request();
  }
  if (number >= first_counter) configure(number);
}

void Ia64Monitor::set_pmd(std::uint32_t number, std::uint64_t value) {
  const PmdRange* const range = range_of(family_->pmds, number);
  if (range == nullptr) return;
  BranchRingRegisters& ring = capturing_.branch_ring.registers;
  switch (range->role) {
    case PmdRole::counter:
      counter_[number - first_counter].write(value);
      tell_written(number - first_counter, value & (Counter::modulus - 1));
      break;
    case PmdRole::ring_index:
      capturing_.branch_ring.forget();
      capturing_.ip_ear.forget();
      set_index(family_->ring, value, ring);
      break;
    case PmdRole::ring_flags:
      set_flags(family_->ring, value, ring);
      break;
    default:
      word_of(capturing_, range->role, number - range->first) = value & implemented_bits(range->role);
  }
}

AccessResult Ia64Monitor::read(RegisterId id, const Accessor& who) {
  const Fault fault = access_fault(id, false, who);
  if (fault != Fault::none) return {fault, 0};
  switch (id.space) {
    case Space::pmc:
      return {fault, pmc(id.number)};
    case Space::pmd:
      return {fault, hidden(id.number, who) ? 0 : pmd(id.number)};
    case Space::ibr:
      return {fault, ibr_[id.number]};
    case Space::dbr:
      return {fault, dbr_[id.number]};
    default:
      return {fault, pmv_};
  }
}

AccessResult Ia64Monitor::write(RegisterId id, std::uint64_t value, const Accessor& who) {
  const Fault fault = access_fault(id, true, who);
  if (fault != Fault::none) return {fault, 0};
  switch (id.space) {
    case Space::pmc:
      set_pmc(id.number, value);
      break;
    case Space::pmd:
      set_pmd(id.number, value);
      break;
    case Space::ibr:
      ibr_[id.number] = value;
      set_tags();
      break;
    case Space::dbr:
      dbr_[id.number] = value;
      set_tags();
      break;
    default:
      pmv_ = value;
  }
  return {fault, 0};
}

// By default the cycle counts with the old register values, the written value takes effect in the next cycle, and a
// written counter's increment in the cycle is lost.
Consumed Ia64Monitor::consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value,
                                         const Accessor& who, AccessResult& result) {
  const bool counter = id.space == Space::pmd && is_counter(id.number);
  const bool data = id.space == Space::pmd && !counter;
  if (behaviour_.controls_at_once && !counter && !data) {
    result = write(id, value, who);
    return consume(block, at, at + 1);
  }
  const Consumed consumed = consume(block, at, at + 1);
  result = write(id, value, who);
  return {consumed.reached, consumed.interrupt_request || requested_};
}

}  // namespace pmusim::pmu::ia64
