// Items that are due in known cycles, ordered by cycle and, within a cycle, by the order in which they were added.
// Nearly all items are due soon and are kept in a ring with one list per cycle; the others wait in a heap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::core::ia64 {

using activity::Cycle;

template <class Item>
class Wheel {
 public:
  /// `Item` is small: it is passed in registers, so that it is not copied right after it was written.
  void push(Cycle at, Item item) {
    next_ = std::min(next_, at);
    if (is_far(at)) {
      far_.push_back({at, order_++, item, false});
      std::push_heap(far_.begin(), far_.end(), Later{});
      return;
    }
    std::uint32_t place = free_;
    if (place == none) {
      place = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[place].next;
    }
    Node& node = nodes_[place];
    node.item = item;
    node.order = order_++;
    node.next = none;
    List& list = lists_[at % cycles];
    words_[at % cycles / word_bits] |= std::uint64_t{1} << at % word_bits;
    if (list.first == none) {
      list.first = place;
    } else {
      nodes_[list.last].next = place;
    }
    list.last = place;
  }
  /// Marks a cycle in which something is due, without an item.
  void mark(Cycle at) {
    next_ = std::min(next_, at);
    if (is_far(at)) {
      far_.push_back({at, order_++, {}, true});
      std::push_heap(far_.begin(), far_.end(), Later{});
    } else {
      words_[at % cycles / word_bits] |= std::uint64_t{1} << at % word_bits;
    }
  }
  /// First cycle in which something is due.
  [[nodiscard]] Cycle next() const { return next_; }
  /// The cycle of the last run().
  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] bool empty() const { return next_ == activity::never; }

  /// Calls `act` for the items that are due in cycle `now` or before. `now` never decreases. `act` may not push.
  template <class Act>
  void run(Cycle now, Act act) {
    if (next_ <= now) run_due(now, act);
    now_ = now;
  }
  /// Everything that is still due, in no order.
  template <class Change>
  void for_each(Change change) {
    for (const List& list : lists_) {
      for (std::uint32_t i = list.first; i != none; i = nodes_[i].next) change(nodes_[i].item);
    }
    for (Far& far : far_) {
      if (!far.mark) change(far.item);
    }
  }

 private:
  static constexpr std::size_t cycles = 256, word_bits = 64, words = cycles / word_bits;
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Node {
    Item item;
    std::uint64_t order;
    std::uint32_t next;
  };
  struct Far {
    Cycle at;
    std::uint64_t order;
    Item item;
    bool mark;
  };
  struct Later {
    bool operator()(const Far& a, const Far& b) const { return a.at != b.at ? a.at > b.at : a.order > b.order; }
  };
  struct List {
    std::uint32_t first = none, last = none;
  };

  template <class Act>
  void run_due(Cycle now, Act& act) {
    while (next_ <= now) {
      const Cycle at = next_;
      if (at >= now_ && at - now_ < cycles) run_list(at, act);
      while (!far_.empty() && far_.front().at == at) act_far(act);
      next_ = first_from(std::max(at, now_));
    }
  }
  [[nodiscard]] bool is_far(Cycle at) const { return at < now_ || at - now_ >= cycles; }
  template <class Act>
  void act_far(Act& act) {
    const Far far = far_.front();
    std::pop_heap(far_.begin(), far_.end(), Later{});
    far_.pop_back();
    if (!far.mark) act(far.at, far.item);
  }
  template <class Act>
  void run_list(Cycle at, Act& act) {
    words_[at % cycles / word_bits] &= ~(std::uint64_t{1} << at % word_bits);
    List& list = lists_[at % cycles];
    if (list.first == none) return;
    for (std::uint32_t i = list.first; i != none; i = nodes_[i].next) {
      while (!far_.empty() && far_.front().at == at && far_.front().order < nodes_[i].order) act_far(act);
      act(at, nodes_[i].item);
    }
    nodes_[list.last].next = free_;
    free_ = list.first;
    list = {};
  }
  /// First cycle with something in it; nothing in the ring is due before `from`.
  [[nodiscard]] Cycle first_from(Cycle from) const {
    const Cycle far = far_.empty() ? activity::never : far_.front().at;
    const auto start = static_cast<unsigned>(from % cycles);
    std::uint64_t bits = words_[start / word_bits] >> start % word_bits;
    if (bits != 0) return std::min(far, from + static_cast<unsigned>(std::countr_zero(bits)));
    Cycle at = from + (word_bits - start % word_bits);
    for (std::size_t i = 1; i <= words; ++i, at += word_bits) {
      bits = words_[(start / word_bits + i) % words];
      if (bits != 0) return std::min(far, at + static_cast<unsigned>(std::countr_zero(bits)));
    }
    return far;
  }

  Cycle now_ = 0;  ///< nothing in the ring is due before
  Cycle next_ = activity::never;
  std::uint64_t order_ = 0;
  std::uint32_t free_ = none;
  std::vector<Node> nodes_;
  std::array<List, cycles> lists_{};
  std::array<std::uint64_t, words> words_{};
  std::vector<Far> far_;
};

}  // namespace pmusim::core::ia64
