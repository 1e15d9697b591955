// The memory side of fetch: instruction TLBs, L1I, request address buffer, streaming buffer, prefetches.
#pragma once

#include "models/core/ia64/translation.h"

namespace pmusim::core::ia64 {

/// Cycles in which the front end delivers nothing, and the cause.
struct Idle {
  act::FrontEnd why;
  Cycle cycles;
};

class FetchMemory {
 public:
  FetchMemory(Machine& machine, Hierarchy& hierarchy, Walker& walker);

  static constexpr std::uint64_t pair_bytes = 32;

  /// A demand fetch of the pair of bundles at `address` begins in cycle `at`. Appends its waits.
  void demand(std::uint64_t address, bool wrong_path, bool translate, const trace::Annotations* keys, Cycle at,
              std::vector<Idle>& waits) {
    const std::uint64_t pair = address & ~(pair_bytes - 1), line = line_of(machine_.physical(pair));
    const bool translated = !translate || translation_.is_latest(address);
    if (keys == nullptr && translated && line == latest(line)) {  // almost always
      hit(pair, line, wrong_path, at);
    } else {
      look_up(address, wrong_path, translate, keys, at, waits);
    }
  }
  /// The bundles of the demand fetch have been delivered.
  void settle() {
    if (waiting_ != nullptr) machine_.recorder.drop(*waiting_);
    waiting_ = nullptr;
  }
  /// The cycle until which L2 delays the demand fetch in flight; 0 if there is none, or if its data comes from beyond
  /// L2.
  [[nodiscard]] Cycle second_level_until() const {
    return waiting_ != nullptr && waiting_->served == act::Served::l2 ? waiting_until_ : 0;
  }
  /// The front end is redirected: a demand fetch that waits is cancelled.
  void abandon(Cycle at);
  /// Prefetches the line at `address`; a streaming prefetch also the lines after it.
  void prefetch(std::uint64_t address, bool streaming, Cycle at);
  /// Removes lines; true if there was one.
  bool drop(std::uint64_t line, std::uint64_t bytes, Cycle at, bool by_snoop);
  Translation& translation() { return translation_; }

 private:
  [[nodiscard]] std::uint64_t line_of(std::uint64_t physical) const { return l1i_.line_of(physical); }
  void look_up(std::uint64_t address, bool wrong_path, bool translate, const trace::Annotations* keys, Cycle at,
               std::vector<Idle>& waits);
  void hit(std::uint64_t pair, std::uint64_t line, bool wrong_path, Cycle at) {
    machine_.recorder.occur_once(Signal::fetch, activity::detail::lookup_hit,
                                 [&](RequestRecord& record, act::Request& more) {
                                   record.address = pair;
                                   record.size = pair_bytes;
                                   record.start = at;
                                   record.wrong_path = wrong_path;
                                   more.requester = act::Requester::demand_fetch;
                                   more.load = true;
                                   more.uncacheable = is_uncacheable(line);
                                 });
  }
  void forget(Cycle before) {
    if (outstanding_.empty()) return;
    std::erase_if(outstanding_, [before](const Coming& o) { return o.ready < before; });
  }
  [[nodiscard]] bool is_uncacheable(std::uint64_t line) const {
    return machine_.settings.split() && machine_.map.type(line) == MemoryType::uncacheable;
  }
  [[nodiscard]] const Coming* pending(std::uint64_t line, Cycle at) const {
    return find_coming(outstanding_, line, at);
  }
  /// True if L1I has the line in this cycle.
  [[nodiscard]] bool hits(std::uint64_t line, act::Served forced, Cycle at) {
    if (forced != act::Served::unknown) return forced == act::Served::l1;
    return l1i_.lookup(line) != LineState::invalid && pending(line, at) == nullptr;
  }
  void miss(std::uint64_t address, bool wrong_path, act::Translation where, act::Served forced, Cycle at,
            std::vector<Idle>& waits);
  inline Hierarchy::Reply request(Access& access, bool prefetch, Cycle at, act::Served forced);
  inline void bundles_in(Access& access, Cycle at);
  void fill(Access& access, std::uint64_t line, act::Served served, Cycle at);
  inline void prefetch_line(std::uint64_t address, bool streaming, Cycle at);

  Machine& machine_;
  Hierarchy& hierarchy_;
  Walker& walker_;
  Translation translation_;
  Cache l1i_;
  Occupancy requests_;
  PerCycle pairs_, fills_;  ///< one bundle pair, one line a cycle
  std::vector<Coming> outstanding_;
  std::vector<Coming> streamed_;  ///< the streaming buffer, oldest first
  Access* waiting_ = nullptr;     ///< demand fetch whose bundles have not come
  Cycle waiting_until_ = 0;
  Cycle prefetch_free_ = 0;
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};
  /// By the lowest bits of the line number: the line that was fetched last, if L1I had it and has not changed since. No
  /// other line of its set has been used later, so fetching the line again changes nothing.
  std::array<std::uint64_t, 64> latest_;
  std::uint64_t latest_mask_ = std::min<std::uint64_t>(latest_.size(), l1i_.shape().sets) - 1;
  unsigned line_shift_;  ///< log2 of the bytes of a line
  [[nodiscard]] std::uint64_t& latest(std::uint64_t line) { return latest_[line >> line_shift_ & latest_mask_]; }
};

}  // namespace pmusim::core::ia64
