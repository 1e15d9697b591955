// Every row of the Alphas' multiplexers changed: removed, its code exchanged with the next row's, and every variant of
// other_rows().
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "alpha_inputs.h"
#include "models/alpha/ev4/monitor.h"
#include "models/alpha/ev5/monitor.h"
#include "models/alpha/ev6/monitor.h"
#include "pmusim/encoder/encoder.h"
#include "tally.h"

namespace pmusim::perturbation {
namespace {

using pmu::alpha::Behaviour;
using pmu::alpha::Chip;
using pmu::alpha::Event;

template <class Monitor, Chip chip>
struct ChangedRows {
  static inline std::vector<Event> rows;  ///< of monitors made from now on
  static std::unique_ptr<pmu::Monitor> make(const models::Parameters& parameters) {
    return std::make_unique<Monitor>(Behaviour(chip, parameters), rows);
  }
};

/// The statistics that show the counts of counters 0 and 1 in a window, by SL1.
constexpr std::array<std::string_view, 4> shown{"PF67_PM_INFLT_RETIRES", "PF67_PM_DELAY", "PF67_PM_INFLT_BCACHE_MISS",
                                                "PF67_PM_INFLT_REPLAYS"};

std::string place_of(const Event& row) {
  const std::string place = fmt::format("counter {} select {:x}h", row.counter, row.select);
  return row.second == Event::no_second ? place : fmt::format("{}, {}", place, row.second);
}

/// True if the encoder's code selects the row: the second select is in the bits above the first, and on the 21264A SL1
/// applies to both counters. Changes of flow keep their code when SEL2 is used.
bool selects(const Event& row, unsigned counter, std::uint32_t code, bool ev67) {
  if (counter != row.counter) return false;
  if (ev67 && counter == 0) return code == (row.select & 1u);
  const bool second = row.second != Event::no_second && row.select == pmu::alpha::ev5::second_select;
  return code == (second ? std::uint32_t{row.second} << 4u | row.select : std::uint32_t{row.select});
}

template <class Monitor, Chip chip>
class Multiplexer {
 public:
  Multiplexer(const std::string& target, std::span<const Event> table, std::vector<Equivalent> equivalents)
      : target_(target),
        events_(*encoder::events(target)),
        original_(table.begin(), table.end()),
        defaults_(chip, models::find_target(target)->parameters()),
        tally_(bench_of(target), "model " + target, std::move(equivalents)) {}

  void change_everything() {
    for (std::size_t i = 0; i < original_.size(); ++i) {
      const Event& row = original_[i];
      if (!is_connected(row)) continue;
      const Rows affected = rows_of(row);
      if (affected.empty()) continue;  // only the 21164PC's pin, which is not connected there
      change(row, "removed", affected, [&](auto& rows) { rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i)); });
      exchange_with_next(i, affected);
      for (const OtherRow& other : other_rows(row)) {
        change(row, other.change, affected, [&](auto& rows) { rows[i] = other.row; });
      }
    }
  }

 private:
  [[nodiscard]] bool is_connected(const Event& row) const { return row.only_if.holds(defaults_); }
  void exchange_with_next(std::size_t i, const Rows& affected) {
    const auto next = std::find_if(original_.begin() + static_cast<std::ptrdiff_t>(i) + 1, original_.end(),
                                   [&](const Event& row) { return is_connected(row); });
    if (next == original_.end()) return;
    const auto n = static_cast<std::size_t>(next - original_.begin());
    Rows both = affected;
    both.merge(rows_of(*next));
    change(original_[i], "place exchanged with the next", both, [&](auto& rows) {
      std::swap(rows[i].counter, rows[n].counter);
      std::swap(rows[i].select, rows[n].select);
      std::swap(rows[i].second, rows[n].second);
    });
  }
  Rows rows_of(const Event& row) {
    const bool ev67 = chip == Chip::ev67;
    Rows rows;
    for (const encoder::EventInfo& event : events_) {
      const bool fits = std::any_of(event.counter_codes.begin(), event.counter_codes.end(),
                                    [&](const auto& place) { return selects(row, place.first, place.second, ev67); });
      if (fits) rows.insert(event.name);
    }
    if (ev67) rows.insert(std::string(shown[row.select]));
    return rows;
  }
  template <class Change>
  void change(const Event& row, const std::string& name, const Rows& affected, Change make) {
    if (!tally_.next()) return;
    ChangedRows<Monitor, chip>::rows = original_;
    make(ChangedRows<Monitor, chip>::rows);
    Exchange exchange;
    exchange.make_monitor = ChangedRows<Monitor, chip>::make;
    tally_.expect_noticed(fmt::format("{}: {}", place_of(row), name), affected, exchange);
  }

