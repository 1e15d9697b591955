// Faults of the encoder's tables of the Athlon, the 750GX and the Alphas: each code exchanged with the next row's, one
// up, one down, each bit flipped.
#include <gtest/gtest.h>

#include <array>

#include "alpha/backend.h"
#include "alpha/registers.h"
#include "athlon/backend.h"
#include "ppc750gx/backend.h"
#include "testbench/tests/faults/code_faults.h"
#include "testbench/tests/faults/noticed.h"

namespace pmusim::testbench::faults {

namespace {

constexpr std::string_view never_loaded = "the HS register is never loaded, so its bit counts nothing";
constexpr std::string_view never_invalid = "no victim is invalid, so its bit counts nothing";
constexpr std::string_view holds = "a reserved selector holds the counter as selector 0 does";

namespace athlon = encoder::athlon;

TEST(EncoderTables, AthlonCodesAreAllWatched) {
  const auto original = athlon::table();
  std::vector<Code> codes;
  for (const athlon::Row& row : original) {
    Code& code = codes.emplace_back(Code{std::string(row.name), {}, row.code, others(row.code, 0xff, 0xff), true});
    if (row.unit_masks.empty()) code.rows.insert(code.row);
    for (const encoder::UnitMask& mask : row.unit_masks) code.rows.insert(fmt::format("{}:{}", row.name, mask.name));
  }
  codes.back().with_next = false;
  struct Encoder {
    std::vector<athlon::Row> rows;
    std::unique_ptr<const encoder::Backend> backend = athlon::make_backend(rows);
  };
  const auto faults = code_faults(codes, [&](const Codes& changed) {
    std::vector<athlon::Row> rows(original.begin(), original.end());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].code = static_cast<std::uint8_t>(changed[i]);
    const std::shared_ptr<Encoder> encoder(new Encoder{std::move(rows)});
    return encode_with({encoder, encoder->backend.get()});
  });
  expect_noticed("athlon", "encoder athlon, events", faults, {});
}

TEST(EncoderTables, AthlonUnitMasksAreAllWatched) {
  const auto original = athlon::table();
  std::vector<Code> codes;
  for (const athlon::Row& row : original) {
    std::uint32_t all = 0;
    for (const encoder::UnitMask& mask : row.unit_masks) all |= mask.code;
    for (const encoder::UnitMask& mask : row.unit_masks) {
      const std::string name = fmt::format("{}:{}", row.name, mask.name);
      codes.push_back({name, {name}, mask.code, others(mask.code, all, 0xff), &mask != &row.unit_masks.back()});
    }
  }
  struct Encoder {
    std::vector<std::vector<encoder::UnitMask>> masks;
    std::vector<athlon::Row> rows;
    std::unique_ptr<const encoder::Backend> backend = athlon::make_backend(rows);
  };
  const auto faults = code_faults(codes, [&](const Codes& changed) {
    std::vector<std::vector<encoder::UnitMask>> masks;
    std::vector<athlon::Row> rows(original.begin(), original.end());
    auto code = changed.begin();
    for (athlon::Row& row : rows) {
      masks.emplace_back(row.unit_masks.begin(), row.unit_masks.end());
      for (encoder::UnitMask& mask : masks.back()) mask.code = *code++;
      row.unit_masks = masks.back();
    }
    const std::shared_ptr<Encoder> encoder(new Encoder{std::move(masks), std::move(rows)});
    return encode_with({encoder, encoder->backend.get()});
  });
  expect_noticed("athlon", "encoder athlon, unit masks", faults,
                 {{"SEGMENT_REGISTER_LOADS:ALL: code 0x3f for *", never_loaded},
                  {"SEGMENT_REGISTER_LOADS:?S: code 0x4[1248] for 0x[1248]", never_loaded},
                  {"SEGMENT_REGISTER_LOADS:[FG]S: code 0x[56]0 for 0x[12]0", never_loaded},
                  {"SEGMENT_REGISTER_LOADS:HS: code 0x0 for *", never_loaded},
                  {"DATA_CACHE_LINES_EVICTED:ALL: code 0x1e for *", never_invalid},
                  {"DATA_CACHE_LINES_EVICTED:INVALID: code 0x0 for *", never_invalid},
                  {"DATA_CACHE_LINES_EVICTED:*: code 0x3 for 0x2", never_invalid},
                  {"DATA_CACHE_LINES_EVICTED:*: code 0x5 for 0x4", never_invalid},
                  {"DATA_CACHE_LINES_EVICTED:*: code 0x9 for 0x8", never_invalid},
                  {"DATA_CACHE_LINES_EVICTED:*: code 0x11 for 0x10", never_invalid}});
}

namespace ppc750gx = encoder::ppc750gx;

TEST(EncoderTables, Ppc750gxSelectorsAreAllWatched) {
  constexpr std::array<std::uint32_t, 4> limits{127, 63, 31, 31};  // widths of the selectors
  std::vector<Code> codes;
  for (std::size_t counter = 0; counter < ppc750gx::kCounters; ++counter) {
    for (const ppc750gx::Row& row : ppc750gx::tables()[counter].rows) {
      codes.push_back({fmt::format("PMC{} {}", counter + 1, row.name),
                       {std::string(row.name)},
                       row.select,
                       others(row.select, limits[counter], limits[counter]),
                       &row != &ppc750gx::tables()[counter].rows.back()});
    }
  }
  struct Encoder {
    std::vector<std::vector<ppc750gx::Row>> rows;
    std::vector<ppc750gx::CounterTable> tables;
    encoder::TargetInfo info{"ppc750gx", "a changed table", 257, ppc750gx::kCounters, 32};
    std::unique_ptr<const encoder::Backend> backend = ppc750gx::make_backend(info, tables);
  };
  const auto faults = code_faults(codes, [&](const Codes& changed) {
    std::vector<std::vector<ppc750gx::Row>> rows;
    std::vector<ppc750gx::CounterTable> tables(ppc750gx::tables().begin(), ppc750gx::tables().end());
    auto code = changed.begin();
    for (ppc750gx::CounterTable& table : tables) {
      rows.emplace_back(table.rows.begin(), table.rows.end());
      for (ppc750gx::Row& row : rows.back()) row.select = static_cast<std::uint8_t>(*code++);
      table.rows = rows.back();
    }
    const std::shared_ptr<Encoder> encoder(new Encoder{std::move(rows), std::move(tables)});
    return encode_with({encoder, encoder->backend.get()});
  });
  expect_noticed("ppc750gx", "encoder ppc750gx", faults,
                 {{"PMC1 NOTHING: code 0x10 for 0x0", holds},
                  {"PMC1 NOTHING: code 0x20 for 0x0", holds},
                  {"PMC1 NOTHING: code 0x40 for 0x0", holds},
                  {"PMC2 NOTHING: code 0x20 for 0x0", holds},
                  {"PMC4 NOTHING: code 0x10 for 0x0", holds}});
}

}  // namespace

