// Reorder buffer and schedulers: which macro-operations wait, execute and may retire.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/athlon/in_flight.h"
#include "models/core/athlon/machine.h"

namespace pmusim::core::athlon {

/// What the window tells the load-store unit and the core.
class WindowListener {
 public:
  virtual ~WindowListener() = default;
  /// The address part of a macro-operation starts to execute in this cycle.
  virtual void address_issued(Sequence sequence, unsigned operation) = 0;
  /// The last macro-operation of a chunk starts to execute; its result is there at `result`.
  virtual void executes(Sequence sequence, Cycle result) = 0;
};

class Window {
 public:
  Window(Machine& machine, InFlight& flight, WindowListener& listener);

  /// Causes, as State::dispatch_hold bits, for which a line finds no room here.
  [[nodiscard]] std::uint64_t lacks_room(const DispatchLine& line);
  /// Takes a line in; there must be room. `address_parts`: how many accesses each macro-operation makes.
  void dispatch(const DispatchLine& line, std::array<std::uint8_t, dispatch_width> address_parts);
  /// Starts what is ready: one address and one ALU part per station, one operation per FP pipe.
  void issue();
  /// A part of a macro-operation is done at `cycle`: an access, or its address.
  void part_done(std::uint64_t place, Cycle cycle);
  /// Data of a load is there.
  void load_done(Sequence sequence, std::uint64_t place, Cycle cycle);
  /// Number of oldest macro-operations that may retire now, at most three.
  [[nodiscard]] unsigned ready_to_retire();
  /// The oldest macro-operation leaves.
  [[nodiscard]] Sequence retire_oldest();
  [[nodiscard]] bool empty() const { return head_ == tail_; }
  /// Everything of this chunk and younger ones goes.
  void kill(Sequence from);

 private:
  struct Entry {  ///< of the reorder buffer
    Sequence sequence = 0;
    Cycle done = 0;
    std::uint8_t parts = 0;  ///< outstanding
    bool used = false;
  };
  struct Waiting {  ///< in a scheduler
    Sequence sequence;
    std::uint64_t place;  ///< in the reorder buffer
    Cycle earliest;       ///< the schedule stage is behind it
    std::uint8_t operation;
    bool address, execute;  ///< parts not started yet
  };
  struct Producers {  ///< what a chunk, or its address, waits for
    std::array<Sequence, trace::x86::register_count> pending;
    std::uint8_t count;  ///< of those not known to be done
    Cycle ready;         ///< latest of the known ones
  };
  struct Sources {
    Producers all, address;
  };
  [[nodiscard]] Sources& sources(Sequence s) { return sources_[s & (InFlight::capacity - 1)]; }
  [[nodiscard]] Entry& entry(std::uint64_t place) { return entries_[place & (entries_.size() - 1)]; }
  bool address_ready(const Waiting& waiting);
  bool execute_ready(const Waiting& waiting);
  void start_address(Waiting& waiting);
  void start_execute(Waiting& waiting);
  void find_sources(Sequence sequence);
  [[nodiscard]] Cycle resolve(Producers& producers);
  void skip_unused();

  Machine& machine_;
  const Settings& settings_;
  Agenda& agenda_;
  InFlight& flight_;
  WindowListener& listener_;
  std::vector<Entry> entries_;
  std::uint64_t head_ = 0, tail_ = 0;  ///< places; the tail is at a line boundary
  std::array<std::vector<Waiting>, dispatch_width> stations_;
  std::vector<Waiting> fp_;
  std::vector<Sources> sources_{InFlight::capacity};
  std::array<Sequence, trace::x86::register_count> writers_{};  ///< youngest producer of each register, plus 1; 0: none
  Cycle multiplier_free_ = 0;
  std::array<Cycle, 3> fp_pipe_free_{};
};

}  // namespace pmusim::core::athlon
