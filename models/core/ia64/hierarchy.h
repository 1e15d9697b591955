// L2 with its ordered queue, L3, and the bus beyond them. The times of a request are computed when it enters: it
// reserves the cycles, banks and buffers that it needs, and its cancelled attempts, lookups and fills are scheduled.
#pragma once

#include <optional>
#include <set>

#include "models/core/ia64/bus.h"
#include "models/core/parts/cache.h"

namespace pmusim::core::ia64 {
/// The level of the hierarchy that a trace's key forces.
[[nodiscard]] act::Served served_by(trace::Level level);

/// The purpose of a data request to L2.
enum class Purpose : std::uint8_t { integer_load, fp_load, store, semaphore, prefetch, walk, other };

/// A line on its way to a first-level cache.
struct Coming {
  std::uint64_t line;
  Cycle ready;
};
/// The one that brings a line after cycle `at`, or null.
[[nodiscard]] inline const Coming* find_coming(const std::vector<Coming>& lines, std::uint64_t line, Cycle at) {
  const auto found = std::ranges::find_if(lines, [&](const Coming& c) { return c.line == line && c.ready > at; });
  return found != lines.end() ? &*found : nullptr;
}

class DataSide;
class FetchMemory;

/// Writes a line that `from` has served into a first-level cache in cycle `at`. `cache`: its detail::cache_ bits,
/// `side`: those of its side.
void fill_first_level(Machine& machine, Cache& tags, unsigned cache, unsigned side, std::uint64_t line,
                      act::Served from, Access& access, Cycle at);
/// Removes every part of [line, line + bytes) from a first-level cache; true if it held some of it.
bool drop_first_level(Machine& machine, Cache& tags, unsigned cache, std::uint64_t line, std::uint64_t bytes, Cycle at,
                      bool by_snoop);

class Hierarchy {
 public:
  explicit Hierarchy(Machine& machine);
  /// The first level, from which lines are removed.
  void attach(DataSide& data, FetchMemory& fetch) {
    data_ = &data;
    fetch_ = &fetch;
  }

  struct Reply {
    Cycle data = 0;  ///< the data has arrived; a store has been performed
    act::Served served = act::Served::l2;
    Cycle issued = 0;  ///< the attempt that succeeded; a store's data has left the store buffer
  };
  /// A data request enters the queue in cycle `enters`. `forced`: the level that serves it, whatever the tags hold.
  Reply data(Access& access, Purpose purpose, Cycle enters, act::Served forced = act::Served::unknown);
  /// A fetch of an L1I line.
  Reply fetch(Access& access, bool prefetch, Cycle enters, act::Served forced = act::Served::unknown);
  /// First cycle from `at` on in which the queue has room for the entries, and its data buffer for the stores of
  /// them.
  [[nodiscard]] Cycle room_from(Cycle at, unsigned entries, unsigned stores) {
    return std::max(queue_.free_from(at, entries), queue_data_.free_from(at, stores));
  }

  /// The following functions order later entries of the queue: fences, sync.i, mov to ar.ccv.
  void fence(Cycle at);
  void sync(Cycle at) { order().sync_until = std::max(order().sync_until, at + machine_.settings.fence_cycles); }
  void set_compare_value(Cycle at) { order().compare_value_until = at + compare_value_cycles; }
  /// Each thread's accesses are ordered among themselves only.
  void set_thread(unsigned thread) { thread_ = thread; }
  /// fc: the line is removed from every cache, written back if it is modified. True if L1I had it.
  bool flush_line(std::uint64_t physical, Access* access, Cycle at);

  // directives
  /// A transaction of another agent after which no cache here has the line.
  [[nodiscard]] static bool takes_line(act::BusKind kind);
  void foreign(act::BusKind kind, act::BusAgent agent, std::uint64_t physical, Cycle at);
  /// Puts a line into the state that results from earlier accesses of other agents. `elsewhere`: another agent holds it
  /// in this state, independent of the caches here.
  void place(std::uint64_t physical, LineState state, bool elsewhere);
  void mark_error(std::uint64_t physical, bool in_l2) {
    (in_l2 ? l2_errors_ : system_errors_).insert(line_of(physical));
  }
  Bus& bus() { return bus_; }

 private:
  static constexpr Cycle compare_value_cycles = 4;
  static constexpr Cycle l2_to_l3 = 2;  ///< from an L2 lookup that misses to the L3 lookup

