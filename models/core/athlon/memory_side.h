// The caches, L2, the system bus and the write buffers: the state of lines. They handle requests, not instructions. L1D
// allocates when a miss is found (and evicts the victim then), so replacement follows the order of the probes; the line
// counts as filled when its data arrives.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/athlon/machine.h"
#include "models/core/parts/cache.h"

namespace pmusim::core::athlon {

enum class AccessKind : std::uint8_t {
  load,
  store,
  store_of_wrong_path,  ///< requests the line like a load, which never modifies it
  prefetch,
  prefetch_to_own  ///< brings the line in as Modified
};
[[nodiscard]] constexpr bool is_store(AccessKind kind) {
  return kind == AccessKind::store || kind == AccessKind::store_of_wrong_path;
}
/// True if the fill makes the line Modified.
[[nodiscard]] constexpr bool owns(AccessKind kind) {
  return kind == AccessKind::store || kind == AccessKind::prefetch_to_own;
}
/// The kind of access as detail bits of the activity.
[[nodiscard]] constexpr std::uint16_t access_of(AccessKind kind) {
  return kind == AccessKind::load ? activity::detail::access_load
         : is_store(kind)         ? activity::detail::access_store
                                  : activity::detail::access_prefetch;
}
enum class Outcome : std::uint8_t {
  hit,
  pending,  ///< the fill of the line is in flight
  miss,     ///< a fill was started
  stall,    ///< nothing was probed: no room for another fill
};

struct Probe {
  Outcome outcome;
  std::uint8_t fill = 0;  ///< pending, miss: the fill to wait for
};

class MemorySide {
 public:
  explicit MemorySide(Machine& machine);

  /// First step of a cycle: fills whose data arrives now are written into their L1.
  void begin_cycle() {
    data_arrived_ = code_arrived_ = 0;
    if (agenda_.now() >= next_arrival_) arrive_due();
    if (!write_buffer_.empty()) send_old_writes();
    agenda_.at(next_arrival_);
  }
  /// Last step of a cycle: L2 starts its next job, and the bus its next request.
  void end_cycle() {
    if (!jobs_.empty()) start_next_job();
    recorder_.show(State::l2_fill_wait, jobs_.empty() ? 0 : fills_waiting());
    recorder_.show(State::load_misses, data_busy_ == 0 ? 0 : data_fills_pending());
    if (!bus_.empty()) start_next_request();
  }
  /// Fills that arrived in this cycle, one bit each.
  [[nodiscard]] std::uint32_t data_arrived() const { return data_arrived_; }
  [[nodiscard]] std::uint32_t code_arrived() const { return code_arrived_; }

  /// One probe of the data cache. `part`: detail bits access_second_half, access_update. `forced`: unset, or the level
  /// from which the data came by the trace's annotation.
  Probe probe_data(std::uint64_t address, std::uint64_t physical, AccessKind kind, NamedRequest& request,
                   std::uint16_t part, trace::Level forced);
  /// One fetch of a window; a miss also requests the next line. Never stalls: the window waits instead.
  Probe probe_code(std::uint64_t address, std::uint64_t physical, NamedRequest& request, bool wrong_path,
                   trace::Level forced);
  /// A read that no cache may serve. The outcome is miss or stall.
  Probe read_uncached(std::uint64_t physical, NamedRequest& request);
  /// A store that is not to a write-back line leaves through the write buffers.
  void write_through(std::uint64_t physical, unsigned size, MemoryType type);
  /// Sends all write buffers out.
  void flush_write_buffers() {
    while (const auto entry = write_buffer_.take_oldest()) send(*entry);
  }
  /// The table search engine reads the entries of a page; `rewrite` sets its accessed or dirty bit.
  void walk(std::uint64_t address, bool data_side, bool rewrite);

  /// Performs another agent's transaction. Returns the snoop's detail bits, which include the caches that it hit.
  std::uint16_t snoop(std::uint64_t physical, bool invalidates);
  /// Puts a line into L1D in a given state without activity; invalid removes it from all caches.
  void place(std::uint64_t address, std::uint64_t physical, LineState state);
  /// Sets the system's answer to later reads of this line: the state that a load installs.
  void set_system_state(std::uint64_t physical, LineState state) {
    answers_.push_back({l2_.line_of(physical), state, false});
  }
  /// The next transfer of this line from L2 (or the system) has a single-bit error.
  void mark_ecc(std::uint64_t physical, bool in_l2) {
    ecc_.push_back({l2_.line_of(physical), LineState::invalid, in_l2});
  }

  [[nodiscard]] bool fills_pending() const { return data_busy_ != 0 || code_busy_ != 0; }
  /// No fill, L2 job, bus request or buffered write is pending.
  [[nodiscard]] bool quiet() const {
    return !fills_pending() && jobs_.empty() && bus_.empty() && walks_.empty() && write_buffer_.empty();
  }
  [[nodiscard]] unsigned data_fills_pending() const;
  /// `clocks` core clocks are `per` bus clocks.
  void set_bus_ratio(unsigned clocks, unsigned per) {
    core_clocks_ = clocks;
    bus_clocks_ = per;
  }
  /// Reinitializes `request` as a new request.
  void start_request(NamedRequest& request, std::uint64_t address, std::uint32_t size);
  /// A request and probe_code() for a fetch without a subscriber. False: it does not hit, and nothing has changed.
  bool fetch_unobserved(std::uint64_t address, std::uint64_t physical) {
    if (recorder_.subscribes_to(Signal::fetch)) return false;
    const Cache::Slot slot = l1i_.find(address, physical);
    if (slot == Cache::none) return false;
    l1i_.touch(slot);
    ++next_request_;  // the numbers of the others do not depend on observers
    agenda_.changed();
    return true;
  }

