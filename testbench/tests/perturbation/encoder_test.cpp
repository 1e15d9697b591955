// Every code of the encoder's tables changed: exchanged with the next row's, one up, one down, each bit flipped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "athlon/backend.h"
#include "engine.h"
#include "ppc750gx/backend.h"
#include "tally.h"
#include "testbench/judge/encoder/encoder_under_test.h"

namespace pmusim::perturbation {
namespace {

/// Other values for a code: one up, one down, and each of `bits` flipped.
std::set<std::uint32_t> others(std::uint32_t code, std::uint32_t bits, std::uint32_t limit) {
  std::set<std::uint32_t> values;
  if (code < limit) values.insert(code + 1);
  if (code > 0) values.insert(code - 1);
  for (std::uint32_t bit = 1; bit <= bits; bit <<= 1) {
    if ((bits & bit) != 0) values.insert(code ^ bit);
  }
  return values;
}

decltype(Exchange::encode) encode_with(const encoder::Backend& backend) {
  return [&backend](const Group& group) {
    std::vector<std::string> texts;
    for (const testbench::Check& check : group.checks) texts.push_back(check.text());
    return testbench::answer_of(
        encoder::encode(backend, texts, {.sampling = false, .unavailable_counters = group.unavailable_counters}));
  };
}

constexpr std::string_view never_loaded = "the HS register is never loaded, so its bit counts nothing";
constexpr std::string_view never_invalid = "no victim is invalid, so its bit counts nothing";
constexpr std::string_view holds = "a reserved selector holds the counter as selector 0 does";

// --- Athlon ----------------------------------------------------------------------------------------------

namespace athlon = encoder::athlon;

Rows rows_of(const athlon::Row& row) {
  Rows rows;
  if (row.unit_masks.empty()) rows.insert(std::string(row.name));
  for (const encoder::UnitMask& mask : row.unit_masks) rows.insert(fmt::format("{}:{}", row.name, mask.name));
  return rows;
}

class AthlonTable {
 public:
  explicit AthlonTable(Tally& tally) : tally_(tally) {}

  void change_codes() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const athlon::Row& row = rows_[i];
      for (const std::uint32_t code : others(row.code, 0xff, 0xff)) {
        if (!tally_.next()) continue;
        auto rows = rows_;
        rows[i].code = static_cast<std::uint8_t>(code);
        judge(fmt::format("{}: code {:#x} for {:#x}", row.name, code, row.code), rows, rows_of(row));
      }
      if (i + 1 == rows_.size() || !tally_.next()) continue;
      auto rows = rows_;
      std::swap(rows[i].code, rows[i + 1].code);
      Rows affected = rows_of(row);
      affected.merge(rows_of(rows_[i + 1]));
      judge(fmt::format("{} and {}: codes exchanged", row.name, rows_[i + 1].name), rows, affected);
    }
  }

  void change_unit_masks() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto masks = rows_[i].unit_masks;
      std::uint32_t all = 0;
      for (const encoder::UnitMask& mask : masks) all |= mask.code;
      for (std::size_t m = 0; m < masks.size(); ++m) {
        const std::string name = fmt::format("{}:{}", rows_[i].name, masks[m].name);
        for (const std::uint32_t code : others(masks[m].code, all, 0xff)) {
          if (!tally_.next()) continue;
          std::vector<encoder::UnitMask> changed(masks.begin(), masks.end());
          changed[m].code = code;
          judge(fmt::format("{}: unit mask {:#x} for {:#x}", name, code, masks[m].code), i, changed, {name});
        }
        if (m + 1 == masks.size() || !tally_.next()) continue;
        std::vector<encoder::UnitMask> changed(masks.begin(), masks.end());
        std::swap(changed[m].code, changed[m + 1].code);
        judge(fmt::format("{} and {}: unit masks exchanged", name, masks[m + 1].name), i, changed,
              {name, fmt::format("{}:{}", rows_[i].name, masks[m + 1].name)});
      }
    }
  }

 private:
  void judge(const std::string& change, const std::vector<athlon::Row>& rows, const Rows& affected) {
    const athlon::AthlonBackend backend(rows);
    Exchange exchange;
    exchange.encode = encode_with(backend);
    tally_.expect_noticed(change, affected, exchange);
  }
  void judge(const std::string& change, std::size_t row, const std::vector<encoder::UnitMask>& masks,
             const Rows& affected) {
    auto rows = rows_;
    rows[row].unit_masks = masks;
    judge(change, rows, affected);
  }

  Tally& tally_;
  const std::vector<athlon::Row> rows_{athlon::table().begin(), athlon::table().end()};
};

