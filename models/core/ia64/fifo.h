// First-in, first-out queues in rings: one that grows, and one of fixed size.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "models/core/parts/renew.h"

namespace pmusim::core::ia64 {

/// Has room for `most` entries, a power of two; 0: it grows. References stay valid until it does.
template <class T, std::size_t most = 0>
class Ring {
 public:
  [[nodiscard]] bool empty() const { return head_ == tail_; }
  [[nodiscard]] std::size_t size() const { return tail_ - head_; }
  [[nodiscard]] static constexpr std::size_t capacity() { return most; }
  T& front() { return at(0); }
  const T& front() const { return at(0); }
  /// The entry with `i` entries before it.
  T& at(std::size_t i) { return items_[place(head_ + i)]; }
  const T& at(std::size_t i) const { return items_[place(head_ + i)]; }
  /// Adds a new entry at the end.
  T& add() {
    if constexpr (most == 0) {
      if (size() == items_.size()) grow();
    }
    return renew(items_[place(tail_++)]);
  }
  /// The number of entries that were ever added.
  [[nodiscard]] std::uint64_t added() const { return tail_; }
  /// The cycle of the entries that were added after the first `added` ones is so much later.
  void delay(std::uint64_t added, activity::Cycle by) {
    for (; added != tail_; ++added) items_[place(added)].at += by;
  }
  void pop() { ++head_; }
  void clear() { head_ = tail_; }

 private:
  [[nodiscard]] std::size_t place(std::uint64_t number) const { return number & (items_.size() - 1); }
  void grow() {
    std::vector<T> larger(items_.size() * 2);
    for (std::uint64_t i = head_; i != tail_; ++i) larger[i & (larger.size() - 1)] = items_[place(i)];
    items_ = std::move(larger);
  }

  using Items = std::conditional_t<most != 0, std::array<T, most>, std::vector<T>>;
  Items items_ = [] {
    if constexpr (most != 0) {
      return Items{};
    } else {
      return Items(64);
    }
  }();  ///< a power of two of them
  std::uint64_t head_ = 0, tail_ = 0;
};

}  // namespace pmusim::core::ia64
