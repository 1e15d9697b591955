// Runs a target's core over a region of traces, and keeps its activity for the laboratory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/targets.h"
#include "testbench/driver/activity_log.h"
#include "testbench/driver/session.h"

namespace pmusim::lab {

/// Parses `BEGIN:END`, instructions from 0 on. Throws std::invalid_argument.
[[nodiscard]] testbench::Region region_of(const std::string& text);

struct Recording {
  testbench::ActivityLog activity;
  std::uint64_t instructions = 0;
};
/// One trace for each hardware thread that runs. Throws the errors of traces, core and session.
[[nodiscard]] Recording record(const models::Target& target, const std::vector<std::filesystem::path>& traces,
                               const testbench::Region& region);

/// The instructions of the region, and of its neighbourhood, because instructions fetched near it are shown, too; by
/// address, each once.
[[nodiscard]] std::vector<trace::Code> code_near(const models::Target& target,
                                                 const std::vector<std::filesystem::path>& traces,
                                                 const testbench::Region& region);

}  // namespace pmusim::lab
