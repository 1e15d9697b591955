#include "testbench/mutate/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "testbench/cli/command.h"
#include "testbench/cli/progress.h"
#include "testbench/mutate/report.h"

namespace pmusim::testbench::mutate {

int run_mutations(const std::vector<std::string>& targets, const ScoreOptions& options, Format format, bool markdown) {
  Scores scores;
  for (const std::string& target : targets) {
    std::optional<Progress> progress;
    const auto advance = [&](std::size_t done, std::size_t all) {
      if (!progress) progress.emplace("mutate", all);
      progress->advance(fmt::format("{} part {}", target, done));
    };
    scores.emplace_back(target, score_target(target, options, advance));
    if (progress) progress->finish();
  }
  if (markdown) {
    print_markdown(std::cout, scores);
  } else {
    print_scores(std::cout, scores, format);
  }
  const bool good = std::all_of(scores.begin(), scores.end(), [](const auto& entry) { return entry.second.good(); });
  return good ? exit_good : exit_mismatch;
}

}  // namespace pmusim::testbench::mutate
