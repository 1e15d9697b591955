// Every selector that the encoders of the IA-64 processors produce, with each bit flipped: those of the counters, and
// those of the event address registers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/tests/faults/noticed.h"

namespace pmusim::testbench::faults {
namespace {

/// The event address registers of a processor. Fields: unit mask and mode.
struct EarRegister {
  std::string_view rows, name;
  std::uint64_t fields;
};
struct Processor {
  const char* target;
  std::size_t usually;  ///< one in this many changes is tried
  std::array<EarRegister, 2> ears;
  Excuses excuses, ear_excuses;
};
void PrintTo(const Processor& processor, std::ostream* out) { *out << processor.target; }

std::vector<Processor> processors() {
  constexpr std::string_view miss_of_both = "what misses the second ITLB has missed the first";
  constexpr std::string_view between = "no fetch of the short traces takes a time between the two latencies";
  constexpr std::string_view whole_lines = "other agents write back whole lines, and none that are clean";
  constexpr std::string_view another_code = "Intel's event list has four codes for each of these events";
  return {{"itanium2",
           1,
           {EarRegister{"L1I_EAR_", "PMC10", 0xff << 5}, EarRegister{"DATA_EAR_", "PMC11", 0xf << 16 | 3 << 7}},
           {{"ITLB_MISSES_FETCH_ALL: bit 9", miss_of_both},
            {"ITLB_MISSES_FETCH_L1ITLB: bit 9", miss_of_both},
            {"BUS_WR_WB_EQ_128BYTE_IO: bit 11", whole_lines},
            {"BUS_WR_WB_ALL_IO: bit 11", whole_lines},
            {"BUS_WR_WB_CCASTOUT_ANY: bit 8", whole_lines},
            {"BUS_WR_WB_CCASTOUT_SELF: bit 8", whole_lines},
            {"L2_IFET_CANCELS_*: bit [23]", another_code},
            {"L2_OZQ_ACQUIRE: bit [23]", another_code},
            {"L2_OZQ_RELEASE: bit [23]", another_code}},
           {{"L1I_EAR_CACHE_LAT4: bit 12 of PMC10", between},
            {"L1I_EAR_CACHE_LAT32: bit 8 of PMC10", between},
            {"L1I_EAR_CACHE_LAT128: bit 8 of PMC10", between},
            {"L1I_EAR_CACHE_LAT1024: bit 11 of PMC10", between},
            {"L1I_EAR_CACHE_LAT4096: bit 11 of PMC10", between}}},
          {"montecito",
           29,
           {EarRegister{"L1I_EAR_", "PMC37", 0xff << 5}, EarRegister{"DATA_EAR_", "PMC40", 0xf << 16 | 3 << 7}},
           {{"ITLB_MISSES_FETCH_ALL: bit 9", miss_of_both},
            {"ITLB_MISSES_FETCH_L1ITLB: bit 9", miss_of_both},
            {"BUS_WR_WB_EQ_128BYTE_IO: bit 11", whole_lines},
            {"BUS_WR_WB_ALL_IO: bit 11", whole_lines},
            {"BUS_WR_WB_CCASTOUT_ANY: bit 8", whole_lines},
            {"BUS_WR_WB_CCASTOUT_SELF: bit 8", whole_lines}},
           {}}};
}

/// Our own answer with bits of registers flipped.
class Changed {
 public:
  Changed(const char* target, const Group& group) : answer(own_encoder()->encode(target, group)) {}
  void flip(std::string_view name, std::uint64_t bits) {
    for (encoder::RegisterValue& reg : answer.registers) reg.value ^= reg.name == name ? bits : 0;
  }
  Answer answer;
};

/// The answer with bits of the selector of the row's counter flipped: code 15:8, unit mask 19:16.
Answer with_selector_flipped(const char* target, const Group& group, const std::string& row, std::uint64_t bits) {
  Changed changed(target, group);
  for (std::size_t i = 0; i < changed.answer.counters.size(); ++i) {
    if (group.checks[i].request.event == row) changed.flip("PMC" + changed.answer.counters[i].substr(3), bits << 8);
  }
  return changed.answer;
}

/// Bits of an address register's unit mask without effect.
Excuses unread_mask_bits() {
  constexpr std::string_view no_mask = "ALAT mode has no unit mask, and mode 3 is the same";
  constexpr std::string_view no_level = "there are three levels of translation";
  constexpr std::string_view behind = "bits after the leading ones, or after 01 and 00, do not matter";
  return {{"DATA_EAR_ALAT: bit 1[6-9] of *", no_mask},       {"DATA_EAR_ALAT: bit 7 of *", no_mask},
          {"DATA_EAR_TLB_*: bit 16 of *", no_level},         {"L1I_EAR_TLB_*: bit [89] of *", no_level},
          {"L1I_EAR_TLB_*: bit 1[01] of *", no_level},       {"L1I_EAR_CACHE_LAT16: bit 5 of *", behind},
          {"L1I_EAR_CACHE_LAT32: bit [56] of *", behind},    {"L1I_EAR_CACHE_LAT128: bit [5-7] of *", behind},
          {"L1I_EAR_CACHE_LAT256: bit [5-8] of *", behind},  {"L1I_EAR_CACHE_LAT1024: bit [5-9] of *", behind},
          {"L1I_EAR_CACHE_LAT4096: bit [5-9] of *", behind}, {"L1I_EAR_CACHE_LAT4096: bit 10 of *", behind},
          {"L1I_EAR_CACHE_LAT0: bit [5-9] of *", behind},    {"L1I_EAR_CACHE_LAT0: bit 10 of *", behind},
          {"L1I_EAR_CACHE_RAB: bit [5-9] of *", behind},     {"L1I_EAR_CACHE_RAB: bit 10 of *", behind}};
}

class Ia64Selectors : public ::testing::TestWithParam<Processor> {
 protected:
  /// The rows that count under the default parameters.
  static std::vector<std::string> rows() {
    const std::string target = GetParam().target;
    const auto holding = holding_rows(target);
    std::vector<std::string> rows = row_names(target);
    std::erase_if(
        rows, [&](const std::string& row) { return std::find(holding.begin(), holding.end(), row) != holding.end(); });
    return rows;
  }
};

/// The fault of an encoder that changes its answers; `row` is the one that they are changed for.
TableFault of_answers(std::string name, const std::string& row, decltype(Exchange::encode) encode) {
  return {{std::move(name)}, {row}, [encode = std::move(encode)] { return Exchange{.encode = encode}; }};
}

TEST_P(Ia64Selectors, OfCountersAreAllWatched) {
  constexpr unsigned selector_bits = 12;
  const Processor& processor = GetParam();
  std::vector<TableFault> faults;
  for (const std::string& row : rows()) {
    for (unsigned bit = 0; bit < selector_bits; ++bit) {
      faults.push_back(of_answers(fmt::format("{}: bit {}", row, bit), row, [&processor, row, bit](const Group& group) {
        return with_selector_flipped(processor.target, group, row, std::uint64_t{1} << bit);
      }));
    }
  }
  expect_noticed(processor.target, std::string("encoder ") + processor.target, faults, processor.excuses,
                 processor.usually);
}

TEST_P(Ia64Selectors, OfAddressRegistersAreAllWatched) {
  const Processor& processor = GetParam();
  std::vector<TableFault> faults;
  for (const std::string& row : rows()) {
    for (const EarRegister& ear : processor.ears) {
      if (!row.starts_with(ear.rows) || row.ends_with("_EVENTS")) continue;
      for (unsigned bit = 0; bit < 64; ++bit) {
        if ((ear.fields >> bit & 1) == 0) continue;
        const std::string name = fmt::format("{}: bit {} of {}", row, bit, ear.name);
        faults.push_back(of_answers(name, row, [&processor, &ear, bit](const Group& group) {
          Changed changed(processor.target, group);
          changed.flip(ear.name, std::uint64_t{1} << bit);
          return changed.answer;
        }));
      }
    }
  }
  expect_noticed(processor.target, std::string("encoder ") + processor.target + ", address registers", faults,
                 unread_mask_bits() + processor.ear_excuses, processor.usually);
}

/// Our own answer with an event moved to another counter.
Answer moved(const char* target, const Group& group, const std::string& from, const std::string& to) {
  Answer answer = own_encoder()->encode(target, group);
  for (encoder::RegisterValue& reg : answer.registers) {
    if (reg.name == "PMC" + from) reg.name = "PMC" + to;
  }
  for (std::string& counter : answer.counters) {
    if (counter == "PMD" + from) counter = "PMD" + to;
  }
  return answer;
}

// An event on a counter that does not support it is noticed, although by default it counts correctly there.
TEST(BrokenRules, AreNoticedThoughTheCountIsRight) {
  struct Move {
    const char *target, *row, *from, *to;
  };
  for (const Move& move : {Move{"montecito", "BUS_ALL_SELF", "4", "10"}, Move{"montecito", "LOADS_RETIRED", "5", "4"},
                           Move{"itanium2", "LOADS_RETIRED", "5", "4"}}) {
    SCOPED_TRACE(move.row);
    const Exchange exchange{
        .encode = [&](const Group& group) { return moved(move.target, group, move.from, move.to); }};
    EXPECT_TRUE(bench_of(move.target).notices(Rows{move.row}, exchange));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Ia64Selectors, ::testing::ValuesIn(processors()),
                         [](const auto& info) { return std::string(info.param.target); });

}  // namespace
}  // namespace pmusim::testbench::faults
