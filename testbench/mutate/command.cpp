#include "testbench/mutate/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "models/targets.h"
#include "testbench/mutate/equivalence.h"
#include "testbench/mutate/noticed.h"
#include "testbench/mutate/report.h"
#include "testbench/support/error.h"
#include "testbench/support/progress.h"

namespace pmusim::testbench::mutate {

std::vector<std::string> scored_targets() {
  std::vector<std::string> names;
  for (const models::Target& target : models::targets()) {
    if (!rules_of(target.name).empty()) names.emplace_back(target.name);
  }
  return names;
}

int run_mutations(const std::vector<std::string>& targets, const ScoreOptions& options, Format format, bool markdown) {
  for (const std::string& target : targets) {
    if (rules_of(target).empty()) {
      throw UsageError(fmt::format("--mutate: {} has no rules of equivalence; targets with rules: {}", target,
                                   fmt::join(scored_targets(), ", ")));
    }
  }
  Scores scores;
  for (const std::string& target : targets) {
    std::optional<Progress> progress;
    const auto advance = [&](std::size_t done, std::size_t all) {
      if (!progress) progress.emplace("mutate", all);
      progress->advance(fmt::format("{} part {}", target, done));
    };
    scores.emplace_back(target, options.as_shipped ? noticed_by_questions(target, options, advance)
                                                   : score_target(target, options, advance));
    if (progress) progress->finish();
  }
  const Told told = options.as_shipped ? "noticed" : "distinguishable";
  if (markdown) {
    print_markdown(std::cout, scores, told);
  } else {
    print_scores(std::cout, scores, told, format);
  }
  const bool good =
      std::all_of(scores.begin(), scores.end(), [&](const auto& entry) { return entry.second.good(options.floor); });
  return good ? exit_good : exit_mismatch;
}

}  // namespace pmusim::testbench::mutate
