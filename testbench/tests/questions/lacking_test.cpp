// An encoder that lacks any one event is asked every kind of question all the same: about other events.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/targets.h"
#include "testbench/judge/question/attributes.h"

namespace pmusim::testbench::questions {
namespace {

/// What a question is about, apart from its events: why it is illegal, its period, the values of its attributes.
std::set<std::string> kinds_of(const Question& question) {
  std::set<std::string> kinds;
  if (!question.illegal.empty()) kinds.insert("illegal: " + question.illegal);
  if (question.group.period != 0) kinds.insert(fmt::format("period={}", question.group.period));
  if (!words_of(question.group.filters).empty() || question.group.captures) return kinds;  // of certain events
  for (std::size_t i = 0; i < question.values.size(); ++i) {
    const Dimension& dimension = question.form->dimensions[i];
    if (dimension.name.starts_with(of_one_event)) continue;  // sets: the attributes of one of several events
    kinds.insert(dimension.name + '=' + dimension.values[question.values[i]].name);
  }
  return kinds;
}

/// Kinds that belong to one event by the manuals: the 750's threshold and its bit of the time base (user's manual,
/// table 11-5); the sets, setups and single counters of IA-64, each named with its events.
bool belongs_to_one_event(const std::string& kind) {
  constexpr std::string_view own[] = {"t=",
                                      "tb=",
                                      "unit mask=",
                                      "illegal: the threshold has six bits",
                                      "illegal: there are four time-base bits",
                                      "illegal: two events of one counter",
                                      "illegal: events of three sets of L2",
                                      "illegal: the data EAR for TLB misses needs the branch buffer off"};
  return std::any_of(std::begin(own), std::end(own), [&](std::string_view name) { return kind.starts_with(name); });
}

TEST(Lacking, EveryKindIsAskedWithoutAnyOneEvent) {
  for (const models::Target& target : models::targets()) {
    std::map<std::string, std::set<std::string>> needed;  // by kind: the events that are in all of its questions
    std::map<std::string, std::size_t> asked;
    for (const Question& question : questions_of(std::string(target.name), Extent::quick)) {
      std::set<std::string> events;
      for (const Check& check : question.group.checks) events.insert(check.request.event);
      for (const std::string& kind : kinds_of(question)) {
        const auto [place, is_new] = needed.try_emplace(kind, events);
        if (!is_new) std::erase_if(place->second, [&](const std::string& event) { return !events.contains(event); });
        ++asked[kind];
      }
    }
    ASSERT_FALSE(needed.empty()) << target.name;
    for (const auto& [kind, events] : needed) {
      if (belongs_to_one_event(kind)) continue;
      EXPECT_TRUE(events.empty()) << target.name << ": " << kind << " needs " << *events.begin() << " in "
                                  << asked[kind];
    }
  }
}

}  // namespace
}  // namespace pmusim::testbench::questions
