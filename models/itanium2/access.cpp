// Access to the registers of the Itanium 2 monitor. SDM volume 2, 7.2.1 and 7.1.1.
#include <array>

#include "models/itanium2/monitor.h"

namespace pmusim::pmu::itanium2 {
namespace {

constexpr RegisterKind control = RegisterKind::control, counter = RegisterKind::counter, data = RegisterKind::data,
                       status = RegisterKind::status;

constexpr RegisterInfo info(Space space, std::uint32_t number, std::string_view name, RegisterKind kind,
                            bool writable = true) {
  return {{space, number}, name, 64, kind, writable};
}
constexpr RegisterInfo pmc_info(std::uint32_t number, std::string_view name, RegisterKind kind = control) {
  return info(Space::pmc, number, name, kind, pmc_bits[number].writable != 0);
}
constexpr RegisterInfo pmd_info(std::uint32_t number, std::string_view name, RegisterKind kind = data) {
  return info(Space::pmd, number, name, kind);
}

constexpr std::array infos{
    pmc_info(0, "PMC0", status),
    pmc_info(1, "PMC1", status),
    pmc_info(2, "PMC2", status),
    pmc_info(3, "PMC3", status),
    pmc_info(4, "PMC4"),
    pmc_info(5, "PMC5"),
    pmc_info(6, "PMC6"),
    pmc_info(7, "PMC7"),
    pmc_info(8, "PMC8"),
    pmc_info(9, "PMC9"),
    pmc_info(10, "PMC10"),
    pmc_info(11, "PMC11"),
    pmc_info(12, "PMC12"),
    pmc_info(13, "PMC13"),
    pmc_info(14, "PMC14"),
    pmc_info(15, "PMC15"),
    pmd_info(0, "PMD0"),
    pmd_info(1, "PMD1"),
    pmd_info(2, "PMD2"),
    pmd_info(3, "PMD3"),
    pmd_info(4, "PMD4", counter),
    pmd_info(5, "PMD5", counter),
    pmd_info(6, "PMD6", counter),
    pmd_info(7, "PMD7", counter),
    pmd_info(8, "PMD8"),
    pmd_info(9, "PMD9"),
    pmd_info(10, "PMD10"),
    pmd_info(11, "PMD11"),
    pmd_info(12, "PMD12"),
    pmd_info(13, "PMD13"),
    pmd_info(14, "PMD14"),
    pmd_info(15, "PMD15"),
    pmd_info(16, "PMD16"),
    pmd_info(17, "PMD17"),
    info(Space::ibr, 0, "IBR0", control),
    info(Space::ibr, 1, "IBR1", control),
    info(Space::ibr, 2, "IBR2", control),
    info(Space::ibr, 3, "IBR3", control),
    info(Space::ibr, 4, "IBR4", control),
    info(Space::ibr, 5, "IBR5", control),
    info(Space::ibr, 6, "IBR6", control),
    info(Space::ibr, 7, "IBR7", control),
    info(Space::dbr, 0, "DBR0", control),
    info(Space::dbr, 1, "DBR1", control),
    info(Space::dbr, 2, "DBR2", control),
    info(Space::dbr, 3, "DBR3", control),
    info(Space::dbr, 4, "DBR4", control),
    info(Space::dbr, 5, "DBR5", control),
    info(Space::dbr, 6, "DBR6", control),
    info(Space::dbr, 7, "DBR7", control),
    info(Space::cr, pmv, "PMV", control),
};

constexpr bool is_counter(std::uint32_t number) { return number >= first_counter && number < first_counter + counters; }
constexpr std::uint32_t first_entry = 8, index_register = 16, instruction_register = 17;

/// The PMC that configures a PMD, and the place of its pm bit.
struct Controller {
  std::uint32_t pmc;
  std::uint64_t pm;
};
constexpr Controller controller_of(std::uint32_t pmd) {
  if (is_counter(pmd)) return {pmd, config::pm};
  if (pmd < 2) return {10, pmc10::pm};
  if (pmd < first_counter || pmd == instruction_register) return {11, config::pm};
  return {12, config::pm};
}

}  // namespace

std::span<const RegisterInfo> Itanium2Monitor::registers() const { return infos; }

// Any index of PMC and PMD exists for access; those not implemented read 0 and drop writes.
Fault Itanium2Monitor::access_fault(RegisterId id, bool is_write, const Accessor& who) const {
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

// Less privileged code reads 0 from a secured monitor, and from one that is privileged.
bool Itanium2Monitor::hidden(std::uint32_t number, const Accessor& who) const {
  if (who.cpl == 0 || number >= pmds) return false;
  if ((mode_.psr & activity::ia64::psr::sp) != 0) return true;
  if (!is_counter(number) && behaviour_.filters_counters_only) return false;
  const Controller controller = controller_of(number);
  return (pmc_[controller.pmc] & controller.pm) != 0;
}

std::uint64_t Itanium2Monitor::pmc(std::uint32_t number) const { return number < pmcs ? pmc_[number] : 0; }

std::uint64_t Itanium2Monitor::pmd(std::uint32_t number) const {
  if (is_counter(number)) return counter_[number - first_counter].read();
  const ia64::BranchRingRegisters& ring = capturing_.branch_ring.registers;
  switch (number) {
    case 0:
      return capturing_.fetch_ear.registers.fetch;
    case 1:
      return capturing_.fetch_ear.registers.latency;
    case 2:
      return capturing_.data_ear.registers.address;
    case 3:
      return capturing_.data_ear.registers.latency;
    case instruction_register:
      return capturing_.data_ear.registers.instruction;
    case index_register: {
      std::uint64_t value = ring.next | (ring.full ? pmd16::full : 0);
      for (unsigned i = 0; i < ring.size; ++i)
        value |= std::uint64_t{ring.flags[i]} << (pmd16::flags_shift + i * pmd16::flags_distance);
      return value;
    }
    default:
      return number < pmds ? ring.entries[number - first_entry] : 0;
  }
}

void Itanium2Monitor::set_pmc(std::uint32_t number, std::uint64_t value) {
  if (number >= pmcs) return;
  const ControlBits& bits = pmc_bits[number];
  constexpr std::uint32_t first_stored = first_counter;
  const bool stores_all = behaviour_.stores_reserved && number >= first_stored;
  pmc_[number] = stores_all ? value : (value & bits.writable) | (bits.reset & ~bits.writable);
  if (number == 0) freeze_at_ = activity::never;  // what software writes holds
  if (number >= first_counter) configure(number);
}

void Itanium2Monitor::set_pmd(std::uint32_t number, std::uint64_t value) {
  if (is_counter(number)) {
    counter_[number - first_counter].write(value);
    return;
  }
  ia64::BranchRingRegisters& ring = capturing_.branch_ring.registers;
  switch (number) {
    case 0:
      capturing_.fetch_ear.registers.fetch = value & pmd0_bits;
      break;
    case 1:
      capturing_.fetch_ear.registers.latency = value & pmd1_bits;
      break;
    case 2:
      capturing_.data_ear.registers.address = value;
      break;
    case 3:
      capturing_.data_ear.registers.latency = value & pmd3_bits;
      break;
    case instruction_register:
      capturing_.data_ear.registers.instruction = value;
      break;
    case index_register:
      capturing_.branch_ring.forget();
      ring.next = static_cast<unsigned>(value & pmd16::next);
      ring.full = (value & pmd16::full) != 0;
      for (unsigned i = 0; i < ring.size; ++i) {
        ring.flags[i] =
            static_cast<std::uint8_t>(value >> (pmd16::flags_shift + i * pmd16::flags_distance) & pmd16::flags_mask);
      }
      break;
    default:
      if (number < pmds) ring.entries[number - first_entry] = value;
  }
}

AccessResult Itanium2Monitor::read(RegisterId id, const Accessor& who) {
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

AccessResult Itanium2Monitor::write(RegisterId id, std::uint64_t value, const Accessor& who) {
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

// The cycle counts as before; what is written holds from the next one on, and a counter's increment in it is lost.
Consumed Itanium2Monitor::consume_with_write(const Block& block, Cycle at, RegisterId id, std::uint64_t value,
                                             const Accessor& who, AccessResult& result) {
  const Consumed consumed = consume(block, at, at + 1);
  result = write(id, value, who);
  return consumed;
}

}  // namespace pmusim::pmu::itanium2
