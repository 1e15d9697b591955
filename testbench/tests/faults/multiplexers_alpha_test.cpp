// Faults of the Alphas' multiplexers: a row with another weight, bound or rule, and with each of its inputs connected
// to another signal, filtered in another way, or dropped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/activity/alpha.h"
#include "models/alpha/ev4/monitor.h"
#include "models/alpha/ev5/monitor.h"
#include "models/alpha/ev6/monitor.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/tests/faults/multiplexer_faults.h"
#include "testbench/tests/faults/noticed.h"

namespace pmusim::testbench::faults::alpha {
namespace {

using activity::Signal;
using activity::State;
using pmu::alpha::Behaviour;
using pmu::alpha::Chip;
using pmu::alpha::Event;
using pmu::alpha::Input;
using pmu::alpha::Rule;

/// Bits of a signal's detail that form a number.
unsigned number_in(Signal signal) {
  namespace d = activity::detail;
  switch (signal) {
    case Signal::pin_assert:
    case Signal::replay_trap:
    case Signal::pal_entry:
    case Signal::read_miss:
      return 0xffff;
    case Signal::system_command:
      return activity::alpha::detail::system_command_mask;
    case Signal::line_evict:
      return d::cache_mask | 7u << d::evict_state_shift;
    default:
      return 0;
  }
}

void change_rule(const Event& row, Variants<Event>& changes) {
  changes.add("one more for each", [](Event& e) { ++e.weight; });
  const bool occurs = row.inputs[0].signal != Signal::count_;
  switch (row.rule) {
    case Rule::sum:
      if (!occurs) return;
      changes.add("without bound", [](Event& e) { e.high = 0; });
      if (row.high > 1) changes.add("one less at most", [](Event& e) { --e.high; });
      return;
    case Rule::within:
      changes.add("all of a cycle", [](Event& e) {
        e.rule = Rule::sum;
        e.high = 0;
      });
      changes.add("one less too", [](Event& e) { --e.low; });
      changes.add("one more too", [](Event& e) { ++e.high; });
      return;
    case Rule::complement:
      changes.add("what is there", [](Event& e) { e.rule = Rule::sum; });
      changes.add("of one more", [](Event& e) { ++e.high; });
      return;
    case Rule::carried:
      changes.add("what is above the bound lost", [](Event& e) { e.rule = Rule::sum; });
      return;
    case Rule::long_run:
      changes.add("every cycle", [](Event& e) { e.rule = Rule::sum; });
      return;
    case Rule::sampled:  // no effect by default (pmu.pin_clock)
    case Rule::nothing:
      return;
  }
}

void change_detail(const Input& input, std::size_t i, const std::string& which, Variants<Event>& changes) {
  const unsigned number = input.mask & number_in(input.signal);
  if (number != 0) {
    const unsigned one = number & (~number + 1);
    changes.add(which + "the next number", [=](Event& e) {
      Input& in = e.inputs[i];
      in.value = static_cast<std::uint16_t>((in.value & ~number) | ((in.value + one) & number));
    });
    changes.add(which + "any number", [=](Event& e) {
      Input& in = e.inputs[i];
      in.mask = static_cast<std::uint16_t>(in.mask & ~number);
      in.value = static_cast<std::uint16_t>(in.value & ~number);
    });
  }
  changes.for_each_bit(which + "detail turned round", input.mask & ~number, [i](Event& e, std::uint64_t bit) {
    e.inputs[i].value = static_cast<std::uint16_t>(e.inputs[i].value ^ bit);
  });
  changes.for_each_bit(which + "detail ignored", input.mask & ~number, [i](Event& e, std::uint64_t bit) {
    e.inputs[i].mask = static_cast<std::uint16_t>(e.inputs[i].mask & ~bit);
    e.inputs[i].value = static_cast<std::uint16_t>(e.inputs[i].value & ~bit);
  });
  changes.for_each_bit(which + "alternative dropped", input.any, [i](Event& e, std::uint64_t bit) {
    e.inputs[i].any = static_cast<std::uint16_t>(e.inputs[i].any & ~bit);
  });
}

void change_input(const Event& row, std::size_t i, Variants<Event>& changes) {
  const Input& input = row.inputs[i];
  const std::string which = row.input_count == 1 ? "" : fmt::format("input {}: ", i + 1);
  if (row.input_count > 1) {
    changes.add(which + "dropped", [i](Event& e) {
      e.inputs[i] = e.inputs[1 - i];
      e.input_count = 1;
    });
  }
  if (input.signal != Signal::count_) {
    changes.add(which + "the next signal", [i](Event& e) { e.inputs[i].signal = next_of(e.inputs[i].signal); });
    change_detail(input, i, which, changes);
    changes.for_each_bit(which + "kind dropped", input.kinds,
                         [i](Event& e, std::uint64_t bit) { e.inputs[i].kinds &= ~static_cast<std::uint32_t>(bit); });
    if (input.kinds != 0) changes.add(which + "any kind", [i](Event& e) { e.inputs[i].kinds = 0; });
    if (input.mispredicted)
      changes.add(which + "however predicted", [i](Event& e) { e.inputs[i].mispredicted = false; });
  } else if (input.state != State::count_) {
    changes.add(which + "the next state", [i](Event& e) { e.inputs[i].state = next_of(e.inputs[i].state); });
    const std::uint64_t values = input.state == State::issue_stall ? 0x1ff : 3;  // possible values; of pins the first
    changes.for_each_bit(which + "value turned round", values,
                         [i](Event& e, std::uint64_t bit) { e.inputs[i].values ^= bit; });
  } else {
    changes.add(which + "connected to issue", [i](Event& e) { e.inputs[i].signal = Signal::issue; });
  }
}

/// The statistics that show the counts of counters 0 and 1 in a window, by SL1.
constexpr std::array<std::string_view, 4> shown{"PF67_PM_INFLT_RETIRES", "PF67_PM_DELAY", "PF67_PM_INFLT_BCACHE_MISS",
                                                "PF67_PM_INFLT_REPLAYS"};

/// True if the encoder's code selects the row: the second select is in the bits above the first, and on the 21264A SL1
/// applies to both counters. Changes of flow keep their code when SEL2 is used.
bool selects(const Event& row, unsigned counter, std::uint32_t code, bool ev67) {
  if (counter != row.counter) return false;
  if (ev67 && counter == 0) return code == (row.select & 1u);
  const bool second = row.second != Event::no_second && row.select == pmu::alpha::ev5::second_select;
  return code == (second ? std::uint32_t{row.second} << 4u | row.select : std::uint32_t{row.select});
}

/// `of` is the chip's multiplexer.
template <class Monitor, Chip chip, std::span<const Event> (*of)()>
struct Alpha {
  using Row = Event;
  static constexpr bool each_counts = false;  ///< the 21164PC's pin is not connected
  static constexpr bool numbered = false;
  static inline std::string target;
  static std::vector<Row> table() { return {of().begin(), of().end()}; }
  static std::unique_ptr<pmu::Monitor> make(const models::Parameters& parameters) {
    return std::make_unique<Monitor>(Behaviour(chip, parameters), Multiplexer<Alpha>::changed);
  }
  static bool is_connected(const Row& row) {
    static const Behaviour defaults(chip, models::find_target(target)->parameters());
    return row.only_if.holds(defaults);
  }
  static std::string place(const Row& row) {
    const std::string place = fmt::format("counter {} select {:x}h", row.counter, row.select);
    return row.second == Event::no_second ? place : fmt::format("{}, {}", place, row.second);
  }
  static void exchange_places(Row& a, Row& b) {
    std::swap(a.counter, b.counter);
    std::swap(a.select, b.select);
    std::swap(a.second, b.second);
  }
  static Rows rows_of(const Row& row) {
    static const std::vector<encoder::EventInfo> events = *encoder::events(target);
    const bool ev67 = chip == Chip::ev67;
    Rows rows;
    for (const encoder::EventInfo& event : events) {
      const bool fits = std::any_of(event.counter_codes.begin(), event.counter_codes.end(),
                                    [&](const auto& place) { return selects(row, place.first, place.second, ev67); });
      if (fits) rows.insert(event.name);
    }
    if (ev67) rows.insert(std::string(shown[row.select]));
    return rows;
  }
  static std::vector<Variant<Row>> variants(const Row& row) {
    Variants<Row> variants(row);
    change_rule(row, variants);
    for (std::size_t i = 0; i < row.input_count; ++i) change_input(row, i, variants);
    return variants.list;
  }
  static void expect_all_noticed(const char* name, const Excuses& excuses) {
    target = name;
    expect_noticed(target, "model " + target, Multiplexer<Alpha>::faults(), excuses);
  }
};

constexpr std::string_view never_more = "the core never makes more of it in a cycle";
constexpr std::string_view no_walks = "the Alphas walk their page tables in PALcode";
constexpr std::string_view no_prefetches = "lines that are brought ahead are requested, not fetched";

TEST(Multiplexers, OfThe21064AreAllWatched) {
  constexpr std::string_view behind_jumps = "what a jump goes to issues two cycles after it";
  constexpr std::string_view same_cycle = "another replay is in the cycle of the load's issue, and a cycle counts one";
  constexpr std::string_view replayed = "in the cycle of a fill the load that missed has the Abox again";
  Alpha<pmu::alpha::Ev4Monitor, Chip::ev4, pmu::alpha::ev4_multiplexer>::expect_all_noticed(
      "alpha-ev4", {{"*: without bound", never_more},
                    {"counter 0 select [26]h: value turned round 0x40", behind_jumps},
                    {"counter 0 select 4h: input 2: any number", same_cycle},
                    {"counter 1 select 0h: alternative dropped 0x1000", replayed},
                    {"counter 1 select 0h: detail ignored 0x100", no_walks},
                    {"counter 1 select 1h: detail ignored 0x40", no_prefetches},
                    {"counter 1 select 2h: one more too", never_more}});
}

/// Adds the equivalents of both 21164s.
Excuses with_those_of_the_21164(const Excuses& list) {
  constexpr std::string_view of_21064 = "a cause of the 21064";
  constexpr std::string_view always_walks = "whatever a translation buffer reports is a miss";
  const Excuses both{{"counter [02] select *: without bound", never_more},
                     {"counter 1 select [!f]*: without bound", never_more},
                     {"counter 1 select [02]h: value turned round 0x[24]0", of_21064},
                     {"counter 2 select [0d]h: value turned round 0x[24]0", of_21064},
                     {"counter 1 select 7h: one more too", never_more},
                     {"counter 1 select eh: detail ignored 0x100", no_walks},
                     {"counter 2 select 6h: detail ignored 0x100", no_walks},
                     {"counter 2 select 4h: detail ignored 0x40", no_prefetches},
                     {"counter 2 select [57]h: detail ignored 0x4", always_walks}};
  return list + both;
}

TEST(Multiplexers, OfThe21164AreAllWatched) {
  const auto equivalents = with_those_of_the_21164({{"counter 1 select fh, [!5]: without bound", never_more}});
  Alpha<pmu::alpha::Ev5Monitor, Chip::ev5, pmu::alpha::ev5_multiplexer>::expect_all_noticed("alpha-ev5", equivalents);
}

TEST(Multiplexers, OfThe21164PCAreAllWatched) {
  constexpr std::string_view no_scache = "only an Scache writes back to the Bcache";
  constexpr std::string_view clean = "what is found clean is a write that hits";
  const auto equivalents = with_those_of_the_21164({{"counter 1 select fh, ?: without bound", never_more},
                                                    {"counter [12] select fh, [01]: detail ignored 0x400", no_scache},
                                                    {"counter 1 select fh, 5: detail ignored 0x2", clean},
                                                    {"counter 1 select fh, 5: detail ignored 0x20", clean}});
  Alpha<pmu::alpha::Ev5Monitor, Chip::pca56, pmu::alpha::pca56_multiplexer>::expect_all_noticed("alpha-pca56",
                                                                                                equivalents);
}

TEST(Multiplexers, OfThe21264AreAllWatched) {
  constexpr std::string_view three_levels = "page tables have three levels, unless core.four_levels says otherwise";
  Alpha<pmu::alpha::Ev6Monitor, Chip::ev6, pmu::alpha::ev6_multiplexer>::expect_all_noticed(
      "alpha-ev6", {{"counter 1 select [3-7]h: without bound", never_more},
                    {"counter 1 select 4h: input 2: dropped", three_levels},
                    {"counter 1 select 4h: input 2: the next signal", three_levels}});
}

TEST(Multiplexers, OfThe21264AAreAllWatched) {
  Alpha<pmu::alpha::Ev6Monitor, Chip::ev67, pmu::alpha::ev67_multiplexer>::expect_all_noticed(
      "alpha-ev67", {{"counter 1 select [23]h: without bound", never_more},
                     {"counter 0 select 3h: place exchanged with the next", "both count cycles"}});
}

}  // namespace
}  // namespace pmusim::testbench::faults::alpha
