// Questions with their right answers, in whose place a fault puts other ones: bits that are wrong, or the mistakes of a
// defective encoder.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/trial/exam.h"

namespace pmusim::testbench::faults {

/// Answers of faulty encoders that are judged together, and the fault of each.
struct Sheet {
  questions::Exam exam;
  std::vector<std::size_t> faults = {};
};

class Paper {
 public:
  using Admits = std::function<bool(const questions::Question&, const Answer&)>;
  /// The questions of a target that `admits` admits; null: all.
  Paper(const std::string& target, questions::Extent extent, const Admits& admits = {});

  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] questions::Extent extent() const { return extent_; }
  [[nodiscard]] std::size_t size() const { return questions_.size(); }
  [[nodiscard]] const questions::Question& question(std::size_t i) const { return questions_[i]; }
  [[nodiscard]] const Answer& answer(std::size_t i) const { return answers_[i]; }
  /// The last earlier question whose answer is not a refusal.
  [[nodiscard]] std::optional<std::size_t> before(std::size_t i) const { return before_[i]; }
  /// The part of a question, if there are `parts`; questions with the same first event are in the same part.
  [[nodiscard]] std::size_t part_of(std::size_t i, std::size_t parts) const { return events_[i] % parts; }

  /// Adds an answer of a fault to a question.
  void put(Sheet& sheet, std::size_t question, Answer answer, std::size_t fault) const;
  /// Judges what `fill(part, sheet)` puts on a sheet for each of the parts, in `jobs` processes at a time; stops at the
  /// first mismatch of each answer or, with `once`, of each fault. Calls noticed(fault, question, detail) for each
  /// mismatch, and `advance` when a part is judged.
  void judge(const std::vector<std::size_t>& parts, unsigned jobs, bool once,
             const std::function<void(std::size_t part, Sheet& sheet)>& fill,
             const std::function<void(std::size_t fault, std::string question, std::string detail)>& noticed,
             const std::function<void()>& advance) const;

 private:
  std::string target_;
  questions::Extent extent_;
  std::vector<questions::Question> questions_;
  std::vector<Answer> answers_;
  std::vector<std::optional<std::size_t>> before_;
  std::vector<std::size_t> events_;  ///< number of the first event of each question
};

}  // namespace pmusim::testbench::faults
