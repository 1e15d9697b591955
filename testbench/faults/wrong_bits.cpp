#include "testbench/faults/wrong_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "models/targets.h"
#include "testbench/faults/equivalence.h"
#include "testbench/faults/fault.h"
#include "testbench/faults/fields.h"
#include "testbench/faults/paper.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/support/only.h"

namespace pmusim::testbench::faults {
namespace {

using questions::Question;

/// Questions about one event are judged together; the events are divided into this many parts.
constexpr std::size_t parts = 16;
/// Limit of the missed bits, and of the contradictions, that are listed; all are counted.
constexpr std::size_t listed = 3200;
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
  [[nodiscard]] bool is_judged() const { return rule == nullptr || checks_rule; }
};

class Sample {
 public:
  Sample(const std::string& target, const WrongBitOptions& options)
      : target_(target), paper_(target, questions::Extent::full, legal_ones(options.only)) {
    find_bits();
    thin_out(options.sample);
    std::erase_if(bits_, [&](const WrongBit& wrong) { return part_of(wrong) % options.shards != options.shard - 1; });
    std::stable_sort(bits_.begin(), bits_.end(),
                     [&](const WrongBit& a, const WrongBit& b) { return part_of(a) < part_of(b); });
  }

  /// Who notices the bits of some parts.
  [[nodiscard]] Score judge(const Numbers& share, unsigned jobs, const std::function<void()>& advance) const {
    std::vector<Trial> trials;
    for (const WrongBit& wrong : bits_)
      trials.push_back({target_, {change_by(wrong)}, wrong.rule == nullptr ? "" : std::string(wrong.rule->name)});
    Score score;
    const auto ask = [&](const Numbers&, const Tell& tell) {
      const auto noticed = [&](std::size_t fault, std::string question, const std::string& detail) {
        if (fault == unchanged)
          score.disagreements.push_back(question + ": " + detail);
        else
          tell(fault, Verdict::all, std::move(question));
      };
      paper_.judge(
          share, jobs, false, [&](std::size_t part, Sheet& sheet) { fill(part, sheet); }, noticed, advance);
    };
    try_faults(trials, {ask});
    std::set<std::size_t> asked;
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      note(score, bits_[i], trials[i]);
      if (bits_[i].is_judged()) asked.insert(bits_[i].question);
    }
    score.questions = asked.size();
    return score;
  }

 private:
  static constexpr std::size_t unchanged = ~std::size_t{0};  ///< the number of answers without a fault

  /// Puts the wrong bits of a part on a sheet, and the unchanged answers.
  void fill(std::size_t part, Sheet& sheet) const {
    std::size_t last = paper_.size();
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      const WrongBit& wrong = bits_[i];
      if (!wrong.is_judged() || part_of(wrong) != part) continue;
      Answer answer = paper_.answer(wrong.question);
      if (std::exchange(last, wrong.question) != wrong.question) paper_.put(sheet, wrong.question, answer, unchanged);
      answer.registers[wrong.reg].value ^= std::uint64_t{1} << wrong.bit;
      paper_.put(sheet, wrong.question, std::move(answer), i);
    }
  }
  [[nodiscard]] std::size_t part_of(const WrongBit& wrong) const { return paper_.part_of(wrong.question, parts); }

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

  /// The register and the field of a wrong bit.
  [[nodiscard]] RegisterField place_of(const WrongBit& wrong) const {
    return {paper_.answer(wrong.question).registers[wrong.reg].name, field_of(wrong).name};
  }
  [[nodiscard]] std::string change_by(const WrongBit& wrong) const {
    const auto [reg, field] = place_of(wrong);
    return fmt::format("{} {}: bit {} flipped", reg, field, wrong.bit);
  }

  /// Counts a wrong bit, and lists it if it was missed or contradicts its rule.
  void note(Score& score, const WrongBit& wrong, const Trial& trial) const {
    Cell& cell = score.fields[place_of(wrong)];
    if (wrong.rule != nullptr) {
      ++cell.equivalent;
      ++cell.by_rule[trial.excuse];
      if (wrong.checks_rule) ++score.checked;
    } else {
      ++(trial.noticed() ? cell.noticed : cell.missed);
    }
    if (trial.contradicts() && score.contradictions.size() < listed) {
      score.contradictions.push_back(
          fmt::format("{}: {} is no equivalent by '{}'", trial.by, trial.fault.name, trial.excuse));
    }
    if (trial.verdict == Verdict::missed && score.missed.size() < listed) {
      const encoder::RegisterValue& reg = paper_.answer(wrong.question).registers[wrong.reg];
      score.missed.push_back({paper_.question(wrong.question).group.question(), trial.fault.name,
                              fmt::format("{}={:#x}", reg.name, reg.value ^ std::uint64_t{1} << wrong.bit)});
    }
  }

  std::string target_;
  Paper paper_;
  std::vector<WrongBit> bits_;
  mutable std::map<std::string, std::vector<Field>> fields_;
};

}  // namespace

void Cell::add(const Cell& other) {
  noticed += other.noticed;
  equivalent += other.equivalent;
  missed += other.missed;
  for (const auto& [rule, count] : other.by_rule) by_rule[rule] += count;
}

Cell Score::total() const {
  Cell all;
  for (const auto& [field, cell] : fields) all.add(cell);
  return all;
}

bool Score::good(double floor) const {
  const Cell all = total();
  const auto noticed = static_cast<double>(all.noticed), due = static_cast<double>(all.noticed + all.missed);
  return noticed * 100 >= floor * due && disagreements.empty() && contradictions.empty();
}

Score noticed_by_questions(const std::string& target, const WrongBitOptions& options,
                           const std::function<void(std::size_t, std::size_t)>& progress) {
  const Sample sample(target, options);
  Numbers share;
  for (std::size_t part = options.shard - 1; part < parts; part += options.shards) share.push_back(part);
  std::size_t done = 0;
  return sample.judge(share, options.jobs, [&] {
    if (progress) progress(++done, share.size());
  });
}

}  // namespace pmusim::testbench::faults
