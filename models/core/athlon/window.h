// Reorder buffer and schedulers: macro-operations that wait, execute or may retire.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/core/athlon/in_flight.h"
#include "models/core/athlon/machine.h"
#include "models/core/parts/agenda.h"

namespace pmusim::core::athlon {

class AthlonCore;

class Window {
 public:
  Window(Machine& machine, InFlight& flight, AthlonCore& core);

  /// The reasons, as State::dispatch_hold bits, for which there is no room for a line.
  [[nodiscard]] std::uint64_t lacks_room(const DispatchLine& line);
  /// Inserts a line, for which there must be room. `accesses`: the number of accesses of each macro-operation.
  void dispatch(const DispatchLine& line, const std::array<std::uint8_t, dispatch_width>& accesses);
  /// Starts operations that are ready: one address and one ALU part per station, one operation per FP pipe.
  void issue();
  /// Records the instructions that start in this cycle, and those whose result is available.
  void record_progress();
  [[nodiscard]] bool records_progress() const {
    return machine_.recorder.subscribes_to(Signal::issue) || machine_.recorder.subscribes_to(Signal::finish);
  }
  /// A part of a macro-operation ends at `cycle`: an access, or its address.
  void part_done(std::uint64_t place, Cycle cycle) {
    Entry& e = entry(place);
    --e.parts;
    e.done = std::max(e.done, cycle);
    if (records_progress()) note_end(e.sequence, cycle);
  }
  /// The data of a load is available.
  void load_done(Sequence sequence, std::uint64_t place, Cycle cycle);
  /// Number of oldest macro-operations that may retire now, limited by the retire width.
  [[nodiscard]] unsigned ready_to_retire() {
    unsigned count = 0;
    for (; count < settings_.retire_width && head_ + count != tail_; ++count) {
      const Entry& e = entry(head_ + count);
      if (e.parts != 0) break;
      if (e.done >= agenda_.now()) {
        agenda_.at(e.done + 1);
        break;
      }
    }
    return count;
  }
  /// Removes that many oldest macro-operations. Returns how many of them consist of two operations.
  unsigned retire_oldest(unsigned count) {
    unsigned doubles = 0;
    for (; count != 0; --count) doubles += entry(head_++).is_double ? 1 : 0;
    return doubles;
  }
  [[nodiscard]] bool empty() const { return head_ == tail_; }
  /// Removes this chunk and all younger ones.
  void kill(Sequence from);

 private:
  struct Entry {  ///< of the reorder buffer: a macro-operation
    Cycle done = 0;
    Sequence sequence = 0;   ///< sequence of its chunk
    std::uint32_t line = 0;  ///< the line in which it was dispatched
    std::uint8_t parts = 0;  ///< parts outstanding
    bool is_double = false;  ///< consists of two operations: address and execution
  };
  struct Waiting {  ///< in a scheduler
    Sequence sequence;
    std::uint64_t place;  ///< in the reorder buffer
    Cycle earliest;       ///< earliest cycle in which it can start
    std::uint8_t operation;
    bool address, execute;   ///< parts not started yet
    std::uint16_t back = 0;  ///< distance in chunks to the result that it last waited for; 0: none
    bool second = false;     ///< that result is a second one
  };
  struct Scheduler {
    std::vector<Waiting> waiting;  ///< in program order
    Releasing released;            ///< entries that are not free yet
  };
  struct Finish {
    Cycle at;
    Sequence sequence;
  };
  [[nodiscard]] Entry& entry(std::uint64_t place) { return entries_[place & mask_]; }
  [[nodiscard]] bool pending(Sequence producer, bool second) {
    return producer >= flight_.retired && flight_.result(producer, second ? 1 : 0) == activity::never;
  }
  [[nodiscard]] bool still_waits(const Waiting& waiting) {
    return waiting.back != 0 && pending(waiting.sequence - waiting.back, waiting.second);
  }
  inline bool is_full(Scheduler& scheduler, std::size_t wanted, unsigned entries);
  /// The station of a macro-operation is its place in the line. A product of two words, which has a line of its own,
  /// computes in station 0, to which the multiplier belongs.
  [[nodiscard]] static unsigned station_of(unsigned position, const StaticCode& code, unsigned operation) {
    return code.unit == Unit::multiplier && code.late != 0 ? (operation + 1) % code.macro_ops : position;
  }
  inline void dispatch(unsigned position, const DispatchLine::Part& part, std::uint8_t address_parts);
  inline bool known(Waiting& waiting, Awaited& awaited);
  inline bool address_ready(Waiting& waiting, Chunk& chunk);
  inline bool execute_ready(Waiting& waiting, Chunk& chunk);
  inline bool unit_ready(const StaticCode& code);
  inline unsigned pipe_for(Pipe pipe);
  [[gnu::always_inline]] inline void issue_integer(Scheduler& station);
  /// The pipes of a station that are used in this clock.
  struct Used {
    bool address = false, execute = false;
  };
  [[gnu::always_inline]] inline void issue_parts(Waiting& waiting, Used& used);
  void issue_fp();
  inline void start_execute(Waiting& waiting, Chunk& chunk);
  inline void starts(Sequence sequence, Chunk& chunk);
  void note_end(Sequence sequence, Cycle cycle);
  void record(Sequence sequence, Signal signal) {
    machine_.recorder.occur_of(machine_.recorder.place_of(flight_.record(flight_.at(sequence))), signal);
  }
  inline void find_producers(Sequence sequence, Chunk& chunk);
  template <class Place>
  void await_producers(Sequence sequence, Chunk& chunk, const Place& place);
  template <class Place>
  void become_producer(Sequence sequence, const StaticCode& code, const Place& place);

  Machine& machine_;
  const Settings& settings_ = machine_.settings;
  Agenda& agenda_ = machine_.agenda;
  InFlight& flight_;
  AthlonCore& core_;
  std::vector<Entry> entries_;
  std::size_t mask_;                   ///< number of entries, a power of two, minus 1
  std::uint64_t head_ = 0, tail_ = 0;  ///< positions of the oldest entry, and one after the youngest
  std::uint32_t line_ = 0;             ///< number of the next dispatch line
  std::array<Scheduler, dispatch_width> stations_;
  Scheduler fp_;
  std::array<Sequence, trace::x86::register_count> writers_{};  ///< youngest producer of each register, plus 1; 0: none
  std::array<std::uint8_t, trace::x86::register_count> second_{};  ///< 1: it is the producer's second result
  /// The index of st(0) to st(7) in writers_, relative to reg_fp, four bits each. Pushes and pops only rename
  /// registers.
  std::uint32_t stack_ = 0x76543210;
  std::vector<Sequence> starting_;  ///< instructions of which the first part starts in this cycle
  std::vector<Finish> finishing_;   ///< instructions of which all parts have a known end, the next one last
  std::array<Cycle, static_cast<std::size_t>(Unit::count)> unit_free_{};  ///< by Unit
  std::array<Cycle, 3> fp_pipe_free_{};
};

}  // namespace pmusim::core::athlon