TEST(EncoderTables, AthlonCodesAreAllWatched) {
  Tally tally(bench_of("athlon"), "encoder athlon, events", {});
  AthlonTable(tally).change_codes();
}

TEST(EncoderTables, AthlonUnitMasksAreAllWatched) {
  Tally tally(bench_of("athlon"), "encoder athlon, unit masks",
              {{"SEGMENT_REGISTER_LOADS:ALL: unit mask 0x3f for *", never_loaded},
               {"SEGMENT_REGISTER_LOADS:?S: unit mask 0x4[1248] for 0x[1248]", never_loaded},
               {"SEGMENT_REGISTER_LOADS:[FG]S: unit mask 0x[56]0 for 0x[12]0", never_loaded},
               {"SEGMENT_REGISTER_LOADS:HS: unit mask 0x0 for *", never_loaded},
               {"DATA_CACHE_LINES_EVICTED:ALL: unit mask 0x1e for *", never_invalid},
               {"DATA_CACHE_LINES_EVICTED:INVALID: unit mask 0x0 for *", never_invalid},
               {"DATA_CACHE_LINES_EVICTED:*: unit mask 0x3 for 0x2", never_invalid},
               {"DATA_CACHE_LINES_EVICTED:*: unit mask 0x5 for 0x4", never_invalid},
               {"DATA_CACHE_LINES_EVICTED:*: unit mask 0x9 for 0x8", never_invalid},
               {"DATA_CACHE_LINES_EVICTED:*: unit mask 0x11 for 0x10", never_invalid}});
  AthlonTable(tally).change_unit_masks();
}

// --- 750GX -----------------------------------------------------------------------------------------------

namespace ppc750gx = encoder::ppc750gx;

/// The tables with a modifiable copy of one counter's rows.
struct Ppc750gxTables {
  std::vector<ppc750gx::CounterTable> tables{ppc750gx::tables().begin(), ppc750gx::tables().end()};
  std::vector<ppc750gx::Row> rows;
  explicit Ppc750gxTables(std::size_t counter) : rows(tables[counter].rows.begin(), tables[counter].rows.end()) {
    tables[counter].rows = rows;
  }
};

TEST(EncoderTables, Ppc750gxSelectorsAreAllWatched) {
  Tally tally(bench_of("ppc750gx"), "encoder ppc750gx",
              {{"PMC1 NOTHING: selector 16 for 0", holds},
               {"PMC1 NOTHING: selector 32 for 0", holds},
               {"PMC1 NOTHING: selector 64 for 0", holds},
               {"PMC2 NOTHING: selector 32 for 0", holds},
               {"PMC4 NOTHING: selector 16 for 0", holds}});
  const encoder::TargetInfo info{"ppc750gx", "a changed table", 257, ppc750gx::kCounters, 32};
  const auto judge = [&](const std::string& change, const Ppc750gxTables& changed, const Rows& affected) {
    const ppc750gx::Ppc750Backend backend(info, changed.tables);
    Exchange exchange;
    exchange.encode = encode_with(backend);
    tally.expect_noticed(change, affected, exchange);
  };
  constexpr std::array<std::uint32_t, 4> limits{127, 63, 31, 31};  // widths of the selectors
  for (std::size_t counter = 0; counter < ppc750gx::kCounters; ++counter) {
    const auto rows = ppc750gx::tables()[counter].rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string name(rows[i].name);
      for (const std::uint32_t select : others(rows[i].select, limits[counter], limits[counter])) {
        if (!tally.next()) continue;
        Ppc750gxTables changed(counter);
        changed.rows[i].select = static_cast<std::uint8_t>(select);
        judge(fmt::format("PMC{} {}: selector {} for {}", counter + 1, name, select, rows[i].select), changed, {name});
      }
      if (i + 1 == rows.size() || !tally.next()) continue;
      Ppc750gxTables changed(counter);
      std::swap(changed.rows[i].select, changed.rows[i + 1].select);
      judge(fmt::format("PMC{} {} and {}: selectors exchanged", counter + 1, name, rows[i + 1].name), changed,
            {name, std::string(rows[i + 1].name)});
    }
  }
}

}  // namespace
}  // namespace pmusim::perturbation
