// Each event on each counter with every level and threshold, and with the interrupt.
#include "testbench/judge/question/attributes.h"
#include "testbench/judge/question/event_facts.h"

namespace pmusim::testbench::questions {
namespace {

std::vector<Question> all_questions(const Family& family, Extent extent) {
  std::vector<Question> questions;
  std::size_t number_of_row = 0;
  for (const Check& row : rows_of(family.target)) {
    const auto form = std::make_shared<const Form>(
        Form{{{row}},
             {flag("u", [](oracle::Request& request) { request.kernel = false; }),
              number("t", family.threshold.most,
                     [](oracle::Request& request, std::uint32_t t) { request.threshold = t; })}});
    add_covered(form, {0, 1}, family.counters.size(), extent, number_of_row++, questions);
    questions.push_back(illegal("a threshold has four bits", {with(row, {"t", 16})}));
  }
  return questions;
}

std::string_view equal(const Question& question, const Question& other) {
  const auto reached = [](const Question& q) {
    const oracle::Request& request = q.group.checks.front().request;
    return request.threshold <= event_facts("toy", request.event).occurs.most();
  };
  if (!reached(question) && !reached(other)) return "no cycle reaches the threshold";
  const auto& [own, its] = std::pair(question.group.checks.front().request, other.group.checks.front().request);
  const bool clocks = own.event == "TOY_CLOCKS" && its.event == "TOY_CLOCKS" && own.kernel == its.kernel;
  return clocks && reached(question) && reached(other) ? "a cycle is one clock, with a threshold of 1 or without" : "";
}

}  // namespace
}  // namespace pmusim::testbench::questions

namespace pmusim::testbench::targets::toy {

extern const questions::Family questions{.target = "toy",
                                         .counters = questions::numbered("Count", 0, 1),
                                         .count_bits = 16,
                                         .has_pins = true,
                                         .questions = questions::all_questions,
                                         .equal = questions::equal,
                                         .threshold = {"t", 15}};

}  // namespace pmusim::testbench::targets::toy
