// The condition under which a row of a multiplexer is connected: always, or depending on one or two behaviours.
#pragma once

#include <cstdint>

namespace pmusim::pmu {

template <class Behaviour>
struct Condition {
  using Flag = bool Behaviour::*;

  constexpr Condition() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): rows name the flag alone
  constexpr Condition(Flag first, bool first_wanted = true) : flag(first), wanted(first_wanted) {}

  [[nodiscard]] constexpr bool holds(const Behaviour& behaviour) const {
    return (flag == nullptr || behaviour.*flag == wanted) &&
           (other_flag == nullptr || behaviour.*other_flag == other_wanted);
  }

  Flag flag = nullptr;  ///< null: always
  bool wanted = true;
  Flag other_flag = nullptr;
  bool other_wanted = true;
};

/// The behaviour is true.
template <class Behaviour>
constexpr Condition<Behaviour> when(bool Behaviour::*flag) {
  return {flag, true};
}

/// The behaviour is false.
template <class Behaviour>
constexpr Condition<Behaviour> unless(bool Behaviour::*flag) {
  return {flag, false};
}

/// Both conditions hold. Each must depend on one behaviour.
template <class Behaviour>
constexpr Condition<Behaviour> operator&&(Condition<Behaviour> a, Condition<Behaviour> b) {
  a.other_flag = b.flag;
  a.other_wanted = b.wanted;
  return a;
}

// Address comparators of breakpoint, watchpoint and range registers.

/// Compares an address under a mask: bits that are set in `ignored` are not compared. An aligned field of 2^k bytes at
/// `base` is {base, 2^k - 1}; a comparison of an instruction's word address is {base, 3}.
struct RangeComparator {
  std::uint64_t base = 0;
  std::uint64_t ignored = 0;

  /// True if the byte at `address` matches.
  [[nodiscard]] constexpr bool matches(std::uint64_t address) const { return ((address ^ base) & ~ignored) == 0; }
  /// True if any byte of [address, address + size) is in the field. For fields of 2^k bytes only. False for size 0.
  [[nodiscard]] constexpr bool overlaps(std::uint64_t address, std::uint64_t size) const {
    const std::uint64_t first = base & ~ignored;
    return size != 0 && (matches(address) || first - address < size);
  }
};

}  // namespace pmusim::pmu
