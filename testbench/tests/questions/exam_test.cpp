#include "testbench/judge/trial/exam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "examined.h"
#include "testbench/judge/trial/observed.h"

namespace pmusim::testbench::questions {
namespace {

/// The verdicts on questions about single events, with one bit flipped in a register of our own answer.
std::vector<QuestionVerdict> with_wrong_bit(const std::string& target, const std::string& reg,
                                            const std::function<bool(const Question&)>& chosen,
                                            const std::function<unsigned(const Answer&)>& bit) {
  Exam exam = exam_of(target);
  exam.bare = true;
  const auto right = own_encoder();
  for (const Question& question : questions_of(target, Extent::full)) {
    if (!question.illegal.empty() || question.group.checks.size() != 1 || !chosen(question)) continue;
    Answer answer = right->encode(target, question.group);
    for (encoder::RegisterValue& value : answer.registers) {
      if (value.name == reg) value.value ^= std::uint64_t{1} << bit(answer);
    }
    exam.questions.push_back(question);
    exam.answers.push_back(std::move(answer));
  }
  return examine(exam).questions;
}

// A handler reads PMC0 first. The level changes at most once per cycle, so that with a threshold of 3 nothing counts:
// the bits of PMC0 are the only observable difference.
TEST(Exam, WhatPMC0SaysOfACounterIsCompared) {
  const auto silent = [](const Question& question) {
    const oracle::Request& request = question.group.checks[0].request;
    return request.event == "CPU_CPL_CHANGES" && request.threshold >= 3u;
  };
  const auto overflow = [](const Answer& answer) {
    return 4u + static_cast<unsigned>(answer.counters[0].back() - '4');
  };
  for (const auto& bit : {std::function<unsigned(const Answer&)>(overflow), {[](const Answer&) { return 0u; }}}) {
    const auto verdicts = with_wrong_bit("itanium2", "PMC0", silent, bit);
    ASSERT_FALSE(verdicts.empty());
    for (const QuestionVerdict& verdict : verdicts) EXPECT_EQ(verdict.verdict, "mismatch") << verdict.question;
  }
}

// The 21064's counters always interrupt: a plain count is computed from the number of periods.
TEST(Exam, ThePeriodWithoutAWordIsJudged) {
  const auto plain = [](const Question& question) {
    const oracle::Request& request = question.group.checks[0].request;
    return request.event == "PF_ISSUES" && !request.marked && !question.group.sampled;
  };
  const auto verdicts =
      with_wrong_bit("alpha-ev4", "WRPERFMON_SELECT", plain, [](const Answer&) { return 3u; });  // PC0
  ASSERT_FALSE(verdicts.empty());
  for (const QuestionVerdict& verdict : verdicts) EXPECT_EQ(verdict.verdict, "mismatch") << verdict.question;
}

// A short trace must run repeatedly until periods of thousands of events have passed.
TEST(Exam, EveryPeriodOfThe21264IsExercised) {
  Exam exam = exam_of("alpha-ev6");
  const auto right = own_encoder();
  for (const Question& question : questions_of("alpha-ev6", Extent::full)) {
    exam.answers.push_back(right->encode("alpha-ev6", question.group));
    exam.questions.push_back(question);
  }
  for (const QuestionVerdict& question : examine(exam).questions)
    EXPECT_EQ(question.verdict, "ok") << question.question << ": " << question.detail;
}

const std::string stale_registers = "the registers are those of the request before";

// Several encoders at once: one mismatch for each that is wrong, none for the one that is right.
TEST(Exam, EachOfSeveralEncodersIsJudged) {
  Exam exam = exam_of("athlon");
  exam.bare = true;
  const auto right = own_encoder();
  for (const Question& question : questions_of("athlon", Extent::quick)) {
    if (question.group.checks.front().request.event != "RETIRED_INSTRUCTIONS" || !question.illegal.empty()) continue;
    for (const std::size_t encoder : {0u, 1u, 2u}) {
      Answer answer = right->encode("athlon", question.group);
      ASSERT_EQ(answer.status, Answer::Status::encoded);
      if (encoder != 0) answer.registers.front().value ^= encoder == 1 ? 1u << 16 : 1u << 22;  // USR, EN
      exam.questions.push_back(question);
      exam.answers.push_back(answer);
      exam.encoders.push_back(encoder);
    }
  }
  std::map<std::size_t, std::size_t> mismatches;
  for (const QuestionVerdict& verdict : examine(exam).questions) {
    if (verdict.verdict == "mismatch") ++mismatches[exam.encoders[verdict.number]];
  }
  EXPECT_EQ(mismatches, (std::map<std::size_t, std::size_t>{{1, 1}, {2, 1}}));
}

// A bit set by mistake in PMC0 reports an overflow of an unused counter; an EAR left enabled captures loads.
TEST(Exam, WhatWasNotAskedForIsNoticed) {
  for (const auto& [reg, wrong] : {std::pair<std::string, std::uint64_t>{"", 0}, {"PMC0", 1u << 4}, {"PMC11", 0xf}}) {
    Exam exam = exam_of("itanium2");
    for (Question& question : questions_of("itanium2", Extent::quick)) {
      const auto& checks = question.group.checks;
      if (checks.size() != 1 || checks[0].request.event != "L1D_READ_MISSES_ALL" || !question.illegal.empty()) continue;
      Answer answer = own_encoder()->encode("itanium2", question.group);
      for (encoder::RegisterValue& own : answer.registers) own.value |= own.name == reg ? wrong : 0;
      exam.answers.push_back(std::move(answer));
      exam.questions.push_back(std::move(question));
      break;
    }
    ASSERT_EQ(exam.questions.size(), 1u);
    EXPECT_EQ(examine(exam).questions.front().verdict, wrong != 0 ? "mismatch" : "ok") << reg;
  }
}

// Errors that the trace of the question does not show: a counter without event enabled at levels where the trace has no
// occurrences; the select of another counter set to a code that it does not have; a wrong event with a counter mask
// that the trace does not reach.
TEST(Exam, WhatOnlyEverythingShowsIsNoticed) {
  struct Wrong {
    const char *target, *event, *reg;
    std::uint64_t bits;
    std::uint32_t threshold = 0;
  };
  for (const Wrong& w :
       {Wrong{"itanium2", "L1D_READ_MISSES_ALL", "PMC7", 1u << 1}, Wrong{"itanium2", "NOPS_RETIRED", "PMC11", 1u << 1},
        Wrong{"ppc750gx", "PROCESSOR_CYCLES", "MMCR1", 0x0au << 27},
        Wrong{"athlon", "RETIRED_INSTRUCTIONS", "", 1u << 1, 64}}) {
    for (const bool right : {true, false}) {
      Exam exam = exam_of(w.target);
      exam.bare = true;
      for (Question& question : questions_of(w.target, Extent::full)) {
        const auto& checks = question.group.checks;
        const bool chosen = checks.size() == 1 && checks[0].request.event == w.event && question.illegal.empty() &&
                            checks[0].request.threshold == w.threshold && !question.interrupts;
        if (!chosen) continue;
        Answer answer = own_encoder()->encode(w.target, question.group);
        if (answer.status != Answer::Status::encoded) continue;
        for (encoder::RegisterValue& own : answer.registers) {
          const bool wrong = *w.reg == 0 ? own.value != 0 : own.name == w.reg;
          if (!right && wrong) own.value ^= w.bits;
        }
        exam.answers.push_back(std::move(answer));
        exam.questions.push_back(std::move(question));
        break;
      }
      ASSERT_EQ(exam.questions.size(), 1u) << w.target;
      EXPECT_EQ(examine(exam).questions.front().verdict == "mismatch", !right) << w.target << ' ' << w.reg;
    }
  }
}

TEST(Exam, AMismatchSaysWhyAndHowToSeeItAgain) {
  const JobVerdict verdict = examined("athlon", "RETIRED_INSTRUCTIONS", &defect_named("athlon", "levels-swapped"));
  ASSERT_FALSE(verdict.mismatches.empty());
  const Mismatch& first = verdict.mismatches.front();
  EXPECT_EQ(first.cause, "OS and USR exchanged or inverted");
  EXPECT_EQ(first.reproduce, "pmusim validate --question '" + first.sample.event + "'");
  EXPECT_NE(first.sample.counted, first.sample.expected);
}

/// The mismatches of all rows, each of which has at most as many as checks.
std::uint64_t mismatches_of_rows(const JobVerdict& verdict) {
  std::uint64_t sum = 0;
  for (const auto& [name, row] : verdict.rows) {
    EXPECT_LE(row.mismatches, row.checks) << name;
    sum += row.mismatches;
  }
  return sum;
}

// A wrong answer fails in several comparisons: of its count, its interrupt and its pin, on several traces. It is one
// mismatch of each of its events, and each mismatch has one cause.
TEST(Exam, MismatchesAddUp) {
  for (const char* defect : {"levels-swapped", "no-interrupt", "stale", "counters-exchanged"}) {
    std::vector<Question> chosen;
    std::uint64_t events = 0;
    for (Question& question : questions_of("athlon", Extent::quick)) {
      const auto& checks = question.group.checks;
      if (checks.front().request.event != "DATA_CACHE_ACCESSES" && checks.size() == 1) continue;
      events += checks.size();
      chosen.push_back(std::move(question));
    }
    const JobVerdict verdict = examine(answered("athlon", std::move(chosen), &defect_named("athlon", defect)));
    const std::uint64_t mismatches = mismatches_of_rows(verdict);
    EXPECT_GT(mismatches, 0u) << defect;
    EXPECT_LE(mismatches, events) << defect;
    std::uint64_t explained = 0;
    for (const auto& [cause, count] : verdict.causes) explained += count;
    EXPECT_EQ(explained, mismatches) << defect;
    std::uint64_t wrong = 0;
    for (const QuestionVerdict& question : verdict.questions) wrong += question.verdict == "mismatch" ? 1 : 0;
    EXPECT_GE(mismatches, wrong) << defect;
  }
}

// The registers of the request before show only after that request.
TEST(Exam, RegistersOfTheRequestBefore) {
  const JobVerdict verdict = examined("athlon", "RETIRED_INSTRUCTIONS", &defect_named("athlon", "stale"));
  ASSERT_FALSE(verdict.mismatches.empty());
  EXPECT_EQ(verdict.causes.size(), 1u);
  EXPECT_TRUE(verdict.causes.contains(stale_registers));
  std::vector<std::string> asked;
  for (const Question& question : questions_of("athlon", Extent::full)) {
    const auto& checks = question.group.checks;
    if (checks.size() == 1 && checks[0].request.event == "RETIRED_INSTRUCTIONS" && question.illegal.empty())
      asked.push_back(question.group.question());
  }
  for (const Mismatch& mismatch : verdict.mismatches) {
    const auto own = std::find(asked.begin(), asked.end(), mismatch.sample.event);
    ASSERT_NE(own, asked.end());
    ASSERT_NE(own, asked.begin());
    EXPECT_EQ(mismatch.reproduce, "pmusim validate --question '" + *(own - 1) + "' --question '" + *own + "'");
    EXPECT_EQ(mismatch.diagnosis.substr(0, mismatch.diagnosis.find(';')), stale_registers + ", " + *(own - 1));
  }
}

// The last question to another job comes before the first one.
TEST(Exam, RegistersOfTheRequestBeforeTheFirst) {
  std::vector<Question> pair;
  for (Question& question : questions_of("athlon", Extent::quick)) {
    const std::string text = question.group.question();
    if (question.group.checks.size() == 1 && pair.size() < 2) pair.push_back(std::move(question));
  }
  Exam exam = answered("athlon", pair, &defect_named("athlon", "stale"));
  const std::string first = exam.questions.front().group.question();
  exam.before = exam.questions.front().group;
  exam.questions.erase(exam.questions.begin());
  exam.answers.erase(exam.answers.begin());
  const JobVerdict verdict = examine(exam);
  ASSERT_EQ(verdict.mismatches.size(), 1u);
  EXPECT_NE(verdict.mismatches[0].reproduce.find(first), std::string::npos) << verdict.mismatches[0].reproduce;
}

// 4 and 10 events by the ends of two blocks: a counter at 5 and 10 is wrong although its last value is right.
TEST(Exam, ACountOnTheWayIsCompared) {
  const Bench bench(*family_of("athlon"), models::find_target("athlon")->parameters());
  const std::vector<oracle::Tally> expected = {{.expected = 4}, {.expected = 10}};
  constexpr std::uint64_t start = 100;
  const auto wrong = [&](std::uint64_t first, std::uint64_t second, std::size_t from, std::size_t end) {
    Seen seen;
    for (const std::uint64_t count : {first, second}) seen.counts.push_back({0, start + count, 0, 0});
    return wrong_count(bench, seen, 1, start, expected, from, end);
  };
  EXPECT_FALSE(wrong(4, 10, 0, 2));
  const auto on_the_way = wrong(5, 10, 0, 2);
  ASSERT_TRUE(on_the_way);
  EXPECT_EQ(on_the_way->block, 0u);
  EXPECT_EQ(on_the_way->counted, 5u);
  EXPECT_EQ(on_the_way->due, 4u);
  ASSERT_TRUE(wrong(4, 11, 0, 2));
  EXPECT_EQ(wrong(4, 11, 0, 2)->block, 1u);
  EXPECT_FALSE(wrong(5, 10, 1, 2));  // another parameter: the last block alone
  EXPECT_FALSE(wrong(4, 11, 0, 1));  // an overflow in the second block stops the counters
  // Some answer that counts another event is wrong in the first block.
  const JobVerdict verdict =
      examined("athlon", "RETIRED_INSTRUCTIONS", &defect_named("athlon", "next-event"), 60, Extent::quick);
  const auto on_its_way = [](const QuestionVerdict& question) {
    return question.detail.starts_with("on the way PerfCtr");
  };
  EXPECT_TRUE(std::any_of(verdict.questions.begin(), verdict.questions.end(), on_its_way));
}

/// With parameters as they are, or one of them set.
bool out_of_reach(const std::string& target, const oracle::Request& request, const char* name = nullptr,
                  std::string_view value = {}) {
  models::Parameters parameters = models::find_target(target)->parameters();
  if (name != nullptr) parameters.set(name, value);
  return oracle::out_of_reach(target, request, [&](std::string_view known) { return parameters.get(known); });
}

// Manual pages libpfm_itanium2(3) and libpfm_montecito(3) give the largest increment of each event, which the encoder's
// tables have. What the oracle calls out of reach must be above it.
TEST(Exam, WhatIsOutOfReachIsAboveTheManualsLimit) {
  for (const char* target : {"itanium2", "montecito"}) {
    std::map<std::string, unsigned> most;
    for (const encoder::EventInfo& event : *encoder::events(target)) most[event.name] = event.max_per_cycle;
    std::size_t limited = 0, rows = 0;
    for (const Check& check : rows_of(target)) {
      oracle::Request request = check.request;
      for (request.threshold = 1; request.threshold <= 7; ++request.threshold) {
        if (request.event == "CPU_OP_CYCLES_HALTED" || !out_of_reach(target, request)) continue;
        EXPECT_LE(most.at(request.event), request.threshold) << target << ' ' << request.event;
        limited += request.threshold == 7 ? 1 : 0;
      }
      ++rows;
    }
    EXPECT_GE(limited * 4, rows * 3) << target;
  }
  const auto beyond = [](const char* target, const char* event, std::uint32_t threshold) {
    return out_of_reach(target, {.event = event, .umasks = {}, .threshold = threshold});
  };
  EXPECT_TRUE(beyond("itanium2", "BE_FLUSH_BUBBLE_BRU", 1));                  // a cycle is lost once
  EXPECT_FALSE(beyond("itanium2", "BR_MISPRED_DETAIL_ALL_WRONG_TARGET", 2));  // a group has three branches
  EXPECT_TRUE(beyond("itanium2", "BR_MISPRED_DETAIL_ALL_WRONG_TARGET", 3));
  EXPECT_TRUE(beyond("athlon", "INTERRUPTS_MASKED_CYCLES", 2));
  EXPECT_FALSE(beyond("athlon", "INTERRUPTS_MASKED_CYCLES", 1));
  // libpfm has a largest increment of 7 for a halted cycle, which the parameter tells apart from 1.
  const oracle::Request halted{.event = "CPU_OP_CYCLES_HALTED", .umasks = {}, .threshold = 1};
  EXPECT_TRUE(out_of_reach("montecito", halted));
  EXPECT_FALSE(out_of_reach("montecito", halted, "pmu.halted_cycles", "seven"));
  // One of several causes stalls the dispatch, unless each of them counts.
  const oracle::Request stalls{.event = "DISPATCH_STALLS", .umasks = {}, .threshold = 2};
  EXPECT_TRUE(out_of_reach("athlon", stalls));
  EXPECT_FALSE(out_of_reach("athlon", stalls, "pmu.dispatch_stalls", "sum"));
  EXPECT_FALSE(beyond("athlon", "RETIRED_INSTRUCTIONS", 255));  // its definition has no limit
  EXPECT_FALSE(beyond("ppc750gx", "L1_LOAD_MISSES", 63));       // a latency
}

TEST(Exam, WhatIsNotKnownIsNoMismatch) {
  Exam exam = exam_of("athlon");
  exam.questions = questions_of("athlon", Extent::quick);
  exam.answers.assign(exam.questions.size(), Answer{Answer::Status::unsupported, "no", {}, {}});
  const JobVerdict verdict = examine(exam);
  EXPECT_TRUE(verdict.mismatches.empty());
  EXPECT_EQ(verdict.unsupported, exam.questions.size());
}

TEST(Server, RefusesWhatItDoesNotKnow) {
  faults::Server server;
  EXPECT_EQ(server.answer("{").at("error"), "invalid");
  EXPECT_TRUE(server.answer("{").at("id").is_null());
  const auto strange = server.answer(
      R"({"v":1,"id":3,"target":"athlon","events":[{"name":"X","umasks":[],"attrs":{}}],"qualifiers":{},"sampling":false})");
  EXPECT_EQ(strange.at("id"), 3);
  EXPECT_EQ(strange.at("error"), "unsupported");
}

}  // namespace
}  // namespace pmusim::testbench::questions