  /// A line on its way into L2.
  struct Fill {
    std::uint64_t line = 0;
    Cycle begin = 0, ready = 0;
    act::Served served = act::Served::l3;
    Purpose purpose = Purpose::integer_load;
    bool fetch = false, prefetch = false;
    bool valid_victim = false;  ///< its way held a valid line when it was chosen
    Cycle accepted = 0;         ///< L3 has taken the request
    const Access* access = nullptr;
  };
  /// The state that orders the accesses of a thread.
  struct Order {
    Cycle all_done = 0;  ///< all data requests made so far are performed
    Cycle acquire_until = 0, acquire_entered = 0;
    Cycle release_until = 0, release_entered = 0;
    Cycle fence_until = 0, sync_until = 0, semaphore_until = 0, compare_value_until = 0;
  };
  /// A store that L2 has recently accepted.
  struct Store {
    std::uint64_t chunk = 0;  ///< 16 bytes
    std::uint64_t line = 0;
    Cycle issued = 0, written = 0;
    bool missed = false;
  };
  struct WriteBack {
    std::uint64_t line = 0;
    Cycle from = 0, to = 0;
  };
  struct Obstacle {
    act::QueueCancel why;
    Cycle retry;
    std::uint16_t facts = 0;  ///< bits of act::queue_cancel
  };
  struct L3Obstacle {
    act::L3Cancel why;
    Cycle retry;
  };
  struct Round {
    act::Recirculate why;
    Cycle retry;
  };
  /// One data request on its way through the queue.
  struct Entry {
    Access* access;
    Purpose purpose;
    Cycle enters;
    std::uint64_t physical, line, chunk;
    unsigned attempts = 0;
    bool bypasses = false;  ///< tried to skip the queue
    [[nodiscard]] bool reads() const { return purpose != Purpose::store && purpose != Purpose::other; }
    [[nodiscard]] bool writes() const { return purpose == Purpose::store || purpose == Purpose::semaphore; }
  };

  // ordered_queue.cpp
  [[nodiscard]] std::uint16_t operation_of(const Entry& entry) const;
  Cycle issue(Entry& entry, std::uint16_t operation);
  void cancel(const Entry& entry, const Obstacle& obstacle, std::uint16_t operation, Cycle at);
  [[nodiscard]] inline std::optional<Obstacle> obstacle(Entry& entry, Cycle at);
  [[nodiscard]] inline std::optional<Obstacle> ordering(const Entry& entry, Cycle at) const;
  [[nodiscard]] inline std::optional<Obstacle> store_match(const Entry& entry, Cycle at) const;
  [[nodiscard]] inline std::optional<Obstacle> arrays(const Entry& entry, Cycle at) const;
  [[nodiscard]] inline std::optional<Round> round(const Entry& entry, Cycle at);
  void note_order(const Entry& entry, Cycle done);
  Cycle issue_fetch(Access& access, Cycle enters, bool prefetch);
  /// The detail of fetch_cancel; `after_data`: earlier attempts that data requests cancelled.
  [[nodiscard]] static std::uint16_t fetch_cancel_detail(act::FetchCancel why, bool prefetch, bool first,
                                                         unsigned after_data);
  /// The detail of force_recirculate; `pending`: the fill that brings the entry's line, if it is on its way.
  [[nodiscard]] static std::uint16_t round_detail(const Entry& entry, act::Recirculate why, const Fill* pending,
                                                  Cycle at);

  // fetch_memory.cpp: the instruction side where L2 is split
  Reply fetch_split(Access& access, bool prefetch, Cycle enters, act::Served forced);
  Fill& miss_instruction(Access& access, std::uint64_t line, Cycle at, act::Served forced, bool prefetch);
  inline void install_instruction(const Fill& fill, Access& access);
  Reply fetch_uncacheable(Access& access, Cycle at, std::uint16_t kind);
  void snoop_instructions(std::uint64_t line, bool takes, bool by_snoop, Cycle at);

