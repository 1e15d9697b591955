// pmusim-museum: models and encoder with the defects of docs/defects.md to choose from, and the validation that has to
// catch each of them.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/cli/command.h"
#include "testbench/cli/output.h"
#include "testbench/museum/examine.h"
#include "testbench/validate/jobs.h"

namespace pmusim::models {
inline namespace with_faults {
Fault injected_fault = Fault::none;
}
}  // namespace pmusim::models
namespace pmusim::encoder {
inline namespace with_faults {
Fault injected_fault = Fault::none;
}
}  // namespace pmusim::encoder

namespace pmusim::testbench::museum {
namespace {

constexpr std::string_view usage =
    "usage: pmusim-museum [--inject NAME | --list]\n\n"
    "Without options every piece is judged twice: as it should be, where nothing may differ, and with its fault, "
    "which\n"
    "has to be caught and placed. With --inject only that piece, with its fault.\n"
    "exit code: 0 every fault was caught and placed; 1 one was not, or something differs without it; 2 bad usage\n";

/// What came out for one piece, in a process of its own: what is asked of the encoder is remembered there.
struct Exhibit {
  std::size_t comparisons = 0, differ_without = 0;
  bool caught = false, placed = false;
  std::string sentence;
  [[nodiscard]] bool good() const { return comparisons != 0 && differ_without == 0 && caught && placed; }
};

std::size_t count_wrong(const std::vector<Outcome>& outcomes) {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return outcome.wrong; }));
}

std::string with_fault(const Piece& piece) {
  const std::vector<Outcome> outcomes = examine(piece, true);
  if (count_wrong(outcomes) == 0) return Json{{"caught", false}, {"placed", false}, {"sentence", ""}}.dump();
  const Clue clue = clue_of(outcomes);
  const bool placed =
      std::all_of(piece.clue.begin(), piece.clue.end(),
                  [&](std::string_view place) {
                    return std::find(clue.features.begin(), clue.features.end(), place) != clue.features.end();
                  }) &&
      clue.example.find(piece.diagnosis) != std::string::npos;
  return Json{{"caught", true}, {"placed", placed}, {"sentence", clue.text()}}.dump();
}

std::string without_fault(const Piece& piece) {
  const std::vector<Outcome> outcomes = examine(piece, false);
  std::string example;
  for (const Outcome& outcome : outcomes) {
    if (outcome.wrong && example.empty()) example = outcome.example;
  }
  return Json{{"comparisons", outcomes.size()}, {"differ", count_wrong(outcomes)}, {"sentence", example}}.dump();
}

void show(const Piece& piece, const Exhibit& exhibit, bool both) {
  const std::string_view verdict = !exhibit.caught ? "NOT CAUGHT" : !exhibit.placed ? "NOT PLACED" : "caught";
  std::cout << fmt::format("{}: {}\n  {}: {}\n", piece.name, piece.defect, verdict, exhibit.sentence);
  if (both && exhibit.differ_without != 0) {
    std::cout << fmt::format("  {} of {} comparisons differ without the fault\n", exhibit.differ_without,
                             exhibit.comparisons);
  }
}

int run_one(const std::string& name) {
  const Piece* const piece = find_piece(name);
  if (piece == nullptr) {
    std::vector<std::string_view> names;
    for (const Piece& known : pieces()) names.push_back(known.name);
    throw UsageError(fmt::format("--inject {}: no such defect; they are {}", name, fmt::join(names, ", ")));
  }
  const Json result = Json::parse(with_fault(*piece));
  const Exhibit exhibit{1, 0, result.at("caught"), result.at("placed"), result.at("sentence")};
  show(*piece, exhibit, false);
  return exhibit.good() ? exit_good : exit_mismatch;
}

int run_all() {
  const auto all = pieces();
  std::vector<Exhibit> exhibits(all.size());
  run_jobs(
      2 * all.size(), 2,
      [&](std::size_t job) { return job % 2 == 0 ? without_fault(all[job / 2]) : with_fault(all[job / 2]); },
      [&](std::size_t job, const std::string& line) {
        const Json result = Json::parse(line);
        Exhibit& exhibit = exhibits[job / 2];
        if (job % 2 == 0) {
          exhibit.comparisons = result.at("comparisons");
          exhibit.differ_without = result.at("differ");
          if (exhibit.differ_without != 0) std::cerr << result.at("sentence").get<std::string>() << '\n';
        } else {
          exhibit.caught = result.at("caught");
          exhibit.placed = result.at("placed");
          exhibit.sentence = result.at("sentence");
        }
      },
      [&](std::size_t job) {
        return fmt::format("{} {} its fault", all[job / 2].name, job % 2 == 0 ? "without" : "with");
      });
  for (std::size_t i = 0; i < all.size(); ++i) show(all[i], exhibits[i], true);
  const auto good = std::count_if(exhibits.begin(), exhibits.end(), [](const Exhibit& e) { return e.good(); });
  std::cout << fmt::format("{} of {} defects are caught and placed\n", good, all.size());
  return static_cast<std::size_t>(good) == all.size() ? exit_good : exit_mismatch;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return run_all();
  if (arguments.size() == 2 && arguments[0] == "--inject") return run_one(arguments[1]);
  if (arguments.size() == 1 && arguments[0] == "--list") {
    for (const Piece& piece : pieces())
      std::cout << fmt::format("{:<26} {:<10} {}\n", piece.name, piece.target, piece.defect);
    return exit_good;
  }
  std::cout << usage;
  return arguments.size() == 1 && arguments[0] == "--help" ? exit_good : exit_usage;
}

}  // namespace
}  // namespace pmusim::testbench::museum

int main(int argc, char** argv) {
  try {
    return pmusim::testbench::museum::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "pmusim-museum: " << error.what() << '\n';
    return pmusim::testbench::exit_usage;
  }
}
