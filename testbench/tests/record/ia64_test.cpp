// Samples of the Itanium 2 and the Montecito. The monitor is frozen from the cycle after an overflow to the end of the
// handler. The oracle must compute the event that requests each sample and the latched registers, so it gets the
// activity with the monitor's gates closed in those cycles.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "recording.h"
#include "testbench/oracle/captures.h"

namespace pmusim::testbench::record_tests {
namespace {

using activity::State;

Subject montecito(const char* trace, const char* event, std::uint64_t period) {
  return {"montecito", trace, event, period, linux_vector, 0, false};
}
Subject itanium2(const char* trace, const char* event, std::uint64_t period, std::uint32_t threshold = 0) {
  return {"itanium2", trace, event, period, linux_vector, threshold, false};
}

oracle::ParameterLookup parameters_of(const Subject& subject) {
  return [parameters = models::find_target(subject.target)->parameters()](std::string_view name) {
    return parameters.get(name);
  };
}

/// Runs the trace cycle by cycle, with the activity that the monitor of these samples saw.
class Replay {
 public:
  Replay(const Subject& subject, const std::vector<Sample>& samples) : subject_(subject), samples_(samples) {}
  std::function<void(const Block&, bool frozen)> cycle;  ///< called for each cycle
  std::function<void(const Sample&)> thawed;             ///< called after the last frozen cycle of each sample

  void run() {
    const models::Target& target = *models::find_target(subject_.target);
    SessionOptions options;
    options.engine = Engine::direct;
    options.block_cycles = 1;
    Session session(target, target.parameters(), options);
    session.add_observer([&](const Block& block) { show(block); });
    session.run(open_subject(subject_));
  }

 private:
  void show(const Block& block) {
    ASSERT_EQ(block.end, block.begin + 1);
    while (next_ < samples_.size() && samples_[next_].cycle <= block.begin) {
      if (thawed) thawed(samples_[next_]);
      ++next_;
    }
    const bool frozen = next_ < samples_.size() && block.begin > samples_[next_].requested;
    if (!frozen) return cycle(block, false);
    Block shut = block;
    activity::StateColumn& psr = shut.states[static_cast<std::size_t>(State::psr)];
    psr.initial &= ~(activity::ia64::psr::up | activity::ia64::psr::pp);
    cycle(shut, true);
  }