  std::string target_;
  std::vector<encoder::EventInfo> events_;
  std::vector<Event> original_;
  Behaviour defaults_;
  Tally tally_;
};

constexpr std::string_view never_more = "the core never makes more of it in a cycle";
constexpr std::string_view no_walks = "the Alphas walk their page tables in PALcode";
constexpr std::string_view no_prefetches = "lines that are brought ahead are requested, not fetched";

TEST(AlphaMultiplexers, OfThe21064AreAllWatched) {
  constexpr std::string_view behind_jumps = "what a jump goes to issues two cycles after it";
  constexpr std::string_view same_cycle = "another replay is in the cycle of the load's issue, and a cycle counts one";
  constexpr std::string_view replayed = "in the cycle of a fill the load that missed has the Abox again";
  Multiplexer<pmu::alpha::Ev4Monitor, Chip::ev4>("alpha-ev4", pmu::alpha::ev4_multiplexer(),
                                                 {{"*: without bound", never_more},
                                                  {"counter 0 select [26]h: value turned round 0x40", behind_jumps},
                                                  {"counter 0 select 4h: input 2: any number", same_cycle},
                                                  {"counter 1 select 0h: alternative dropped 0x1000", replayed},
                                                  {"counter 1 select 0h: detail ignored 0x100", no_walks},
                                                  {"counter 1 select 1h: detail ignored 0x40", no_prefetches},
                                                  {"counter 1 select 2h: one more too", never_more}})
      .change_everything();
}

/// Adds the equivalents of both 21164s.
std::vector<Equivalent> with_those_of_the_21164(std::vector<Equivalent> list) {
  constexpr std::string_view of_21064 = "a cause of the 21064";
  constexpr std::string_view always_walks = "whatever a translation buffer reports is a miss";
  const std::vector<Equivalent> both{{"counter [02] select *: without bound", never_more},
                                     {"counter 1 select [!f]*: without bound", never_more},
                                     {"counter 1 select [02]h: value turned round 0x[24]0", of_21064},
                                     {"counter 2 select [0d]h: value turned round 0x[24]0", of_21064},
                                     {"counter 1 select 7h: one more too", never_more},
                                     {"counter 1 select eh: detail ignored 0x100", no_walks},
                                     {"counter 2 select 6h: detail ignored 0x100", no_walks},
                                     {"counter 2 select 4h: detail ignored 0x40", no_prefetches},
                                     {"counter 2 select [57]h: detail ignored 0x4", always_walks}};
  list.insert(list.end(), both.begin(), both.end());
  return list;
}

TEST(AlphaMultiplexers, OfThe21164AreAllWatched) {
  const auto equivalents = with_those_of_the_21164({{"counter 1 select fh, [!5]: without bound", never_more}});
  Multiplexer<pmu::alpha::Ev5Monitor, Chip::ev5>("alpha-ev5", pmu::alpha::ev5_multiplexer(), equivalents)
      .change_everything();
}

TEST(AlphaMultiplexers, OfThe21164PCAreAllWatched) {
  constexpr std::string_view no_scache = "only an Scache writes back to the Bcache";
  constexpr std::string_view clean = "what is found clean is a write that hits";
  const auto equivalents = with_those_of_the_21164({{"counter 1 select fh, ?: without bound", never_more},
                                                    {"counter [12] select fh, [01]: detail ignored 0x400", no_scache},
                                                    {"counter 1 select fh, 5: detail ignored 0x2", clean},
                                                    {"counter 1 select fh, 5: detail ignored 0x20", clean}});
  Multiplexer<pmu::alpha::Ev5Monitor, Chip::pca56>("alpha-pca56", pmu::alpha::pca56_multiplexer(), equivalents)
      .change_everything();
}

TEST(AlphaMultiplexers, OfThe21264AreAllWatched) {
  constexpr std::string_view three_levels = "page tables have three levels, unless core.four_levels says otherwise";
  Multiplexer<pmu::alpha::Ev6Monitor, Chip::ev6>("alpha-ev6", pmu::alpha::ev6_multiplexer(),
                                                 {{"counter 1 select [3-7]h: without bound", never_more},
                                                  {"counter 1 select 4h: input 2: dropped", three_levels},
                                                  {"counter 1 select 4h: input 2: the next signal", three_levels}})
      .change_everything();
}

TEST(AlphaMultiplexers, OfThe21264AAreAllWatched) {
  Multiplexer<pmu::alpha::Ev6Monitor, Chip::ev67>(
      "alpha-ev67", pmu::alpha::ev67_multiplexer(),
      {{"counter 1 select [23]h: without bound", never_more},
       {"counter 0 select 3h: place exchanged with the next", "both count cycles"}})
      .change_everything();
}

}  // namespace
}  // namespace pmusim::perturbation
