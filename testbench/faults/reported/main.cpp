// pmusim-seeded-defects: models and encoder with a selectable defect of docs/evidence.md, and the validation that must
// detect each of them.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
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

/// The result for one defect. Both are computed in a child process of their own, because answers of the encoder are
/// cached.
struct Result {
  Findings without, with;
  [[nodiscard]] bool good() const {
    return without.comparisons != 0 && without.differ == 0 && with.differ != 0 && with.placed;
  }
};

std::string packed(const Findings& findings) {
  return Json{findings.comparisons, findings.differ, findings.placed, findings.sentence}.dump();
}

Findings unpacked(const std::string& line) {
  const Json list = Json::parse(line);
  return {list.at(0), list.at(1), list.at(2), list.at(3)};
}

void show(const Defect& defect, const Findings& findings) {
  const std::string_view said = findings.differ == 0 ? "NOT CAUGHT" : !findings.placed ? "NOT PLACED" : "caught";
  std::cout << fmt::format("{}: {}\n  {}: {} of {} comparisons differ; {}\n", defect.name, defect.defect, said,
                           findings.differ, findings.comparisons, findings.sentence);
}

int run_one(const std::string& name) {
  const Defect* const defect = find_defect(name);
  if (defect == nullptr) {
    std::vector<std::string_view> names;
    for (const Defect& known : defects()) names.push_back(known.name);
    throw UsageError(fmt::format("--inject {}: no such defect; they are {}", name, fmt::join(names, ", ")));
  }
  const Findings findings = examine(*defect, true);
  show(*defect, findings);
  return findings.differ != 0 && findings.placed ? exit_good : exit_mismatch;
}

int run_all() {
  const auto all = defects();
  std::vector<Result> results(all.size());
  const auto has_fault = [](std::size_t job) { return job % 2 != 0; };
  const Jobs jobs{2 * all.size(), [&](std::size_t job) { return packed(examine(all[job / 2], has_fault(job))); },
                  [&](std::size_t job) {
                    return fmt::format("{} {} its fault", all[job / 2].name, has_fault(job) ? "with" : "without");
                  }};
  run_jobs(jobs, 2, [&](std::size_t job, const std::string& line) {
    (has_fault(job) ? results[job / 2].with : results[job / 2].without) = unpacked(line);
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    show(all[i], results[i].with);
    if (const Findings& without = results[i].without; without.differ != 0)
      std::cout << fmt::format("  {} of {} comparisons differ without the fault: {}\n", without.differ,
                               without.comparisons, without.sentence);
  }
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
