#include "testbench/mutate/noticed.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "models/targets.h"
#include "testbench/mutate/equivalence.h"
#include "testbench/mutate/requests.h"
#include "testbench/questions/exam.h"
#include "testbench/validate/candidate.h"
#include "testbench/validate/jobs.h"
#include "testbench/validate/only.h"

namespace pmusim::testbench::mutate {
namespace {

using questions::Question;

/// Questions about one event are judged together; the events are divided into this many parts.
constexpr std::size_t parts = 16;
constexpr std::size_t listed = 200;

/// An unused counter of a processor whose counters always run counts and interrupts, whatever it selects.
constexpr Rule not_asked{"a counter for which no event was requested", "21064 manual: both counters always run",
                         nullptr};

/// One wrong bit in a register of the answer to a question.
struct WrongBit {
  std::size_t question = 0, reg = 0;
  unsigned bit = 0;
  const Rule* rule = nullptr;  ///< the rule by which it makes no difference
};

class Sample {
 public:
  Sample(const std::string& target, const ScoreOptions& options) : target_(target) {
    const Only only(options.only);
    for (Question& question : questions::questions_of(target, questions::Extent::full)) {
      const auto& checks = question.group.checks;
      const bool chosen =
          std::all_of(checks.begin(), checks.end(), [&](const Check& check) { return only.admits(check.text()); });
      if (!chosen || !question.illegal.empty()) continue;
      Answer answer = own_encoder()->encode(target, question.group);
      if (answer.status != Answer::Status::encoded) continue;
      const auto part = events_.try_emplace(checks.front().request.event, events_.size()).first->second % parts;
      parts_.push_back(part);
      questions_.push_back(std::move(question));
      answers_.push_back(std::move(answer));
    }
    find_bits();
    thin_out(options.sample);
  }

  /// The bits that the questions of a part notice.
  [[nodiscard]] Score judge(std::size_t part) const {
    Score score;
    questions::Exam exam{"", target_, models::find_target(target_)->parameters(), true, {}, {}, ""};
    exam.bare = true;
    std::vector<const WrongBit*> changed;  // null: the unchanged answer
    std::size_t last = questions_.size();
    for (const WrongBit& wrong : bits_) {
      if (parts_[wrong.question] != part) continue;
      const Field field = field_of(wrong);
      if (wrong.rule != nullptr) {
        add(score, wrong, field, {.equivalent = 1, .by_rule = {{std::string(wrong.rule->name), 1}}});
        continue;
      }
      if (std::exchange(last, wrong.question) != wrong.question) {
        ++score.requests;
        put(exam, wrong.question, answers_[wrong.question]);
        changed.push_back(nullptr);
      }
      Answer answer = answers_[wrong.question];
      answer.registers[wrong.reg].value ^= std::uint64_t{1} << wrong.bit;
      put(exam, wrong.question, std::move(answer));
      changed.push_back(&wrong);
    }
    for (const QuestionVerdict& verdict : examine(exam).questions) {
      const WrongBit* const wrong = changed[verdict.number];
      const bool noticed = verdict.verdict == "mismatch";
      if (wrong == nullptr) {
        ++score.verified;
        if (noticed) score.disagreements.push_back(verdict.question + ": " + verdict.detail);
        continue;
      }
      const Field field = field_of(*wrong);
      add(score, *wrong, field, {.killed = noticed ? 1u : 0u, .survived = noticed ? 0u : 1u});
      if (noticed || score.survivors.size() >= listed) continue;
      const encoder::RegisterValue& reg = answers_[wrong->question].registers[wrong->reg];
      score.survivors.push_back({verdict.question,
                                 fmt::format("{} {}: bit {} flipped", reg.name, field.name, wrong->bit),
                                 fmt::format("{}={:#x}", reg.name, reg.value ^ std::uint64_t{1} << wrong->bit)});
    }
    return score;
  }

 private:
  void find_bits() {
    const auto monitor = models::find_target(target_)->make_monitor(models::find_target(target_)->parameters());
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      const Registers& own = answers_[q].registers;
      const Registers reset = reset_of(*monitor, own);
      const Equivalents equivalents(target_, reset, own);
      for (std::size_t r = 0; r < own.size(); ++r) {
        const std::uint64_t reserved = reserved_bits(target_, own[r].name);
        for (unsigned bit = 0; bit < own[r].width; ++bit) {
          if ((reserved >> bit & 1) != 0) continue;
          Registers mutant = own;
          mutant[r].value ^= std::uint64_t{1} << bit;
          const WrongBit wrong{q, r, bit, nullptr};
          const Rule* rule = is_not_asked(wrong) ? &not_asked : equivalents.rule_for(mutant);
          if (rule == nullptr) rule = not_read(questions_[q], own, mutant);
          bits_.push_back({q, r, bit, rule});
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
    const auto& counters = answers_[wrong.question].counters;
    return std::none_of(counters.begin(), counters.end(),
                        [&](const std::string& counter) { return !field.empty() && field.back() == counter.back(); }) &&
           !field.empty() && (field.back() == '0' || field.back() == '1');
  }

  [[nodiscard]] Field field_of(const WrongBit& wrong) const {
    const encoder::RegisterValue& reg = answers_[wrong.question].registers[wrong.reg];
    auto [known, is_new] = fields_.try_emplace(reg.name);
    if (is_new) known->second = fields_of(target_, reg.name, reg.width);
    const auto found = std::find_if(known->second.begin(), known->second.end(),
                                    [&](const Field& field) { return (field.mask() >> wrong.bit & 1) != 0; });
    return found == known->second.end() ? Field{} : *found;
  }

  void put(questions::Exam& exam, std::size_t question, Answer answer) const {
    exam.questions.push_back(questions_[question]);
    exam.answers.push_back(std::move(answer));
  }
  void add(Score& score, const WrongBit& wrong, const Field& field, const Cell& cell) const {
    score.fields[{answers_[wrong.question].registers[wrong.reg].name, field.name}].add(cell);
    score.by_kind[static_cast<std::size_t>(Kind::bit)].add(cell);
  }

  std::string target_;
  std::map<std::string, std::size_t> events_;
  std::vector<std::size_t> parts_;  ///< of each question
  std::vector<Question> questions_;
  std::vector<Answer> answers_;
  std::vector<WrongBit> bits_;
  mutable std::map<std::string, std::vector<Field>> fields_;
};

}  // namespace

Score noticed_by_questions(const std::string& target, const ScoreOptions& options,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
  const Sample sample(target, options);
  std::vector<std::size_t> share;
  for (std::size_t part = options.shard - 1; part < parts; part += options.shards) share.push_back(part);
  std::vector<Score> results(share.size());
  std::size_t done = 0;
  run_jobs(
      share.size(), options.jobs, [&](std::size_t job) { return to_json(sample.judge(share[job])).dump(); },
      [&](std::size_t job, const std::string& line) {
        results[job] = score_from_json(Json::parse(line));
        if (progress) progress(++done, results.size());
      },
      [&](std::size_t job) { return fmt::format("wrong bits of {}, part {}", target, share[job] + 1); });
  Score score;
  for (const Score& result : results) score.add(result);
  return score;
}

}  // namespace pmusim::testbench::mutate
