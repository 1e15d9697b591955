#include "testbench/faults/fault.h"

#include <array>

namespace pmusim::testbench::faults {

std::string_view name_of(Verdict verdict) {
  static constexpr std::array<std::string_view, 5> names{"caught", "caught by all questions", "does not fit", "excused",
                                                         "MISSED"};
  return names[static_cast<std::size_t>(verdict)];
}

void try_faults(std::vector<Trial>& trials, const std::vector<Stage>& stages) {
  const auto tell = [&](std::size_t fault, Verdict verdict, std::string by) {
    Trial& trial = trials[fault];
    if (trial.verdict != Verdict::missed) return;
    trial.verdict = verdict;
    trial.by = std::move(by);
  };
  for (const Stage& stage : stages) {
    Numbers open;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (trials[i].verdict == Verdict::missed) open.push_back(i);
    }
    if (!open.empty()) stage(open, tell);
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!trials[i].excuse.empty()) tell(i, Verdict::excused, trials[i].excuse);
  }
}

Tally tally_of(const std::vector<Trial>& trials) {
  Tally tally;
  for (const Trial& trial : trials) ++tally[trial.verdict];
  return tally;
}

}  // namespace pmusim::testbench::faults
