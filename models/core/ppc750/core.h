// The pipeline of the 750GX core. One cycle has, in this order: directives (stimulus.cpp), due work of the memory side
// (memory.cpp), retirement (core.cpp), cache accesses (load_store.cpp), issue (dispatch.cpp),
// the branch unit (branch.cpp), dispatch (dispatch.cpp), branch resolution (branch.cpp), fetch (fetch.cpp). A unit that
// waits for a known cycle registers it in wake_, and time advances to the next such cycle.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/core/parts/directives.h"
#include "models/core/parts/predictor.h"
#include "models/core/parts/program.h"
#include "models/core/parts/stepped_core.h"
#include "models/core/parts/tlb.h"
#include "models/core/ppc750/machine.h"
#include "models/core/ppc750/memory.h"
#include "models/core/ppc750/operation.h"

namespace pmusim::core::ppc750 {

/// The address of the next instruction. Addresses have 32 bits and wrap.
[[nodiscard]] inline std::uint64_t next_of(const trace::Instruction& instruction) {
  return static_cast<std::uint32_t>(instruction.next_pc());
}

/// A bounded queue without allocation. Index 0 is the oldest entry.
template <class T, unsigned Capacity>
class Ring {
  static_assert((Capacity & (Capacity - 1)) == 0);

 public:
  [[nodiscard]] unsigned size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  T& operator[](unsigned i) { return items_[(first_ + i) & (Capacity - 1)]; }
  const T& operator[](unsigned i) const { return items_[(first_ + i) & (Capacity - 1)]; }
  T& push() { return items_[(first_ + size_++) & (Capacity - 1)]; }
  void push(const T& item) { push() = item; }
  void pop_front() {
    first_ = (first_ + 1) & (Capacity - 1);
    --size_;
  }
  void truncate(unsigned size) { size_ = size; }
  /// Removes an entry from the middle; the younger entries move up.
  void erase(unsigned i) {
    for (; i + 1 < size_; ++i) (*this)[i] = (*this)[i + 1];
    --size_;
  }

 private:
  std::array<T, Capacity> items_{};
  unsigned first_ = 0;
  unsigned size_ = 0;
};

inline constexpr unsigned max_queue = 16;  ///< limit of the queue parameters

/// One instruction between fetch and retirement. The alignment turns its address in the pool into a shift.
struct alignas(256) Dynamic {
  static constexpr unsigned max_producers = 8;

  NamedInstruction named;
  const Operation* operation = nullptr;  ///< null: bytes unknown
  Program::Entry* entry = nullptr;       ///< null: wrong path or interrupt handler
  std::uint64_t ordinal = 0;             ///< in the trace, if entry
  std::uint64_t sequence = 0;            ///< order of entering the instruction queue; never reused
  Cycle queued = 0;                      ///< cycle at whose end it entered the instruction queue
  Cycle operands_at = 0;                 ///< first cycle with all operands; never: not known yet
  Cycle finish_at = activity::never;     ///< last cycle of execution; never: not known yet
  Cycle result_at = activity::never;     ///< as finish_at, for its general registers: earlier for a store with update
  Unit unit = Unit::none;
  bool issued = false;
  bool handler = false;
  bool handled = false;    ///< branch: handled by the branch unit
  bool waited = false;     ///< branch: an input was not ready when the unit first read it
  std::uint8_t early = 0;  ///< multiply: its cycles if it ends early; otherwise 0
  std::uint8_t producer_count = 0;
  std::array<std::uint8_t, max_producers> producers{};  ///< indices in the pool
  std::array<std::uint64_t, max_producers> producer_sequences{};
};

class Ppc750Core final : public SteppedCore<Ppc750Core> {
 public:
  Ppc750Core(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters);

  [[nodiscard]] std::uint64_t retired() const override { return program_.begin(); }
  void take_interrupt(unsigned handler_instructions) override;
  [[nodiscard]] bool in_handler() const override { return handler_active_ || handler_requested_; }

