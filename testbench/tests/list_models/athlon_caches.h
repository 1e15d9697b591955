// What the caches of the Athlon hold after each of its accesses, as lists. The model reads the order of probes, fetches
// and snoops from activity, and computes everything that follows from it: hit or miss in L1, L2 and the fills under
// way, the lines that leave and their states, what goes to L2 and to the bus in which order, and what a snoop finds.
// The first occurrence that differs is described in error().
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/tests/list_models/athlon_lists.h"
#include "testbench/tests/list_models/cycles.h"

namespace pmusim::testbench::athlon_lists {

using namespace core_cycles;  // NOLINT: the words of one test

class CachesModel {
 public:
  explicit CachesModel(const models::Parameters& parameters);
  static constexpr std::array signals = {Signal::dcache_lookup, Signal::fetch,           Signal::translation,
                                         Signal::line_request,  Signal::line_fill,       Signal::line_evict,
                                         Signal::l2_lookup,     Signal::l2_array,        Signal::bus_request,
                                         Signal::snoop,         Signal::cross_invalidate};

  /// What a trace says before its first instruction.
  void map_page(std::uint64_t page, std::uint64_t to) { pages_[page] = to; }
  void answer(std::uint64_t address, LineState state) { answers_[line_of(address)] = state; }
  void place(std::uint64_t address, LineState state);
  /// The next snoop of the trace.
  void expect_snoop(std::uint64_t address, bool invalidates) { snoops_.push_back({address, invalidates}); }
  /// PREFETCHW instructions, which activity does not tell from PREFETCH.
  void owned_prefetch(std::uint64_t ip) { owned_prefetches_.insert(ip); }

  /// False after an error.
  bool step(const CycleView& view);
  void finish();
  [[nodiscard]] const std::string& error() const { return error_; }
  /// Number of things that were compared, by signal.
  [[nodiscard]] std::uint64_t compared(Signal signal) const { return compared_[static_cast<std::size_t>(signal)]; }
  /// Probes of lines in flight, upgrades of lines that were not Exclusive, prefetches kept within their page.
  std::uint64_t pending_probes = 0, upgrades = 0, page_ends = 0;

 private:
  static constexpr std::uint64_t line_bytes = 64;
  enum class Work { data, code, victim, install, walk };
  struct Fill {
    std::uint64_t request = 0;  ///< RequestRecord::id
    std::uint64_t line = 0;     ///< physical
    std::uint64_t index = 0;    ///< virtual line
    bool data = false, prefetch = false, wrong_path = false;
    bool store = false;  ///< asked for by a store, of whichever path
    bool owns = false;   ///< the line becomes Modified
    bool looked_up = false;
    LineState found = LineState::invalid, install = LineState::invalid;
    Cycle due = activity::never;
  };
  struct Job {
    Work work;
    Cycle entered;
    std::uint64_t line;
    LineState state = LineState::invalid;
    std::uint64_t request = 0;
    bool data_side = false, rewrite = false;
  };
  struct BusJob {
    Cycle entered;
    bool write, whole_line;
    std::optional<std::uint64_t> request = {};  ///< of a read that returns
    bool walk = false, rewrite = false;
    std::uint64_t line = 0;
  };
  struct Return {
    Cycle at;
    std::uint64_t line;
    bool rewrite;
  };
  struct Expected {
    std::uint16_t detail;
    std::optional<std::uint64_t> request = {};
  };
  struct Snoop {
    std::uint64_t address;
    bool invalidates;
  };

  [[nodiscard]] std::uint64_t line_of(std::uint64_t address) const;
  void arrive(const CycleView& view);
  void arrive_data(Fill& fill);
  void arrive_code(const Fill& fill);
  void return_walks(Cycle until);
  void probe(const CycleView& view, const Occurrence& o);
  void miss(const activity::RequestRecord& r, std::uint64_t address, std::uint16_t access, bool owns, bool store);
  void translate(const CycleView& view, const Occurrence& o);
  void fetch(const CycleView& view, const Occurrence& o);
  void start_code_fill(const CycleView& view, std::uint64_t address, std::uint64_t request, bool prefetch, bool wrong);
  void snoop(const CycleView& view);
  void work_l2(const CycleView& view);
  void look_up_data(Fill& fill);
  void look_up_code(Fill& fill);
  void look_up_walk(const Job& job);
  void install_l2(std::uint64_t line, LineState state);
  void work_bus(const CycleView& view);
  void leave_l1d(std::uint64_t line, std::uint16_t why);
  void leave_l1i(std::uint64_t line, std::uint16_t why);
  void take_from_l1i(std::uint64_t line);
  Fill* fill_of(std::uint64_t line, bool data);
  void expect(Signal signal, std::uint16_t detail, std::optional<std::uint64_t> request = {}) {
    expected_[static_cast<std::size_t>(signal)].push_back({detail, request});
  }
  void compare(const CycleView& view, Signal signal, const char* name);
  void fail(const std::string& what);
  [[nodiscard]] std::string held(std::uint64_t address);

  LineLists l1i_, l1d_, l2_;
  std::vector<Fill> fills_;
  std::deque<Job> jobs_;
  std::deque<BusJob> bus_;
  std::deque<Return> returns_;
  std::deque<Snoop> snoops_;
  std::map<std::uint64_t, std::uint64_t> pages_;
  std::map<std::uint64_t, LineState> answers_;
  std::set<std::uint64_t> owned_prefetches_, accessed_, dirty_;
  std::uint64_t first_half_ = ~std::uint64_t{0};  ///< the request whose first half was probed last
  Cycle now_ = 0, l2_free_ = 0, bus_free_ = 0;
  Cycle l2_latency_, memory_latency_, transfer_, bus_clock_, bus_line_;
  std::uint64_t page_tables_;
  std::size_t data_fills_;
  bool prefetches_, walks_, modifies_;
  std::array<std::vector<Expected>, activity::signal_count> expected_;
  std::array<std::uint64_t, activity::signal_count> compared_{};
  std::uint64_t number_ = 0;  ///< of the access under work
  std::uint64_t address_ = 0;
  std::string error_;
};

}  // namespace pmusim::testbench::athlon_lists
