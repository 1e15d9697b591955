// Faults of the Athlon's and the 750GX's multiplexers: the line of an entry connected to another signal or state, or
// doubled; each of its conditions dropped or inverted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/athlon/monitor.h"
#include "models/ppc750gx/monitor.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/tests/faults/multiplexer_faults.h"
#include "testbench/tests/faults/noticed.h"

namespace pmusim::testbench::faults {
namespace {

using pmu::Line;

const std::vector<encoder::EventInfo>& events_of(const std::string& target) {
  static std::map<std::string, std::vector<encoder::EventInfo>> all;
  auto& events = all[target];
  if (events.empty()) events = *encoder::events(target);
  return events;
}

/// Bits of a signal's detail that form a number: without one of them the line would also match numbers that do not
/// exist.
std::uint16_t number_bits(activity::Signal signal) {
  using activity::Signal;
  namespace d = activity::detail;
  switch (signal) {
    case Signal::segment_load:
    case Signal::l2_array:
      return 7;
    case Signal::bus_request:
      return d::bus_type_mask;
    case Signal::line_fill:
      return 7 << d::fill_found_shift | 7 << d::fill_installed_shift;
    case Signal::line_evict:
      return d::cache_mask | 7 << d::evict_state_shift;
    default:
      return 0;
  }
}

template <class Row>
void change_occurrences(Variants<Row>& changes) {
  const Line& line = changes.row().line;
  using Bits = std::uint16_t;
  changes.add("the next signal", [](Row& row) { row.line.signal = next_of(row.line.signal); });
  changes.for_each_bit("detail turned round", line.mask, [](Row& row, Bits bit) { row.line.value ^= bit; });
  const auto flags = static_cast<Bits>(line.mask & ~number_bits(line.signal));
  changes.for_each_bit("detail ignored", flags, [](Row& row, Bits bit) {
    row.line.mask &= static_cast<Bits>(~bit);
    row.line.value &= static_cast<Bits>(~bit);
  });
  changes.for_each_bit("alternative dropped", line.any,
                       [](Row& row, Bits bit) { row.line.any &= static_cast<Bits>(~bit); });
  changes.for_each_bit("trait dropped", line.has, [](Row& row, std::uint32_t bit) { row.line.has &= ~bit; });
  changes.for_each_bit("trait let in", line.lacks, [](Row& row, std::uint32_t bit) { row.line.lacks &= ~bit; });
  if (line.test != nullptr) changes.add("the test ignored", [](Row& row) { row.line.test = nullptr; });
}

template <class Row>
void change_level(Variants<Row>& changes) {
  const Line& line = changes.row().line;
  using Bits = std::uint64_t;
  changes.add("the next state", [](Row& row) { row.line.state = next_of(row.line.state); });
  changes.add("turned round", [](Row& row) { row.line.when_clear = !row.line.when_clear; });
  if (line.level_mask == ~Bits{0})
    return changes.add("bit 0 ignored", [](Row& row) { row.line.level_mask &= ~Bits{1}; });
  changes.for_each_bit("cause dropped", line.level_mask, [](Row& row, Bits bit) { row.line.level_mask &= ~bit; });
  changes.add("the next causes", [](Row& row) { row.line.level_mask <<= 1; });
}

template <class Row>
void change_line(Variants<Row>& changes) {
  if (changes.row().line.is_level()) {
    change_level(changes);
    if (!changes.row().line.qualifies) changes.list.push_back({"doubled", {changes.row(), changes.row()}});
  } else if (changes.row().line.signal != activity::Signal::count_) {
    change_occurrences(changes);
  } else {
    changes.add("connected to segment loads", [](Row& row) { row.line.signal = activity::Signal::segment_load; });
  }
}

struct Athlon {
  static constexpr const char* target = "athlon";
  using Row = pmu::athlon::EventRow;
  static constexpr bool each_counts = true, numbered = true;
  static std::vector<Row> table() {
    const auto rows = pmu::athlon::multiplexer();
    return {rows.begin(), rows.end()};
  }
  static bool is_connected(const Row& row) {
    static const pmu::athlon::Behaviour defaults(models::find_target(target)->parameters());
    return row.only_if.holds(defaults) && row.path.holds(defaults);
  }
  static std::unique_ptr<pmu::Monitor> make(const models::Parameters& parameters) {
    return std::make_unique<pmu::athlon::AthlonMonitor>(parameters, Multiplexer<Athlon>::changed);
  }
  static std::string place(const Row& entry) {
    return fmt::format("event {:02x}h mask {:02x}h", entry.code, entry.unit);
  }
  static void exchange_places(Row& a, Row& b) {
    std::swap(a.code, b.code);
    std::swap(a.unit, b.unit);
  }
  static Rows rows_of(const Row& entry) {
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
  static std::vector<Variant<Row>> variants(const Row& row) {
    Variants<Row> variants(row);
    change_line(variants);
    return variants.list;
  }
};

struct Ppc750gx {
  static constexpr const char* target = "ppc750gx";
  using Row = pmu::ppc750gx::EventRow;
  static constexpr bool each_counts = true, numbered = true;
  static std::vector<Row> table() {
    const auto rows = pmu::ppc750gx::multiplexer();
    return {rows.begin(), rows.end()};
  }
  static bool is_connected(const Row& row) {
    static const pmu::ppc750gx::Behaviour defaults(models::find_target(target)->parameters());
    return row.only_if.holds(defaults);
  }
  static std::unique_ptr<pmu::Monitor> make(const models::Parameters& parameters) {
    return std::make_unique<pmu::ppc750gx::Ppc750gxMonitor>(parameters, Multiplexer<Ppc750gx>::changed);
  }
  static std::string place(const Row& entry) { return fmt::format("PMC{} code {}", entry.counter, entry.code); }
  static void exchange_places(Row& a, Row& b) {
    std::swap(a.counter, b.counter);
    std::swap(a.code, b.code);
  }
  static Rows rows_of(const Row& entry) {
    Rows rows;
    for (const encoder::EventInfo& event : events_of(target)) {
      for (const auto& [counter, code] : event.counter_codes) {
        if ((entry.counter == 0 || counter + 1 == entry.counter) && code == entry.code) rows.insert(event.name);
      }
    }
    return rows;
  }
  static std::vector<Variant<Row>> variants(const Row& row) {
    Variants<Row> variants(row);
    if (!row.time_base) change_line(variants);
    variants.add("the time base or not", [](Row& other) { other.time_base = !other.time_base; });
    for (std::uint8_t without = 1; without <= 4 && row.counter == 0; ++without) {
      Variant<Row>& others = variants.list.emplace_back(Variant<Row>{fmt::format("not on PMC{}", without), {}});
      for (std::uint8_t counter = 1; counter <= 4; ++counter) {
        if (counter == without) continue;
        others.rows.push_back(row);
        others.rows.back().counter = counter;
      }
    }
    return variants.list;
  }
};

TEST(Multiplexers, AthlonEntriesAreAllWatched) {
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
  expect_noticed("athlon", "model athlon", Multiplexer<Athlon>::faults(),
                 {{"event 20h mask 40h: removed", no_hs},
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
                  {"event d0h mask 00h line 2: cause dropped *", empty}});
}

TEST(Multiplexers, Ppc750gxEntriesAreAllWatched) {
  constexpr std::string_view victims = "the core looks no victim up in L2";
  constexpr std::string_view fills = "every request of the instruction cache ends in one fill";
  constexpr std::string_view one_level = "each side has one TLB: what misses it is searched for";
  constexpr std::string_view pending = "no L2 lookup finds its line on the way";
  constexpr std::string_view cache_operations = "cache operations are neither loads nor stores";
  constexpr std::string_view resolved = "only predicted conditional branches are resolved";
  constexpr std::string_view success = "only a stwcx. succeeds";
  expect_noticed("ppc750gx", "model ppc750gx", Multiplexer<Ppc750gx>::faults(),
                 {{"PMC1 code 7: detail ignored 0x400", victims},
                  {"PMC3 code 7: detail ignored 0x400", victims},
                  {"PMC2 code 5: the next signal", fills},
                  {"PMC[23] code 6: detail ignored 0x4", one_level},
                  {"PMC[23] code 7: alternative dropped 0x4", pending},
                  {"PMC2 code 11: trait let in 0x4", cache_operations},
                  {"PMC[23] code 16: detail ignored 0x4", resolved},
                  {"PMC3 code 8: detail ignored 0x1", resolved},
                  {"PMC4 code 10: trait dropped 0x10", success}});
}

}  // namespace
}  // namespace pmusim::testbench::faults
