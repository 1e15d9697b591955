// Caches, the miss address file, the write buffer, the secondary cache of the 21164 (Scache), the board cache (Bcache)
// and the system: the state of blocks. It handles requests, not instructions.
//
// Requests that miss reserve their ports in the order of the requests; their occurrences are written in their cycles.
// Lower levels include upper levels: a block that leaves one level also leaves those above it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/alpha/machine.h"
#include "models/core/parts/cache.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::core::alpha {

enum class Probe : std::uint8_t {
  hit,
  merged,  ///< absent, but its fill is in flight and brings the data
  miss,    ///< absent, a fill was started
  full     ///< absent, and no room for another fill: nothing was recorded, nothing started
};

struct Probed {
  Probe probe = Probe::hit;
  bool delayed = false;  ///< a hit that takes one more cycle, because a fill occupies the Dcache in this cycle
};

/// The level from which data comes by the trace's annotation, and its latency (0: modelled).
struct Forced {
  trace::Level level = trace::Level::unset;
  unsigned latency = 0;
};
[[nodiscard]] Forced forced_data(const trace::Annotations* annotations);
[[nodiscard]] Forced forced_code(const trace::Annotations* annotations);

class MemorySide {
 public:
  /// Data that has arrived: instructions that issue in this cycle can use it.
  struct Returned {
    std::uint64_t tag;
    NamedRequest request;
  };

  explicit MemorySide(Machine& machine);

  /// First step of a cycle: performs the work that is due, including load_return.
  void begin_cycle() {
    const Cycle now = machine_.agenda.now();
    returned_.clear();
    if (now >= next_due_) do_due();
    if (writes_used_ > sending_) {
      if (now >= next_send_) send_writes();
      machine_.agenda.at(next_send_);
    }
    machine_.agenda.at(next_due_);
  }
  /// Loads (and stores of probe()) that missed and whose data arrives in this cycle.
  [[nodiscard]] std::span<const Returned> returned() const { return returned_; }

  /// A load probes the Dcache or, if that is write-back, a store for a block that it may write. Unless it hits or there
  /// is no room, returned() reports `tag` later.
  Probed probe(NamedRequest& request, std::uint64_t tag, Forced forced, bool store);
  /// Write-through Dcache: a store probes it and enters the write buffer, which must have room. True if it hits.
  bool store(NamedRequest& request, Forced forced);
  /// True if store() finds room: it merges with an entry, or an entry is free.
  [[nodiscard]] bool accepts_store(std::uint64_t address) const;
  /// Entries of the write buffer in use.
  [[nodiscard]] unsigned writes() const { return writes_used_; }
  /// From now on the write buffer sends all its present entries.
  void flush_writes() {
    if (writes_used_ != sending_) hurry(ages_);
  }
  /// Blocks of data in flight, without those of the write buffer.
  [[nodiscard]] unsigned data_misses() const { return data_used_; }

  /// A fetch from a line: one Signal::fetch. Unless it hits, has_code() becomes true later.
  Probe fetch(NamedRequest& request, Forced forced);
  /// The same for a line that the Icache has, if no subscriber reads the record of the request. False otherwise, and
  /// nothing is done.
  bool fetch_hit(std::uint64_t address) {
    if (recorder_.names(Signal::fetch) || l1i_.lookup(address) == LineState::invalid) return false;
    ++machine_.requests;
    recorder_.occur(Signal::fetch, activity::detail::lookup_hit);
    return true;
  }
  /// The line of this address is in the Icache.
  [[nodiscard]] bool has_code(std::uint64_t address) const { return l1i_.find(address) != Cache::none; }
  /// The line of this address is in the refill buffer, or on its way there.
  [[nodiscard]] bool prefetches(std::uint64_t address) {
    return find(code_begin_, write_begin_, l1i_.line_of(address)) != nullptr;
  }
  /// Removes the line from the Icache.
  void drop_code(std::uint64_t address) {
    const Cache::Slot slot = l1i_.find(address);
    if (slot != Cache::none) l1i_.evict(slot);
  }
  /// Removes the line from the refill buffer; one that is on its way there is dropped when it arrives.
  void drop_prefetch(std::uint64_t address);
  /// Empties the Icache (PALcode IMB, reset).
  void flush_code() { l1i_.clear(); }

  /// Performs a command of the system; records whether the block was found.
  void system(act::SystemCommand command, std::uint64_t address);
  /// Puts a block into the data caches in a state without activity; invalid removes it.
  void place(std::uint64_t address, LineState state);
  /// Nothing is in flight, and the write buffer is empty.
  [[nodiscard]] bool quiet() const { return busy_ == 0; }

