// The tables of deviations: libpfm 3.10's answer, this library's answer, and the effect of each set of registers on a
// probe; the promise of the manual pages on drawn ranges. The suite `deviations` has the same tables.
#include <fmt/format.h>
#include <perfmon/pfmlib_montecito.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "processor.h"
#include "testbench/tests/cases.h"
#include "testbench/tests/sampling.h"

namespace pmusim::encoder::test {
namespace {

constexpr const char* kAddresses = "shifted-address";

class Deviations : public EachProcessor {
 protected:
  const std::vector<Json> rows = read_lines(processor().name + "_deviations.jsonl");

  /// The row's quirk alone, and that of register addresses, which libpfm shifts in every answer with code ranges.
  [[nodiscard]] std::string alone(const Json& row) const {
    const auto quirk = row.at("quirk").get<std::string>();
    return processor().name == "itanium2" || quirk == kAddresses ? quirk : quirk + "," + kAddresses;
  }
};
class Promise : public EachProcessor {};

INSTANTIATE_TEST_SUITE_P(Ia64, Deviations, ::testing::Values(&itanium2, &montecito), processor_name);
INSTANTIATE_TEST_SUITE_P(Ia64, Promise, ::testing::Values(&itanium2, &montecito), processor_name);

TEST_P(Deviations, EachQuirkGivesLibpfmsAnswerAndNoneOurs) {
  std::set<std::string> shown;
  for (const Json& row : rows) {
    SCOPED_TRACE(row.at("what").get<std::string>());
    for (const std::string& words : {quirks_of(row.at("in")), alone(row)}) {
      const WithQuirks quirks(words);
      EXPECT_EQ(processor().answer_to(row.at("in")), row.at("libpfm")) << words;
    }
    EXPECT_EQ(processor().answer_to(row.at("in")), row.at("here"));
    EXPECT_NE(row.at("libpfm"), row.at("here"));
    shown.insert(row.at("quirk").get<std::string>());
  }
  std::set<std::string> expected{"short-cover", "wide-block", "fine-page-32-bits", "fine-offsets",
                                 "second-fine", "top-offset", "used-exactly-one"};
  if (processor().name == "itanium2") {
    expected.insert({"cancel-anywhere", "unrounded-fine"});
  } else {
    expected.insert(
        {"coarse-refused", "coarse-pair-twice", kAddresses, "set-eight", "foreign-set", "reject-on-chooser"});
  }
  EXPECT_EQ(shown, expected);
}

TEST_P(Deviations, OurAnswersKeepThePromise) {
  for (const Json& row : rows) {
    SCOPED_TRACE(row.at("what").get<std::string>());
    EXPECT_EQ(broken_promise(processor(), row.at("in"), row.at("here")), "");
    Json libpfm = row.at("libpfm");
    const bool ranges = libpfm.contains("irange") || libpfm.contains("drange");
    if (libpfm.contains("irange") && row.at("quirk") != kAddresses)
      for (Json& reg : libpfm["irange"]["br"]) reg = Json{reg[0], reg[1]};
    EXPECT_EQ(broken_promise(processor(), row.at("in"), libpfm).empty(), !ranges);
  }
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
std::size_t channel_passes(const Processor& processor, Json out, unsigned channel, const Json& addresses) {
  Json own = Json::array();
  for (const Json& reg : out.at("irange").at("br"))
    if (reg[0].get<unsigned>() / 2 == channel) own.push_back(reg);
  if (own.empty()) return addresses.size();
  out["irange"]["br"] = own;
  return addresses_passed(processor, out, "irange", addresses);
}

std::size_t count(const Processor& processor, const Json& row, const Json& out) {
  const Json& probe = row.at("probe");
  const auto space = probe.at("space").get<std::string>();
  if (space == "register addresses") return registers_hit(out);
  if (space == "events") return events_counted(row.at("in"), out);
  const Json& addresses = probe.at("addresses");
  if (probe.contains("channel")) return channel_passes(processor, out, probe.at("channel").get<unsigned>(), addresses);
  return addresses_passed(processor, out, space == "code" ? "irange" : "drange", addresses);
}

std::size_t asked(const Json& row) {
  const auto space = row.at("probe").at("space").get<std::string>();
  if (space == "register addresses") return row.at("here").at("irange").at("br").size();
  if (space == "events") return row.at("in").at("events").size();
  const char* range = space == "code" ? "irange" : "drange";
  return addresses_inside(row.at("in").at("model").at(range).at("limits"), row.at("probe").at("addresses"));
}

// Our registers count everything that was requested; libpfm's do so only where they cover too much.
TEST_P(Deviations, CountsAreThoseOfTheRegisters) {
  for (const Json& row : rows) {
    if (!row.contains("probe")) continue;
    SCOPED_TRACE(row.at("what").get<std::string>());
    const Json& counts = row.at("counts");
    EXPECT_EQ(asked(row), counts.at("asked"));
    for (const char* answer : {"libpfm", "here"}) {
      if (counts.at(answer).is_null())
        EXPECT_NE(row.at(answer).at("ret"), "PFMLIB_SUCCESS");
      else
        EXPECT_EQ(count(processor(), row, row.at(answer)), counts.at(answer)) << answer;
    }
    if (!counts.at("here").is_null()) {
      EXPECT_GE(counts.at("here"), counts.at("asked"));
    }
  }
}

// libpfm computes a block's size from its mask, but blocks of 2^56 bytes and more have no mask. Two ranges use a pair
// each. The third, of 2^58 + 2^57 + 2^56 bytes at 2^60, has two pairs left: 2^58 bytes at 2^60, and 2^58 at 2^60 +
// 2^58, which ends 2^56 bytes after the range. By the masks neither block ends after the range: no offset.
TEST_P(Deviations, OffsetsFollowTheMask) {
  const Json in = Json::parse(R"({"dfl_plm":8,"flags":0,"events":[{"name":"LOADS_RETIRED"}],"model":{"drange":{"limits":
      [["0x1000","0x2000"],["0x4000","0x8000"],["0x1000000000000000","0x1700000000000000"]]}}})");
  const WithQuirks quirks("libpfm-3.10");
  const Json range = processor().answer_to(in).at("drange");
  EXPECT_EQ(range.at("infos"), Json::parse(R"([["0x0","0x0"],["0x0","0x0"],["0x0","0x0"]])"));
  EXPECT_EQ(range.at("br").at(4), Json::parse(R"([4,"0x1000000000000000"])"));
  EXPECT_EQ(range.at("br").at(6), Json::parse(R"([6,"0x1400000000000000"])"));
}