  const Subject& subject_;
  const std::vector<Sample>& samples_;
  std::size_t next_ = 0;
};

/// The cycles of the requests, computed from those of the events that the running monitor counted.
std::vector<Cycle> requests_of(const std::vector<Cycle>& events, const std::vector<Sample>& samples) {
  std::vector<Cycle> requests;
  std::size_t next = 0, since = 0;  // events in the cycle of the overflow count for the next sample
  for (const Sample& sample : samples) {
    const std::size_t overflow = next + sample.period - (since < sample.period ? since : 0) - 1;
    if (overflow >= events.size()) break;
    requests.push_back(events[overflow]);
    next = overflow + 1;
    for (since = 0; next < events.size() && events[next] == events[overflow]; ++next) ++since;
  }
  return requests;
}

std::vector<Cycle> requests_of(const std::vector<Sample>& samples) {
  std::vector<Cycle> requests;
  requests.reserve(samples.size());
  for (const Sample& sample : samples) requests.push_back(sample.requested);
  return requests;
}

void expect_boundaries(const Recording& got) {
  for (const Sample& sample : got.samples) {
    const Cycle boundary = got.boundary(sample.requested);
    ASSERT_LT(boundary, got.end);
    EXPECT_EQ(sample.cycle, boundary + 1) << "sample " << sample.index;
    const Cycle last = std::prev(got.retired.end())->first;
    if (boundary < last) {
      EXPECT_EQ(sample.ip, got.next_address(boundary)) << "sample " << sample.index;
    }
  }
}

class Ia64Record : public testing::TestWithParam<Subject> {};

TEST_P(Ia64Record, SampleKIsTheEventThatThePeriodNames) {
  const Recording got = record(GetParam(), GetParam().period > 1 ? Sampler::NextPeriod(RandomPeriod(3)) : nullptr);
  ASSERT_GT(got.samples.size(), 5u);
  expect_boundaries(got);
  const auto counter = oracle::make_counter(GetParam().target, {request_of(GetParam())}, parameters_of(GetParam()));
  counter->watch(0, 1, 1);
  Replay replay(GetParam(), got.samples);
  replay.cycle = [&](const Block& block, bool) { counter->consume(block); };
  replay.run();
  EXPECT_EQ(requests_of(counter->crossings(0), got.samples), requests_of(got.samples));
}

Subject with(Subject subject, encoder::QualifierTexts qualifiers, oracle::ia64::Qualifiers place) {
  subject.qualifiers = std::move(qualifiers);
  subject.place = std::move(place);
  return subject;
}
// The partition loop of the quicksort as a fine range, bounded exactly by its first and last bundle.
Subject in_loop() {
  oracle::ia64::Qualifiers place;
  place.code = {{0x4000000000000400, 0x4000000000000440}};
  place.fine_mode = true;
  return with(itanium2("ia64-quicksort-O2", "LOADS_RETIRED", 97), {.irange = {"0x4000000000000400-0x4000000000000440"}},
              place);
}
INSTANTIATE_TEST_SUITE_P(Events, Ia64Record,
                         testing::Values(itanium2("ia64-strhash-O2", "CPU_CYCLES", 1009),
                                         itanium2("ia64-strhash-O2", "IA64_INST_RETIRED", 2003),
                                         itanium2("ia64-recursion-O2", "IA64_INST_RETIRED", 1),
                                         itanium2("ia64-recursion-O2", "STORES_RETIRED", 53),
                                         itanium2("ia64-recursion-O2", "LOADS_RETIRED", 31, 1), in_loop(),
                                         montecito("ia64-recursion-O2", "CPU_OP_CYCLES_ALL", 149),
                                         montecito("ia64-recursion-O2", "IA64_INST_RETIRED", 151)));

// --- event address registers ------------------------------------------------------------------------------------

/// The oracle's contents of the register at each sample: the last capture since the previous sample.
struct Held {
  std::vector<Cycle> captures;  ///< cycles, only of the running monitor
  std::vector<std::optional<oracle::Capture>> held;
};
Held held_by(const Subject& subject, const std::vector<Sample>& samples) {
  Held result;
  const auto list = oracle::make_capture_list(request_of(subject), parameters_of(subject), subject.target);
  Replay replay(subject, samples);
  std::optional<oracle::Capture> last;
  replay.cycle = [&](const Block& block, bool frozen) {
    list->consume(block);
    for (const oracle::Capture& capture : list->captures()) {
      if (frozen) continue;  // an access tracked before the freeze is dropped
      last = capture;
      result.captures.push_back(capture.at);
    }
    list->forget();
  };
  replay.thawed = [&](const Sample&) {
    result.held.push_back(last);
    last.reset();
  };
  replay.run();
  return result;
}

std::uint64_t value_of(const Sample& sample, std::string_view name) {
  for (const auto& [latched, value] : sample.latched)
    if (latched == name) return value;
  throw std::out_of_range(std::string(name));
}
Captured decoded(const Recording& got, const Sample& sample) {
  return got.units.decode([&](std::string_view name) { return value_of(sample, name); });
}

void expect_same(const CapturedAccess& got, const std::optional<oracle::Capture>& expected, std::uint64_t index) {
  ASSERT_EQ(got.valid, expected.has_value()) << "sample " << index;
  if (!got.valid) return;
  using Translation = activity::ia64::Translation;
  constexpr std::uint64_t fetched = ~std::uint64_t{31};
  EXPECT_EQ(got.address, got.data ? expected->address : expected->address & fetched) << "sample " << index;
  EXPECT_EQ(got.bundle.has_value(), expected->ip_known) << "sample " << index;
  if (got.bundle) {
    EXPECT_EQ(*got.bundle, expected->ip) << "sample " << index;
    EXPECT_EQ(got.slot, expected->slot) << "sample " << index;
  }
  if (got.mode == CapturedAccess::Mode::cache) {
    EXPECT_EQ(got.latency, expected->latency) << "sample " << index;
  }
  if (got.mode == CapturedAccess::Mode::tlb) {
    const char* const by = expected->translation == Translation::second_level ? "l2"
                           : expected->translation == Translation::walker     ? "vhpt"
                                                                              : "fault";
    EXPECT_EQ(got.served_by, by) << "sample " << index;
  }
}

class EarSamples : public testing::TestWithParam<Subject> {};

TEST_P(EarSamples, AreTheCapturesThatTheOracleLists) {
  const Recording got = record(GetParam());
  ASSERT_FALSE(got.samples.empty());
  expect_boundaries(got);
  const Held oracle = held_by(GetParam(), got.samples);
  EXPECT_EQ(requests_of(oracle.captures, got.samples), requests_of(got.samples));
  ASSERT_EQ(oracle.held.size(), got.samples.size());
  for (std::size_t i = 0; i < got.samples.size(); ++i) {
    const Captured captured = decoded(got, got.samples[i]);
    ASSERT_EQ(captured.accesses.size(), 1u);
    EXPECT_FALSE(captured.branches.has_value());
    ASSERT_TRUE(oracle.held[i].has_value());
    EXPECT_EQ(oracle.held[i]->at, got.samples[i].requested) << "sample " << i;
    expect_same(captured.accesses[0], oracle.held[i], i);
  }
}

INSTANTIATE_TEST_SUITE_P(Units, EarSamples,
                         testing::Values(itanium2("ia64-listwalk-O2", "DATA_EAR_CACHE_LAT4", 97),
                                         itanium2("ia64-strhash-O2", "DATA_EAR_CACHE_LAT16", 7),
                                         itanium2("ia64-listwalk-O2", "DATA_EAR_TLB_ALL", 1),
                                         itanium2("ia64-pipelined", "DATA_EAR_ALAT", 1),
                                         itanium2("ia64-strhash-O2", "L1I_EAR_CACHE_LAT0", 1),
                                         itanium2("ia64-strhash-O2", "L1I_EAR_TLB_ALL", 1),
                                         montecito("ia64-listwalk-O2", "DATA_EAR_CACHE_LAT4", 97),
                                         montecito("ia64-strhash-O2", "L1I_EAR_CACHE_LAT4", 1)));

// With another event as the source of samples, the register holds the last capture since the previous sample, or
// nothing.
TEST(EarSamples, OfAnotherEventHoldTheLastCapture) {
  Subject subject = itanium2("ia64-strhash-O2", "CPU_CYCLES", 499);
  subject.qualifiers.ear = {"unit=data,mode=cache,latency=4"};
  const Recording got = record(subject);
  ASSERT_GT(got.samples.size(), 50u);
  Subject armed = subject;
  armed.event = "DATA_EAR_CACHE_LAT4";
  const Held oracle = held_by(armed, got.samples);
  ASSERT_EQ(oracle.held.size(), got.samples.size());
  std::size_t nothing = 0;
  for (std::size_t i = 0; i < got.samples.size(); ++i) {
    expect_same(decoded(got, got.samples[i]).accesses.at(0), oracle.held[i], i);
    nothing += !oracle.held[i].has_value();
  }
  EXPECT_GT(nothing, 0u);
  EXPECT_LT(nothing, got.samples.size());
}

// --- branch trace buffer ----------------------------------------------------------------------------------------

using pmu::ia64::RecordedBranch;

/// The branches of the entries, as decoded by a reader of the registers.
std::vector<RecordedBranch> branches_of(const std::vector<oracle::BufferEntry>& entries) {
  std::vector<RecordedBranch> branches;
  for (const oracle::BufferEntry& entry : entries) {
    if (entry.source) {
      const bool taken = entry.slot != 3;
      branches.push_back({entry.bundle, taken, taken ? entry.slot : 0u,
                          static_cast<RecordedBranch::Outcome>(entry.outcome), std::nullopt});
    } else if (!branches.empty()) {
      branches.back().target = entry.bundle;
    }
  }
  return branches;
}

class BranchSamples : public testing::TestWithParam<Subject> {};

TEST_P(BranchSamples, AreTheBranchesThatTheOracleLists) {
  const Recording got = record(GetParam());
  ASSERT_GT(got.samples.size(), 5u);
  expect_boundaries(got);
  oracle::BranchList list(request_of(GetParam()), parameters_of(GetParam()), GetParam().target);
  std::vector<Cycle> recorded;
  Replay replay(GetParam(), got.samples);
  replay.cycle = [&](const Block& block, bool frozen) {
    const std::size_t before = list.branches().size();
    list.consume(block);
    ASSERT_TRUE(!frozen || list.branches().size() == before);
    if (list.branches().size() > before) recorded.push_back(list.branches().back().at);
  };
  replay.thawed = [&](const Sample& sample) {
    const Captured captured = decoded(got, sample);
    EXPECT_TRUE(captured.accesses.empty());
    ASSERT_TRUE(captured.branches.has_value());
    EXPECT_EQ(*captured.branches, branches_of(list.buffer_after(sample.requested))) << "sample " << sample.index;
    list.forget();
  };
  replay.run();
  EXPECT_EQ(requests_of(recorded, got.samples), requests_of(got.samples));
}

oracle::ia64::Qualifiers taken_only() {
  oracle::ia64::Qualifiers place;
  place.branches.not_taken = false;
  return place;
}
oracle::ia64::Qualifiers returns_only() {
  oracle::ia64::Qualifiers place;
  place.branches.type = oracle::ia64::BranchFilter::Type::returns;
  return place;
}
INSTANTIATE_TEST_SUITE_P(
    Filters, BranchSamples,
    testing::Values(itanium2("ia64-recursion-O2", "BRANCH_EVENT", 101),
                    itanium2("ia64-recursion-O2", "BRANCH_EVENT", 3),
                    with(itanium2("ia64-quicksort-O2", "BRANCH_EVENT", 997), {.btb = {"tm=taken"}}, taken_only()),
                    with(itanium2("ia64-recursion-O2", "BRANCH_EVENT", 37), {.btb = {"brt=return"}}, returns_only()),
                    montecito("ia64-recursion-O2", "ETB_EVENT", 101),
                    with(montecito("ia64-recursion-O2", "ETB_EVENT", 97), {.etb = {"tm=taken"}}, taken_only())));

// The path given by a sample must be the path of the program: each stretch is in the trace, sequential, and in this
// order.
TEST(BranchSamples, TellTheWayOfTheProgram) {
  const Recording got =
      record(with(montecito("ia64-quicksort-O2", "ETB_EVENT", 500), {.etb = {"tm=taken"}}, taken_only()));
  ASSERT_TRUE(got.units.records_path());
  ASSERT_GT(got.samples.size(), 50u);
  std::vector<std::uint64_t> bundles;
  for (std::size_t i = 0; i < got.program.size(); i += 4) bundles.push_back(got.program[i]);  // four numbers per bundle
  auto from = bundles.begin();
  std::size_t whole = 0;
  for (const Sample& sample : got.samples) {
    const Captured captured = decoded(got, sample);
    const auto& branches = *captured.branches;
    ASSERT_GE(branches.size(), 8u) << "sixteen entries";
    const bool all_known = std::all_of(branches.begin(), branches.end(), [](const auto& b) { return b.target; });
    if (!all_known) continue;  // the first bundle of a stretch may be missing
    std::vector<std::uint64_t> way;
    for (const CodeStretch& stretch : path_of(branches))
      for (std::uint64_t bundle = stretch.first; bundle <= stretch.last; bundle += 16) way.push_back(bundle);
    const auto found = std::search(from, bundles.end(), way.begin(), way.end());
    ASSERT_NE(found, bundles.end()) << "sample " << sample.index;
    from = found;
    ++whole;
  }
  EXPECT_GT(whole, 5u);
}

// --- IP-EAR -----------------------------------------------------------------------------------------------------

class RetirementSamples : public testing::TestWithParam<unsigned> {};

TEST_P(RetirementSamples, AreTheGroupsThatTheOracleLists) {
  Subject subject = montecito("ia64-recursion-O2", "IA64_INST_RETIRED", 509);
  subject.qualifiers.ipear = {"delay=" + std::to_string(GetParam())};
  subject.place.trace_delay = GetParam();
  const Recording got = record(subject);
  ASSERT_GT(got.samples.size(), 50u);
  oracle::AddressTrace list(request_of(subject), parameters_of(subject), subject.target);
  const models::Target& target = *models::find_target(subject.target);
  SessionOptions options;
  options.engine = Engine::direct;
  options.block_cycles = 1;
  Session session(target, target.parameters(), options);
  std::size_t next = 0, cut = 0;
  session.add_observer([&](const Block& block) {
    for (; next < got.samples.size() && got.samples[next].cycle <= block.begin; ++next) {
      const Sample& sample = got.samples[next];
      const auto expected = list.buffer_after(sample.requested, sample.cycle - 1);
      const auto retired = *decoded(got, sample).retired;
      ASSERT_EQ(retired.size(), expected.size()) << "sample " << next;
      for (std::size_t i = 0; i < retired.size(); ++i) {
        EXPECT_EQ(retired[i].bundle, expected[i].bundle) << "sample " << next << ", entry " << i;
        EXPECT_EQ(retired[i].cycles, expected[i].cycles);
        EXPECT_EQ(retired[i].flushed, expected[i].flushed);
        EXPECT_EQ(retired[i].early_freeze.has_value(), expected[i].cut_short);
        EXPECT_EQ(retired[i].early_freeze.value_or(0), expected[i].delay_left);
        cut += expected[i].cut_short;
      }
      list.forget(sample.cycle);
    }
    list.consume(block);
  });
  session.run(open_subject(subject));
  EXPECT_EQ(cut > 0, GetParam() > 12) << "the interrupt is taken twelve cycles after the overflow at the earliest";
}
INSTANTIATE_TEST_SUITE_P(Delays, RetirementSamples, testing::Values(0u, 4u, 40u));

}  // namespace
}  // namespace pmusim::testbench::record_tests
