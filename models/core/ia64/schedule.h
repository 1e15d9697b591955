// Known future events: occurrences of requests in flight, and the fill of queues. A request is timed when it is made,
// by reserving what it needs; its occurrences are recorded here when their cycles come.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/activity/activity.h"
#include "models/core/ia64/recorder.h"
#include "models/core/ia64/settings.h"

namespace pmusim::core::ia64 {

// Items that are due in known cycles, ordered by cycle and, within a cycle, by the order in which they were added.
// Nearly all items are due soon and are kept in a ring with one list per cycle; the others wait in a heap.

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

/// Queues and buffers whose fill is visible in a state.
enum class Level : std::uint8_t {
  queue,
  queue_data,
  victims,
  fills,
  acquires,
  releases,  // State::l2_queue
  bus_reads,
  in_order,
  deferred,
  bus_requests,
  snoops,  // State::bus_queues
  request_buffers,
  prefetch_flow,
  prefetch_held,  // State::fetch_buffers
  bus_data,
  bus_data_other,
  bus_data_io,
  bus_data_core,
  back_to_back,
  snoop_stall_self,
  snoop_stall_other,
  snoop_stall_io,
  snoop_stall_core,  // State::bus_clocks
  instructions_rejected,
  data_rejected,                        // State::request_reject
  own_requests,                         ///< and the queues after it, by InterfaceQueue
  foreign_requests = own_requests + 5,  // State::interface_self, State::interface_both
  count_ = foreign_requests + 5
};

class Schedule {
 public:
  Schedule(Ia64Recorder& recorder, const Settings& settings)
      : recorder_(recorder),
        settings_(settings),
        queue_bits_{{{act::l2_queue::full, settings.queue_entries},
                     {act::l2_queue::data_full, settings.queue_data},
                     {act::l2_queue::victims_full, settings.victim_buffers},
                     {act::l2_queue::fills_full, settings.fill_buffers},
                     {act::l2_queue::has_acquire, 1},
                     {act::l2_queue::has_release, 1}}} {}

  /// An occurrence in cycle `at`, of a request or of nothing.
  void occur(Cycle at, Signal signal, Access* access, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (is_soon(at) && !recorder_.subscribes_to(signal)) {
      mark(at);
      return;
    }
    push(at, access, What::occurrence, static_cast<std::uint8_t>(signal), 0, detail, amount);
  }
  /// The data of the request arrives (Signal::load_return or fetch_return). From then on the request says where it was
  /// served.
  void serve(Cycle at, Signal signal, Access& access, act::Served served) {
    access.served = served;
    push(at, &access, What::serve, static_cast<std::uint8_t>(signal), 0, 0, 1);
  }
  /// An entry is in the queue from cycle `from` to before cycle `to`.
  void occupy(Cycle from, Cycle to, Level level) {
    const bool unlooked_at = level <= Level::releases && is_soon(to) && !recorder_.subscribes_to(State::l2_queue);
    if (unlooked_at || (level <= Level::queue_data && is_unseen({from, to}, level))) {
      mark(from);
      mark(to);
      return;
    }
    push(from, nullptr, What::level, static_cast<std::uint8_t>(level), 1, 0, 0);
    push(to, nullptr, What::level, static_cast<std::uint8_t>(level), -1, 0, 0);
  }
  /// Changes the detail of the request's pending occurrence of this signal.
  void amend(Signal signal, const Access* access, std::uint16_t detail) {
    wheel_.for_each([&](Due& due) {
      if (due.what() == What::occurrence && due.signal() == signal && due.access == access) due.set_detail(detail);
    });
  }
  [[nodiscard]] Cycle next() const {
    return last_unseen_ > wheel_.now() ? std::min(wheel_.next(), last_unseen_) : wheel_.next();
  }
  /// Does what is due up to and in this cycle.
  void run(Cycle now) {
    wheel_.run(now, [this](Cycle at, Due due) { act(at, due); });
  }
  /// The same for what was added in this cycle since.
  void run_again() {
    if (wheel_.next() <= wheel_.now()) run(wheel_.now());
  }
  [[nodiscard]] unsigned level(Level level) const { return levels_[static_cast<std::size_t>(level)]; }
  [[nodiscard]] bool empty() const { return wheel_.empty() && last_unseen_ <= wheel_.now(); }