 private:
  struct Fill {
    std::uint64_t address = 0;  ///< virtual, of the line
    std::uint64_t line = 0;     ///< physical
    Cycle done = activity::never;
    AccessKind kind = AccessKind::load;
    LineState found = LineState::invalid;
    LineState install = LineState::invalid;
    trace::Level forced = trace::Level::unset;
    bool uncached = false;
    NamedRequest request = {};
  };
  enum class JobKind : std::uint8_t { data_fill, code_fill, victim, install, walk };
  struct Job {
    JobKind kind;
    Cycle entered;
    std::uint64_t line;
    LineState state = LineState::invalid;
    std::uint8_t fill = 0;
    bool data_side = false;
    bool rewrite = false;
    NamedRequest request = {};
  };
  enum class Return : std::uint8_t { nothing, data_fill, code_fill, walk };
  struct BusJob {
    MemoryType type = MemoryType::write_back;
    bool dram;
    bool write = false;
    bool whole_line = false;
    Return to = Return::nothing;
    std::uint8_t fill = 0;
    std::uint64_t line = 0;
    bool rewrite = false;
    NamedRequest request = {};
  };
  struct WalkReturn {
    Cycle at;
    std::uint64_t line;
    bool rewrite;
  };
  struct LineMark {
    std::uint64_t line;
    LineState state;  ///< of a system answer
    bool in_l2;       ///< of an ECC mark
  };

  static constexpr unsigned code_fills = 4;

  void arrive_due();
  void send_old_writes();
  void start_next_job();
  [[nodiscard]] std::uint64_t fills_waiting() const;
  void start_next_request();
  void arrive(Fill& fill, bool data_side);
  void start_job(const Job& job);
  void look_up(Fill& fill, bool data_side, std::uint8_t index);
  void lookup_walk(const Job& job);
  void install_l2(std::uint64_t line, LineState state);
  void request_bus(const BusJob& job) {
    bus_.push_back(job);
    agenda_.changed();
  }
  /// The other processors give up their copies of a line.
  void ask_ownership(std::uint64_t line) { request_bus({.dram = machine_.map.is_dram(line)}); }
  void ask_system(Fill& fill, Return to, std::uint8_t index);
  void leave_l1d(Cache::Slot slot, std::uint16_t why);
  void leave_l1i(Cache::Slot slot, std::uint16_t why);
  void own_line(std::uint64_t physical);
  void start_code_fill(std::uint64_t address, std::uint64_t physical, const NamedRequest& request, unsigned index,
                       bool prefetch, bool wrong_path, trace::Level forced);
  /// The place of the fill of a line among those that are busy, or -1.
  [[nodiscard]] static int fill_of(std::span<const Fill> fills, std::uint32_t busy, std::uint64_t line);
  [[nodiscard]] int code_fill_of(std::uint64_t line) const { return fill_of(code_, code_busy_, line); }
  [[nodiscard]] int data_fill_of(std::uint64_t line) const { return fill_of(data_, data_busy_, line); }
  void send(const WriteBuffer::Entry& entry) {
    request_bus({entry.type, machine_.map.is_dram(entry.line), true, entry.bytes == whole_line_});
  }
  void correct_ecc(std::uint64_t line, bool from_l2);
  [[nodiscard]] LineState system_state(std::uint64_t line) const;
  [[nodiscard]] Cycle bus_clocks(unsigned clocks) const {
    return (Cycle{core_clocks_} * clocks + bus_clocks_ - 1) / bus_clocks_;
  }

  Machine& machine_;
  const Settings& settings_ = machine_.settings;
  SelectiveRecorder& recorder_ = machine_.recorder;
  Agenda& agenda_ = machine_.agenda;
  Cache l1i_, l1d_, l2_;
  WriteBuffer write_buffer_;
  std::uint64_t whole_line_;  ///< WriteBuffer::Entry::bytes of a whole line
  std::array<Fill, 16> data_{};
  std::array<Fill, code_fills> code_{};
  std::uint32_t data_busy_ = 0, code_busy_ = 0;  ///< one bit per fill in flight
  std::uint32_t data_arrived_ = 0, code_arrived_ = 0;
  Cycle next_arrival_ = activity::never;
  std::vector<Job> jobs_;  ///< first in, first out; short
  std::vector<BusJob> bus_;
  std::vector<WalkReturn> walks_;
  std::vector<LineMark> ecc_, answers_;
  Cycle l2_free_ = 0;
  Cycle bus_free_ = 0;
  unsigned core_clocks_ = 1, bus_clocks_ = 1;  ///< the bus ratio
  std::uint64_t next_request_ = 0;
};

}  // namespace pmusim::core::athlon
