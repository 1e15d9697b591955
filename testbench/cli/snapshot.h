// Writes every encoding of a target to a file and reports later changes: regression tests of an encoder, field by
// field.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pmusim::testbench {

/// Encodes every event and unit mask of the targets: plain, for sampling, with each attribute at its limits and on each
/// counter; full sets of events; on IA-64, filters of the run. Writes one JSON line for each. The file is complete or
/// absent. Throws UsageError for a file that cannot be written.
void write_snapshot(const std::vector<std::string>& targets, const std::filesystem::path& file);

/// Encodes everything again and prints every difference by register and field. Returns true if there is none. Throws
/// UsageError for a file that is not a snapshot.
[[nodiscard]] bool compare_snapshot(const std::vector<std::string>& targets, const std::filesystem::path& file);

}  // namespace pmusim::testbench
