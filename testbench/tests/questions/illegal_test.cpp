// Illegal questions: they exist, our own encoder refuses them, and registers as the answer to one are a mismatch. And
// encoders that lack an event.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "models/targets.h"
#include "testbench/judge/question/attributes.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/tests/questions/asked.h"

namespace pmusim::testbench::questions {

namespace {

/// A field that is one too large.
struct Beyond {
  const char *target, *attribute;
  std::uint32_t value;
};

// Athlon: eight bits. 750: THRESHOLD has six bits, RTCSELECT two. IA-64: four levels, and a threshold of three bits.
TEST(Illegal, FieldsThatAreOneTooLarge) {
  for (const Beyond& b : {Beyond{"athlon", "c", 256}, Beyond{"ppc750gx", "t", 64}, Beyond{"ppc750gx", "tb", 4},
                          Beyond{"ppc750gl", "t", 64}, Beyond{"ppc750gl", "tb", 4}, Beyond{"itanium2", "plm", 16},
                          Beyond{"itanium2", "t", 8}, Beyond{"montecito", "plm", 16}, Beyond{"montecito", "t", 8}}) {
    const auto questions = illegal_questions(b.target);
    EXPECT_TRUE(std::any_of(questions.begin(), questions.end(),
                            [&](const Question& question) { return asks_for(question, b.attribute, b.value); }))
        << b.target << ' ' << b.attribute << '=' << b.value;
    for (const Question& question : legal_questions(b.target))
      EXPECT_FALSE(asks_for(question, b.attribute, b.value)) << question.group.question();
  }
}

struct Processor {
  const char* target;
  unsigned counters;
};
constexpr Processor processors[] = {{"athlon", 4},    {"ppc750gx", 4},    {"ppc750gl", 4},  {"alpha-ev4", 2},
                                    {"alpha-ev5", 3}, {"alpha-pca56", 3}, {"alpha-ev6", 2}, {"alpha-ev67", 2},
                                    {"itanium2", 4},  {"montecito", 12}};

TEST(Illegal, MoreEventsThanCounters) {
  for (const Processor& c : processors) {
    const auto questions = illegal_questions(c.target);
    EXPECT_TRUE(std::any_of(questions.begin(), questions.end(), [&](const Question& question) {
      std::set<std::string> rows;
      for (const Check& check : question.group.checks) rows.insert(row_name(check.request));
      return rows.size() == c.counters + 1;
    })) << c.target;
  }
}

// An event whose only counter is reserved; on the Athlon, where every counter counts every event, all are.
TEST(Illegal, EventsWithoutACounter) {
  for (const Processor& c : processors) {
    if (std::string(c.target) == "itanium2" || std::string(c.target) == "montecito") continue;  // below
    std::set<unsigned> reserved;
    for (const Question& question : illegal_questions(c.target)) {
      if (question.group.checks.size() == 1)
        reserved.insert(question.group.unavailable_counters.begin(), question.group.unavailable_counters.end());
    }
    EXPECT_EQ(reserved.size(), c.counters) << c.target;
  }
}

// Only PMC4 counts events of L2 in sets, only PMC5 those of L1D, and only PMC10 of the Montecito halted cycles.
TEST(Illegal, EventsOfReservedCountersOfTheItaniums) {
  for (const auto& [target, counters, due] :
       {std::tuple<std::string, std::size_t, std::set<unsigned>>{"itanium2", 4, {0, 1}},
        {"montecito", 12, {0, 1, 6}}}) {
    std::map<std::string, unsigned> reserved;
    std::set<unsigned> seen;
    bool none_left = false;
    for (const Question& question : illegal_questions(target)) {
      const auto& unavailable = question.group.unavailable_counters;
      none_left |= unavailable.size() == counters;
      if (unavailable.size() != 1) continue;
      reserved[*events_of(question).begin()] = unavailable.front();
      seen.insert(unavailable.front());
    }
    EXPECT_EQ(seen, due) << target;
    EXPECT_TRUE(none_left) << target;
    for (const Question& question : legal_questions(target)) {
      const auto found = reserved.find(*events_of(question).begin());
      if (found == reserved.end() || !is_on_one_counter(question, counters)) continue;
      EXPECT_EQ(counter_of(question, counters), found->second) << question.group.question();
    }
  }
}

TEST(Illegal, OurEncoderRefusesThemAndAnswersTheOthers) {
  for (const std::string& target : targets) {
    for (const Question& question : questions_of(target, Extent::full)) {
      const Answer answer = own_encoder()->encode(target, question.group);
      EXPECT_EQ(answer.status, is_legal(question) ? Answer::Status::encoded : Answer::Status::invalid)
          << target << ' ' << question.group.question() << ": " << question.illegal << answer.message;
    }
  }
}

TEST(Illegal, RegistersAsAnAnswerAreAMismatch) {
  for (const std::string& target : targets) {
    Exam exam{"job", target, models::find_target(target)->parameters(), true, {}, {}, ""};
    const auto right = own_encoder();
    const Answer registers = right->encode(target, legal_questions(target, Extent::quick).front().group);
    ASSERT_EQ(registers.status, Answer::Status::encoded);
    for (Question& question : illegal_questions(target)) {
      exam.answers.push_back(right->encode(target, question.group));
      exam.questions.push_back(question);
      exam.answers.push_back(registers);
      exam.questions.push_back(std::move(question));
    }
    const JobVerdict verdict = examine(exam);
    ASSERT_EQ(verdict.questions.size(), exam.questions.size()) << target;
    std::size_t mismatches = 0;
    for (const QuestionVerdict& question : verdict.questions) {
      const bool refused = question.number % 2 == 0;
      EXPECT_EQ(question.verdict, refused ? "ok" : "mismatch") << target << ' ' << question.question;
      mismatches += refused ? 0 : 1;
    }
    EXPECT_GE(mismatches, 3u) << target;
  }
}

// An encoder that lacks any one event is asked every kind of question all the same: about other events.

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
