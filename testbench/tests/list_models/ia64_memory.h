// List model of what is behind the first level: L2, or L2D and L2I, L3 with its states, the lines that leave them, and
// the transactions on the bus. The rules are those of docs/targets/itanium2-core.md, "L2, L3, bus", and
// montecito-core.md, "Memory"; the states are MESI.
//
// The model takes times from the activity, and whether the tag of a line that is on its way is found by then. All else
// follows from the order of the requests.
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "ia64_lists.h"
#include "ia64_trips.h"
#include "models/common/parameters.h"

namespace pmusim::testbench::ia64::lists {

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

}  // namespace pmusim::testbench::ia64::lists
