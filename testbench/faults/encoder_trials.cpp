#include "testbench/faults/encoder_trials.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "testbench/faults/equivalence.h"
#include "testbench/faults/paper.h"
#include "testbench/support/error.h"
#include "testbench/support/only.h"
#include "testbench/sweep/conformance.h"

namespace pmusim::testbench::faults {
namespace {

bool same(const Answer& a, const Answer& b) {
  return a.status == b.status && a.registers == b.registers && a.counters == b.counters && a.presets == b.presets;
}

using questions::Extent;

/// Answers of faulty encoders to the questions of a paper.
class FaultyPaper : public Paper {
 public:
  using Paper::Paper;
  [[nodiscard]] std::string name() const { return extent() == Extent::quick ? "quick questions" : "all questions"; }

  /// Questions whose answer a fault changes; messages are not compared.
  [[nodiscard]] std::vector<std::size_t> changed_by(const EncoderFault& fault) const {
    std::vector<std::size_t> changed_ones;
    for (std::size_t i = 0; i < size(); ++i) {
      if (changed(fault, i)) changed_ones.push_back(i);
    }
    return changed_ones;
  }
  /// The faulty answer, if it differs from the right one.
  [[nodiscard]] std::optional<Answer> changed(const EncoderFault& fault, std::size_t i) const {
    const Group& asked = question(i).group;
    Group group = asked;
    if (fault.ask) fault.ask(target(), group);
    const bool asks_otherwise =
        fault.ask && (group.question() != asked.question() || group.samples() != asked.samples());
    Answer given = asks_otherwise ? right_->encode(target(), group) : answer(i);
    if (given.status == Answer::Status::invalid && fault.instead_of_refusal)
      given = fault.instead_of_refusal(target(), group);
    static const Answer nothing;
    if (fault.spoil && given.status == Answer::Status::encoded)
      fault.spoil({target(), group, before(i) ? answer(*before(i)) : nothing}, given);
    return same(given, answer(i)) ? std::nullopt : std::optional(std::move(given));
  }

 private:
  std::unique_ptr<EncoderUnderTest> right_ = own_encoder();
};

/// Number of parts into which questions are split.
std::size_t number_of_parts(const TrialOptions& options) { return std::max(1u, options.jobs); }

/// At most `most` elements, evenly spaced.
Numbers thinned(const Numbers& list, std::size_t most) {
  if (list.size() <= most) return list;
  Numbers chosen;
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(list[i * list.size() / most]);
  return chosen;
}

/// The faults of a target's encoder, and what became of each.
class Trials {
 public:
  Trials(const std::string& target, const TrialOptions& options, std::function<void(const std::string&)> advance)
      : target_(target), options_(options), advance_(std::move(advance)), faults_(encoder_faults_of(target)) {
    const Only only(options.only);
    std::erase_if(faults_, [&](const EncoderFault& fault) { return !only.admits(fault.name); });
    for (const EncoderFault& fault : faults_)
      trials_.push_back({target, fault, std::string(excuse_for(target, fault.name))});
    rules_.resize(faults_.size());
    differs_.resize(faults_.size());
  }

  std::vector<Trial> run() {
    if (trials_.empty()) return {};
    constexpr std::size_t few = 48, some = 400;
    const FaultyPaper quick(target_, Extent::quick);
    const auto by_quick = [&](const Numbers& open, const Tell& tell) { round(quick, open, Verdict::quick, few, tell); };
    const auto what_none_asks = [&](const Numbers& open, const Tell& tell) {
      for (const std::size_t i : open) {
        if (trials_[i].excuse.empty() && !options_.quick) continue;
        if (quick.changed_by(faults_[i]).empty()) {
          if (options_.quick) tell(i, Verdict::unfit, {});
        } else if (!trials_[i].excuse.empty()) {
          tell(i, Verdict::excused, trials_[i].excuse);
        }
      }
    };
    const auto by_all = [&](const Numbers& open, const Tell& tell) {
      if (options_.quick) return;
      const FaultyPaper full(target_, Extent::full);
      for (const std::size_t i : open) {
        if (full.changed_by(faults_[i]).empty()) tell(i, Verdict::unfit, {});
      }
      round(full, open, Verdict::all, some, tell);
    };
    const auto by_rules = [&](const Numbers& open, const Tell& tell) {
      for (const std::size_t i : open) {
        if (differs_[i].empty() && !rules_[i].empty())
          tell(i, Verdict::excused, fmt::format("counts the same: {}", fmt::join(rules_[i], "; ")));
        else
          tell(i, Verdict::missed, differs_[i]);
      }
    };
    try_faults(trials_, {by_quick, what_none_asks, by_all, by_rules});
    return std::move(trials_);
  }

