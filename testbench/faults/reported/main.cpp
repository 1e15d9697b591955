// pmusim-seeded-defects: models and encoder with a selectable defect of docs/evidence.md, and the validation that must
// detect each of them.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/common/parameters.h"
#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/faults/fault.h"
#include "testbench/faults/reported/defects.h"
#include "testbench/faults/source_switch.h"
#include "testbench/judge/question/plan.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/trial/judging_bench.h"
#include "testbench/store/data_folder.h"
#include "testbench/support/error.h"
#include "testbench/support/output.h"
#include "testbench/sweep/jobs.h"

namespace pmusim::testbench::faults::reported {
namespace {

constexpr std::string_view usage =
    "usage: pmusim-seeded-defects [--inject NAME | --list]\n\n"
    "Every defect, or the one of --inject, is judged twice: as it should be, where nothing may differ, and with its\n"
    "fault, which has to be caught and placed.\n"
    "exit code: 0 every fault was caught and placed; 1 one was not, or something differs without it; 2 bad usage\n";

/// What differs, with a fault or without. Differences are diagnosed as in `pmusim validate`.
struct Differences {
  std::size_t comparisons = 0;  ///< those of 0 with 0 are left out, because they show nothing
  std::size_t differ = 0;
  bool placed = false;        ///< the diagnosis of a difference is the expected one
  std::string sentence = {};  ///< that difference, else the first one
};

bool asked(const Defect& defect, const Group& group) {
  if (defect.only.empty()) return true;
  return std::all_of(group.checks.begin(), group.checks.end(), [&](const Check& check) {
    const std::string text = check.text();
    return std::any_of(defect.only.begin(), defect.only.end(), [&](std::string_view p) { return text.starts_with(p); });
  });
}

/// Runs the plan of a defect on its traces, group by group. A fault remains active for the rest of the process.
class Examination {
 public:
  Examination(const Defect& defect, bool with_fault)
      : defect_(defect),
        with_fault_(with_fault),
        target_(defect.target),
        bench_(target_, models::find_target(defect.target)->parameters()),
        encoder_(own_encoder()) {}

  Differences run() {
    if (!defect_.of_encoder) turn(with_fault_);
    for (const std::string_view trace : defect_.traces) {
      const std::filesystem::path file = data_folder() / "isa-traces" / "micro" / trace;
      const ActivityLog log = bench_.record(file);
      for (const Group& group : plan(file)) {
        if (asked(defect_, group)) judge(group, file, log);
      }
    }
    return std::move(differences_);
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
    for (const auto& [row, result] : verdict.rows) differences_.comparisons += result.checks - result.vacuous;
    for (const Mismatch& mismatch : verdict.mismatches) note(mismatch, file);
  }
  /// Keeps the first mismatch whose diagnosis is the expected one; without any the first.
  void note(const Mismatch& mismatch, const std::filesystem::path& file) {
    const bool placed = mismatch.diagnosis.find(defect_.diagnosis) != std::string::npos;
    if (differences_.differ++ != 0 && (differences_.placed || !placed)) return;
    differences_.placed = placed;
    const Comparison& sample = mismatch.sample;
    differences_.sentence =
        fmt::format("{} '{}' on {}: {}", target_, sample.event, file.filename().string(), mismatch.diagnosis);
    if (!sample.registers.empty()) differences_.sentence += " with " + sample.registers;
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
  Differences differences_;
};

/// True if all is as it should be, and what was found. Without its fault a defect must show no difference.
std::pair<bool, std::string> examined(const Defect& defect, bool with_fault) {
  const Differences found = Examination(defect, with_fault).run();
  const bool good = with_fault ? found.differ != 0 && found.placed : found.differ == 0 && found.comparisons != 0;
  const std::string_view said = !with_fault         ? "without the fault"
                                : found.differ == 0 ? "NOT CAUGHT"
                                : !found.placed     ? "NOT PLACED"
                                                    : "caught";
  return {good,
          fmt::format("{}: {} of {} comparisons differ; {}", said, found.differ, found.comparisons, found.sentence)};
}

/// Both are computed in a child process of their own, because answers of the encoder are cached.
int judge(const std::vector<Defect>& all) {
  std::vector<Trial> trials;
  for (const Defect& defect : all)
    trials.push_back({std::string(defect.target), {std::string(defect.name), std::string(defect.defect)}});
  std::vector<std::string> problems;
  try_faults(trials, {[&](const Numbers& open, const Tell& tell) {
               const auto has_fault = [](std::size_t job) { return job % 2 != 0; };
               const Jobs jobs{2 * open.size(),
                               [&](std::size_t job) { return Json(examined(all[job / 2], has_fault(job))).dump(); },
                               [&](std::size_t job) { return "the defect " + trials[job / 2].fault.name; }};
               run_jobs(jobs, 2, [&](std::size_t job, const std::string& line) {
                 const auto [good, said] = Json::parse(line).get<std::pair<bool, std::string>>();
                 if (has_fault(job))
                   tell(job / 2, good ? Verdict::all : Verdict::missed, said);
                 else if (!good)
                   problems.push_back(trials[job / 2].fault.name + ' ' + said);
               });
             }});
  for (const Trial& trial : trials)
    std::cout << fmt::format("{}: {}\n  {}\n", trial.fault.name, trial.fault.about, trial.by);
  for (const std::string& problem : problems) std::cout << problem << '\n';
  const std::size_t caught = tally_of(trials)[Verdict::all];
  std::cout << fmt::format("{} of {} defects are caught and placed\n", caught, all.size());
  return caught == all.size() && problems.empty() ? exit_good : exit_mismatch;
}

const Defect& defect_named(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Defect& known : defects()) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  throw UsageError(fmt::format("--inject {}: no such defect; they are {}", name, fmt::join(names, ", ")));
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return judge(defects());
  if (arguments.size() == 2 && arguments[0] == "--inject") return judge({defect_named(arguments[1])});
  if (arguments.size() == 1 && arguments[0] == "--list") {
    for (const Defect& defect : defects())
      std::cout << fmt::format("{:<26} {:<10} {}\n", defect.name, defect.target, defect.defect);
    return exit_good;
  }
  std::cout << usage;
  return arguments.size() == 1 && arguments[0] == "--help" ? exit_good : exit_usage;
}

}  // namespace
}  // namespace pmusim::testbench::faults::reported

int main(int argc, char** argv) {
  try {
    return pmusim::testbench::faults::reported::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "pmusim-seeded-defects: " << error.what() << '\n';
    return pmusim::testbench::exit_usage;
  }
}
