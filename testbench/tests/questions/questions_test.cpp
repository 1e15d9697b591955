#include <gtest/gtest.h>

#include <map>
#include <set>

#include "testbench/judge/question/covering.h"
#include "testbench/judge/question/question.h"
#include "testbench/tests/questions/asked.h"

namespace pmusim::testbench::questions {
namespace {

TEST(Questions, EveryTargetHasSome) {
  for (const std::string& target : targets) {
    const auto quick = questions_of(target, Extent::quick), full = questions_of(target, Extent::full);
    EXPECT_GT(quick.size(), oracle::events(target).size() / 2) << target;
    EXPECT_GE(full.size(), quick.size()) << target;
  }
}

TEST(Questions, NoneIsAskedTwice) {
  for (const std::string& target : targets) {
    std::set<std::string> seen;
    for (const Question& question : questions_of(target, Extent::full))
      EXPECT_TRUE(seen.insert(question.group.question()).second) << question.group.question();
  }
}

// A question printed by a quick run can be repeated without the option.
TEST(Questions, TheFullOnesHaveTheQuickOnes) {
  for (const std::string& target : targets) {
    std::set<std::string> full;
    for (const Question& question : questions_of(target, Extent::full)) full.insert(question.group.question());
    std::size_t missing = 0;
    std::string first;
    for (const Question& question : questions_of(target, Extent::quick)) {
      if (full.contains(question.group.question())) continue;
      ++missing;
      if (first.empty()) first = question.group.question();
    }
    EXPECT_EQ(missing, 0u) << target << ": " << first;
  }
}

// An encoder gets the text of a question, the oracle the request: attributes that the text omits would be judged
// although the encoder cannot know them.
TEST(Questions, SameWordsAskForTheSame) {
  for (const std::string& target : targets) {
    std::map<std::string, Question> known;
    const auto look = [&](const Question& question) {
      const auto [place, is_new] = known.try_emplace(question.group.question(), question);
      EXPECT_TRUE(is_new || same_meaning(place->second, question)) << target << ' ' << place->first;
    };
    for (const Question& question : questions_of(target, Extent::full)) {
      look(question);
      for (const Neighbour& neighbour : neighbours_of(question)) look(neighbour.other);
    }
  }
}

// Publication 22007: every event on each of four counters, with every value of every attribute.
TEST(Questions, TheAthlonIsAskedEveryEventOnEveryCounterWithEveryValue) {
  std::map<std::pair<std::string, unsigned>, std::set<std::string>> asked;
  std::set<std::pair<std::string, unsigned>> sampled;
  for (const Question& question : questions_of("athlon", Extent::full)) {
    if (question.group.checks.size() != 1 || !question.illegal.empty()) continue;
    const Check& check = question.group.checks.front();
    const std::pair<std::string, unsigned> place{row_name(check.request), counter_of(question, 4)};
    for (const auto& [name, value] : check.attributes) asked[place].insert(name + '=' + std::to_string(value));
    if (question.group.sampling) sampled.insert(place);
  }
  for (const std::string& row : row_names("athlon")) {
    for (unsigned counter = 0; counter < 4; ++counter) {
      const auto& values = asked[{row, counter}];
      for (const char* value :
           {"u=1",  "k=1",   "u=0",   "plm=1", "plm=8", "c=0", "c=1", "c=2",  "c=4",  "c=8",    "c=16",  "c=32",
            "c=64", "c=128", "c=255", "e=1",   "e=0",   "i=1", "i=0", "pc=1", "pc=0", "intr=1", "intr=0"})
        EXPECT_TRUE(values.contains(value)) << row << " on counter " << counter << ": " << value;
      EXPECT_TRUE(sampled.contains({row, counter})) << row << " on counter " << counter;
    }
  }
}

TEST(Questions, EveryPairOfUnitMasksIsAskedOnEveryCounter) {
  std::set<std::tuple<std::string, std::string, std::string, unsigned>> pairs;
  for (const Question& question : questions_of("athlon", Extent::full)) {
    const auto& request = question.group.checks.front().request;
    if (question.group.checks.size() == 1 && request.umasks.size() == 2)
      pairs.emplace(request.event, request.umasks[0], request.umasks[1], counter_of(question, 4));
  }
  for (const oracle::EventName& event : oracle::events("athlon")) {
    for (std::size_t i = 0; i < event.umasks.size(); ++i) {
      for (std::size_t j = i + 1; j < event.umasks.size(); ++j) {
        if (event.umasks[i] == "ALL" || event.umasks[j] == "ALL") continue;
        for (unsigned counter = 0; counter < 4; ++counter) {
          EXPECT_TRUE(pairs.contains(
              {std::string(event.name), std::string(event.umasks[i]), std::string(event.umasks[j]), counter}))
              << event.name << ' ' << event.umasks[i] << ' ' << event.umasks[j] << " on counter " << counter;
        }
      }
    }
  }
}

// User's manual of the 750GX: THRESHOLD has six bits, RTCSELECT two.
TEST(Questions, The750IsAskedEveryThresholdAndTimeBaseBit) {
  std::set<std::uint32_t> thresholds, bits;
  for (const Question& question : questions_of("ppc750gx", Extent::full)) {
    for (const auto& [name, value] : question.group.checks.front().attributes) {
      if (name == "t" && question.illegal.empty()) thresholds.insert(value);
      if (name == "tb" && question.illegal.empty()) bits.insert(value);
    }
  }
  EXPECT_EQ(thresholds.size(), 64u);
  EXPECT_EQ(bits.size(), 4u);
}

TEST(Questions, SetsGoUpToAllCountersAndOneBeyond) {
  for (const std::string& target : targets) {
    if (target == "alpha-ev67") continue;  // its legal pairs are those of aggregate mode
    const std::size_t counters = family_of(target)->counters.size();
    std::set<std::size_t> sizes;
    for (const Question& question : questions_of(target, Extent::full)) sizes.insert(question.group.checks.size());
    for (std::size_t size = counters == 3 ? 3 : 2; size <= counters; ++size)
      EXPECT_TRUE(sizes.contains(size)) << target << ' ' << size;
  }
}

TEST(Questions, NeighboursDifferInOneAttribute) {
  for (const std::string& target : targets) {
    std::size_t seen = 0;
    for (const Question& question : questions_of(target, Extent::quick)) {
      for (const Neighbour& neighbour : neighbours_of(question)) {
        ++seen;
        EXPECT_FALSE(same_meaning(question, neighbour.other)) << question.group.question();
        std::size_t different = 0;
        for (std::size_t i = 0; i < question.values.size(); ++i)
          different += question.values[i] != neighbour.other.values[i] ? 1 : 0;
        EXPECT_EQ(different, 1u);
      }
    }
    EXPECT_GE(seen, 10u) << target;  // the 21264A has one attribute and five events
  }
}

TEST(Questions, APairThatIsNotAskedIsNamed) {
  const Dimension a{"a", {{"0", {}}, {"1", {}}}}, b{"b", {{"0", {}}, {"1", {}}}};
  const auto form = std::make_shared<const Form>(Form{{{Check{}}}, {a, b}});
  const AttributeCoverage coverage = attribute_coverage({make(form, {0, 0}), make(form, {1, 0}), make(form, {0, 1})});
  EXPECT_EQ(coverage.values_asked, 4u);
  EXPECT_EQ(coverage.pairs_asked, 3u);
  EXPECT_EQ(coverage.missing, std::vector<std::string>{"a=1 with b=1"});
}

// libpfm_itanium2(3): four pairs of 64-bit addresses under masks of 56 bits; a data range takes any number of them.
TEST(Questions, RangesHaveEverySizeAndNumber) {
  for (const std::string target : {"itanium2", "montecito"}) {
    std::set<std::uint64_t> code, data;
    std::set<std::size_t> numbers;
    for (const Question& question : questions_of(target, Extent::quick)) {
      if (!question.illegal.empty()) continue;
      for (const Check& check : question.group.checks) {
        for (const auto& range : check.request.ia64.code) code.insert(range.end - range.start);
        for (const auto& range : check.request.ia64.data) data.insert(range.end - range.start);
      }
      numbers.insert(question.group.checks.front().request.ia64.data.size());
    }
    for (unsigned order = 0; order <= 56; ++order) {
      const std::uint64_t size = std::uint64_t{1} << order;
      EXPECT_TRUE(order < 4 || code.contains(size)) << target << " 2^" << order;
      EXPECT_TRUE(data.contains(size)) << target << " 2^" << order;
    }
    EXPECT_EQ(numbers, (std::set<std::size_t>{0, 1, 2, 3, 4}));
  }
}

}  // namespace
}  // namespace pmusim::testbench::questions
