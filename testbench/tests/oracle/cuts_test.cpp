// However activity is divided into blocks and stretches, the counts must equal those of single cycles.
#include <gtest/gtest.h>

#include <random>

#include "machine.h"

namespace pmusim::oracle {
namespace {

using namespace script;  // NOLINT

constexpr Cycle length = 2000;

/// Random activity with long idle stretches; delivered as a whole, or divided into several blocks.
struct RandomRun {
  struct Entry {
    Signal signal;
    Cycle at;
    std::uint16_t amount;
  };
  std::vector<Entry> entries;
  std::vector<std::tuple<State, Cycle, std::uint64_t>> changes;

  explicit RandomRun(std::uint32_t seed) {
    std::mt19937 random(seed);
    const Signal signals[] = {Signal::code_store, Signal::snoop, Signal::trap, Signal::resync};
    for (const Signal s : signals) {
      for (Cycle at = random() % 50; at < length; at += random() % 3 == 0 ? 1 : random() % 60 + 1) {
        entries.push_back({s, at, static_cast<std::uint16_t>(random() % 3 + 1)});
      }
    }
    const std::pair<State, unsigned> states[] = {
        {State::cpl, 4}, {State::clock, 2}, {State::interrupt_flag, 2}, {State::msr, 0}};
    for (const auto& [s, values] : states) {
      for (Cycle at = random() % 40; at < length; at += random() % 70 + 1) {
        const std::uint64_t msr_bits =
            (random() % 2 != 0 ? activity::msr::pr : 0) | (random() % 2 != 0 ? activity::msr::pm : 0);
        changes.emplace_back(s, at, values == 0 ? msr_bits : random() % values);
      }
    }
  }

  [[nodiscard]] std::vector<Block> blocks(const std::vector<Cycle>& bounds) const {
    std::vector<Block> list;
    std::array<std::uint64_t, activity::state_count> held{};
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      Script script(bounds[i + 1] - bounds[i], bounds[i]);
      const auto inside = [&](Cycle at) { return at >= bounds[i] && at < bounds[i + 1]; };
      for (std::size_t s = 0; s < held.size(); ++s) script.state(static_cast<State>(s), bounds[i], held[s]);
      for (const auto& [state, at, value] : changes) {
        if (!inside(at)) continue;
        script.state(state, at, value);
        held[static_cast<std::size_t>(state)] = value;
      }
      for (const Entry& e : entries) {
        if (inside(e.at)) script.happen(e.signal, e.at, activity::detail::trap_maskable, e.amount);
      }
      list.push_back(script.block);
    }
    return list;
  }
};

std::vector<Request> modifiers(const std::string& event) {
  std::vector<Request> requests;
  for (unsigned bits = 0; bits < 64; ++bits) {
    Request r;
    r.event = event;
    r.threshold = bits & 3u;
    r.invert = (bits & 4u) != 0;
    r.edge = (bits & 8u) != 0;
    r.user = (bits & 16u) != 0;
    r.kernel = (bits & 32u) != 0;
    requests.push_back(r);
  }
  return requests;
}
std::vector<Request> filters(const std::string& event) {
  std::vector<Request> requests;
  for (unsigned bits = 0; bits < 12; ++bits) {
    Request r;
    r.event = event;
    r.user = (bits & 1u) != 0;
    r.kernel = (bits & 2u) != 0;
    if (bits / 4 != 0) r.marked = bits / 4 == 1;
    requests.push_back(r);
  }
  return requests;
}

std::vector<std::uint64_t> counts(std::string_view target, const std::vector<Request>& requests,
                                  const ParameterLookup& parameters, const std::vector<Block>& blocks, bool by_cycle) {
  const auto counter = make_counter(target, requests, parameters);
  for (const Block& block : blocks) {
    if (!by_cycle) {
      counter->consume(block);
      continue;
    }
    for (Cycle at = block.begin; at < block.end; ++at) counter->consume(block, at, at + 1);
  }
  std::vector<std::uint64_t> result;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    result.push_back(counter->tally(i).expected);
    result.push_back(counter->tally(i).occurrences);
  }
  return result;
}

TEST(Cuts, ChangeNothing) {
  const ParameterLookup settings[] = {Values(), Values{{"pmu.edge_input", 1}, {"pmu.count_in_halt", 1}},
                                      Values{{"pmu.privilege_gate", 1}, {"pmu.inv_without_mask", 1}}};
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const RandomRun run(seed);
    std::mt19937 random(seed);
    std::vector<Cycle> cuts = {0};
    while (cuts.back() + 300 < length) cuts.push_back(cuts.back() + 1 + random() % 299);
    cuts.push_back(length);
    const auto whole = run.blocks({0, length}), pieces = run.blocks(cuts);
    for (const ParameterLookup& parameters : settings) {
      const auto check = [&](std::string_view target, const std::vector<Request>& requests) {
        const auto reference = counts(target, requests, parameters, whole, true);
        EXPECT_EQ(counts(target, requests, parameters, whole, false), reference) << requests[0].event << seed;
        EXPECT_EQ(counts(target, requests, parameters, pieces, false), reference) << requests[0].event << seed;
        EXPECT_EQ(counts(target, requests, parameters, pieces, true), reference) << requests[0].event << seed;
      };
      for (const char* event : {"STORES_TO_ACTIVE_INSTRUCTION_STREAM", "INTERRUPTS_TAKEN", "INTERRUPTS_MASKED_CYCLES",
                                "CPU_CLK_UNHALTED"}) {
        check("athlon", modifiers(event));
      }
      for (const char* event : {"SNOOPS", "PROCESSOR_CYCLES"}) check("ppc750gx", filters(event));
    }
  }
}

TEST(Cuts, MustFollowEachOther) {
  Script script(10);
  Request request;
  request.event = "SNOOPS";
  const auto counter = make_counter("ppc750gx", {request}, Values());
  counter->consume(script.block, 0, 4);
  EXPECT_THROW(counter->consume(script.block, 5, 6), std::invalid_argument);
  EXPECT_THROW(counter->consume(script.block, 4, 11), std::invalid_argument);
  EXPECT_NO_THROW(counter->consume(script.block, 4, 10));
}

}  // namespace
}  // namespace pmusim::oracle
