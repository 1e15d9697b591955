// The condition under which a row of a multiplexer is connected: always, or depending on one or two behaviours.
#pragma once

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

}  // namespace pmusim::pmu
