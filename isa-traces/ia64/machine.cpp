#include "machine.h"

#include <fmt/format.h>

namespace pmusim::trace::ia64 {

Machine::Machine(Memory& memory) : memory_(memory), stack_(memory) {
  predicates_[0] = true;
  floats_[1] = float_one;
}

void Machine::outside_frame(unsigned number) const {
  throw Fault("r{} is outside the register frame of {} registers", number, stack_.frame.sof);
}

void Machine::nat_consumption(unsigned number) { throw Fault("consumes the NaT in r{}", number); }

std::uint64_t Machine::all_predicates() const {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 64; ++i) value |= static_cast<std::uint64_t>(predicates_[i]) << i;
  return value;
}

void Machine::set_all_predicates(std::uint64_t value, std::uint64_t mask) {
  for (unsigned i = 1; i < 64; ++i) {
    if ((mask >> i & 1) != 0) predicates_[i] = (value >> i & 1) != 0;
  }
}

std::uint64_t Machine::read_ar(unsigned number) const {
  switch (number) {
    case ar_bsp:
      return stack_.bsp;
    case ar_bspstore:
      return stack_.bspstore();
    case ar_rnat:
      return stack_.rnat;
    case ar_itc:
      return executed_slots;  // deterministic time: one tick per slot
    default:
      break;
  }
  const bool known = number < 8 || number == ar_rsc || number == ar_csd || number == ar_ccv || number == ar_unat ||
                     number == ar_fpsr || (number >= ar_pfs && number <= ar_ec) || (number >= 48 && number < 64) ||
                     number >= 112;
  if (!known) throw Fault("ar{} is not in the supported set", number);
  return ar[number];
}

void Machine::write_ar(unsigned number, std::uint64_t value) {
  switch (number) {
    case ar_bspstore:
    case ar_rnat:
      if ((ar[ar_rsc] & 3) != 0) throw Fault("needs the register stack engine in enforced lazy mode (ar.rsc.mode 0)");
      if (number == ar_rnat) {
        stack_.rnat = value;
      } else {
        stack_.set_bspstore(value);
      }
      return;
    case ar_bsp:
    case ar_itc:
      throw Fault("ar{} cannot be written by user programs", number);
    case ar_rsc:
      if ((value & 0x10) != 0) throw Fault("a big-endian backing store is not in the supported set");
      ar[ar_rsc] = value & 0x3fff000f;
      return;
    case ar_ec:
      ar[ar_ec] = value & 63;
      return;
    case ar_pfs:
      ar[ar_pfs] = value & 0xc3f0003fffffffff;
      return;
    case ar_fpsr:
      if (value >> 58 != 0) throw Fault("writes reserved bits of ar.fpsr");
      ar[ar_fpsr] = value;
      return;
    default:
      if (number < 8) throw Fault("ar{} cannot be written by user programs", number);
      (void)read_ar(number);
      ar[number] = value;
  }
}

void Machine::check_alignment(std::uint64_t address, unsigned size, bool semaphore) const {
  const unsigned alignment = size == 10 ? 16 : size;
  if ((semaphore || (user_mask & 8) != 0) && address % alignment != 0) {
    throw Fault("{:x} is not aligned to {} bytes", address, alignment);
  }
}

void Machine::load(std::uint64_t address, void* to, unsigned size, unsigned in_slot) {
  if (!memory_.read(address, to, size)) throw Fault("loads {} bytes at {:x}, which is not mapped", size, address);
  effects.accesses.push_back({address, static_cast<std::uint16_t>(size), false, static_cast<std::uint8_t>(in_slot)});
}

void Machine::store(std::uint64_t address, const void* from, unsigned size, unsigned in_slot) {
  if (!memory_.write(address, from, size)) {
    throw Fault("stores {} bytes at {:x}, which is not {}", size, address,
                memory_.is_mapped(address, size) ? "writable" : "mapped");
  }
  alat.store(address, size);
  effects.accesses.push_back({address, static_cast<std::uint16_t>(size), true, static_cast<std::uint8_t>(in_slot)});
}

void Machine::call(unsigned link) {
  br[link] = ip + 16;
  Frame& f = stack_.frame;
  ar[ar_pfs] = f.marker() | (ar[ar_ec] & 63) << 52;
  const unsigned sol = f.sol;
  f = {static_cast<std::uint8_t>(f.sof - sol), 0, 0, 0, 0, 0};
  stack_.move_up(sol);
}

void Machine::return_from_call() {
  const std::size_t old_end = stack_.base + stack_.frame.sof;
  const Frame f = Frame::from_marker(ar[ar_pfs]);
  if (f.sof > 96 || f.sol > f.sof || 8u * f.sor > f.sof) {
    throw Fault("ar.pfs {:x} does not describe a register frame", ar[ar_pfs]);
  }
  stack_.move_down(f.sol);
  stack_.frame = f;
  stack_.reserve(f.sof);
  ar[ar_ec] = ar[ar_pfs] >> 52 & 63;
  const std::size_t end = stack_.base + f.sof;
  if (end < old_end)
    alat.remove_range(256 + static_cast<std::uint32_t>(end), 256 + static_cast<std::uint32_t>(old_end));
}