// Faults of the encoder's tables of the Alphas: each code exchanged with the next row's, one up, one down, each bit
// flipped; and each mode of the 21264A's statistics replaced by each other mode.

namespace {

using encoder::alpha::Row;
using encoder::alpha::Statistic;
using encoder::alpha::Table;

struct EncodedChip {
  const char* target;
  const Table& (*table)();
  std::unique_ptr<const encoder::Backend> (*make)(const Table&);
  std::array<std::uint32_t, 3> limits;  ///< largest code of each counter's first select
};

/// In a row with a second select only that select is changed; its first select is 0xF.
Code code_of(const Row& row, const EncodedChip& chip) {
  using encoder::alpha::kSecond;
  const std::string name(row.name);
  const std::uint32_t limit = chip.limits[row.counter];
  if (row.code <= kSecond) return {name, {name}, row.code, others(row.code, limit, limit)};
  std::set<std::uint32_t> codes;
  for (const std::uint32_t select : others(row.code >> 4U, 7, 7)) codes.insert(encoder::alpha::second_select(select));
  return {name, {name}, row.code, codes};
}

/// The modes of statistics that use the counts of the window; the others use only what became of the instruction.
Code mode_of(const Statistic& statistic) {
  const std::string name(statistic.name);
  Code code{name, {name}, statistic.sl1, {}};
  for (const char* part : {"CYCLES", "DELAY", "INFLT"}) {
    if (name.find(part) != std::string::npos) code.others = {0, 1, 2, 3};
  }
  code.others.erase(statistic.sl1);
  return code;
}

void expect_noticed(const EncodedChip& chip, const Excuses& excuses) {
  const Table& original = chip.table();
  std::vector<Code> codes;
  for (const auto& rows : original.rows) {
    for (const Row& row : rows) {
      codes.push_back(code_of(row, chip));
      codes.back().with_next = &row != &rows.back() && row.counter == (&row + 1)->counter;
    }
  }
  for (const Statistic& statistic : original.statistics) codes.push_back(mode_of(statistic));
  struct Encoder {
    std::array<std::vector<Row>, 2> rows;
    std::vector<Statistic> statistics;
    Table table;
    std::unique_ptr<const encoder::Backend> backend = {};
  };
  const auto faults = code_faults(codes, [&](const Codes& changed) {
    const std::shared_ptr<Encoder> encoder(
        new Encoder{{}, {original.statistics.begin(), original.statistics.end()}, original});
    auto code = changed.begin();
    for (std::size_t part = 0; part < original.rows.size(); ++part) {
      encoder->rows[part].assign(original.rows[part].begin(), original.rows[part].end());
      for (Row& row : encoder->rows[part]) row.code = *code++;
      encoder->table.rows[part] = encoder->rows[part];
    }
    for (Statistic& statistic : encoder->statistics) statistic.sl1 = *code++;
    encoder->table.statistics = encoder->statistics;
    encoder->backend = chip.make(encoder->table);
    return encode_with({encoder, encoder->backend.get()});
  });
  expect_noticed(chip.target, std::string("encoder ") + chip.target, faults, excuses);
}

constexpr EncodedChip ev4{"alpha-ev4", encoder::alpha::ev4_table, encoder::alpha::make_ev4, {15, 7, 0}};
constexpr EncodedChip ev5{"alpha-ev5", encoder::alpha::ev5_table, encoder::alpha::make_ev5, {1, 15, 15}};
constexpr EncodedChip pca56{"alpha-pca56", encoder::alpha::pca56_table, encoder::alpha::make_pca56, {1, 15, 15}};
constexpr EncodedChip ev6{"alpha-ev6", encoder::alpha::ev6_table, encoder::alpha::make_ev6, {1, 15, 0}};
constexpr EncodedChip ev67{"alpha-ev67", encoder::alpha::ev67_table, encoder::alpha::make_ev67, {1, 3, 0}};

TEST(EncoderTables, CodesOfThe21064AreAllWatched) {
  constexpr std::string_view low_bit = "the low bit is ignored, but for 0xA and 0xB";
  expect_noticed(ev4, {{"PF_ISSUES: code 0x1 for 0x0", low_bit},
                       {"PF_PIPEDRY: code 0x3 for 0x2", low_bit},
                       {"PF_LOADI: code 0x5 for 0x4", low_bit},
                       {"PF_PIPEFROZEN: code 0x7 for 0x6", low_bit},
                       {"PF_BRANCHI: code 0x9 for 0x8", low_bit},
                       {"PF_NONISSUES: code 0xd for 0xc", low_bit},
                       {"PF_EXTPIN0: code 0xf for 0xe", low_bit}});
}
TEST(EncoderTables, CodesOfThe21164AreAllWatched) { expect_noticed(ev5, {}); }
TEST(EncoderTables, CodesOfThe21164PCAreAllWatched) { expect_noticed(pca56, {}); }
TEST(EncoderTables, CodesOfThe21264AreAllWatched) {
  constexpr std::string_view cycles = "where retired mispredictions should be the hardware counts cycles";
  expect_noticed(ev6, {{"PF6_MUX1_CYCLES: code 0x2 for 0x0", cycles},
                       {"PF6_MUX1_RET_BRANCH_MISPREDICTS: code 0x0 for 0x2", cycles}});
}
TEST(EncoderTables, CodesOfThe21264AAreAllWatched) {
  constexpr std::string_view same_counter = "the counter that the statistic takes counts the same in both modes";
  expect_noticed(ev67, {{"PF67_PM_CYCLES: code 0x3 for 0x1", same_counter},
                        {"PF67_PM_CYCLES_PER_RET: code 0x3 for 0x1", same_counter},
                        {"PF67_PM_INFLT_RETIRES: code 0x2 for 0x0", same_counter}});
}

}  // namespace

}  // namespace pmusim::testbench::faults
