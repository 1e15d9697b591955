// An IA-64 PMU counts the same when its core omits the activity that the PMU does not read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "models/itanium2/events.h"
#include "models/montecito/events.h"
#include "models/targets.h"
#include "testbench/tests/driver/observed.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench {
namespace {

using activity::Occurrence;
using activity::Signal;
using activity::State;
using activity::Subscription;

/// PMC4: every level, IA-64 code, every line state, and the enable bit of the Itanium 2. PMC0: not frozen.
constexpr std::uint64_t counts = 0xf | 1u << 23 | 2u << 24 | 0xfu << 27;
constexpr std::uint64_t both_threads = 1u << 26;
Writes counting(unsigned code, unsigned umask, std::uint64_t more = 0) {
  return {{{pmu::Space::pmc, 4}, counts | code << 8 | umask << 16 | more}, {{pmu::Space::pmc, 0}, 0}};
}

/// The other qualifications of an event: none; half of the code; some of the data; instructions in M slots. The values
/// are those that encoders give for one range and one opcode.
std::vector<Writes> filters(const models::Target& target) {
  using pmu::Space;
  const bool montecito = target.threads() == 2;
  const Writes code = {{{Space::ibr, 0}, 0x4000000000010000}, {{Space::ibr, 1}, 0x09ffffffffffff80}},
               data = {{{Space::dbr, 0}, 0x6000000000200000}, {{Space::dbr, 1}, 0x09fffffffffffc00}};
  const auto with = [](Writes writes, std::initializer_list<RegisterWrite> more) {
    writes.insert(writes.end(), more);
    return writes;
  };
  if (montecito) {
    return {{},
            with(code, {{{Space::pmc, 38}, 0xdb4}}),
            with(data, {{{Space::pmc, 41}, 0x2078fefefef6}}),
            {{{Space::pmc, 36}, 0xfffffff0}, {{Space::pmc, 32}, 0x020801ffffffffff}}};
  }
  return {{},
          with(code, {{{Space::pmc, 14}, 0xdb4}, {{Space::pmc, 8}, 0xffffffff3ffffffc}}),
          with(data, {{{Space::pmc, 13}, 0x2078fefefef6}}),
          {{{Space::pmc, 15}, 0xfffffffa}, {{Space::pmc, 8}, 0x800000003ffffffd}}};
}

/// A trace for each hardware thread.
Readers traces(const models::Target& target, const std::string& name) {
  Readers readers;
  for (unsigned thread = 0; thread < target.threads(); ++thread) {
    readers.push_back(trace::open(PMUSIM_SOURCE_DIR "/isa-traces/micro/itanium2.pmt/" + name));
  }
  return readers;
}

std::vector<std::uint64_t> count(const models::Target& target, Readers readers, const std::vector<Writes>& monitors,
                                 bool observed) {
  models::Parameters parameters = target.parameters();
  parameters.set("core.cpl", std::int64_t{0});  // programs write registers
  std::vector<std::uint64_t> counters;
  for (const MonitorResult& monitor : run_pmus(target, parameters, std::move(readers), monitors, observed))
    counters.push_back(monitor.counters.at(0));
  return counters;
}

struct ShortTrace {
  const char* target;
  const char* trace;  ///< of the Itanium 2
};
class Interests : public testing::TestWithParam<ShortTrace> {
 protected:
  const models::Target& target = *models::find_target(GetParam().target);
};

// With an observer the core reports everything, without one only what the single event reads.
TEST_P(Interests, EveryEventCountsTheSame) {
  const bool montecito = target.threads() == 2;
  const auto events = montecito ? pmu::montecito::multiplexer() : pmu::itanium2::multiplexer();
  for (const Writes& filter : filters(target)) {
    std::vector<Writes> all;
    std::size_t row = 0;
    const auto add = [&](Writes writes) {
      writes.insert(writes.end() - 1, filter.begin(), filter.end());
      all.push_back(std::move(writes));
    };
    for (const pmu::ia64::Event& event : events) {
      if (!filter.empty() && event.qualifier == pmu::ia64::Qualifier::none) continue;
      for (unsigned umask = 0; umask < 16; ++umask) {
        if ((event.umasks >> umask & 1) == 0 || ++row % sampling != 0) continue;
        add(counting(event.code, umask));
        if (montecito && row % 4 == 0) add(counting(event.code, umask, both_threads));
      }
    }
    const auto full = count(target, traces(target, GetParam().trace), all, true);
    std::size_t not_zero = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto less = count(target, traces(target, GetParam().trace), {all[i]}, false);
      EXPECT_EQ(less.at(0), full[i]) << "event " << std::hex << (all[i][0].value >> 8 & 0xff) << ", unit mask "
                                     << (all[i][0].value >> 16 & 0xf) << ", filter register "
                                     << (filter.empty() ? 0 : filter.back().value);
      not_zero += full[i] != 0 ? 1 : 0;
    }
    EXPECT_GT(not_zero, all.size() / 20);
  }
}

