// What the list models of IA-64 cores are made of. They share no code with the cores.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/common/parameters.h"
#include "models/core/core.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/list_models/lists.h"

namespace pmusim::testbench::ia64::lists {

using list_models::Counter, list_models::Draw, list_models::LineList, list_models::Mesi;

// List model of what is behind the first level: L2, or L2D and L2I, L3 with its states, the lines that leave them, and
// the transactions on the bus. The rules are those of docs/targets/itanium2-core.md, "L2, L3, bus", and
// montecito-core.md, "Memory"; the states are MESI.
//
// The model takes times from the activity, and whether the tag of a line that is on its way is found by then. All else
// follows from the order of the requests.

// Each request of a run with all that the activity says of it, in the order in which the core has made them. Requests
// have rising numbers (RequestRecord::id); a walk and prefetches follow the access that needs them.

namespace act = activity::ia64;
using activity::Cycle;
using activity::Signal;

struct Event {
  Signal signal;
  std::uint16_t detail;
  Cycle cycle;
};

struct Trip {
  activity::RequestRecord record;
  act::Request half;
  std::uint64_t encoding = 0;  ///< of the syllable that makes it; 0: none
  bool known = false;
  std::uint64_t block = 0;  ///< the last block that names it
  std::vector<Event> events;

  [[nodiscard]] const Event* first(Signal signal, std::uint16_t with = 0, std::uint16_t without = 0) const;
  [[nodiscard]] const Event* last(Signal signal) const;
  [[nodiscard]] std::size_t count(Signal signal, std::uint16_t with = 0, std::uint16_t without = 0) const;
  [[nodiscard]] bool is(act::Requester who) const { return half.requester == who; }
};

/// What a branch of the program came to.
struct RetiredBranch {
  std::uint64_t id, ip;
  unsigned slot;
  bool predicted_taken, taken, mispredicted, unknown, flush;
  act::Prediction prediction;
};

/// What a model does with a run.
struct Reader {
  std::function<void(Trip&&)> trip;
  /// Occurrences of a snoop come before the first request that begins in their cycle or later.
  std::function<void(const Event&)> snoop;
  std::function<void(const Event&)> unowned;
  std::function<void(const RetiredBranch&)> branch;
};

/// Runs a core to its end. Occurrences that name no request are handed out before the requests of their block.
void read_run(core::Core& core, const Reader& reader);

[[nodiscard]] std::string name_of(Signal signal);
[[nodiscard]] std::string describe(const Trip& trip);

/// The value of a parameter.
[[nodiscard]] std::uint64_t number(const models::Parameters& parameters, const char* name);

/// What must be said of a request: a signal with its detail, in a cycle where that is known.
class Wanted {
 public:
  static constexpr Cycle any = activity::never;
  void add(Signal signal, std::uint64_t detail, Cycle cycle = any) {
    list_.push_back({signal, static_cast<std::uint16_t>(detail), cycle});
  }
  [[nodiscard]] const std::vector<Event>& list() const { return list_; }

 private:
  std::vector<Event> list_;
};

/// Differences of a run; the first few are reported.
class Findings {
 public:
  void add(const std::string& text);
  /// Compares a request's events with what must be there; `held` tells what the model holds.
  void compare(const Trip& trip, const Wanted& wanted, const std::function<std::string()>& held);
  /// Occurrences without a request: both sides, compared by finish().
  void want_unowned(Signal signal, std::uint64_t detail, Cycle cycle);
  void see_unowned(const Event& event);
  void finish();
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  using Unowned = std::tuple<Signal, std::uint16_t, Cycle>;
  std::size_t count_ = 0;
  std::multiset<Unowned> wanted_, seen_;
};

/// The cycle in which a line comes: not before the first, not after the second.
struct Arrival {
  Cycle earliest = 0, latest = 0;
  act::Served served = act::Served::unknown;
};

/// What the outside does (`! snoop`, `! bus`, `! state`).
struct Outside {
  enum class What : std::uint8_t { transaction, state, state_elsewhere } what = What::transaction;
  act::BusKind kind = act::BusKind::read_line;
  std::uint64_t address = 0;
  Mesi state = Mesi::invalid;
  [[nodiscard]] std::string text() const;
};

class Memory {
 public:
  Memory(const models::Parameters& parameters, bool split, Findings& findings);

