// Every entry of the models' multiplexers changed: removed, its code exchanged with the next entry's, its line
// connected to another signal or state, or doubled.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lines.h"
#include "models/athlon/monitor.h"
#include "models/ppc750gx/monitor.h"
#include "pmusim/encoder/encoder.h"
#include "tally.h"

namespace pmusim::perturbation {
namespace {

const std::vector<encoder::EventInfo>& events_of(const std::string& target) {
  static std::map<std::string, std::vector<encoder::EventInfo>> all;
  auto& events = all[target];
  if (events.empty()) events = *encoder::events(target);
  return events;
}

struct Athlon {
  static constexpr const char* target = "athlon";
  using Entry = pmu::athlon::Entry;
  using Behaviour = pmu::athlon::Behaviour;
  static inline std::vector<Entry> table;  ///< of monitors made from now on
  static std::span<const Entry> original() { return pmu::athlon::multiplexer(); }
  static std::unique_ptr<pmu::Monitor> make(const models::Parameters& parameters) {
    return std::make_unique<pmu::athlon::AthlonMonitor>(parameters, table);
  }
  static std::string place(const Entry& entry) {
    return fmt::format("event {:02x}h mask {:02x}h", entry.code, entry.unit);
  }
  static void exchange_places(Entry& a, Entry& b) {
    std::swap(a.code, b.code);
    std::swap(a.unit, b.unit);
    std::swap(a.kind, b.kind);
  }
  static Rows rows_of(const Entry& entry) {
    Rows rows;
    for (const encoder::EventInfo& event : events_of(target)) {
      if (event.code != entry.code) continue;
      if (event.unit_masks.empty()) rows.insert(event.name);
      for (const encoder::UnitMaskInfo& mask : event.unit_masks) {
        if ((mask.code & entry.unit) != 0) rows.insert(event.name + ':' + mask.name);
      }
    }
    return rows;
  }
};

struct Ppc750gx {
  static constexpr const char* target = "ppc750gx";
  using Entry = pmu::ppc750gx::Entry;
  using Behaviour = pmu::ppc750gx::Behaviour;
  static inline std::vector<Entry> table;
  static std::span<const Entry> original() { return pmu::ppc750gx::multiplexer(); }
  static std::unique_ptr<pmu::Monitor> make(const models::Parameters& parameters) {
    return std::make_unique<pmu::ppc750gx::Ppc750gxMonitor>(parameters, table);
  }
  static std::string place(const Entry& entry) { return fmt::format("PMC{} code {}", entry.counter, entry.code); }
  static void exchange_places(Entry& a, Entry& b) {
    std::swap(a.counter, b.counter);
    std::swap(a.code, b.code);
  }
  static Rows rows_of(const Entry& entry) {
    Rows rows;
    for (const encoder::EventInfo& event : events_of(target)) {
      for (const auto& [counter, code] : event.counter_codes) {
        if ((entry.counter == 0 || counter + 1 == entry.counter) && code == entry.code) rows.insert(event.name);
      }
    }
    return rows;
  }
};

/// True if an entry's line is connected under these behaviours.
template <class Entry, class Behaviour>
bool is_connected(const Entry& entry, const Behaviour& behaviour) {
  if constexpr (requires { entry.path; }) return entry.only_if.holds(behaviour) && entry.path.holds(behaviour);
  return entry.only_if.holds(behaviour);
}

template <class Family>
class Multiplexer {
 public:
  using Entry = typename Family::Entry;
  explicit Multiplexer(std::vector<Equivalent> equivalents)
      : tally_(bench_of(Family::target), std::string("model ") + Family::target, std::move(equivalents)) {}

  void change_everything() {
    const typename Family::Behaviour defaults(models::find_target(Family::target)->parameters());
    for (std::size_t i = 0; i < original_.size(); ++i) {
      if (!is_connected(original_[i], defaults)) continue;
      const Rows rows = Family::rows_of(original_[i]);
      ASSERT_FALSE(rows.empty()) << Family::place(original_[i]) << " belongs to no event";
      change(i, "removed", rows, [&](auto& table) { table.erase(table.begin() + static_cast<std::ptrdiff_t>(i)); });
      exchange_with_next(i, rows);
      for (const OtherLine& other : other_lines(original_[i].line)) {
        if constexpr (requires { original_[i].time_base; }) {
          if (original_[i].time_base) continue;
        }
        change(i, other.change, rows, [&](auto& table) { table[i].line = other.line; });
      }
      if (original_[i].line.is_level() && !original_[i].line.qualifies) {
        change(i, "doubled", rows, [&](auto& table) { table.push_back(table[i]); });
      }
      if constexpr (requires { original_[i].time_base; }) change_ppc750gx(i, rows);
    }
  }

 private:
  template <class Change>
  void change(std::size_t entry, const std::string& name, const Rows& rows, Change make) {
    if (!tally_.next()) return;
    Family::table = original_;
    make(Family::table);
    Exchange exchange;
    exchange.make_monitor = Family::make;
    tally_.expect_noticed(fmt::format("{}: {}", place_of(entry), name), rows, exchange);
  }
  /// Entries with the same code are numbered.
  [[nodiscard]] std::string place_of(std::size_t entry) const {
    const std::string place = Family::place(original_[entry]);
    std::size_t number = 1;
    for (std::size_t i = 0; i < entry; ++i) number += Family::place(original_[i]) == place ? 1 : 0;
    return number == 1 ? place : fmt::format("{} line {}", place, number);
  }

