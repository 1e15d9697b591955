#include "testbench/faults/reported/examine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pmusim/encoder/encoder.h"
#include "testbench/faults/source_switch.h"
#include "testbench/judge/question/groups.h"
#include "testbench/judge/question/plan_family.h"
#include "testbench/judge/trial/judging_bench.h"
#include "testbench/store/data_folder.h"

namespace pmusim::testbench::faults::reported {
namespace {

bool asked(const Defect& defect, const Group& group) {
  if (defect.only.empty()) return true;
  return std::all_of(group.checks.begin(), group.checks.end(), [&](const Check& check) {
    const std::string text = check.text();
    return std::any_of(defect.only.begin(), defect.only.end(), [&](std::string_view p) { return text.starts_with(p); });
  });
}

class Examination {
 public:
  Examination(const Defect& defect, bool with_fault)
      : defect_(defect),
        with_fault_(with_fault),
        target_(defect.target),
        bench_(target_, models::find_target(defect.target)->parameters()),
        encoder_(own_encoder()) {}

  Findings run() {
    if (!defect_.of_encoder) turn(with_fault_);
    for (const std::string_view trace : defect_.traces) {
      const std::filesystem::path file = data_folder() / "isa-traces" / "micro" / trace;
      const ActivityLog log = bench_.record(file);
      for (const Group& group : plan(file)) {
        if (asked(defect_, group)) judge(group, file, log);
      }
    }
    return std::move(findings_);
  }

 private:
  void turn(bool on) const {
    static constexpr std::string_view names[] = {
#include <source_faults.inc>  // made by source_faults.py
    };
    const auto* const name = std::find(std::begin(names), std::end(names), defect_.name);
    source_faults::on[name - std::begin(names)] = on ? 1 : 0;
  }
  /// The judged encoder has the fault, the diagnosing one does not.
  template <class Ask>
  auto by_judged_encoder(Ask ask) const {
    if (defect_.of_encoder) turn(with_fault_);
    auto answer = ask();
    if (defect_.of_encoder) turn(false);
    return answer;
  }

  void judge(const Group& group, const std::filesystem::path& file, const ActivityLog& log) {
    const JobVerdict verdict =
        bench_.judge({file, {}, &log}, {group}, {.encode = [&](const Group& asked) {
                       return by_judged_encoder([&] { return encoder_->encode(target_, asked); });
                     }});
    for (const auto& [row, result] : verdict.rows) findings_.comparisons += result.checks - result.vacuous;
    for (const Mismatch& mismatch : verdict.mismatches) note(mismatch, file);
  }
  /// Keeps the first mismatch whose diagnosis is the expected one; without any the first.
  void note(const Mismatch& mismatch, const std::filesystem::path& file) {
    const bool placed = mismatch.diagnosis.find(defect_.diagnosis) != std::string::npos;
    if (findings_.differ++ != 0 && (findings_.placed || !placed)) return;
    findings_.placed = placed;
    const Comparison& sample = mismatch.sample;
    findings_.sentence =
        fmt::format("{} '{}' on {}: {}", target_, sample.event, file.filename().string(), mismatch.diagnosis);
    if (!sample.registers.empty()) findings_.sentence += " with " + sample.registers;
  }

  [[nodiscard]] std::vector<Group> plan(const std::filesystem::path& file) const {
    const Landmarks landmarks = find_landmarks(file);
    std::vector<Group> groups = make_plan(target_, Depth::full, landmarks);
    // The questions have the modifiers.
    for (Group& group : questions::groups_of(target_, questions::Extent::full, landmarks))
      groups.push_back(std::move(group));
    if (defect_.dealt_by_encoder) {
      for (Group& group : sets_of_encoder(groups)) groups.push_back(std::move(group));
    }
    return groups;
  }
  /// The plan's plain events in the runs into which the judged encoder splits them.
  [[nodiscard]] std::vector<Group> sets_of_encoder(const std::vector<Group>& plan) const {
    std::map<std::string, Check> by_text;
    std::vector<std::string> texts;
    for (const Group& group : plan) {
      const bool is_plain = group.checks.size() == 1 && group.checks[0].attributes.empty() &&
                            words_of(group.filters).empty() && group.extra.empty() && !group.samples();
      const std::string text = group.checks.front().text();
      if (is_plain && by_text.emplace(text, group.checks.front()).second) texts.push_back(text);
    }
    std::vector<Group> sets;
    const auto passes = by_judged_encoder([&] { return encoder::split_passes(target_, texts).value(); });
    for (const std::vector<std::string>& pass : passes) {
      Group& group = sets.emplace_back();
      for (const std::string& text : pass) group.checks.push_back(by_text.at(text));
    }
    return sets;
  }

  const Defect& defect_;
  bool with_fault_;
  std::string target_;
  JudgingBench bench_;
  std::unique_ptr<EncoderUnderTest> encoder_;
  Findings findings_;
};

}  // namespace

Findings examine(const Defect& defect, bool with_fault) { return Examination(defect, with_fault).run(); }

}  // namespace pmusim::testbench::faults::reported
