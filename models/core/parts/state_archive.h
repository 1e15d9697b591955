// A pipeline's state as bytes that do not depend on the cycle: one function per unit lists the unit's fields, and
// serves for writing and for reading. Cycles are relative to the present one, and rising numbers to a base.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::core {

class StateWriter {
 public:
  static constexpr bool writes = true;
  StateWriter(std::vector<std::uint8_t>& bytes, activity::Cycle now) : bytes_(bytes), now_(now) {
    bytes_.resize(std::max<std::size_t>(bytes_.capacity(), 4096));
    next_ = bytes_.data();
    end_ = next_ + bytes_.size();
  }
  /// Ends the writing.
  void close() { bytes_.resize(static_cast<std::size_t>(next_ - bytes_.data())); }

  template <class Number>
  void number(Number& value) {
    put(static_cast<std::uint64_t>(value));
  }
  /// A number that only rises: stored as the distance from a base.
  template <class Number>
  void from(Number& value, std::uint64_t base) {
    put_signed(static_cast<std::uint64_t>(value) - base);
  }
  /// A cycle, past or future, or never.
  void cycle(activity::Cycle& value) {
    if (value == activity::never) return put(0);
    const std::uint64_t distance = value - now_;
    put(((distance << 1) ^ (0 - (distance >> 63))) + 1);
  }
  /// A cycle that something waits for. All past cycles are stored alike.
  void due(activity::Cycle& value) {
    if (value == activity::never) return put(0);
    put(value > now_ ? value - now_ + 1 : 1);
  }
  /// The number of elements that follow.
  std::size_t count(std::size_t elements) {
    put(elements);
    return elements;
  }
  template <class... Flag>
  void flags(Flag&... flag) {
    std::uint64_t bits = 0, bit = 1;
    ((bits |= flag ? bit : 0, bit <<= 1), ...);
    put(bits);
  }

 private:
  [[gnu::always_inline]] void put(std::uint64_t value) {
    if (value >= 0x80 || next_ == end_) [[unlikely]]
      return put_long(value);
    *next_++ = static_cast<std::uint8_t>(value);
  }
  [[gnu::noinline]] void put_long(std::uint64_t value) {
    if (end_ - next_ < most_bytes) grow();
    std::uint8_t* next = next_;
    for (; value >= 0x80; value >>= 7) *next++ = static_cast<std::uint8_t>(value | 0x80);
    *next++ = static_cast<std::uint8_t>(value);
    next_ = next;
  }
  void grow() {
    const auto used = static_cast<std::size_t>(next_ - bytes_.data());
    bytes_.resize(bytes_.size() * 2);
    next_ = bytes_.data() + used;
    end_ = bytes_.data() + bytes_.size();
  }
  void put_signed(std::uint64_t value) { put((value << 1) ^ (0 - (value >> 63))); }

  static constexpr std::ptrdiff_t most_bytes = 10;  ///< of a number
  std::vector<std::uint8_t>& bytes_;
  std::uint8_t *next_, *end_;
  activity::Cycle now_;
};

class StateReader {
 public:
  static constexpr bool writes = false;
  StateReader(const std::uint8_t* bytes, activity::Cycle now) : next_(bytes), now_(now) {}

  template <class Number>
  void number(Number& value) {
    value = static_cast<Number>(get());
  }
  template <class Number>
  void from(Number& value, std::uint64_t base) {
    value = static_cast<Number>(base + get_signed());
  }
  void cycle(activity::Cycle& value) {
    const std::uint64_t v = get();
    value = v == 0 ? activity::never : now_ + (((v - 1) >> 1) ^ (0 - ((v - 1) & 1)));
  }
  void due(activity::Cycle& value) {
    const std::uint64_t v = get();
    value = v == 0 ? activity::never : now_ + (v - 1);
  }
  std::size_t count(std::size_t) { return get(); }
  template <class... Flag>
  void flags(Flag&... flag) {
    std::uint64_t bits = get();
    ((flag = (bits & 1) != 0, bits >>= 1), ...);
  }

 private:
  std::uint64_t get() {
    std::uint64_t value = *next_ & 0x7f;
    for (unsigned shift = 7; (*next_++ & 0x80) != 0; shift += 7) {
      value |= std::uint64_t{*next_ & 0x7fu} << shift;
    }
    return value;
  }
  std::uint64_t get_signed() {
    const std::uint64_t v = get();
    return (v >> 1) ^ (0 - (v & 1));
  }

  const std::uint8_t* next_;
  activity::Cycle now_;
};

}  // namespace pmusim::core