constexpr ShortTrace cases[] = {{"itanium2", "kinds"},          {"itanium2", "checks"},
                                {"itanium2", "multiway_kinds"}, {"itanium2", "accesses"},
                                {"itanium2", "register_stack"}, {"itanium2", "alat_34"},
                                {"montecito", "branches"},      {"montecito", "latencies"}};
INSTANTIATE_TEST_SUITE_P(Traces, Interests, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.target) + "_" + info.param.trace; });

const models::Target& itanium2_target() { return *models::find_target("itanium2"); }

/// Loads of one page, each of a separate line, then NOPs; bundle number `at` changes the event of PMC4.
std::unique_ptr<trace::Reader> loading(unsigned at, std::uint64_t then) {
  constexpr unsigned loads = 12, all = 400;
  std::string text = "! isa ia64\n";
  for (unsigned i = 0; i < all; ++i) {
    text += fmt::format("{:x} ", 0x4000000000010000 + 16 * i);
    text += i < loads
                ? fmt::format("01180008181000000002000000000400 xxx L0 {:x} 8 dtlb=hit", 0x6000000000000000 + 0x400 * i)
                : "01000000010000000002000000000400 xxx";
    text += " fetch=l1 itlb=hit";
    text += i == at ? fmt::format(" wr=PMC4:{:#x}\n", then) : "\n";
  }
  return trace::open_text(text, "loading");
}

// Requests in flight at the write cause occurrences in L2, L3 and on the bus after it. These count, although they had
// no subscriber when the requests were made.
TEST(InterestsThatChange, RequestsUnderWay) {
  struct Event {
    unsigned code, umask;
  };
  for (const Event then :
       {Event{0x8c, 2}, {0x8a, 14}, {0xdb, 0}, {0xdc, 0}, {0xcb, 0}, {0xb1, 0}, {0xb2, 3}, {0xbf, 0}}) {
    std::uint64_t all = 0;
    for (const unsigned at : {5u, 30u, 40u, 60u, 100u}) {
      std::vector<std::uint64_t> counted[2];
      for (const bool observed : {false, true}) {
        Readers readers;
        readers.push_back(loading(at, counting(then.code, then.umask)[0].value));
        counted[observed] = count(itanium2_target(), std::move(readers), {counting(0x12, 0)}, observed);
      }
      EXPECT_EQ(counted[0], counted[1]) << "event " << std::hex << then.code << std::dec << " from bundle " << at;
      all += counted[1][0];
    }
    EXPECT_GT(all, 0u) << std::hex << then.code;
  }
}

// The blocks of a core that omits everything without a subscriber.
TEST(WithoutSubscribers, RetireAsSums) {
  const auto open = [] { return trace::open(PMUSIM_SOURCE_DIR "/isa-traces/recorded/ia64-sieve-O2.pmt"); };
  const auto full = itanium2_target().make_core(open(), itanium2_target().parameters()),
             less = itanium2_target().make_core(open(), itanium2_target().parameters());
  Subscription subscription;
  subscription.add(Signal::retire);
  less->subscribe(subscription);
  Block a, b;
  for (unsigned i = 0; i < 50; ++i) {
    a.restart(full->now());
    b.restart(less->now());
    ASSERT_TRUE(full->run(full->now() + 333, a));
    ASSERT_TRUE(less->run(less->now() + 333, b));
    std::vector<unsigned> each(333), sums(333);
    for (const Occurrence& o : a.column(Signal::retire)) each[o.at] += o.amount;
    for (const Occurrence& o : b.column(Signal::retire)) {
      sums[o.at] += o.amount;
      ASSERT_EQ(o.ref, activity::no_ref);
    }
    ASSERT_EQ(each, sums);
    ASSERT_LE(b.column(Signal::retire).size(), a.column(Signal::retire).size());
    for (const Signal s : {Signal::dispatch, Signal::syllable_held, Signal::data_reference, Signal::access_retire})
      ASSERT_TRUE(b.column(s).empty());
    ASSERT_TRUE(b.instructions.empty());
    const auto& state = a.state(State::back_end).changes;
    ASSERT_EQ(state.size(), b.state(State::back_end).changes.size());
    for (std::size_t c = 0; c < state.size(); ++c) ASSERT_EQ(state[c].value, b.state(State::back_end).changes[c].value);
  }
}

}  // namespace
}  // namespace pmusim::testbench