 private:
  /// True if what is due in this cycle may be left out if nothing subscribes to it: no instruction that is still to be
  /// fetched can retire by then. If the program accesses a PMU register, the recorder subscribes to all activity when
  /// that access is fetched (Ia64Recorder::subscribe()).
  [[nodiscard]] bool is_soon(Cycle at) const {
    return at <= wheel_.now() + settings_.fetch_to_buffer + settings_.exe_to_retire;
  }
  enum class What : std::uint8_t { occurrence, serve, level };
  /// Two words, so that it goes through registers.
  struct Due {
    Access* access;
    std::uint64_t rest;  ///< from bit 0 on: What, signal or level, change of the level, 8 bits each; detail, amount
    [[nodiscard]] What what() const { return static_cast<What>(rest & 0xff); }
    [[nodiscard]] Signal signal() const { return static_cast<Signal>(rest >> 8 & 0xff); }
    [[nodiscard]] Level level() const { return static_cast<Level>(rest >> 8 & 0xff); }
    [[nodiscard]] int delta() const { return static_cast<std::int8_t>(rest >> 16); }
    [[nodiscard]] std::uint16_t detail() const { return static_cast<std::uint16_t>(rest >> 32); }
    [[nodiscard]] std::uint16_t amount() const { return static_cast<std::uint16_t>(rest >> 48); }
    void set_detail(std::uint16_t detail) {
      rest = (rest & ~(std::uint64_t{0xffff} << 32)) | std::uint64_t{detail} << 32;
    }
  };
  static_assert(activity::signal_count <= 256);
  void push(Cycle at, Access* access, What what, std::uint8_t which, std::int8_t delta, std::uint16_t detail,
            std::uint16_t amount) {
    if (access != nullptr) ++access->holds;
    wheel_.push(at, {access, static_cast<std::uint64_t>(what) | std::uint64_t{which} << 8 |
                                 std::uint64_t{static_cast<std::uint8_t>(delta)} << 16 | std::uint64_t{detail} << 32 |
                                 std::uint64_t{amount} << 48});
  }
  /// Something without a subscriber happens in this cycle. The core steps there only if State::buffer_exit is read,
  /// which changes in the step after its cause; otherwise the run just does not end before.
  void mark(Cycle at) {
    if (recorder_.subscribes_to(State::buffer_exit)) {
      wheel_.mark(at);
    } else {
      last_unseen_ = std::max(last_unseen_, at);
    }
  }
  void act(Cycle at, Due due);
  /// The stay of an entry in a queue.
  struct Stay {
    Cycle from, to;
  };
  [[nodiscard]] bool is_unseen(const Stay& stay, Level level);
  /// One level, one bit: no other has changed.
  void show_queue(Level changed) {
    const auto [bit, from] = queue_bits_[static_cast<std::size_t>(changed)];
    const std::uint64_t others = recorder_.get(State::l2_queue) & ~bit;
    recorder_.set(State::l2_queue, level(changed) >= from ? others | bit : others);
  }
  void show(Level level);
  [[nodiscard]] std::uint64_t bus_clocks() const;
  void show_interface();

  Ia64Recorder& recorder_;
  const Settings& settings_;
  /// A bit of State::l2_queue and the least level that sets it.
  struct QueueBit {
    std::uint64_t bit;
    std::uint64_t from;
  };
  std::array<QueueBit, static_cast<std::size_t>(Level::releases) + 1> queue_bits_;
  Wheel<Due> wheel_;
  /// Entries of a queue of which only "full" is visible. While there are too few entries to fill it, they change
  /// nothing and are not scheduled.
  struct Unseen {
    std::vector<Stay> stays;
    unsigned scheduled = 0;  ///< number of entries that are scheduled
  };
  std::array<Unseen, 2> unseen_;  ///< queue, queue_data
  Cycle last_unseen_ = 0;         ///< the last cycle of something without a subscriber
  std::array<unsigned, static_cast<std::size_t>(Level::count_)> levels_{};
};

}  // namespace pmusim::core::ia64
