#include "register_stack.h"

#include <fmt/format.h>

#include "machine.h"

namespace pmusim::trace::ia64 {
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
  if (!done) throw Fault(fmt::format("the backing store at {:x} is not writable memory", address));
}

void RegisterStack::fill(std::size_t index) {
  const std::uint64_t address = address_of(index), at = address | collection;
  General& r = registers_[index];
  std::uint64_t nats = rnat;
  bool done = memory_.read(address, &r.value, 8);
  if (at < bspstore()) done = done && memory_.read(at, &nats, 8);
  if (!done) throw Fault(fmt::format("the backing store at {:x} is not mapped memory", address));
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
