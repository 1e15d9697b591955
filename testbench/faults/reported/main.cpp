// pmusim-seeded-defects: models and encoder with a selectable defect of docs/evidence.md, and the validation that must
// detect each of them.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/faults/reported/examine.h"
#include "testbench/support/error.h"
#include "testbench/support/output.h"
#include "testbench/sweep/jobs.h"

namespace pmusim::testbench::faults::reported {
namespace {

constexpr std::string_view usage =
    "usage: pmusim-seeded-defects [--inject NAME | --list]\n\n"
    "Without options every defect is judged twice: as it should be, where nothing may differ, and with its fault, "
    "which\n"
    "has to be caught and placed. With --inject only that defect, with its fault.\n"
    "exit code: 0 every fault was caught and placed; 1 one was not, or something differs without it; 2 bad usage\n";

/// The result for one defect, computed in a child process, because answers of the encoder are cached.
struct Result {
  std::size_t comparisons = 0, differ_without = 0;
  bool caught = false, placed = false;
  std::string sentence;
  [[nodiscard]] bool good() const { return comparisons != 0 && differ_without == 0 && caught && placed; }
};

std::size_t count_wrong(const std::vector<Outcome>& outcomes) {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return outcome.wrong; }));
}

std::string with_fault(const Defect& defect) {
  const std::vector<Outcome> outcomes = examine(defect, true);
  if (count_wrong(outcomes) == 0) return Json{{"caught", false}, {"placed", false}, {"sentence", ""}}.dump();
  const Clue clue = clue_of(outcomes);
  const bool placed =
      std::all_of(defect.clue.begin(), defect.clue.end(),
                  [&](std::string_view place) {
                    return std::find(clue.features.begin(), clue.features.end(), place) != clue.features.end();
                  }) &&
      clue.example.find(defect.diagnosis) != std::string::npos;
  return Json{{"caught", true}, {"placed", placed}, {"sentence", clue.text()}}.dump();
}

std::string without_fault(const Defect& defect) {
  const std::vector<Outcome> outcomes = examine(defect, false);
  std::string example;
  for (const Outcome& outcome : outcomes) {
    if (outcome.wrong && example.empty()) example = outcome.example;
  }
  return Json{{"comparisons", outcomes.size()}, {"differ", count_wrong(outcomes)}, {"sentence", example}}.dump();
}

void show(const Defect& defect, const Result& verdict, bool both) {
  const std::string_view said = !verdict.caught ? "NOT CAUGHT" : !verdict.placed ? "NOT PLACED" : "caught";
  std::cout << fmt::format("{}: {}\n  {}: {}\n", defect.name, defect.defect, said, verdict.sentence);
  if (both && verdict.differ_without != 0) {
    std::cout << fmt::format("  {} of {} comparisons differ without the fault\n", verdict.differ_without,
                             verdict.comparisons);
  }
}

int run_one(const std::string& name) {
  const Defect* const defect = find_defect(name);
  if (defect == nullptr) {
    std::vector<std::string_view> names;
    for (const Defect& known : defects()) names.push_back(known.name);
    throw UsageError(fmt::format("--inject {}: no such defect; they are {}", name, fmt::join(names, ", ")));
  }
  const Json result = Json::parse(with_fault(*defect));
  const Result verdict{1, 0, result.at("caught"), result.at("placed"), result.at("sentence")};
  show(*defect, verdict, false);
  return verdict.good() ? exit_good : exit_mismatch;
}

int run_all() {
  const auto all = defects();
  std::vector<Result> results(all.size());
  const Jobs jobs{
      2 * all.size(),
      [&](std::size_t job) { return job % 2 == 0 ? without_fault(all[job / 2]) : with_fault(all[job / 2]); },
      [&](std::size_t job) {
        return fmt::format("{} {} its fault", all[job / 2].name, job % 2 == 0 ? "without" : "with");
      }};
  run_jobs(jobs, 2, [&](std::size_t job, const std::string& line) {
    const Json result = Json::parse(line);
    Result& verdict = results[job / 2];
    if (job % 2 == 0) {
      verdict.comparisons = result.at("comparisons");
      verdict.differ_without = result.at("differ");
      if (verdict.differ_without != 0) std::cerr << result.at("sentence").get<std::string>() << '\n';
    } else {
      verdict.caught = result.at("caught");
      verdict.placed = result.at("placed");
      verdict.sentence = result.at("sentence");
    }
  });
  for (std::size_t i = 0; i < all.size(); ++i) show(all[i], results[i], true);
  const auto good = std::count_if(results.begin(), results.end(), [](const Result& e) { return e.good(); });
  std::cout << fmt::format("{} of {} defects are caught and placed\n", good, all.size());
  return static_cast<std::size_t>(good) == all.size() ? exit_good : exit_mismatch;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return run_all();
  if (arguments.size() == 2 && arguments[0] == "--inject") return run_one(arguments[1]);
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
