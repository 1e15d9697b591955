#include "testbench/faults/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/broken_promises.h"
#include "testbench/judge/stimulus/trace_inputs.h"

namespace pmusim::testbench::faults {
namespace {

using questions::Extent;
namespace fs = std::filesystem;

/// Recorded programs that are short and cause particular events.
constexpr std::array<std::string_view, 6> short_programs = {"-units",    "-ordering", "-multiple",
                                                            "-segments", "-selfmod",  "-strings"};

bool is_short(const fs::path& file) {
  if (file.extension() != ".pmt") return true;
  const std::string name = file.stem();
  return std::any_of(short_programs.begin(), short_programs.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

Bench::Bench(const std::string& target, const Settings& settings, std::size_t stride)
    : bench_(target, models::find_target(target)->parameters()) {
  for (const auto& [name, value] : settings) bench_.parameters().set(name, value);
  std::size_t alone = 0, together = 0;
  for (const TraceInput& shipped : shipped_inputs(target)) {
    if (!shipped.settings.empty()) continue;  // all changes are tried with one set of parameters
    if (!is_short(shipped.file.path()) || (!shipped.second.empty() && !is_short(shipped.second.path()))) continue;
    std::size_t& number = shipped.second.empty() ? alone : together;
    if (number++ % stride != 0) continue;
    Stimulus& stimulus = stimuli_.emplace_back();
    stimulus.trace = shipped.file.path().stem();
    stimulus.landmarks = find_landmarks(shipped.file);
    if (!shipped.second.empty()) {
      stimulus.second_trace = shipped.second.path().stem();
      stimulus.second = find_landmarks(shipped.second);
    }
    stimulus.log = bench_.record(shipped.file, shipped.second);
  }
}

const Answer& Bench::own_answer(const Group& group) {
  const auto [place, is_new] = answers_.try_emplace(group.question());
  if (is_new) place->second = own_encoder()->encode(target(), group);
  return place->second;
}

JobVerdict Bench::judge(const Stimulus& stimulus, std::vector<Group> plan, const Exchange& exchange) {
  Exchange with_own = exchange;
  if (!with_own.encode) with_own.encode = [this](const Group& group) { return own_answer(group); };
  return bench_.judge({stimulus.trace, stimulus.second_trace, &stimulus.log}, std::move(plan), with_own);
}

Findings Bench::judge_all(Depth depth, const Exchange& exchange) {
  Findings findings;
  for (const Stimulus& stimulus : stimuli_) {
    const JobVerdict verdict = judge(stimulus, whole_plan(stimulus, depth, Extent::quick), exchange);
    for (const Mismatch& mismatch : verdict.mismatches) {
      const Comparison& sample = mismatch.sample;
      findings.mismatches.push_back(fmt::format("{}: {} ({}) counts {}, expected {} {}", sample.trace, sample.event,
                                                sample.registers, sample.counted, sample.expected, mismatch.problem));
    }
    for (const auto& [row, result] : verdict.rows) {
      findings.checks += result.checks;
      if (result.exercised) findings.exercised.insert(row);
    }
  }
  return findings;
}

std::vector<Group> Bench::questions_for(const Stimulus& stimulus, Extent extent) {
  if (stimulus.second) return {};
  // Some have no right answer under the bench's parameters.
  std::vector<Group> asked = questions::groups_of(target(), extent, stimulus.landmarks);
  LeftOut(target(), bench_.parameters()).remove_from(asked);
  return asked;
}

std::vector<Group> Bench::whole_plan(const Stimulus& stimulus, Depth depth, Extent extent) {
  if (!stimulus.second) {
    std::vector<Group> plan = make_plan(target(), depth, stimulus.landmarks);
    if (depth == Depth::basic) return plan;
    for (Group& group : questions_for(stimulus, extent)) plan.push_back(std::move(group));  // they have the modifiers
    return plan;
  }
  std::vector<Group> plan = make_pair_plan(target(), depth, 0, stimulus.landmarks);
  for (Group& group : make_pair_plan(target(), depth, 1, *stimulus.second)) plan.push_back(std::move(group));
  if (depth == Depth::basic) std::erase_if(plan, [](const Group& group) { return group.captures.has_value(); });
  return plan;
}

void Bench::collect(Plan& plan, Part part, const std::vector<Group>& groups) {
  for (const Group& group : groups) {
    for (const Check& check : group.checks) {
      const std::string row = row_name(check.request);
      if (part == Part::alone && group.checks.size() > 1) plan[{Part::in_sets, row}].push_back(group);
      Group& alone = plan[{part, row}].emplace_back(group);
      alone.checks = {check};
      // A code range on several register pairs needs an event for each of them, and a raw code may depend on the other
      // events of its group.
      const bool alone_is_legal = own_answer(alone).status == Answer::Status::encoded;
      if (!alone_is_legal || !check.raw.empty()) alone.checks = group.checks;
    }
  }
}

std::vector<Group> Bench::plan_for(const Stimulus& stimulus, const Rows& rows, Part part) {
  Plan& known = stimulus.second ? pair_plan_ : plan_;
  if (known.empty()) {
    collect(known, Part::quick, questions_for(stimulus, Extent::quick));
    collect(known, Part::alone, whole_plan(stimulus, Depth::full, Extent::full));
  }
  std::vector<Group> plan;
  for (const std::string& row : rows) {
    for (const Group& group : known[{part, row}])
      move_to(target(), group.thread == 0 ? stimulus.landmarks : *stimulus.second, plan.emplace_back(group));
  }
  return plan;
}

bool Bench::notices(const Rows& rows, const Exchange& exchange, Part part) {
  const auto tells = [&](std::size_t i) {
    std::vector<Group> plan = plan_for(stimuli_[i], rows, part);
    return !plan.empty() && !judge(stimuli_[i], std::move(plan), exchange).mismatches.empty();
  };
  // The stimulus that told the previous change of the same rows is likely to tell this one.
  const auto known = noticed_on_.find({part, rows});
  if (known != noticed_on_.end() && tells(known->second)) return true;
  for (std::size_t i = 0; i < stimuli_.size(); ++i) {
    if (!tells(i)) continue;
    noticed_on_[{part, rows}] = i;
    return true;
  }
  return false;
}

bool Bench::notices(const Rows& rows, const Exchange& exchange) { return notices(rows, exchange, Part::alone); }

Verdict Bench::verdict(const Rows& rows, const Exchange& exchange) {
  if (notices(rows, exchange, Part::quick)) return Verdict::quick;
  for (const Part part : {Part::alone, Part::in_sets}) {
    if (notices(rows, exchange, part)) return Verdict::all;
  }
  return Verdict::missed;
}

bool Bench::notices(const std::vector<Group>& plan, const Exchange& exchange) {
  return std::any_of(stimuli_.begin(), stimuli_.end(),
                     [&](const Stimulus& stimulus) { return !judge(stimulus, plan, exchange).mismatches.empty(); });
}

Bench& bench_of(const std::string& target) {
  static std::map<std::string, std::unique_ptr<Bench>> all;
  auto& bench = all[target];
  if (bench == nullptr) bench = std::make_unique<Bench>(target);
  return *bench;
}

}  // namespace pmusim::testbench::faults