  // hierarchy.cpp
  [[nodiscard]] std::uint64_t line_of(std::uint64_t physical) const {
    return physical & ~(machine_.settings.l2_line - 1);
  }
  [[nodiscard]] std::uint64_t set_of(std::uint64_t line) const {
    return line / machine_.settings.l2_line % l2_.shape().sets;
  }
  [[nodiscard]] std::uint64_t bit_of(std::uint64_t line) const {
    return std::uint64_t{1} << (line >> line_shift_ & 63);
  }
  [[nodiscard]] unsigned bank_of(std::uint64_t physical) const {
    return static_cast<unsigned>(physical / bank_bytes % machine_.settings.l2_banks);
  }
  // Each of these happens at most once a cycle; a second one takes the next free cycle.
  void went_round(Access& access, bool data_side, Cycle at);
  void tries_again(Access& access, bool data_side, Cycle at);
  void call_off_l3(Access& access, std::uint16_t detail, Cycle at) {
    machine_.schedule.occur(l3_cancels_.next(at), Signal::l3_cancel, &access, detail);
  }
  void forget(Cycle before);
  [[nodiscard]] const Fill* filling(std::uint64_t line, Cycle at) const;
  [[nodiscard]] Order& order() { return orders_[thread_]; }
  [[nodiscard]] const Order& order() const { return orders_[thread_]; }
  [[nodiscard]] bool split() const { return machine_.settings.split(); }
  [[nodiscard]] inline std::optional<L3Obstacle> l3_obstacle(std::uint64_t line, Cycle at, Cycle start) const;
  void unsettle(std::uint64_t line, bool takes, Cycle at);
  bool ask_l3(Fill& fill, Access& access, Cycle start, std::uint16_t detail, act::Served forced);
  void refuse(Access& access, bool for_data, std::uint16_t detail, Cycle at, Cycle until);
  void note_insert(Access& access, LineState state, Cycle at) {
    if (split()) machine_.schedule.occur(at, Signal::l3_insert, &access, static_cast<std::uint16_t>(state));
  }
  void write_back(std::uint64_t line, Access* access, Cycle at);
  Fill& miss(Access& access, const Entry* entry, std::uint64_t line, Cycle at, act::Served forced, bool prefetch);
  void install(const Fill& fill, bool store, bool shared, Access& access);
  [[nodiscard]] inline Cycle own(Access& access, std::uint64_t line, Cycle at);
  void leave_l3(const Victim& victim, Access* access, Cycle at);
  Reply uncacheable(Access& access, Entry& entry, Cycle at);
  void evicted(unsigned cache, LineState state, bool written, unsigned why, Access* access, Cycle at);
  LineState take_from_l2(std::uint64_t line, unsigned why, Access* access, Cycle at);
  LineState take_from_l3(std::uint64_t line, unsigned why, Access* access, Cycle at);
  bool take_from_first_level(std::uint64_t line, bool by_snoop, Cycle at);
  void note_invalidated(std::uint64_t line, Cycle at);

  static constexpr std::uint64_t bank_bytes = 16;

  Machine& machine_;
  Bus bus_;
  Cache l2_, l3_;
  Cache l2i_;  ///< of a split L2
  DataSide* data_ = nullptr;
  FetchMemory* fetch_ = nullptr;
  Occupancy queue_, queue_data_, victims_used_, fills_used_;
  PerCycle attempts_, cancels_, fetch_attempts_;
  std::array<PerCycle, 2> rounds_, tries_;  ///< of fetches, of data
  PerCycle l3_lookups_, l3_cancels_;
  PerCycle issues_, fetches_, returns_, walks_, reads_out_;
  std::vector<Fill> fills_;
  std::vector<Fill> code_fills_;  ///< into L2I
  std::vector<Store> stores_;
  unsigned line_shift_;            ///< log2 of the bytes of a line
  std::uint64_t store_lines_ = 0;  ///< bit_of() all lines of `stores_`; a clear bit means no such line
  std::vector<WriteBack> write_backs_;
  std::vector<Cycle> banks_;  ///< per bank, first cycle in which it is free
  Cycle l3_free_ = 0;
  Cycle uncacheable_until_ = 0;
  std::array<Order, 2> orders_;
  unsigned thread_ = 0;
  Cycle recirculated_at_ = activity::never;  ///< the latest try of a recirculating entry
  Cycle snoop_until_ = 0;                    ///< a snoop uses the tags
  std::uint64_t snoop_line_ = 0;             ///< its line
  Cycle forgotten_ = 0;
  std::set<std::uint64_t> l2_errors_, system_errors_;
  std::set<std::uint64_t> non_temporal_;  ///< lines requested with a non-temporal hint (split L2)
};

}  // namespace pmusim::core::ia64
