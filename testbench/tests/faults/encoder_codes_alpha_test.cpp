// Faults of the encoder's tables of the Alphas: each code exchanged with the next row's, one up, one down, each bit
// flipped; and each mode of the 21264A's statistics replaced by each other mode.
#include <gtest/gtest.h>

#include <array>

#include "alpha/backend.h"
#include "alpha/registers.h"
#include "testbench/tests/faults/code_faults.h"
#include "testbench/tests/faults/noticed.h"

namespace pmusim::testbench::faults {
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
