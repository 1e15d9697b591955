#include "testbench/faults/table_faults.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

namespace pmusim::testbench::faults {

TableTally try_table_faults(Bench& bench, const std::vector<TableFault>& faults,
                            const std::vector<questions::Excuse>& excuses, std::size_t every) {
  TableTally tally{faults.size(), {}, {}};
  std::vector<bool> needed(excuses.size());
  for (std::size_t i = 0; i < faults.size(); i += every) {
    const std::string& name = faults[i].fault.name;
    const Verdict verdict = bench.verdict(faults[i].rows, faults[i].exchange());
    const bool noticed = verdict != Verdict::missed;
    const auto excuse = std::find_if(excuses.begin(), excuses.end(), [&](const questions::Excuse& known) {
      return fnmatch(std::string(known.faults).c_str(), name.c_str(), 0) == 0;
    });
    if (excuse == excuses.end()) {
      ++tally.tried[verdict];
      if (!noticed) tally.problems.push_back("not noticed: " + name);
      continue;
    }
    ++tally.tried[Verdict::excused];
    needed[static_cast<std::size_t>(excuse - excuses.begin())] = true;
    if (noticed) tally.problems.push_back(fmt::format("{}: noticed, though {}", name, excuse->why));
  }
  for (std::size_t i = 0; i < excuses.size() && every == 1; ++i) {
    if (!needed[i]) tally.problems.push_back(fmt::format("excused, but never made: {}", excuses[i].faults));
  }
  return tally;
}

}  // namespace pmusim::testbench::faults
