#include "testbench/faults/table_faults.h"

#include <fnmatch.h>

#include <algorithm>

namespace pmusim::testbench::faults {

std::vector<Trial> try_table_faults(Bench& bench, const std::string& table, const std::vector<TableFault>& faults,
                                    const std::vector<questions::Excuse>& excuses, std::size_t every) {
  std::vector<Trial> trials;
  std::vector<bool> needed(excuses.size(), every != 1);
  for (std::size_t i = 0; i < faults.size(); i += every) {
    const Fault& fault = faults[i].fault;
    const auto excuse = std::find_if(excuses.begin(), excuses.end(), [&](const questions::Excuse& known) {
      return fnmatch(std::string(known.faults).c_str(), fault.name.c_str(), 0) == 0;
    });
    trials.push_back({table, fault});
    if (excuse == excuses.end()) continue;
    trials.back().excuse = excuse->why;
    needed[static_cast<std::size_t>(excuse - excuses.begin())] = true;
  }
  try_faults(trials, {[&](const Numbers& open, const Tell& tell) {
               for (const std::size_t i : open) {
                 const TableFault& faulty = faults[i * every];
                 tell(i, bench.verdict(faulty.rows, faulty.exchange()), {});
               }
             }});
  for (std::size_t i = 0; i < excuses.size(); ++i) {
    if (!needed[i])
      trials.push_back({.where = table, .fault = {std::string(excuses[i].faults)}, .by = ": no fault has this name"});
  }
  return trials;
}

}  // namespace pmusim::testbench::faults
