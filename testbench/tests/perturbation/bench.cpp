#include "bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/broken_promises.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/tests/sampling.h"

namespace pmusim::perturbation {
namespace {

using testbench::Check;
using testbench::Depth;
using testbench::row_name;
using testbench::questions::Extent;
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

std::size_t sampling(std::size_t usually) {
  const auto number = [](const char* name, std::size_t otherwise) {
    const char* const named = std::getenv(name);
    return named == nullptr ? otherwise : std::max<std::size_t>(std::strtoul(named, nullptr, 10), 1);
  };
  return number("PMUSIM_PERTURB_EVERY", usually * pmusim::sampling * number("PMUSIM_PERTURB_COARSER", 1));
}

std::size_t sampling_of_targets() {
  constexpr std::size_t fewest = 4;
  return std::min(sampling(), fewest * pmusim::sampling);
}

Bench::Bench(const std::string& target, const Settings& settings, std::size_t stride)
    : bench_(target, models::find_target(target)->parameters()) {
  for (const auto& [name, value] : settings) bench_.parameters().set(name, value);
  std::size_t alone = 0, together = 0;
  for (const testbench::TraceInput& shipped : testbench::shipped_inputs(target)) {
    if (!shipped.settings.empty()) continue;  // all changes are tried with one set of parameters
    if (!is_short(shipped.file.path()) || (!shipped.second.empty() && !is_short(shipped.second.path()))) continue;
    std::size_t& number = shipped.second.empty() ? alone : together;
    if (number++ % stride != 0) continue;
    Stimulus& stimulus = stimuli_.emplace_back();
    stimulus.trace = shipped.file.path().stem();
    stimulus.landmarks = testbench::find_landmarks(shipped.file);
    if (!shipped.second.empty()) {
      stimulus.second_trace = shipped.second.path().stem();
      stimulus.second = testbench::find_landmarks(shipped.second);
    }
    stimulus.log = bench_.record(shipped.file, shipped.second);
  }
}

const Answer& Bench::own_answer(const Group& group) {
  const auto [place, is_new] = answers_.try_emplace(group.question());
  if (is_new) place->second = testbench::own_encoder()->encode(target(), group);
  return place->second;
}

testbench::JobVerdict Bench::judge(const Stimulus& stimulus, std::vector<Group> plan, const Exchange& exchange) {
  Exchange with_own = exchange;
  if (!with_own.encode) with_own.encode = [this](const Group& group) { return own_answer(group); };
  return bench_.judge({stimulus.trace, stimulus.second_trace, &stimulus.log}, std::move(plan), with_own);
}

Findings Bench::judge_all(Depth depth, const Exchange& exchange) {
  Findings findings;
  for (const Stimulus& stimulus : stimuli_) {
    const testbench::JobVerdict verdict = judge(stimulus, whole_plan(stimulus, depth, Extent::quick), exchange);
    for (const testbench::Mismatch& mismatch : verdict.mismatches) {
      const testbench::Comparison& sample = mismatch.sample;
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

std::vector<Group> Bench::whole_plan(const Stimulus& stimulus, Depth depth, Extent extent) {
  const std::string& target = this->target();
  if (!stimulus.second) {
    std::vector<Group> plan = testbench::make_plan(target, depth, stimulus.landmarks);
    if (depth == Depth::basic) return plan;
    // The questions have the modifiers. Some have no right answer under the bench's parameters.
    std::vector<Group> questions = testbench::questions::groups_of(target, extent, stimulus.landmarks);
    testbench::LeftOut(target, bench_.parameters()).remove_from(questions);
    for (Group& group : questions) plan.push_back(std::move(group));
    return plan;
  }
  std::vector<Group> plan = testbench::make_pair_plan(target, depth, 0, stimulus.landmarks);
  for (Group& group : testbench::make_pair_plan(target, depth, 1, *stimulus.second)) plan.push_back(std::move(group));
  if (depth == Depth::basic) std::erase_if(plan, [](const Group& group) { return group.captures.has_value(); });
  return plan;
}

std::vector<Group> Bench::plan_for(const Stimulus& stimulus, const Rows& rows, bool in_sets) {
  Plan& known = stimulus.second ? pair_plan_ : plan_;
  if (known.alone.empty()) {
    for (const Group& group : whole_plan(stimulus, Depth::full, Extent::full)) {
      for (const Check& check : group.checks) {
        const std::string row = row_name(check.request);
        if (group.checks.size() > 1) known.in_sets[row].push_back(group);
        Group& alone = known.alone[row].emplace_back(group);
        alone.checks = {check};
        // A code range on several register pairs needs an event for each of them, and a raw code may depend on the
        // other events of its group.
        const bool alone_is_legal = own_answer(alone).status == testbench::Answer::Status::encoded;
        if (!alone_is_legal || !check.raw.empty()) alone.checks = group.checks;
      }
    }
  }
  std::vector<Group> plan;
  for (const std::string& row : rows) {
    for (const Group& group : (in_sets ? known.in_sets : known.alone)[row]) {
      testbench::move_to(target(), group.thread == 0 ? stimulus.landmarks : *stimulus.second, plan.emplace_back(group));
    }
  }
  return plan;
}

bool Bench::notices(const Rows& rows, const Exchange& exchange) {
  const auto tells = [&](std::size_t i) {
    return !judge(stimuli_[i], plan_for(stimuli_[i], rows), exchange).mismatches.empty();
  };
  // The stimulus that detected the previous change of the same rows is likely to detect this one.
  const auto known = noticed_on_.find(rows);
  if (known != noticed_on_.end() && tells(known->second)) return true;
  for (std::size_t i = 0; i < stimuli_.size(); ++i) {
    if (!tells(i)) continue;
    noticed_on_[rows] = i;
    return true;
  }
  return false;
}

bool Bench::notices_in_sets(const Rows& rows, const Exchange& exchange) {
  return std::any_of(stimuli_.begin(), stimuli_.end(), [&](const Stimulus& stimulus) {
    return !judge(stimulus, plan_for(stimulus, rows, true), exchange).mismatches.empty();
  });
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

}  // namespace pmusim::perturbation