  void exchange_with_next(std::size_t entry, const Rows& rows) {
    for (std::size_t next = entry + 1; next < original_.size(); ++next) {
      if (Family::place(original_[next]) == Family::place(original_[entry])) continue;
      Rows affected = rows;
      affected.merge(Family::rows_of(original_[next]));
      change(entry, "place exchanged with the next", affected,
             [&](auto& table) { Family::exchange_places(table[entry], table[next]); });
      return;
    }
  }

  /// Exchanges the time base for a line and vice versa; removes an entry of all counters from one of them.
  void change_ppc750gx(std::size_t entry, const Rows& rows) {
    change(entry, "the time base or not", rows, [&](auto& table) { table[entry].time_base = !table[entry].time_base; });
    if (original_[entry].counter != 0) return;
    for (std::uint8_t without = 1; without <= 4; ++without) {
      change(entry, fmt::format("not on PMC{}", without), rows, [&](auto& table) {
        for (std::uint8_t counter = 1; counter <= 4; ++counter) {
          if (counter == without) continue;
          table.push_back(original_[entry]);
          table.back().counter = counter;
        }
        table.erase(table.begin() + static_cast<std::ptrdiff_t>(entry));
      });
    }
  }

  Tally tally_;
  const std::vector<Entry> original_{Family::original().begin(), Family::original().end()};
};

TEST(ModelMultiplexers, AthlonEntriesAreAllWatched) {
  constexpr std::string_view no_hs = "a line that is never asserted counts as none does";
  constexpr std::string_view walks = "page walks of the Athlon read through L2, never through the data cache";
  constexpr std::string_view references = "loads and stores count by the line before";
  constexpr std::string_view code_lines =
      "a line of code is always installed shared, so its installed state tells the side";
  constexpr std::string_view victims = "no victim is invalid, and no L2 lookup looks like one";
  constexpr std::string_view pushes = "only a push overwrites an entry of the return stack";
  constexpr std::string_view predicted = "only near branches are predicted, so nothing else is mispredicted";
  constexpr std::string_view indirect = "a return is a class of its own and not among the indirect branches";
  constexpr std::string_view entries =
      "L2 itself writes only data: changed entries of page tables, under tags that stay";
  constexpr std::string_view empty = "the core names causes of a stall only while the decoder offers something";
  Multiplexer<Athlon>({{"event 20h mask 40h: removed", no_hs},
                       {"event 4[01]h mask 00h: detail ignored 0x100", walks},
                       {"event 4[01]h mask 00h line 2: detail ignored 0x100", walks},
                       {"event 4[01]h mask 00h line 2: alternative dropped 0x40", references},
                       {"event 47h mask 00h: detail ignored 0x100", walks},
                       {"event d[cdef]h mask 00h line 2: detail ignored 0x100", walks},
                       {"event 43h mask [01][148]h: detail ignored 0x1", code_lines},
                       {"event 43h mask 10h: detail ignored 0x1", code_lines},
                       {"event 44h mask 01h: removed", victims},
                       {"event 44h mask 01h: the next signal", victims},
                       {"event 44h mask 01h: detail turned round 0x[12]", victims},
                       {"event 44h mask 01h: detail * 0x100", victims},
                       {"event 79h mask 80h: detail ignored 0x8", entries},
                       {"event 89h mask 00h: detail ignored 0x1", pushes},
                       {"event c[35]h mask 00h: trait dropped 0x200", predicted},
                       {"event cah mask 00h: trait let in 0x1000", indirect},
                       {"event d0h mask 00h: doubled", empty},
                       {"event d0h mask 00h line 2: removed", empty},
                       {"event d0h mask 00h line 2: the next *", empty},
                       {"event d0h mask 00h line 2: cause dropped *", empty}})
      .change_everything();
}

TEST(ModelMultiplexers, Ppc750gxEntriesAreAllWatched) {
  constexpr std::string_view choice = "the wrong path is left out only under pmu.dispatch_wrong_path=exclude";
  constexpr std::string_view victims = "the core looks no victim up in L2";
  constexpr std::string_view fills = "every request of the instruction cache ends in one fill";
  constexpr std::string_view one_level = "each side has one TLB: what misses it is searched for";
  constexpr std::string_view pending = "no L2 lookup finds its line on the way";
  constexpr std::string_view cache_operations = "cache operations are neither loads nor stores";
  constexpr std::string_view resolved = "only predicted conditional branches are resolved";
  constexpr std::string_view success = "only a stwcx. succeeds";
  Multiplexer<Ppc750gx>({{"PMC0 code 4: the test ignored", choice},
                         {"PMC1 code 7: detail ignored 0x400", victims},
                         {"PMC3 code 7: detail ignored 0x400", victims},
                         {"PMC2 code 5: the next signal", fills},
                         {"PMC[23] code 6: detail ignored 0x4", one_level},
                         {"PMC[23] code 7: alternative dropped 0x4", pending},
                         {"PMC2 code 11: trait let in 0x4", cache_operations},
                         {"PMC[23] code 16: detail ignored 0x4", resolved},
                         {"PMC3 code 8: detail ignored 0x1", resolved},
                         {"PMC4 code 10: trait dropped 0x10", success}})
      .change_everything();
}

}  // namespace
}  // namespace pmusim::perturbation
