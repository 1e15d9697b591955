#include "testbench/faults/defect_trials.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "testbench/faults/defects.h"
#include "testbench/faults/paper.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/support/error.h"
#include "testbench/support/only.h"
#include "testbench/sweep/foreign_encoder.h"
#include "testbench/sweep/jobs.h"

namespace pmusim::testbench::questions {
namespace {

bool same(const Answer& a, const Answer& b) {
  return a.status == b.status && a.registers == b.registers && a.counters == b.counters && a.presets == b.presets;
}

/// Answers of defective encoders to the questions of a paper.
class DefectivePaper : public faults::Paper {
 public:
  using Paper::Paper;
  [[nodiscard]] std::string name() const { return extent() == Extent::quick ? "quick questions" : "all questions"; }

  /// Questions whose answer a defect changes; messages are not compared.
  [[nodiscard]] std::vector<std::size_t> changed_by(const Defect& defect) const {
    std::vector<std::size_t> changed_ones;
    for (std::size_t i = 0; i < size(); ++i) {
      if (changed(defect, i)) changed_ones.push_back(i);
    }
    return changed_ones;
  }
  /// The defect's answer, if it differs from the right one.
  [[nodiscard]] std::optional<Answer> changed(const Defect& defect, std::size_t i) const {
    const Group& asked = question(i).group;
    Group group = asked;
    if (defect.ask) defect.ask(target(), group);
    const bool asks_otherwise =
        defect.ask && (group.question() != asked.question() || group.samples() != asked.samples());
    Answer given = asks_otherwise ? right_->encode(target(), group) : answer(i);
    if (given.status == Answer::Status::invalid && defect.instead_of_refusal)
      given = defect.instead_of_refusal(target(), group);
    static const Answer nothing;
    if (defect.spoil && given.status == Answer::Status::encoded)
      defect.spoil({target(), group, before(i) ? answer(*before(i)) : nothing}, given);
    return same(given, answer(i)) ? std::nullopt : std::optional(std::move(given));
  }

 private:
  std::unique_ptr<EncoderUnderTest> right_ = own_encoder();
};

/// Number of parts into which questions are split.
std::size_t number_of_parts(const TrialOptions& options) { return std::max(1u, options.jobs); }

/// At most `most` elements, evenly spaced.
std::vector<std::size_t> thinned(const std::vector<std::size_t>& list, std::size_t most) {
  if (list.size() <= most) return list;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(list[i * list.size() / most]);
  return chosen;
}

/// All defects of a target, with the question that noticed each.
class Trials {
 public:
  Trials(const std::string& target, std::vector<Defect> defects, const TrialOptions& options,
         std::function<void(const std::string&)> advance)
      : target_(target),
        options_(options),
        advance_(std::move(advance)),
        defects_(std::move(defects)),
        by_(defects_.size()) {}

  /// Lets the defects in `tried` answer some questions of a paper each, and keeps the ones noticed. All defects answer
  /// together, so that the counts of a question are computed once for all. Advances when a part of them is judged.
  void ask(const DefectivePaper& paper, const std::map<std::size_t, std::vector<std::size_t>>& tried) {
    const std::size_t jobs = number_of_parts(options_);
    const auto work = [&](std::size_t job) { return judged(paper, tried, jobs, job).dump(); };
    const auto done = [&](std::size_t, const std::string& line) {
      for (const Json& noticed : Json::parse(line)) {
        std::string& by = by_[noticed.at(0).get<std::size_t>()];
        if (by.empty()) by = noticed.at(1).get<std::string>();
      }
      if (advance_) advance_(paper.name());
    };
    if (tried.empty()) return;
    run_jobs({jobs, work, [&](std::size_t) { return "defective encoders of " + target_; }}, options_.jobs, done);
  }

  [[nodiscard]] const std::vector<Defect>& defects() const { return defects_; }
  /// The question that noticed a defect; empty: none did.
  [[nodiscard]] const std::string& by(std::size_t defect) const { return by_[defect]; }

 private:
  /// Judges the answers to the questions of one part, given through the protocol; returns the questions that noticed a
  /// defect.
  Json judged(const DefectivePaper& paper, const std::map<std::size_t, std::vector<std::size_t>>& tried,
              std::size_t parts, std::size_t part) const {
    Exam exam = paper.blank();
    for (const auto& [defect, questions] : tried) {
      std::unique_ptr<EncoderUnderTest> defective;
      const auto answer_to = [&, defect = defect](std::size_t i) {
        if (!defective) defective = foreign_encoder({command(defects_[defect])});
        Answer answer = defective->encode(target_, paper.question(i).group);
        if (answer.status == Answer::Status::missing) throw UsageError(answer.message);  // not what the defect does
        return answer;
      };
      std::optional<std::size_t> last;
      for (const std::size_t i : questions) {
        if (paper.part_of(i, parts) != part) continue;
        const auto before = paper.before(i);
        if (defects_[defect].remembers && before && before != last) (void)answer_to(*before);
        Answer answer = answer_to(i);
        last = i;
        // `pmusim validate` judges the right answers; only answers that differ are judged here.
        if (same(answer, paper.answer(i))) continue;
        paper.put(exam, i, std::move(answer));
        exam.encoders.push_back(defect);
      }
    }
    Json noticed = Json::array();
    for (const QuestionVerdict& verdict : examine(exam).questions) {
      if (verdict.verdict == "mismatch") noticed.push_back({exam.encoders[verdict.number], verdict.question});
    }
    return noticed;
  }