/// One to four ranges of random size and position: numbers with few and with many bits are about equally frequent, and
/// some ends are at the bounds of large blocks or next to them.
Json drawn_limits(std::mt19937_64& random, std::uint64_t granule) {
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  Json limits = Json::array();
  for (std::uint64_t n = 1 + below(4) * below(2); n > 0; --n) {
    const auto any = [&] { return random() >> below(64) << below(2) * below(40); };
    std::uint64_t start = any();
    std::uint64_t size = 1 + (any() >> 8 >> below(50));
    if (below(3) == 0) size = std::uint64_t{1} << below(57);             // a block
    if (below(3) == 0) start &= ~((std::uint64_t{1} << below(50)) - 1);  // at the bound of a block
    if (below(6) == 0) start += granule * below(3), size -= size > 64 ? granule * below(3) : 0;
    start &= ~(granule - 1);
    std::uint64_t end = (start + size + granule - 1) & ~(granule - 1);
    if (end <= start) end = start + granule;
    limits.push_back({hex(start), hex(end)});
  }
  return limits;
}

Json drawn_request(unsigned seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  Json model = Json::object();
  const std::uint64_t kinds = 1 + below(3);
  if ((kinds & 1) != 0) {
    // bit 0: inverse, bit 1: no fine mode
    model["irange"] = {{"limits", drawn_limits(random, 16)}, {"rr_flags", below(4) == 0 ? 2 : 0}};
  }
  if ((kinds & 2) != 0) model["drange"] = {{"limits", drawn_limits(random, 1)}};
  return {{"dfl_plm", 8}, {"flags", 0}, {"events", {{{"name", "LOADS_RETIRED"}}}}, {"model", model}};
}

// "Never covers less": random ranges of code and data are covered, or refused. libpfm's own answers, under its quirks,
// do not always keep the promise; the same requests show this.
TEST_P(Promise, IsKeptOnDrawnRangesAndNotByLibpfm) {
  const unsigned tried = cases(static_cast<unsigned>(3000 / sampling));
  for (const char* const words : {"", "libpfm-3.10"}) {
    const WithQuirks quirks(words);
    unsigned answered = 0, broken = 0;
    for (unsigned i = first_case(); i < first_case() + tried; ++i) {
      const Json in = drawn_request(i);
      const Json out = processor().answer_to(in);
      if (out.at("ret") != "PFMLIB_SUCCESS") continue;
      ++answered;
      const std::string wrong = broken_promise(processor(), in, out);
      broken += wrong.empty() ? 0 : 1;
      if (*words == 0) {
        EXPECT_EQ(wrong, "") << fmt::format("case {}: {}", i, in.dump());
      }
    }
    // A refusal keeps the promise, so most requests must have an answer.
    EXPECT_GT(answered, tried / 3);
    EXPECT_EQ(broken == 0, *words == 0) << words;
  }
}

}  // namespace
}  // namespace pmusim::encoder::test