 private:
  using QuestionsByFault = std::map<std::size_t, Numbers>;  ///< questions by fault

  /// Asks the questions whose answers a fault changes: first a few, for nearly every fault is noticed by the first
  /// answers that it changes, then those that no rule excuses.
  void round(const FaultyPaper& paper, const Numbers& open, Verdict verdict, std::size_t few, const Tell& tell) {
    QuestionsByFault first, rest;
    for (const std::size_t i : open) {
      if (Numbers list = paper.changed_by(faults_[i]); !list.empty()) rest.emplace(i, std::move(list));
    }
    for (const auto& [i, list] : rest) first.emplace(i, thinned(list, few));
    ask(paper, first, verdict, tell);
    for (auto& [i, list] : rest) {
      const bool all_tried = list.size() <= few;
      if (trials_[i].verdict == Verdict::missed) leave_out_excused(paper, i, list);
      if (trials_[i].verdict != Verdict::missed || all_tried) list.clear();
    }
    std::erase_if(rest, [](const auto& entry) { return entry.second.empty(); });
    ask(paper, rest, verdict, tell);
  }
  void leave_out_excused(const FaultyPaper& paper, std::size_t fault, Numbers& list) {
    std::erase_if(list, [&](std::size_t question) {
      std::string rule = same_by_rule(target_, paper.answer(question), *paper.changed(faults_[fault], question));
      if (rule.empty()) return false;
      rules_[fault].insert(std::move(rule));
      return true;
    });
    if (!list.empty() && differs_[fault].empty())
      differs_[fault] =
          fmt::format("{} answers differ, the first to {}", list.size(), paper.question(list.front()).group.question());
  }

  /// Lets faults answer some questions of a paper each, and tells those that are noticed. All answer together, so that
  /// the counts of a question are computed once for all. Advances when a part of them is judged.
  void ask(const FaultyPaper& paper, const QuestionsByFault& asked, Verdict verdict, const Tell& tell) const {
    if (asked.empty()) return;
    Numbers parts(number_of_parts(options_));
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    paper.judge(
        parts, options_.jobs, true,
        [&](std::size_t part, Sheet& sheet) {
          for (const auto& [fault, questions] : asked) answer(paper, fault, questions, {part, parts.size()}, sheet);
        },
        [&](std::size_t fault, std::string question, const std::string&) { tell(fault, verdict, std::move(question)); },
        [&] {
          if (advance_) advance_(paper.name());
        });
  }

  /// Answers the questions of one part of several, through the protocol.
  void answer(const FaultyPaper& paper, std::size_t fault, const Numbers& questions,
              std::pair<std::size_t, std::size_t> part, Sheet& sheet) const {
    std::unique_ptr<EncoderUnderTest> faulty;
    const auto answer_to = [&](std::size_t i) {
      if (!faulty) faulty = foreign_encoder({command(faults_[fault])});
      Answer answer = faulty->encode(target_, paper.question(i).group);
      if (answer.status == Answer::Status::missing) throw UsageError(answer.message);  // not what the fault does
      return answer;
    };
    std::optional<std::size_t> last;
    for (const std::size_t i : questions) {
      if (paper.part_of(i, part.second) != part.first) continue;
      const auto before = paper.before(i);
      if (faults_[fault].remembers && before && before != last) (void)answer_to(*before);
      Answer answer = answer_to(i);
      last = i;
      // `pmusim validate` judges the right answers; only answers that differ are judged here.
      if (!same(answer, paper.answer(i))) paper.put(sheet, i, std::move(answer), fault);
    }
  }
  [[nodiscard]] std::string command(const Fault& fault) const {
    return fmt::format("'{}' encode --serve -t {} --defect '{}'", options_.program, target_, fault.name);
  }

  std::string target_;
  TrialOptions options_;
  std::function<void(const std::string&)> advance_;
  std::vector<EncoderFault> faults_;
  std::vector<Trial> trials_;                 ///< by fault
  std::vector<std::set<std::string>> rules_;  ///< by which answers of a fault count the same
  std::vector<std::string> differs_;          ///< the other answers, in words
};

}  // namespace

std::size_t most_steps(const TrialOptions& options) {
  const std::size_t rounds = options.quick ? 1 : 2;
  return 2 * rounds * number_of_parts(options);  // a round asks a few questions, then the others
}

std::vector<Trial> try_encoder_faults(const std::string& target, const TrialOptions& options,
                                      const std::function<void(const std::string&)>& advance) {
  return Trials(target, options, advance).run();
}

}  // namespace pmusim::testbench::faults