  [[nodiscard]] std::string command(const Defect& defect) const {
    return fmt::format("'{}' encode --serve -t {} --defect '{}'", options_.program, target_, defect.name);
  }

  std::string target_;
  TrialOptions options_;
  std::function<void(const std::string&)> advance_;
  std::vector<Defect> defects_;
  std::vector<std::string> by_;
};

}  // namespace

std::string_view name_of(Trial::Verdict verdict) {
  static constexpr std::array<std::string_view, 5> names{"caught", "caught by all questions", "does not fit", "excused",
                                                         "MISSED"};
  return names[static_cast<std::size_t>(verdict)];
}

std::size_t most_steps(const TrialOptions& options) {
  const std::size_t rounds = options.quick ? 1 : 2;
  return 2 * rounds * number_of_parts(options);  // a round asks a few questions, then the others
}

std::vector<Trial> try_defects(const std::string& target, const TrialOptions& options,
                               const std::function<void(const std::string&)>& advance) {
  std::vector<Defect> defects = defects_of(target);
  const Only only(options.only);
  std::erase_if(defects, [&](const Defect& defect) { return !only.admits(defect.name); });
  if (defects.empty()) return {};
  Trials trials(target, std::move(defects), options, advance);
  std::vector<Trial> verdicts;
  for (const Defect& defect : trials.defects())
    verdicts.push_back({target, defect.name, defect.about, Trial::Verdict::missed, {}});

  std::vector<std::set<std::string>> rules(verdicts.size());  // rules by which a defect's answers count the same
  std::vector<std::string> differs(verdicts.size());          // the other answers, in words
  /// A round starts with few questions: nearly every defect is noticed by the first answers that it changes.
  const auto round = [&](const DefectivePaper& paper, Trial::Verdict noticed, std::size_t few) {
    std::map<std::size_t, std::vector<std::size_t>> changed;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      if (verdicts[i].verdict != Trial::Verdict::missed) continue;
      if (auto list = paper.changed_by(trials.defects()[i]); !list.empty()) changed.emplace(i, std::move(list));
    }
    std::map<std::size_t, std::vector<std::size_t>> tried;
    for (const auto& [i, list] : changed) tried.emplace(i, thinned(list, few));
    trials.ask(paper, tried);
    std::erase_if(changed, [&](const auto& entry) { return !trials.by(entry.first).empty(); });
    for (auto& [i, list] : changed) {
      const bool all_tried = list.size() <= few;
      std::erase_if(list, [&, i = i](std::size_t question) {
        const auto answer = paper.changed(trials.defects()[i], question);
        std::string rule = options.same ? options.same(target, paper.answer(question), *answer) : "";
        if (rule.empty()) return false;
        rules[i].insert(std::move(rule));
        return true;
      });
      if (!list.empty() && differs[i].empty())
        differs[i] = fmt::format("{} answers differ, the first to {}", list.size(),
                                 paper.question(list.front()).group.question());
      if (all_tried) list.clear();
    }
    std::erase_if(changed, [](const auto& entry) { return entry.second.empty(); });
    trials.ask(paper, changed);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      if (verdicts[i].verdict != Trial::Verdict::missed || trials.by(i).empty()) continue;
      verdicts[i].verdict = noticed;
      verdicts[i].by = trials.by(i);
    }
  };
  constexpr std::size_t few = 48, some = 400;
  const DefectivePaper quick(target, Extent::quick);
  round(quick, Trial::Verdict::caught, few);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    Trial& trial = verdicts[i];
    const std::string_view excuse = excuse_for(target, trial.defect);
    if (trial.verdict != Trial::Verdict::missed || (excuse.empty() && !options.quick)) continue;
    if (quick.changed_by(trials.defects()[i]).empty()) {
      if (options.quick) trial.verdict = Trial::Verdict::unfit;
    } else if (!excuse.empty()) {
      trial.verdict = Trial::Verdict::excused;
      trial.by = excuse;
    }
  }
  const auto excuse_by_rule = [&] {
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      if (verdicts[i].verdict == Trial::Verdict::missed) verdicts[i].by = differs[i];
      if (verdicts[i].verdict != Trial::Verdict::missed || !differs[i].empty() || rules[i].empty()) continue;
      verdicts[i].verdict = Trial::Verdict::excused;
      verdicts[i].by = fmt::format("counts the same: {}", fmt::join(rules[i], "; "));
    }
  };
  if (options.quick) {
    excuse_by_rule();
    return verdicts;
  }
  const auto is_missed = [](const Trial& trial) { return trial.verdict == Trial::Verdict::missed; };
  if (std::any_of(verdicts.begin(), verdicts.end(), is_missed)) {
    const DefectivePaper full(target, Extent::full);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      if (is_missed(verdicts[i]) && full.changed_by(trials.defects()[i]).empty())
        verdicts[i].verdict = Trial::Verdict::unfit;
    }
    round(full, Trial::Verdict::caught_late, some);
  }
  excuse_by_rule();
  return verdicts;
}

}  // namespace pmusim::testbench::questions
