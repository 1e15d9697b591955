#include "testbench/cli/validate_alone.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "testbench/judge/trial/examined.h"

namespace pmusim::testbench {
namespace {

/// Each costs the start of the encoder, which may be an interpreter with its libraries.
constexpr std::size_t most_causes = 3;

/// The registers that the encoder gives when it is asked this question and no other, unless they are those `given`;
/// empty if it gives none, or if there is no such question.
std::string otherwise_alone(const ForeignProgram& program, const std::string& target, const std::string& question,
                            const std::string& given, questions::Extent extent) {
  Choice choice;
  choice.questions = {question};
  choice.extent = extent;
  const std::vector<questions::Question> found = questions_of(target, {}, choice);
  if (found.size() != 1) return {};
  const Answer answer = foreign_encoder(program)->encode(target, found.front().group);
  if (answer.status != Answer::Status::encoded) return {};
  for (const bool ones : {false, true}) {
    if (questions::shown(answer.with_ignored_bits(ones)) == given) return {};
  }
  return questions::shown(answer) == given ? "" : questions::shown(answer);
}

/// The example that a report shows: one with the shortest question; null if there is none.
Mismatch* example_of(TargetVerdict& verdict, const std::string& cause) {
  Mismatch* shortest = nullptr;
  for (Mismatch& mismatch : verdict.mismatches) {
    if (mismatch.cause != cause) continue;
    if (shortest == nullptr || mismatch.sample.event.size() < shortest->sample.event.size()) shortest = &mismatch;
  }
  return shortest;
}

void replace(TargetVerdict& verdict, const std::string& cause, const std::string& by) {
  const auto counted = verdict.causes.extract(cause);
  verdict.causes[by] += counted.mapped();
  for (Mismatch& mismatch : verdict.mismatches) {
    if (mismatch.cause == cause) mismatch.cause = by;
  }
}

void ask_alone(const ForeignProgram& program, const Choice& choice, TargetVerdict& verdict) {
  std::vector<std::pair<std::string, std::uint64_t>> causes(verdict.causes.begin(), verdict.causes.end());
  std::ranges::stable_sort(causes, [](const auto& a, const auto& b) { return a.second > b.second; });
  if (causes.size() > most_causes) causes.resize(most_causes);
  for (const auto& [cause, count] : causes) {
    Mismatch* const example = example_of(verdict, cause);
    if (example == nullptr || example->sample.registers.empty()) continue;
    if (example->reproduce.find("--question ") != example->reproduce.rfind("--question ")) continue;  // it asks two
    const std::string given =
        otherwise_alone(program, verdict.target, example->sample.event, example->sample.registers, choice.extent);
    if (given.empty()) continue;
    example->diagnosis = fmt::format("the answer depends on the requests before: asked alone, the encoder gives {}; {}",
                                     given, example->diagnosis);
    replace(verdict, cause, "the answer depends on the requests before");
  }
}

}  // namespace

void ask_alone(const ForeignProgram& program, const Choice& choice, std::vector<TargetVerdict>& verdicts) {
  if (!choice.questions.empty()) return;
  for (TargetVerdict& verdict : verdicts) ask_alone(program, choice, verdict);
}

}  // namespace pmusim::testbench
