// First-in, first-out queues in rings: one that grows, and one of fixed size.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "models/core/parts/renew.h"

namespace pmusim::core::ia64 {

/// References stay valid until it grows.
template <class T>
class Fifo {
 public:
  [[nodiscard]] bool empty() const { return head_ == tail_; }
  [[nodiscard]] std::size_t size() const { return tail_ - head_; }
  T& front() { return items_[head_ & last_]; }
  const T& front() const { return items_[head_ & last_]; }
  /// The entry with `i` entries before it.
  T& at(std::size_t i) { return items_[(head_ + i) & last_]; }
  const T& at(std::size_t i) const { return items_[(head_ + i) & last_]; }
  void push(const T& item) {
    if (size() > last_) grow();
    items_[tail_++ & last_] = item;
  }
  /// Adds a new entry at the end.
  T& add() {
    if (size() > last_) grow();
    return renew(items_[tail_++ & last_]);
  }
  /// The number of entries that were ever added.
  [[nodiscard]] std::uint64_t added() const { return tail_; }
  /// The cycle of the entries that were added after the first `added` ones is so much later.
  void delay(std::uint64_t added, activity::Cycle by) {
    for (; added != tail_; ++added) items_[added & last_].at += by;
  }
  void pop() { ++head_; }
  void clear() { head_ = tail_; }

 private:
  void grow() {
    std::vector<T> larger(items_.size() * 2);
    for (std::uint64_t i = head_; i != tail_; ++i) larger[i & (larger.size() - 1)] = items_[i & last_];
    items_ = std::move(larger);
    last_ = items_.size() - 1;
  }
  std::vector<T> items_ = std::vector<T>(64);  ///< a power of two of them
  std::uint64_t last_ = 63;                    ///< place of the last of them
  std::uint64_t head_ = 0, tail_ = 0;
};

/// Has room for `most` entries, a power of two. References stay valid.
template <class T, std::size_t most>
class Ring {
 public:
  [[nodiscard]] bool empty() const { return head_ == tail_; }
  [[nodiscard]] std::size_t size() const { return tail_ - head_; }
  T& front() { return items_[head_ % most]; }
  const T& front() const { return items_[head_ % most]; }
  /// The entry with `i` entries before it.
  T& at(std::size_t i) { return items_[(head_ + i) % most]; }
  const T& at(std::size_t i) const { return items_[(head_ + i) % most]; }
  /// Adds a new entry at the end.
  T& add() { return renew(items_[tail_++ % most]); }
  /// As of Fifo.
  [[nodiscard]] std::uint64_t added() const { return tail_; }
  void delay(std::uint64_t added, activity::Cycle by) {
    for (; added != tail_; ++added) items_[added % most].at += by;
  }
  void pop() { ++head_; }
  void clear() { head_ = tail_; }

 private:
  std::array<T, most> items_;
  std::uint64_t head_ = 0, tail_ = 0;
};

}  // namespace pmusim::core::ia64