 private:
  using Index = std::uint8_t;  ///< index in pool_
  /// An instruction that writes a register; sequence 0: none.
  struct Writer {
    Index index = 0;
    std::uint64_t sequence = 0;
  };
  /// What a branch reads.
  struct Inputs {
    bool condition_ready = true, link_ready = true, count_ready = true;
    Writer condition, count;  ///< that have not produced them
    Cycle ready_at = 0;       ///< first cycle in which the inputs from retired writers are available
  };

  /// A predicted branch whose outcome is not known yet.
  struct Prediction {
    Index branch = 0;
    std::uint64_t sequence = 0;
    bool taken = false;  ///< the direction followed
    bool level_2 = false;
    bool wrong_path = false;
    bool folded = false;
    Cycle handled = 0;
    Inputs inputs;
  };
  /// A fetch that waits for its line.
  struct PendingFetch {
    bool active = false;
    bool whole_line = false;  ///< waits for the line, not for the critical double word
    MissRef miss;
    Cycle requested = 0;
  };
  struct LoadEntry {
    Index instruction = 0;
    std::uint64_t sequence = 0;
    bool whole_line = false;
    bool uncached = false;
    MissRef miss;
    NamedRequest request;  ///< used if the load waits for a line that another instruction requested
  };
  struct StoreEntry {
    std::optional<CacheOperation> operation;  ///< none: a store
    std::uint64_t sequence = 0;
    bool committed = false;  ///< its instruction has retired
    bool waiting = false;    ///< waits for the line of `miss`
    MissRef miss;
    Forced forced;
    NamedRequest request;
  };
  /// The access that the LSU makes for an instruction, piece by piece.
  struct AccessStage {
    bool active = false;
    Index instruction = 0;
    Cycle first = 0;  ///< cycle of the first cache access
    unsigned piece = 0, pieces = 0;
    Cycle extra = 0;       ///< forced latency of a hit
    bool walked = false;   ///< a forced table search for the present piece has been started
    bool waiting = false;  ///< several pieces: the present one has missed and waits in the load queue
    bool aliased = false;  ///< the present piece has waited for a store that it must not pass
  };
  struct Piece {
    std::uint64_t address;
    std::uint32_t size;
    bool store, second;
  };

  // An inline function is called only by the file that defines it, mostly from one place, so that the compiler can
  // inline it.

  // core.cpp: SteppedCore, interrupts
  friend SteppedCore<Ppc750Core>;
  void start();
  void step();
  [[nodiscard]] Cycle next() const { return std::max(wake_.at, now_ + 1); }
  [[nodiscard]] std::string never_completes() { return program_.never_completes(now_); }
  [[nodiscard]] bool quiet() const {
    return completion_.empty() && discarded_.empty() && queue_.empty() && !pending_.active && loads_.empty() &&
           stores_.empty() && !stage_.active && predictions_.empty() && memory_.quiet() && !translation_.walking();
  }
  [[nodiscard]] inline bool finished();
  void enter_handler();
  void leave_handler();
  void enter_exception(std::uint16_t trap_detail);
  void set_msr(std::uint64_t msr);
  inline Index allocate();
  void release(Index index) { free_.push(index); }

  // stimulus.cpp
  /// True if the next item to fetch is not a directive.
  [[nodiscard]] bool no_directive_waits() {
    return !on_path_ || handler_active_ || !program_.directives_at(cursor_).due();
  }
  void act_stimuli();
  template <class Core, When memory>
  friend struct core::CommonDirectives;
  [[nodiscard]] const DirectiveRow<Ppc750Core>& directive_row(const Operands& operands) const;
  void do_bus(Operands& operands);
  void do_ecc(Operands& operands);
  void do_halt(Cycle cycles);
  void do_idle(Cycle cycles) { stimulus_from_ = now_ + cycles; }
  void do_interrupt(Operands& operands);
  void do_map(Operands& operands);
  void do_memory(Operands& operands);
  void do_msr(Operands& operands);
  void do_process(std::uint64_t process) {
    translation_.set_space(static_cast<std::uint32_t>(process));
    machine_.recorder.set(State::process, process);
  }
  void do_return(Operands& operands);
  void do_snoop(Operands& operands);
  void do_state(Operands& operands);
  void do_switch();
  void do_tb(Operands& operands);

