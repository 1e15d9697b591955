#include "testbench/judge/verdict/scribe.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "testbench/judge/diagnosis/causes.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

std::string shown(const Answer& answer) {
  std::string text;
  for (const encoder::RegisterValue& reg : answer.registers) {
    if (reg.value == 0) continue;
    // A register that is written twice (off first, on last) is shown with its last value.
    const auto later = std::find_if(&reg + 1, answer.registers.data() + answer.registers.size(),
                                    [&](const encoder::RegisterValue& other) { return other.name == reg.name; });
    if (later != answer.registers.data() + answer.registers.size()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", reg.name, hex(reg.value, 0));
  }
  return text;
}

}  // namespace

Comparison Scribe::comparison(const Check& check, const Counted& counted) const {
  return {verdict_.trace, name_of(check), shown(answer_), counted.counter, counted.counted, counted.expected};
}

void Scribe::refused() {
  const bool unknown = answer_.status == Answer::Status::invalid && !knows_all(task_.known, group_);
  if (answer_.status == Answer::Status::unsupported || unknown) {
    ++verdict_.unsupported;
    for (const Check& check : group_.checks) ++row(check).unsupported;
    return;
  }
  const std::string problem = why_refused();
  for (const Check& check : group_.checks) {
    row(check).checks += 1;
    mismatch(check, {}, problem);
  }
}

void Scribe::mismatch(const Check& check, const Counted& counted, const std::string& problem) {
  if (failed_[number_of(check)]) return;
  failed_[number_of(check)] = true;
  Comparison sample = comparison(check, counted);
  RowVerdict& failing = row(check);
  failing.fail(sample);
  const bool first_of_row = failing.mismatches == 1;
  if (verdict_.mismatches.size() >= listed_ && !first_of_row) {
    ++verdict_.causes[std::string(not_diagnosed)];
    return;
  }
  diagnose::Diagnosis diagnosis = diagnosis_of(check, sample, problem);
  const std::string cause = diagnose::cause_of(diagnosis, problem);
  ++verdict_.causes[cause];
  verdict_.mismatches.push_back({std::move(sample), problem, std::move(diagnosis.sentence),
                                 task_.reproduce + shell_word(group_.question()), cause});
}

std::string Scribe::name_of(const Check& check) const {
  const std::string filters = words_of(group_.filters);
  std::string name = filters.empty() ? check.text() : check.text() + ' ' + filters;
  if (group_.thread != 0) name += " (thread 1)";
  if (group_.sampled) return fmt::format("{} (samples, every {})", name, group_.sampled->period);
  return group_.captures ? fmt::format("{} (captures, every {})", name, group_.captures->period) : name;
}

/// The reason why the answer has no registers.
std::string Scribe::why_refused() const {
  if (answer_.status == Answer::Status::missing) return "no answer: " + answer_.message;
  const auto question = question_of(task_.target, group_);
  return question ? diagnose::refusal(*question, answer_.message) : "the encoder refused it: " + answer_.message;
}

/// Diagnoses the wrong fields.
diagnose::Diagnosis Scribe::diagnosis_of(const Check& check, const Comparison& sample,
                                         const std::string& problem) const {
  const auto question = question_of(task_.target, group_);
  if (answer_.status != Answer::Status::encoded || !question) return {{}, problem};
  return diagnose::diagnose(
      *question,
      {answer_.registers, answer_.counters, answer_.dont_care, reset_values(task_.target), names_of(answer_.policy)},
      number_of(check), {sample.counted, sample.expected, problem});
}

}  // namespace pmusim::testbench
