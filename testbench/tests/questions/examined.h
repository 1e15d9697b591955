// Verdicts on the answers of our own encoder, right or with a defect, shared by tests.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/targets.h"
#include "testbench/faults/encoder_faults.h"
#include "testbench/faults/encoder_trials.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/sweep/protocol.h"

namespace pmusim::testbench::questions {

inline Exam exam_of(const std::string& target) {
  return {"job", target, models::find_target(target)->parameters(), true, {}, {}, "pmusim validate --question "};
}

/// The exam of these questions, answered one after the other by our own encoder with a defect; null: without one.
inline Exam answered(const std::string& target, std::vector<Question> questions, const faults::EncoderFault* defect) {
  Exam exam = exam_of(target);
  faults::Server server(defect);
  std::uint64_t id = 0;
  for (Question& question : questions) {
    const std::string line = server.answer(request_of(++id, target, question.group).dump()).dump();
    exam.answers.push_back(parse_answer(line, id, target, question.group.checks.size()));
    exam.questions.push_back(std::move(question));
  }
  return exam;
}

/// Verdicts on the first `count` questions about an event of the target, answered by our own encoder with a defect.
inline JobVerdict examined(const std::string& target, const std::string& event, const faults::EncoderFault* defect,
                           std::size_t count = 60, Extent extent = Extent::full) {
  std::vector<Question> chosen;
  for (Question& question : questions_of(target, extent)) {
    if (question.group.checks.size() != 1 || question.group.checks[0].request.event != event) continue;
    if (chosen.size() == count) break;
    chosen.push_back(std::move(question));
  }
  return examine(answered(target, std::move(chosen), defect));
}

inline const faults::EncoderFault& defect_named(const std::string& target, const std::string& name) {
  static std::map<std::string, std::vector<faults::EncoderFault>> all;
  auto& defects = all[target];
  if (defects.empty()) defects = faults::encoder_faults_of(target);
  for (const faults::EncoderFault& defect : defects) {
    if (defect.name == name) return defect;
  }
  throw std::invalid_argument(name);
}

}  // namespace pmusim::testbench::questions