  // fetch.cpp
  void fetch();
  void deliver(unsigned most, Cycle requested);
  void redirect(std::uint64_t pc, bool on_path, std::uint64_t ordinal, Cycle from);
  void end_pending_fetch();
  [[nodiscard]] inline NamedRequest fetch_request(std::uint32_t size) const;
  void purge_queue(unsigned keep);
  [[nodiscard]] inline bool translate_fetch(const trace::Annotations* annotations);

  // branch.cpp
  void handle_branch();
  void resolve_branch();
  [[nodiscard]] inline Inputs inputs_of(const Dynamic& branch, unsigned position);
  /// True if the result of a writer can be used. `extra`: additional cycles, compared with an ordinary dependent
  /// instruction.
  [[nodiscard]] bool writer_ready(Writer writer, Cycle extra) const {
    const Dynamic& w = pool_[writer.index];
    return w.sequence != writer.sequence || (w.finish_at != activity::never && w.finish_at + 1 + extra <= now_);
  }
  inline void follow(const Dynamic& b, unsigned keep);
  void settle(Dynamic& branch, bool mispredicted);

  // dispatch.cpp
  void issue();
  void note_progress(Dynamic& d, Signal signal) {
    if (machine_.recorder.subscribes_to(signal))
      machine_.recorder.occur_of(machine_.recorder.place_of(d.named), signal);
  }
  void record_finished();
  void dispatch();
  [[nodiscard]] std::uint8_t ends_early(const Operation& op) const;
  [[nodiscard]] inline Unit free_unit(const Operation& operation, unsigned units_used) const;
  [[nodiscard]] inline std::uint64_t obstacle(const Dynamic& d, Unit unit) const;
  [[nodiscard]] inline bool may_start(const Dynamic& d, bool oldest);
  inline void enter_completion(Index index, Unit unit);
  void discard(Index index);
  [[nodiscard]] inline bool operands_ready(Dynamic& d);
  void finishes(Dynamic& d, Cycle cycle) {
    d.finish_at = cycle;
    d.result_at = std::min(d.result_at, cycle);
    next_finish_ = std::min(next_finish_, cycle);
  }

  // load_store.cpp
  void start_access(Index index);
  void access();
  inline bool load_piece(Dynamic& d, NamedRequest& request);
  [[nodiscard]] bool must_follow_store(const RequestRecord& load) const;
  inline bool queue_piece(Dynamic& d, NamedRequest& request);
  void touch(NamedRequest& request);
  void advance_access(Dynamic& d);
  void note_load_misses();
  void poll_loads();
  void drain_stores();
  inline bool perform(StoreEntry& entry);
  [[nodiscard]] unsigned piece_count(const Dynamic& d) const;
  [[nodiscard]] Piece piece(const Dynamic& d, unsigned number) const;
  [[nodiscard]] inline NamedRequest new_request(const Dynamic& d) const;
  [[nodiscard]] inline bool translate_data(const Dynamic& d, const NamedRequest& request);

  // retirement
  void retire();
  [[nodiscard]] inline bool may_retire(const Dynamic& d) const;
  [[nodiscard]] bool discarded_is_next() const {
    return !discarded_.empty() && (completion_.empty() || discarded_.front().sequence < pool_[completion_[0]].sequence);
  }
  void complete(Dynamic& d);
  void flush_behind(std::uint64_t sequence);
  void note_constants(const Operation& op);
  inline void forget(const Dynamic& d);
  void rebuild_writers();

