// Faults of the encoder's tables of the Athlon and the 750GX: each code exchanged with the next row's, one up, one
// down, each bit flipped.
#include <gtest/gtest.h>

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
    athlon::AthlonBackend backend{rows};
  };
  const auto faults = code_faults(codes, [&](const Codes& changed) {
    std::vector<athlon::Row> rows(original.begin(), original.end());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].code = static_cast<std::uint8_t>(changed[i]);
    const std::shared_ptr<Encoder> encoder(new Encoder{std::move(rows)});
    return encode_with({encoder, &encoder->backend});
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
    athlon::AthlonBackend backend{rows};
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
    return encode_with({encoder, &encoder->backend});
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
    ppc750gx::Ppc750Backend backend{info, tables};
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
    return encode_with({encoder, &encoder->backend});
  });
  expect_noticed("ppc750gx", "encoder ppc750gx", faults,
                 {{"PMC1 NOTHING: code 0x10 for 0x0", holds},
                  {"PMC1 NOTHING: code 0x20 for 0x0", holds},
                  {"PMC1 NOTHING: code 0x40 for 0x0", holds},
                  {"PMC2 NOTHING: code 0x20 for 0x0", holds},
                  {"PMC4 NOTHING: code 0x10 for 0x0", holds}});
}

}  // namespace
}  // namespace pmusim::testbench::faults
