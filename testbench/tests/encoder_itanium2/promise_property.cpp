#include "promise_property.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "testbench/tests/cases.h"
#include "testbench/tests/sampling.h"

namespace pmusim::encoder::test {
namespace {

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

Json drawn_request(unsigned number) {
  std::mt19937_64 random(number);
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

struct Outcome {
  unsigned tried = 0, answered = 0, broken = 0;
  std::string first;  ///< the first request whose promise was broken
};

Outcome ask(Json (*answer_to)(const Json&), const RangeHardware& hardware) {
  Outcome outcome;
  outcome.tried = cases(static_cast<unsigned>(3000 / sampling));
  for (unsigned i = 0; i < outcome.tried; ++i) {
    const Json in = drawn_request(first_case() + i);
    const Json out = answer_to(in);
    if (out.at("ret") != "PFMLIB_SUCCESS") continue;
    ++outcome.answered;
    const std::string wrong = broken_promise(in, out, hardware);
    if (wrong.empty()) continue;
    if (outcome.broken++ == 0) outcome.first = fmt::format("case {}: {}: {}", first_case() + i, in.dump(), wrong);
  }
  return outcome;
}

}  // namespace

void expect_promise_kept(Json (*answer_to)(const Json&), const RangeHardware& hardware) {
  const Outcome outcome = ask(answer_to, hardware);
  EXPECT_EQ(outcome.broken, 0u) << outcome.first;
  // A refusal keeps the promise, so most requests must have an answer.
  EXPECT_GT(outcome.answered, outcome.tried / 3);
}

void expect_promise_broken(Json (*answer_to)(const Json&), const RangeHardware& hardware, const std::string& quirks) {
  const WithQuirks switched(quirks);
  EXPECT_GT(ask(answer_to, hardware).broken, 0u);
}

}  // namespace pmusim::encoder::test
