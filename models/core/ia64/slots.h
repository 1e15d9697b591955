// Sets of slots of a bundle: bit n is slot n.
#pragma once

#include <bit>
#include <cstdint>

namespace pmusim::core::ia64 {

[[nodiscard]] constexpr unsigned slots_between(unsigned first, unsigned end) { return (1u << end) - (1u << first); }
/// The number of slots in a set. (std::popcount is a call without a machine option.)
[[nodiscard]] constexpr unsigned count_of(unsigned slots) { return 0x32212110u >> 4 * slots & 3; }
/// First slot after a set that is not empty.
[[nodiscard]] constexpr unsigned end_of(unsigned slots) { return 0x33332210u >> 4 * slots & 3; }

/// The slots of a set in order, for a loop.
class Each {
 public:
  constexpr explicit Each(unsigned slots) : slots_(slots) {}
  class Iterator {
   public:
    constexpr explicit Iterator(unsigned left) : left_(left) {}
    constexpr unsigned operator*() const { return static_cast<unsigned>(std::countr_zero(left_)); }
    constexpr Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    unsigned left_;
  };
  [[nodiscard]] constexpr Iterator begin() const { return Iterator(slots_); }
  [[nodiscard]] static constexpr Iterator end() { return Iterator(0); }

 private:
  unsigned slots_;
};

}  // namespace pmusim::core::ia64