void Machine::alloc(unsigned sof, unsigned sol, unsigned sor) {
  Frame& f = stack_.frame;
  if (sof > 96 || sol > sof || 8 * sor > sof)
    throw Fault("describes no register frame: sof <= 96, sol <= sof, sor * 8 <= sof");
  if (sor != f.sor && (f.rrb_gr != 0 || f.rrb_fr != 0 || f.rrb_pr != 0)) {
    throw Fault("changes the rotating part while the rename bases are not 0; expected clrrrb before it");
  }
  if (sof < f.sof) {
    alat.remove_range(256 + static_cast<std::uint32_t>(stack_.base + sof),
                      256 + static_cast<std::uint32_t>(stack_.base + f.sof));
  }
  f.sof = static_cast<std::uint8_t>(sof);
  f.sol = static_cast<std::uint8_t>(sol);
  f.sor = static_cast<std::uint8_t>(sor);
  stack_.reserve(sof);
}

void Machine::cover() {
  const unsigned sof = stack_.frame.sof;
  stack_.frame = {};
  stack_.move_up(sof);
}

void Machine::clear_rename_bases(bool predicates_only) {
  Frame& f = stack_.frame;
  if (!predicates_only) f.rrb_gr = f.rrb_fr = 0;
  f.rrb_pr = 0;
}

RoundingControl Machine::rounding_control(unsigned field, Precision precision) const {
  const unsigned status = status_field(field);
  const bool widest = (status & 2) != 0;
  RoundingControl c;
  c.rounding = static_cast<Rounding>(status >> 4 & 3);
  c.flush_to_zero = (status & 1) != 0;
  constexpr unsigned dynamic[] = {24, 0, 53, 64};
  c.precision = precision == Precision::single ? 24 : precision == Precision::double_ ? 53 : dynamic[status >> 2 & 3];
  c.exponent_bits = precision == Precision::single ? 8 : precision == Precision::double_ ? 11 : 15;
  if (c.precision == 0) throw Fault("precision control of status field {} is reserved", field);
  if (widest) c.exponent_bits = 17;
  return c;
}

void Machine::raise(unsigned field, unsigned flags) {
  if (flags == 0) return;
  // Bits 5:0 of ar.fpsr disable traps; the td bit of fields 1 to 3 disables all traps of the field.
  const bool all_disabled = field != 0 && (status_field(field) & 0x40) != 0;
  const unsigned enabled = all_disabled ? 0 : flags & ~static_cast<unsigned>(ar[ar_fpsr] & 63);
  if (enabled != 0) throw Fault("a floating-point exception that ar.fpsr does not mask (flags {:02x})", enabled);
  ar[ar_fpsr] |= static_cast<std::uint64_t>(flags) << (6 + 13 * field + 7);
}

const Handlers& handlers() {
  static const Handlers table = [] {
    Handlers h{};
    add_integer_handlers(h);
    add_multimedia_handlers(h);
    add_memory_handlers(h);
    add_system_handlers(h);
    add_float_handlers(h);
    return h;
  }();
  return table;
}

namespace {

constexpr std::uint64_t collection = 0x1f8;  // address bits 8:3 of a NaT collection

}  // namespace

void RegisterStack::reserve(unsigned sof) {
  if (base + sof + 128 > registers_.size()) {
    if (base > most) throw Fault("the register stack is deeper than 16 million registers");
    registers_.resize(2 * registers_.size());
  }
}

void RegisterStack::move_up(unsigned registers) {
  base += registers;
  bsp = bsp_plus(bsp, registers);
  reserve(96);
}

void RegisterStack::move_down(unsigned registers) {
  if (base < registers) throw Fault("returns below the bottom of the register stack");
  // The addresses of the registers to fill are relative to the old base.
  for (std::size_t index = valid_; index > base - registers; --index) fill(index - 1);
  base -= registers;
  bsp = bsp_minus(bsp, registers);
  if (valid_ > base) valid_ = base;
  if (dirty_ > base) dirty_ = base;
}

void RegisterStack::spill(std::size_t index) {
  const std::uint64_t address = address_of(index);
  const General& r = registers_[index];
  const std::uint64_t bit = std::uint64_t{1} << (address >> 3 & 63);
  rnat = r.nat ? rnat | bit : rnat & ~bit;
  bool done = memory_.write(address, &r.value, 8);
  if (((address + 8) & collection) == collection) {
    done = done && memory_.write(address + 8, &rnat, 8);
    rnat = 0;
  }
  if (!done) throw Fault("the backing store at {:x} is not writable memory", address);
}

void RegisterStack::fill(std::size_t index) {
  const std::uint64_t address = address_of(index), at = address | collection;
  General& r = registers_[index];
  std::uint64_t nats = rnat;
  bool done = memory_.read(address, &r.value, 8);
  if (at < bspstore()) done = done && memory_.read(at, &nats, 8);
  if (!done) throw Fault("the backing store at {:x} is not mapped memory", address);
  r.nat = (nats >> (address >> 3 & 63) & 1) != 0;
}

void RegisterStack::flush() {
  for (; dirty_ < base; ++dirty_) spill(dirty_);
}

void RegisterStack::load(std::uint32_t bytes) {
  const std::uint64_t tear = bsp - bytes;
  std::size_t index = base;
  while (index > 0 && address_of(index - 1) >= tear) --index;
  for (std::size_t i = valid_; i > index; --i) fill(i - 1);
  dirty_ = valid_ = index;
}

void RegisterStack::set_bspstore(std::uint64_t address) {
  valid_ = dirty_;
  bsp = bsp_plus(address & ~std::uint64_t{7}, static_cast<unsigned>(base - dirty_));
}

}  // namespace pmusim::trace::ia64
