// Every code of the Alphas' event tables changed: exchanged with the next row's, one up, one down, each bit flipped;
// and each mode of the 21264A's statistics replaced by each other mode.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "alpha/backend.h"
#include "alpha/table.h"
#include "engine.h"
#include "tally.h"
#include "testbench/judge/encoder/encoder_under_test.h"

namespace pmusim::perturbation {
namespace {

using encoder::alpha::Row;
using encoder::alpha::Statistic;
using encoder::alpha::Table;
using MakeBackend = std::unique_ptr<const encoder::Backend> (*)(const Table&);

struct EncodedChip {
  const char* target;
  const Table& (*table)();
  MakeBackend make;
  std::array<std::uint32_t, 3> limits;  ///< largest code of each counter's first select
};

/// Other codes for a row. In a row with a second select only that select is changed; its first select is 0xF.
std::set<std::uint32_t> others(const Row& row, const EncodedChip& chip) {
  using encoder::alpha::kSecond;
  const bool second = row.code > kSecond;
  const std::uint32_t limit = second ? 7 : chip.limits[row.counter];
  const std::uint32_t select = second ? row.code >> 4U : row.code;
  std::set<std::uint32_t> values;
  if (select > 0) values.insert(select - 1);
  if (select < limit) values.insert(select + 1);
  for (std::uint32_t bit = 1; bit <= limit; bit <<= 1) values.insert(select ^ bit);
  if (!second) return values;
  std::set<std::uint32_t> codes;
  for (const std::uint32_t value : values) codes.insert(encoder::alpha::second_select(value));
  return codes;
}

class EncoderTable {
 public:
  EncoderTable(const EncodedChip& chip, std::vector<Equivalent> equivalents)
      : chip_(chip),
        original_(chip.table()),
        tally_(bench_of(chip.target), std::string("encoder ") + chip.target, std::move(equivalents)) {}

  void change_everything() {
    for (std::size_t part = 0; part < original_.rows.size(); ++part) change_codes(part);
    for (std::size_t i = 0; i < original_.statistics.size(); ++i) change_mode(i);
  }

 private:
  void change_codes(std::size_t part) {
    const auto rows = original_.rows[part];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string name(rows[i].name);
      for (const std::uint32_t code : others(rows[i], chip_)) {
        change(part, fmt::format("{}: code {:#x} for {:#x}", name, code, rows[i].code), {name},
               [&](auto& changed) { changed[i].code = code; });
      }
      if (i + 1 == rows.size() || rows[i].counter != rows[i + 1].counter) continue;
      change(part, fmt::format("{} and {}: codes exchanged", name, rows[i + 1].name),
             {name, std::string(rows[i + 1].name)},
             [&](auto& changed) { std::swap(changed[i].code, changed[i + 1].code); });
    }
  }
  /// Changes the mode of statistics that use the counts of the window; the others use only what became of the
  /// instruction.
  void change_mode(std::size_t i) {
    const Statistic& statistic = original_.statistics[i];
    const auto looks_at = [&](std::string_view part) { return statistic.name.find(part) != std::string_view::npos; };
    if (!looks_at("CYCLES") && !looks_at("DELAY") && !looks_at("INFLT")) return;
    for (std::uint32_t sl1 = 0; sl1 < 4; ++sl1) {
      if (sl1 == statistic.sl1 || !tally_.next()) continue;
      std::vector<Statistic> changed(original_.statistics.begin(), original_.statistics.end());
      changed[i].sl1 = sl1;
      Table table = original_;
      table.statistics = changed;
      judge(fmt::format("{}: mode {} for {}", statistic.name, sl1, statistic.sl1), {std::string(statistic.name)},
            table);
    }
  }
  template <class Change>
  void change(std::size_t part, const std::string& name, const Rows& affected, Change make) {
    if (!tally_.next()) return;
    std::vector<Row> changed(original_.rows[part].begin(), original_.rows[part].end());
    make(changed);
    Table table = original_;
    table.rows[part] = changed;
    judge(name, affected, table);
  }
  void judge(const std::string& name, const Rows& affected, const Table& table) {
    const auto backend = chip_.make(table);
    Exchange exchange;
    exchange.encode = [&](const Group& group) {
      std::vector<std::string> texts;
      for (const testbench::Check& check : group.checks) texts.push_back(check.text());
      return testbench::answer_of(
          encoder::encode(*backend, texts, {.sampling = false, .unavailable_counters = group.unavailable_counters}));
    };
    tally_.expect_noticed(name, affected, exchange);
  }

  const EncodedChip& chip_;
  const Table& original_;
  Tally tally_;
};

constexpr EncodedChip ev4{"alpha-ev4", encoder::alpha::ev4_table, encoder::alpha::make_ev4, {15, 7, 0}};
constexpr EncodedChip ev5{"alpha-ev5", encoder::alpha::ev5_table, encoder::alpha::make_ev5, {1, 15, 15}};
constexpr EncodedChip pca56{"alpha-pca56", encoder::alpha::pca56_table, encoder::alpha::make_pca56, {1, 15, 15}};
constexpr EncodedChip ev6{"alpha-ev6", encoder::alpha::ev6_table, encoder::alpha::make_ev6, {1, 15, 0}};
constexpr EncodedChip ev67{"alpha-ev67", encoder::alpha::ev67_table, encoder::alpha::make_ev67, {1, 3, 0}};

TEST(AlphaEncoderTables, CodesOfThe21064AreAllWatched) {
  constexpr std::string_view low_bit = "the low bit is ignored, but for 0xA and 0xB";
  EncoderTable(ev4, {{"PF_ISSUES: code 0x1 for 0x0", low_bit},
                     {"PF_PIPEDRY: code 0x3 for 0x2", low_bit},
                     {"PF_LOADI: code 0x5 for 0x4", low_bit},
                     {"PF_PIPEFROZEN: code 0x7 for 0x6", low_bit},
                     {"PF_BRANCHI: code 0x9 for 0x8", low_bit},
                     {"PF_NONISSUES: code 0xd for 0xc", low_bit},
                     {"PF_EXTPIN0: code 0xf for 0xe", low_bit}})
      .change_everything();
}
TEST(AlphaEncoderTables, CodesOfThe21164AreAllWatched) { EncoderTable(ev5, {}).change_everything(); }
TEST(AlphaEncoderTables, CodesOfThe21164PCAreAllWatched) { EncoderTable(pca56, {}).change_everything(); }
TEST(AlphaEncoderTables, CodesOfThe21264AreAllWatched) {
  constexpr std::string_view cycles = "where retired mispredictions should be the hardware counts cycles";
  EncoderTable(ev6, {{"PF6_MUX1_CYCLES: code 0x2 for 0x0", cycles},
                     {"PF6_MUX1_RET_BRANCH_MISPREDICTS: code 0x0 for 0x2", cycles}})
      .change_everything();
}
TEST(AlphaEncoderTables, CodesOfThe21264AAreAllWatched) {
  constexpr std::string_view same_counter = "the counter that the statistic takes counts the same in both modes";
  EncoderTable(ev67, {{"PF67_PM_CYCLES: mode 3 for 1", same_counter},
                      {"PF67_PM_CYCLES_PER_RET: mode 3 for 1", same_counter},
                      {"PF67_PM_INFLT_RETIRES: mode 2 for 0", same_counter}})
      .change_everything();
}

}  // namespace
}  // namespace pmusim::perturbation