  struct Answer {
    act::Served served = act::Served::unknown;
    Arrival data;  ///< of a fetch
  };
  Answer data(const Trip& trip, Wanted& wanted);
  Answer fetch(const Trip& trip, Wanted& wanted);
  /// fc.
  void flush(const Trip& trip, Wanted& wanted);
  /// A transaction of somebody else, in a cycle.
  void apply(const Outside& outside, Cycle at);
  [[nodiscard]] std::string held(std::uint64_t address);

  LineList l1d, l1i;

 private:
  enum class Why : std::uint8_t { snoop, operation };
  [[nodiscard]] static std::uint64_t evicted(std::uint64_t cache, Mesi state, std::uint64_t why);
  bool under_way(const std::unordered_map<std::uint64_t, Arrival>& arrivals, std::uint64_t line, Cycle at,
                 bool reported) const;
  bool take_from_first_level(std::uint64_t line, Cycle at, std::uint64_t why);
  Answer miss(const Trip& trip, Wanted& wanted, std::uint64_t line, std::uint64_t detail);
  bool ask_l3(const Trip& trip, Wanted& wanted, std::uint64_t line, std::uint64_t detail, act::Served& served);
  void leave_l3(const Trip& trip, Wanted& wanted, const LineList::Line& victim);
  void install(const Trip& trip, Wanted& wanted, std::uint64_t line, Mesi state);
  Mesi bus(Wanted& wanted, act::BusKind kind, std::uint64_t address, bool for_data, bool castout = false);
  void write_back(Wanted& wanted, std::uint64_t line) { bus(wanted, act::BusKind::write_line, line, true); }
  void snoop(act::BusKind kind, std::uint64_t line, Cycle at);
  Answer fetch_split(const Trip& trip, Wanted& wanted, std::uint64_t line, std::uint64_t kind);

  bool split_;
  Cycle l2_fetch_;
  Findings& findings_;
  LineList l2_, l2i_, l3_;
  std::unordered_map<std::uint64_t, Arrival> arrivals_, code_arrivals_;
  std::map<std::uint64_t, Mesi> elsewhere_;  ///< how other agents hold lines
};

/// The purpose of a data request, as the request says it.
struct Purpose {
  explicit Purpose(const Trip& trip);
  bool writes, semaphore, prefetch, walk;
  std::uint64_t detail;  ///< of l2_reference and l2_lookup
};

// List model of the first level of an IA-64 core, on top of that of what is behind it: both levels of the TLBs, L1D
// with what the store buffer keeps from it, L1I with the streaming buffer and prefetches. The rules are those of
// docs/targets/itanium2-core.md, "Instruction memory" and "Data memory".

/// A prefetch that a hint has asked for.
struct Hinted {
  std::uint64_t line = 0;
  bool streaming = false;
  bool lost = false;  ///< nothing says of what kind it was
  [[nodiscard]] bool fits(const Hinted& seen) const {
    return line == seen.line && (seen.lost || streaming == seen.streaming);
  }
};

class Machine {
 public:
  Machine(const models::Parameters& parameters, bool split, Findings& findings);

  /// The requests one after the other.
  void take(Trip&& trip);
  /// The outside acts before the next request.
  void act(const Outside& outside, Cycle at);
  void finish();
  /// Prefetches that were not those of the line after one that missed, in their order.
  [[nodiscard]] std::deque<Hinted>& hinted() { return hinted_; }
  [[nodiscard]] std::uint64_t requests() const { return requests_; }

 private:
  /// A side's TLB: granules of 4 KB, and pages.
  struct Tlb {
    list_models::UseLists granules, pages;
    enum class Found : std::uint8_t { first, second, none };
    Found find(std::uint64_t address, std::uint64_t page, bool through_first);
  };
  struct Store {
    std::uint64_t begin, end;
    Cycle cycle;
  };
  struct Streamed {
    std::uint64_t line;
    Arrival ready;
  };

