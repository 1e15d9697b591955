// The memory pipe: translation, L1D, store buffer, and the stalls of the back end that they cause.
#pragma once

#include <vector>

#include "models/core/ia64/fifo.h"
#include "models/core/ia64/operation.h"
#include "models/core/ia64/translation.h"

namespace pmusim::core::ia64 {

/// The number of cycles for which the back end stalls, and the cause (value of State::back_end).
struct Stall {
  std::uint64_t state = 0;
  Cycle cycles = 0;
};

class DataSide {
 public:
  DataSide(Machine& machine, Hierarchy& hierarchy, Walker& walker);

  /// The room that a group with these accesses needs before it can issue: cycle, and cause (L1dFpu).
  struct Room {
    Cycle from;
    unsigned cause;
  };
  [[nodiscard]] Room room(Cycle now, unsigned accesses, unsigned stores);

  /// A group enters the pipe.
  void begin_group(Cycle now) {
    now_ = pass_ = now;
    stalls_.clear();
    fault_ = false;
  }
  struct Outcome {
    Access* access = nullptr;  ///< held once for the caller
    Cycle data = 0;
    bool cancelled = false;
  };
  Outcome access(Instruction& instruction, const Operation& op, const trace::Access& made, bool translate,
                 const trace::Annotations* keys);
  /// An ordinary load through L1D: the cycle of its data if it is there. Otherwise never, and nothing is done.
  [[nodiscard]] Cycle hit(std::uint64_t address, bool translate);
  /// Moves a register of the register stack engine. `pair`: the number of the pair, as two registers move per cycle.
  /// Returns the cycle in which the data is available.
  Cycle engine(Instruction& instruction, std::uint64_t address, bool load, unsigned pair, bool translate);
  /// fc: the line at the address is removed from all caches.
  void flush(Instruction& instruction, std::uint64_t address);
  void hold(unsigned cause, Cycle cycles);
  /// The group's stalls so far, in order.
  [[nodiscard]] const std::vector<Stall>& stalls() const { return stalls_; }
  [[nodiscard]] bool fault() const { return fault_; }
  void note_unat(Cycle at) { unat_written_ = at; }
  void drop(std::uint64_t line, std::uint64_t bytes, Cycle at, bool by_snoop) {
    drop_first_level(machine_, l1d_, activity::detail::cache_l1d, line, bytes, at, by_snoop);
  }
  Translation& translation() { return translation_; }
  /// The other thread becomes active. Accesses of different threads are not ordered.
  void set_thread(unsigned thread) {
    translation_.set_thread(thread);
    std::swap(acquire_until_, background_acquire_);
    std::swap(advanced_until_, background_advanced_);
    stores_.clear();
  }

 private:
  struct Buffered {
    std::uint64_t address;
    std::uint32_t size;
    Cycle at;
  };
  void pass(Access& access, std::uint16_t detail, bool probes, std::uint16_t result, bool replayed);
  inline void translate(Access& access, bool use_first, trace::TlbOutcome forced, bool& cancelled,
                        std::uint16_t detail);
  inline void conflicts(const Access& access, const Operation& op);
  [[nodiscard]] inline bool follows_store(const Access& access, bool& cancelled);
  struct Load {
    bool allocate;       ///< the line is written into L1D
    bool follows_store;  ///< L1D does not have the data yet: a store to these 8 bytes is in flight
    bool cancelled;      ///< it has passed the pipe before
  };
  inline Outcome load_through_l1d(Access& access, std::uint16_t detail, const trace::Annotations* keys, Load how);
  void store(Access& access, std::uint16_t detail);
  [[nodiscard]] bool is_uncacheable(std::uint64_t physical) const {
    const MemoryType type = machine_.map.type(physical);
    return type == MemoryType::uncacheable || type == MemoryType::write_combining;
  }
  [[nodiscard]] const Coming* pending(std::uint64_t line) const { return find_coming(pending_, line, pass_); }

  Machine& machine_;
  Hierarchy& hierarchy_;
  Walker& walker_;
  Translation translation_;
  Cache l1d_;
  Occupancy misses_, buffer_;
  std::vector<Coming> pending_;
  Ring<Buffered, 16> stores_;  ///< the latest
  std::vector<Stall> stalls_;
  Cycle now_ = 0;   ///< EXE cycle of the group
  Cycle pass_ = 0;  ///< cycle in which its next access passes the pipe
  bool fault_ = false;
  Cycle acquire_until_ = 0;
  Cycle spilled_ = 0, unat_written_ = 0;
  Cycle advanced_until_ = 0;                                ///< data of the latest advanced load
  Cycle background_acquire_ = 0, background_advanced_ = 0;  ///< of the thread that is not active
};

}  // namespace pmusim::core::ia64
