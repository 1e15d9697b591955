// The table of deviations: libpfm 3.10's answer, this library's answer, and the effect of each set of registers on a
// probe. deviations.jsonl has the same table for other suites.
#include <gtest/gtest.h>
#include <perfmon/pfmlib_montecito.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "testbench/tests/encoder_itanium2/json_case.h"

namespace pmusim::encoder::test {
namespace {

const std::vector<Json>& deviations() {
  static const std::vector<Json> rows =
      read_lines(PMUSIM_SOURCE_DIR "/testbench/tests/encoder_montecito/deviations.jsonl");
  return rows;
}

constexpr const char* kAddresses = "shifted-address";

/// The row's quirk alone, and that of register addresses, which libpfm shifts in every answer with code ranges.
std::string alone(const Json& row) {
  const auto quirk = row.at("quirk").get<std::string>();
  return quirk == kAddresses ? quirk : quirk + "," + kAddresses;
}

TEST(Deviations, EachQuirkGivesLibpfmsAnswerAndNoneOurs) {
  std::set<std::string> shown;
  for (const Json& row : deviations()) {
    SCOPED_TRACE(row.at("what").get<std::string>());
    for (const std::string& words : {quirks_of(row.at("in")), alone(row)}) {
      const WithQuirks quirks(words);
      EXPECT_EQ(answer_to(row.at("in")), row.at("libpfm")) << words;
    }
    EXPECT_EQ(answer_to(row.at("in")), row.at("here"));
    EXPECT_NE(row.at("libpfm"), row.at("here"));
    shown.insert(row.at("quirk").get<std::string>());
  }
  EXPECT_EQ(shown,
            (std::set<std::string>{"short-cover", "wide-block", "fine-page-32-bits", "fine-offsets", "second-fine",
                                   "top-offset", "used-exactly-one", "coarse-refused", "coarse-pair-twice", kAddresses,
                                   "set-eight", "foreign-set", "reject-on-chooser"}));
}

TEST(Deviations, OurAnswersKeepThePromise) {
  for (const Json& row : deviations()) {
    SCOPED_TRACE(row.at("what").get<std::string>());
    EXPECT_EQ(broken_promise(row.at("in"), row.at("here"), kMontecitoRanges), "");
    Json libpfm = row.at("libpfm");
    const bool ranges = libpfm.contains("irange") || libpfm.contains("drange");
    if (libpfm.contains("irange") && row.at("quirk") != kAddresses)
      for (Json& reg : libpfm["irange"]["br"]) reg = Json{reg[0], reg[1]};
    EXPECT_EQ(broken_promise(row.at("in"), libpfm, kMontecitoRanges).empty(), !ranges);
  }
}

TEST(Promise, IsKeptOnDrawnRangesAndNotByLibpfm) {
  expect_promise_kept(kMontecitoRanges);
  expect_promise_broken(kMontecitoRanges, "libpfm-3.10");
}

/// The number of registers that a program reaches when it writes to reg_addr.
std::size_t registers_hit(const Json& out) {
  const Json& registers = out.at("irange").at("br");
  return static_cast<std::size_t>(
      std::count_if(registers.begin(), registers.end(), [](const Json& reg) { return reg.size() == 2; }));
}

/// The number of L2D events on counters of their own set: PMC4 selects the set of PMC5 and PMC8, PMC6 that of PMC7 and
/// PMC9. On a counter that selects, an event with the code of an L2D event counts that L2D event.
std::size_t events_counted(const Json& in, const Json& out) {
  std::map<unsigned, int> sets;  // by counter
  std::size_t counted = 0;
  for (std::size_t i = 0; i < in.at("events").size(); ++i) {
    const auto name = in.at("events")[i].at("name").get<std::string>();
    const auto counter = out.at("pmds")[i].get<unsigned>();
    if (name == "ER_REJECT_ALL_L1_REQ") {
      counted += counter == 4 || counter == 6 ? 0 : 1;
      continue;
    }
    unsigned idx = 0;
    EXPECT_EQ(pfm_find_event(name.c_str(), &idx), PFMLIB_SUCCESS);
    EXPECT_EQ(pfm_mont_get_event_set(idx, &sets[counter]), PFMLIB_SUCCESS);
  }
  for (const auto& [counter, set] : sets) {
    const unsigned chooser = counter == 4 || counter == 5 || counter == 8 ? 4 : 6;
    counted += sets.contains(chooser) && sets.at(chooser) == set ? 1 : 0;
  }
  return counted;
}

/// The number of addresses that pass a tag channel: all if no pair constrains it. Not for fine mode.
std::size_t channel_passes(Json out, unsigned channel, const Json& addresses) {
  Json own = Json::array();
  for (const Json& reg : out.at("irange").at("br"))
    if (reg[0].get<unsigned>() / 2 == channel) own.push_back(reg);
  if (own.empty()) return addresses.size();
  out["irange"]["br"] = own;
  return addresses_passed(out, "irange", addresses, kMontecitoRanges);
}

std::size_t count(const Json& row, const Json& out) {
  const Json& probe = row.at("probe");
  const auto space = probe.at("space").get<std::string>();
  if (space == "register addresses") return registers_hit(out);
  if (space == "events") return events_counted(row.at("in"), out);
  const Json& addresses = probe.at("addresses");
  if (probe.contains("channel")) return channel_passes(out, probe.at("channel").get<unsigned>(), addresses);
  return addresses_passed(out, space == "code" ? "irange" : "drange", addresses, kMontecitoRanges);
}

std::size_t asked(const Json& row) {
  const auto space = row.at("probe").at("space").get<std::string>();
  if (space == "register addresses") return row.at("here").at("irange").at("br").size();
  if (space == "events") return row.at("in").at("events").size();
  const char* range = space == "code" ? "irange" : "drange";
  return addresses_inside(row.at("in").at("model").at(range).at("limits"), row.at("probe").at("addresses"));
}

TEST(Deviations, CountsAreThoseOfTheRegisters) {
  for (const Json& row : deviations()) {
    if (!row.contains("probe")) continue;
    SCOPED_TRACE(row.at("what").get<std::string>());
    const Json& counts = row.at("counts");
    EXPECT_EQ(asked(row), counts.at("asked"));
    for (const char* answer : {"libpfm", "here"}) {
      if (counts.at(answer).is_null())
        EXPECT_NE(row.at(answer).at("ret"), "PFMLIB_SUCCESS");
      else
        EXPECT_EQ(count(row, row.at(answer)), counts.at(answer)) << answer;
    }
  }
}

}  // namespace
}  // namespace pmusim::encoder::test