 private:
  enum class Kind : std::uint8_t { load, own, fetch, prefetch, write };
  enum class Phase : std::uint8_t {
    gather,   ///< write: in the buffer, waiting to merge or for its turn
    blocked,  ///< waits until a write to the same block has finished
    scache,   ///< `due`: its lookup
    bcache,   ///< `due`: its lookup
    memory,   ///< `due`: data from the system
    data,     ///< `due`: data from a cache
    held      ///< prefetched line in the refill buffer
  };
  struct Entry {
    Kind kind = Kind::load;
    Phase phase = Phase::gather;
    bool urgent = false;  ///< write: must be sent at once
    bool wanted = false;  ///< prefetch: a fetch waits for it
    bool uncached = false;
    bool dropped = false;     ///< of code: nothing waits for it any more
    bool written = false;     ///< write: it hit and is in
    std::uint64_t block = 0;  ///< of an L1 line; physical, of code: virtual
    Cycle due = activity::never;
    Cycle start = 0;
    Cycle forced_due = 0;  ///< 0, or the cycle in which the trace forces the data to arrive
    trace::Level forced = trace::Level::unset;
    std::uint64_t age = 0;  ///< order of the requests
    NamedRequest request;
    std::vector<Returned> waiting;
  };

  [[nodiscard]] Entry* find(unsigned from, unsigned to, std::uint64_t block);
  [[nodiscard]] Entry* free_entry(unsigned from, unsigned to);
  /// Takes a free entry for a request.
  void take(Entry& entry, Kind kind, std::uint64_t block, bool uncached, const NamedRequest& request, Forced forced);
  void do_due();
  void start(Entry& entry);
  void step(Entry& entry);
  void look_up_scache(Entry& entry);
  void look_up_bcache(Entry& entry);
  void ask_memory(Entry& entry);
  void data_arrives(Entry& entry);
  void install_below(Entry& entry, bool from_memory);
  void finish_write(Entry& entry);
  void release(Entry& entry);
  void send_writes();
  void hurry(std::uint64_t age);
  inline void drop_held();
  inline void wait_for_writes(Entry& entry);
  void ask_code(std::uint64_t line, Kind kind, const NamedRequest& request, Forced forced);
  void prefetch_behind(std::uint64_t line);
  void fill_code(std::uint64_t line, NamedRequest& request);
  void fill_l1d(Entry& entry);
  void fill_scache(Entry& entry, LineState state);
  void fill_bcache(Entry& entry, LineState state);
  void write_back(std::uint64_t block, NamedRequest& cause);
  bool evict(Cache& cache, std::uint64_t block, unsigned bytes, std::uint16_t why);
  void note_evict(std::uint16_t cache, LineState state, std::uint16_t why) {
    recorder_.occur(Signal::line_evict, evict_detail(cache, state, why));
  }
  void share(std::uint64_t physical);
  bool write_into(Cache& cache, std::uint64_t physical);
  [[nodiscard]] std::uint16_t detail_of(const Entry& entry) const;
  [[nodiscard]] std::uint64_t physical_of(const Entry& entry) const {
    const bool code = entry.kind == Kind::fetch || entry.kind == Kind::prefetch;
    return code ? machine_.map.translate(entry.block) : entry.block;
  }
  [[nodiscard]] bool takes_hit(const Entry& entry, const Cache& cache, trace::Level level) const;
  void serve(Entry& entry, Phase phase, Cycle at);
  /// Cycles from a request to its lookup in the Bcache, or to memory if there is none.
  [[nodiscard]] unsigned bcache_start() const { return has_scache() ? 4 : 1; }
  [[nodiscard]] unsigned index_of(const Entry& entry) const { return static_cast<unsigned>(&entry - entries_.data()); }
  void due(Entry& entry, Cycle cycle);
  [[nodiscard]] bool has_scache() const { return settings_.scache_bytes != 0; }
  [[nodiscard]] bool has_bcache() const { return settings_.bcache_bytes != 0; }

  Machine& machine_;
  const Settings& settings_ = machine_.settings;
  AlphaRecorder& recorder_ = machine_.recorder;
  Cache l1i_, l1d_, scache_, bcache_;
  std::vector<Entry> entries_;  ///< data fills, then code fills, then writes
  unsigned code_begin_, write_begin_;
  std::uint64_t busy_ = 0;  ///< bit i: entry i is in use and is not a held line
  std::uint64_t held_ = 0;
  Cycle next_due_ = activity::never;
  Cycle scache_free_ = 0, bcache_free_ = 0;
  Cycle fill_cycle_ = activity::never;  ///< last cycle in which the Dcache was filled
  unsigned data_used_ = 0, writes_used_ = 0, sending_ = 0, read_misses_ = 0;
  Cycle next_send_ = 0;  ///< the write buffer sends nothing before this cycle, unless an entry changes
  std::uint64_t ages_ = 0;
  std::vector<Returned> returned_;
};

}  // namespace pmusim::core::alpha