  void complete(const Trip* walk);
  bool translate(const Trip& trip, Wanted& wanted, bool& replayed);
  void access(const Trip& trip, Wanted& wanted, bool replayed);
  act::Served load(const Trip& trip, Wanted& wanted, std::uint64_t detail, bool replayed);
  void store(const Trip& trip, Wanted& wanted, std::uint64_t detail);
  [[nodiscard]] bool follows_store(const Trip& trip, Cycle at) const;
  void demand(const Trip& trip, Wanted& wanted);
  void prefetch(const Trip& trip, Wanted& wanted);
  void fill_code(const Trip& trip, Wanted& wanted, std::uint64_t line, act::Served from);
  [[nodiscard]] static bool comes_later(const Arrival& arrival, Cycle at, bool reported);
  void check_served(const Trip& trip, act::Served served);

  Findings& findings_;
  Memory memory_;
  Tlb data_tlb_, code_tlb_;
  std::uint64_t page_, table_, table_entry_, forward_, ahead_;
  bool prefetches_;
  std::deque<Store> stores_;
  std::unordered_map<std::uint64_t, Cycle> data_due_;    ///< lines on their way into L1D
  std::unordered_map<std::uint64_t, Arrival> code_due_;  ///< lines asked of L2 by L1I
  std::deque<Streamed> streamed_;                        ///< the streaming buffer, oldest first
  std::deque<std::uint64_t> next_lines_;                 ///< prefetches that have to come next
  std::deque<Hinted> hinted_;
  Trip waiting_;  ///< the latest request: the next one may be its walk
  std::uint64_t requests_ = 0;
};

// List model of branch prediction: what must become of each branch of a trace, from the trace alone. The rules are
// those of docs/targets/itanium2-core.md, "Branches".

struct Predicted {
  std::uint64_t bundle = 0;  ///< its ordinal
  std::uint64_t ip = 0;
  unsigned slot = 0;
  bool predicted_taken = false, taken = false, unknown = false, flush = false;
  act::Prediction prediction = act::Prediction::correct;
  [[nodiscard]] std::string text() const;
};

class Branches {
 public:
  Branches(std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters);
  /// The next branch of the program, or false at its end.
  bool next(Predicted& branch);
  /// The prefetches that hints of the bundles so far have asked for, in their order.
  std::deque<Hinted>& hinted() { return hinted_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  /// What the predictor knows of a branch.
  struct Known {
    std::uint64_t bundle = 0;
    unsigned slot = 0;
    std::uint64_t target = 0;  ///< where it went last; 0: it was not taken since it is known
  };
  struct Guess {
    bool taken = false, unknown = false, corrected = false;
    std::uint64_t target = 0;
  };
  const trace::ia64::Bundle& decoded(const trace::Code& code);
  void step(const trace::Instruction& executed);
  [[nodiscard]] Guess guess(const trace::ia64::Slot& slot, std::uint64_t pc, unsigned number, bool taken);
  void learn(const trace::ia64::Slot& slot, std::uint64_t pc, unsigned number, bool taken, std::uint64_t target);
  [[nodiscard]] Known& place(std::uint64_t pc, unsigned number);
  [[nodiscard]] Counter& counter(std::uint64_t pc, unsigned number);
  void ask(std::uint64_t address, std::uint64_t lines, bool streaming);

  std::unique_ptr<trace::Reader> trace_;
  std::uint64_t line_, lines_, return_places_;
  unsigned history_bits_;
  bool loops_, late_target_, prefetches_;
  std::vector<std::unique_ptr<trace::ia64::Bundle>> bundles_;
  std::vector<Counter> counters_;
  std::vector<Known> known_;
  std::deque<std::uint64_t> returns_;  ///< the youngest last
  std::deque<bool> history_;           ///< the youngest first
  std::deque<Predicted> ready_;
  std::deque<Hinted> hinted_;
  std::uint64_t ordinal_ = 0, count_ = 0;
};

}  // namespace pmusim::testbench::ia64::lists
