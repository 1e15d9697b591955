#include "testbench/faults/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "models/targets.h"
#include "testbench/faults/equivalence.h"
#include "testbench/faults/report.h"
#include "testbench/faults/wrong_bits.h"
#include "testbench/support/error.h"
#include "testbench/support/progress.h"

namespace pmusim::testbench::faults {

std::vector<std::string> scored_targets() {
  std::vector<std::string> names;
  for (const models::Target& target : models::targets()) {
    if (!rules_of(target.name).empty()) names.emplace_back(target.name);
  }
  return names;
}

int run_mutations(const std::vector<std::string>& targets, const WrongBitOptions& options, double floor,
                  std::optional<Format> format) {
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
    scores.emplace_back(target, noticed_by_questions(target, options, advance));
    if (progress) progress->finish();
  }
  if (format) {
    print_scores(std::cout, scores, *format);
  } else {
    print_markdown(std::cout, scores);
  }
  const bool good =
      std::all_of(scores.begin(), scores.end(), [&](const auto& entry) { return entry.second.good(floor); });
  return good ? exit_good : exit_mismatch;
}

}  // namespace pmusim::testbench::faults
