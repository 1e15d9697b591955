#include "testbench/faults/reported/examine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "pmusim/encoder/encoder.h"
#include "testbench/faults/reported/switch.h"
#include "testbench/judge/question/groups.h"
#include "testbench/judge/question/plan_family.h"
#include "testbench/judge/trial/judging_bench.h"
#include "testbench/store/data_folder.h"

namespace pmusim::testbench::faults::reported {
namespace {

struct Word {
  std::string_view attribute, meaning;
};
constexpr std::array words{Word{"e", "edge detection (e)"},    Word{"i", "inverted comparison (i)"},
                           Word{"c", "threshold (c)"},         Word{"t", "threshold (t)"},
                           Word{"u", "one privilege level"},   Word{"k", "one privilege level"},
                           Word{"marked", "marked processes"}, Word{"unmarked", "marked processes"}};

std::string meaning_of(const std::string& attribute) {
  for (const Word& word : words) {
    if (word.attribute == attribute) return std::string(word.meaning);
  }
  return "attribute " + attribute;
}

/// True if a bound of the range "0x...-0x..." is in the middle of a pair of bundles.
bool splits_pairs(const std::string& range) {
  const auto bound = [](std::string_view text) {
    std::uint64_t value = 0;
    if (text.starts_with("0x")) text.remove_prefix(2);
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return value;
  };
  const std::size_t dash = range.find('-');
  if (dash == std::string::npos) return false;
  const std::string_view all = range;
  return bound(all.substr(0, dash)) % 32 != 0 || bound(all.substr(dash + 1)) % 32 != 0;
}

/// The features of a program.
std::set<std::string> features_of(const ActivityLog& log) {
  std::set<std::string> features;
  for (const Block& block : log.blocks()) {
    if (!block.column(activity::Signal::replay_trap).empty()) features.insert("replay traps in the program");
    if (!block.state(activity::State::cpl).changes.empty()) features.insert("a program that changes its level");
    for (const activity::RegisterAccess& access : block.accesses) {
      if (access.write) features.insert("a program that writes registers while it is counted");
    }
  }
  return features;
}

std::set<std::string> features_of(const Group& group, std::size_t i, const Answer& answer,
                                  const std::map<std::string, unsigned>& largest) {
  const Check& check = group.checks[i];
  std::set<std::string> features{"event " + check.request.event};
  const auto most = largest.find(check.request.event);
  if (most != largest.end() && most->second > 1) features.insert("events that can happen twice in a cycle");
  for (const auto& [name, value] : check.attributes) {
    if (value != 0) features.insert(meaning_of(name));
  }
  if (!check.raw.empty()) {
    features.insert(check.raw.find('=') != std::string::npos ? "a reserved code" : "no unit mask named");
  }
  if (i < answer.counters.size()) features.insert("counter " + answer.counters[i]);
  if (group.checks.size() > 1) features.insert("a set of events");
  for (const Check& other : group.checks) {
    if (&other != &check) features.insert("beside " + other.request.event);
  }
  for (const ExtraWrite& extra : group.extra) features.insert(extra.reg + " written before");
  if (group.captures || group.sampled) features.insert("counting from a start value to the overflow");
  if (!group.filters.irange.empty()) features.insert("code range");
  if (!group.filters.drange.empty()) features.insert("data range");
  if (!group.filters.opcode.empty()) features.insert("opcode matcher");
  const auto& ranges = group.filters.irange;
  if (std::any_of(ranges.begin(), ranges.end(), splits_pairs)) features.insert("a bound between the bundles of a pair");
  return features;
}

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
        encoder_(own_encoder()) {
    for (const encoder::EventInfo& event : *encoder::events(target_)) largest_[event.name] = event.max_per_cycle;
  }

  std::vector<Outcome> run() {
    if (with_fault_ && !defect_.of_encoder) fault_on = defect_.name;
    for (const std::string_view trace : defect_.traces) {
      file_ = data_folder() / "isa-traces" / "micro" / trace;
      record();
      for (const Group& group : plan()) {
        if (asked(defect_, group)) judge_group(group);
      }
    }
    return std::move(outcomes_);
  }

 private:
  void record() {
    log_ = bench_.record(file_);
    program_ = features_of(log_);
  }

  void judge_group(const Group& group) {
    const Answer answer = encode(group);
    const JobVerdict verdict =
        bench_.judge({file_, {}, &log_}, {group}, {.encode = [&](const Group&) { return answer; }});
    for (std::size_t i = 0; i < group.checks.size(); ++i) note(group, i, answer, verdict);
  }

  /// The judged encoder has the fault, the diagnosing one does not.
  template <class Ask>
  auto by_judged_encoder(Ask ask) const {
    if (with_fault_ && defect_.of_encoder) fault_on = defect_.name;
    auto answer = ask();
    if (defect_.of_encoder) fault_on = {};
    return answer;
  }
  [[nodiscard]] std::vector<Group> plan() const {
    const Landmarks landmarks = find_landmarks(file_);
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
  [[nodiscard]] Answer encode(const Group& group) const {
    return by_judged_encoder([&] { return encoder_->encode(target_, group); });
  }

  void note(const Group& group, std::size_t i, const Answer& answer, const JobVerdict& verdict) {
    const std::string text = group.checks[i].text();
    const auto of_check = [&](const Mismatch& m) {
      return m.sample.event == text || m.sample.event.starts_with(text + ' ');
    };
    const auto found = std::find_if(verdict.mismatches.begin(), verdict.mismatches.end(), of_check);
    Outcome outcome;
    outcome.wrong = found != verdict.mismatches.end();
    if (!outcome.wrong && verdict.rows.at(row_name(group.checks[i].request)).vacuous != 0) return;
    outcome.features = features_of(group, i, answer, largest_);
    outcome.features.insert(program_.begin(), program_.end());
    if (outcome.wrong) outcome.example = example_of(*found);
    outcomes_.push_back(std::move(outcome));
  }

  std::string example_of(const Mismatch& mismatch) const {
    const Comparison& sample = mismatch.sample;
    const std::string text =
        fmt::format("{} '{}' on {}: {}", target_, sample.event, file_.filename().string(), mismatch.diagnosis);
    return sample.registers.empty() ? text : text + " with " + sample.registers;
  }

  const Defect& defect_;
  bool with_fault_;
  std::string target_;
  JudgingBench bench_;
  std::unique_ptr<EncoderUnderTest> encoder_;
  std::map<std::string, unsigned> largest_;
  std::filesystem::path file_;
  ActivityLog log_;
  std::set<std::string> program_;
  std::vector<Outcome> outcomes_;
};

}  // namespace

std::vector<Outcome> examine(const Defect& defect, bool with_fault) { return Examination(defect, with_fault).run(); }

}  // namespace pmusim::testbench::faults::reported
