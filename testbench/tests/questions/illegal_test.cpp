// Illegal questions: they exist, our own encoder refuses them, and registers as the answer to one are a mismatch.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "models/targets.h"
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

}  // namespace
}  // namespace pmusim::testbench::questions
