#include "testbench/faults/wrong_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "models/targets.h"
#include "testbench/faults/equivalence.h"
#include "testbench/faults/fields.h"
#include "testbench/faults/paper.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/support/only.h"
#include "testbench/sweep/jobs.h"

namespace pmusim::testbench::faults {
namespace {

using questions::Question;

/// Questions about one event are judged together; the events are divided into this many parts.
constexpr std::size_t parts = 16;
/// Limit of the missed bits, and of the contradictions, that are listed per part; all are counted.
constexpr std::size_t listed = 200;
/// One in this many of the bits that a rule excuses is judged nevertheless, to check the rule.
constexpr std::uint64_t checked = 16;

/// Spreads numbers evenly, so that a sample does not select the same bit of every register (splitmix64).
constexpr std::uint64_t scattered(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}

/// An unused counter of a processor whose counters always run counts and interrupts, whatever it selects.
constexpr Rule not_asked{"a counter for which no event was requested", "21064 manual: both counters always run",
                         nullptr};

/// One wrong bit in a register of the answer to a question.
struct WrongBit {
  std::size_t question = 0, reg = 0;
  unsigned bit = 0;
  const Rule* rule = nullptr;  ///< the rule by which it makes no difference
  bool checks_rule = false;    ///< judged although a rule excuses it
};

class Sample {
 public:
  Sample(const std::string& target, const WrongBitOptions& options)
      : target_(target), paper_(target, questions::Extent::full, legal_ones(options.only)) {
    find_bits();
    thin_out(options.sample);
  }

  /// The bits that the questions of a part notice.
  [[nodiscard]] Score judge(std::size_t part) const {
    Score score;
    questions::Exam exam = paper_.blank();
    std::vector<const WrongBit*> changed;  // null: the unchanged answer
    std::size_t last = paper_.size();
    for (const WrongBit& wrong : bits_) {
      if (paper_.part_of(wrong.question, parts) != part) continue;
      if (wrong.rule != nullptr)
        cell_of(score, wrong).add({.equivalent = 1, .by_rule = {{std::string(wrong.rule->name), 1}}});
      if (wrong.rule != nullptr && !wrong.checks_rule) continue;
      if (std::exchange(last, wrong.question) != wrong.question) {
        ++score.questions;
        paper_.put(exam, wrong.question, paper_.answer(wrong.question));
        changed.push_back(nullptr);
      }
      Answer answer = paper_.answer(wrong.question);
      answer.registers[wrong.reg].value ^= std::uint64_t{1} << wrong.bit;
      paper_.put(exam, wrong.question, std::move(answer));
      changed.push_back(&wrong);
    }
    for (const QuestionVerdict& verdict : examine(exam).questions) note(score, changed[verdict.number], verdict);
    return score;
  }

 private:
  /// The questions about certain events whose answer has registers.
  static Paper::Admits legal_ones(const std::string& patterns) {
    return [only = Only(patterns)](const Question& question, const Answer& answer) {
      const auto& checks = question.group.checks;
      const auto admitted = [&](const Check& check) { return only.admits(check.text()); };
      return question.illegal.empty() && answer.status == Answer::Status::encoded &&
             std::all_of(checks.begin(), checks.end(), admitted);
    };
  }
  void find_bits() {
    const auto monitor = models::find_target(target_)->make_monitor(models::find_target(target_)->parameters());
    for (std::size_t q = 0; q < paper_.size(); ++q) {
      const Registers& own = paper_.answer(q).registers;
      const Registers reset = reset_of(*monitor, own);
      const Equivalents equivalents(target_, reset, own);
      for (std::size_t r = 0; r < own.size(); ++r) {
        const std::uint64_t reserved = reserved_bits(target_, own[r].name);
        for (unsigned bit = 0; bit < own[r].width; ++bit) {
          if ((reserved >> bit & 1) != 0) continue;
          Registers mutant = own;
          mutant[r].value ^= std::uint64_t{1} << bit;
          const WrongBit wrong{q, r, bit};
          const Rule* rule = is_not_asked(wrong) ? &not_asked : equivalents.rule_for(mutant);
          if (rule == nullptr) rule = not_read(paper_.question(q), own, mutant);
          bits_.push_back({q, r, bit, rule, rule != nullptr && scattered(~bits_.size()) % checked == 0});
        }
      }
    }
  }