  [[nodiscard]] bool translated(Side side) const {
    return (msr_ & (side == Side::data ? activity::msr::dr : activity::msr::ir)) != 0;
  }
  /// The number of unresolved predictions before an instruction.
  [[nodiscard]] unsigned level(std::uint64_t sequence) const {
    unsigned n = 0;  // in order
    while (n < predictions_.size() && predictions_[n].sequence < sequence) ++n;
    return n;
  }
  void check(const Dynamic& d) const;
  [[noreturn]] void reject(const Dynamic& d, const std::string& why) const;
  std::uint64_t wrong_path_id() { return (std::uint64_t{1} << 63) | ++wrong_path_count_; }

  Machine machine_;
  Program program_;
  OperationTable operations_;
  MemorySide memory_;
  Translation translation_;

  Wake wake_;

  // instructions in flight
  std::array<Dynamic, 64> pool_;
  Ring<Index, 64> free_;
  Ring<Index, max_queue> queue_;       ///< instruction queue
  Ring<Index, max_queue> completion_;  ///< completion queue
  std::deque<Dynamic> discarded_;      ///< no-ops that dispatch has discarded and that have not completed
  unsigned unissued_ = 0;              ///< entries of completion_ that have not started to execute
  Cycle next_finish_ = 0;              ///< no unit finishes before this cycle
  Cycle retired_at_ = 0;               ///< last cycle in which an instruction retired
  Ring<Prediction, 4> predictions_;
  std::uint64_t sequence_ = 0;
  std::uint64_t wrong_path_count_ = 0;
  std::uint64_t request_count_ = 0;

  // fetch
  std::uint64_t fetch_pc_ = 0;
  std::uint64_t cursor_ = 0;  ///< ordinal of the next instruction of the program to fetch
  bool on_path_ = true;
  bool fetch_stopped_ = false;  ///< the next address is unknown
  Cycle fetch_from_ = 0;
  PendingFetch pending_;
  std::uint64_t walked_fetch_ = ~std::uint64_t{0};  ///< ordinal whose forced table search has been started
  unsigned unhandled_branches_ = 0;

  // branch unit
  Tlb btic_;
  TwoBitTable history_;
  std::array<Cycle, 8> condition_ready_{};  ///< first cycle in which a branch reads a CR field of a retired writer

  // dispatch and execution
  std::array<Writer, trace::ppc::register_count> writers_{};
  std::uint32_t constants_ = 0;                   ///< GPRs with the value of a li or lis that has retired
  std::array<std::int8_t, 32> constant_bytes_{};  ///< their Operation::constant_bytes; 0 for the others
  std::array<unsigned, 8> stations_used_{};       ///< by Unit
  std::array<unsigned, 8> stations_{};
  std::array<Cycle, 8> unit_free_{};
  unsigned gpr_used_ = 0, fpr_used_ = 0, lr_used_ = 0, ctr_used_ = 0;
  std::uint64_t serial_sequence_ = 0;  ///< dispatch-serial instruction in flight; 0: none

  // load/store unit
  AccessStage stage_;
  Ring<LoadEntry, max_queue> loads_;
  Ring<StoreEntry, max_queue> stores_;
  Cycle port_taken_ = activity::never;  ///< cycle in which the L1D tags serve another request

  // modes and directives
  std::uint64_t msr_ = 0;
  std::vector<std::uint64_t> saved_msr_;  ///< saved by the exceptions that have not returned
  Cycle stimulus_from_ = 0;               ///< earliest cycle for the next directive
  bool clock_stopped_ = false;
  bool handler_requested_ = false;
  bool handler_active_ = false;
  unsigned handler_length_ = 0;
  unsigned handler_fetched_ = 0;
  unsigned handler_retired_ = 0;
  std::uint64_t handler_count_ = 0;
};

}  // namespace pmusim::core::ppc750

extern template class pmusim::core::SteppedCore<pmusim::core::ppc750::Ppc750Core>;
