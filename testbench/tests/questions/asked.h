// What the tests of the questions share: the targets, and what a question asks for.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testbench/judge/question/question.h"

namespace pmusim::testbench::questions {

inline const std::vector<std::string> targets{"athlon",      "ppc750gx",  "ppc750gl",   "alpha-ev4", "alpha-ev5",
                                              "alpha-pca56", "alpha-ev6", "alpha-ev67", "itanium2",  "montecito"};

/// The first counter that is not reserved.
inline unsigned counter_of(const Question& question, std::size_t counters) {
  for (unsigned counter = 0; counter < counters; ++counter) {
    const auto& reserved = question.group.unavailable_counters;
    if (std::find(reserved.begin(), reserved.end(), counter) == reserved.end()) return counter;
  }
  return static_cast<unsigned>(counters);
}

/// The question is about one event, which only one counter can count.
inline bool is_on_one_counter(const Question& question, std::size_t counters) {
  return question.group.checks.size() == 1 && question.group.unavailable_counters.size() + 1 == counters;
}

inline bool is_legal(const Question& question) { return question.illegal.empty(); }

/// The questions that an encoder must answer with registers.
inline std::vector<Question> legal_questions(const std::string& target, Extent extent = Extent::full) {
  std::vector<Question> questions = questions_of(target, extent);
  std::erase_if(questions, [](const Question& question) { return !is_legal(question); });
  return questions;
}
inline std::vector<Question> illegal_questions(const std::string& target) {
  std::vector<Question> questions = questions_of(target, Extent::full);
  std::erase_if(questions, is_legal);
  return questions;
}

inline std::set<std::string> events_of(const Question& question) {
  std::set<std::string> events;
  for (const Check& check : question.group.checks) events.insert(check.request.event);
  return events;
}

/// True if an event of the question has this attribute with this value.
inline bool asks_for(const Question& question, const std::string& attribute, std::uint32_t value) {
  return std::any_of(question.group.checks.begin(), question.group.checks.end(), [&](const Check& check) {
    const auto& all = check.attributes;
    return std::find(all.begin(), all.end(), Attribute(attribute, value)) != all.end();
  });
}

}  // namespace pmusim::testbench::questions