  /// Keeps `sample` bits that make a difference, spread evenly, and the same share of the others.
  void thin_out(std::uint64_t sample) {
    std::vector<std::uint64_t> live;
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      if (bits_[i].rule == nullptr) live.push_back(scattered(i));
    }
    if (sample == 0 || live.size() <= sample) return;
    const auto last = live.begin() + static_cast<std::ptrdiff_t>(sample - 1);
    std::nth_element(live.begin(), last, live.end());
    std::uint64_t number = 0;
    std::erase_if(bits_, [&](const WrongBit&) { return scattered(number++) > *last; });
  }

  [[nodiscard]] const Rule* not_read(const Question& question, const Registers& own, const Registers& mutant) const {
    const EquivalenceFacts* const facts = find_equivalence_facts(target_);
    if (facts == nullptr || facts->not_read == nullptr || question.group.checks.size() != 1) return nullptr;
    return facts->not_read(question.group.checks.front().request.event, own, mutant);
  }

  /// Fields and counters of the 21064 end with the same number.
  [[nodiscard]] bool is_not_asked(const WrongBit& wrong) const {
    if (!questions::family_of(target_)->always_counting) return false;
    const std::string field = field_of(wrong).name;
    const auto& counters = paper_.answer(wrong.question).counters;
    return std::none_of(counters.begin(), counters.end(),
                        [&](const std::string& counter) { return !field.empty() && field.back() == counter.back(); }) &&
           !field.empty() && (field.back() == '0' || field.back() == '1');
  }

  [[nodiscard]] Field field_of(const WrongBit& wrong) const {
    const encoder::RegisterValue& reg = paper_.answer(wrong.question).registers[wrong.reg];
    auto [known, is_new] = fields_.try_emplace(reg.name);
    if (is_new) known->second = fields_of(target_, reg.name, reg.width);
    const auto found = std::find_if(known->second.begin(), known->second.end(),
                                    [&](const Field& field) { return (field.mask() >> wrong.bit & 1) != 0; });
    return found == known->second.end() ? Field{} : *found;
  }

  /// Notes the verdict on a wrong bit, or on the unchanged answer.
  void note(Score& score, const WrongBit* wrong, const QuestionVerdict& verdict) const {
    const bool noticed = verdict.verdict == "mismatch";
    if (wrong == nullptr) {
      ++score.verified;
      if (noticed) score.disagreements.push_back(verdict.question + ": " + verdict.detail);
      return;
    }
    if (wrong->rule == nullptr) cell_of(score, *wrong).add({.noticed = noticed ? 1u : 0u, .missed = noticed ? 0u : 1u});
    if (wrong->rule != nullptr) ++score.checked;
    if (noticed == (wrong->rule == nullptr)) return;
    const encoder::RegisterValue& reg = paper_.answer(wrong->question).registers[wrong->reg];
    const std::string change = fmt::format("{} {}: bit {} flipped", reg.name, field_of(*wrong).name, wrong->bit);
    if (wrong->rule == nullptr && score.missed.size() < listed) {
      score.missed.push_back(
          {verdict.question, change, fmt::format("{}={:#x}", reg.name, reg.value ^ std::uint64_t{1} << wrong->bit)});
    }
    if (wrong->rule != nullptr && score.contradictions.size() < listed) {
      score.contradictions.push_back(
          fmt::format("{}: {} is no equivalent by '{}'", verdict.question, change, wrong->rule->name));
    }
  }

  Cell& cell_of(Score& score, const WrongBit& wrong) const {
    return score.fields[{paper_.answer(wrong.question).registers[wrong.reg].name, field_of(wrong).name}];
  }

  std::string target_;
  Paper paper_;
  std::vector<WrongBit> bits_;
  mutable std::map<std::string, std::vector<Field>> fields_;
};

}  // namespace

Score noticed_by_questions(const std::string& target, const WrongBitOptions& options,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
  const Sample sample(target, options);
  std::vector<std::size_t> share;
  for (std::size_t part = options.shard - 1; part < parts; part += options.shards) share.push_back(part);
  std::vector<Score> results(share.size());
  std::size_t done = 0;
  const Jobs jobs{share.size(), [&](std::size_t job) { return packed(sample.judge(share[job])); },
                  [&](std::size_t job) { return fmt::format("wrong bits of {}, part {}", target, share[job] + 1); }};
  run_jobs(jobs, options.jobs, [&](std::size_t job, const std::string& line) {
    results[job] = unpacked(line);
    if (progress) progress(++done, results.size());
  });
  Score score;
  for (const Score& result : results) score.add(result);
  return score;
}

}  // namespace pmusim::testbench::faults
