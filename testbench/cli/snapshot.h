// Every encoding of a target in a file, and what has changed since: regression of an encoder, field by field.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pmusim::testbench {

/// Encodes every event and unit mask of the targets, plain, for sampling, with each attribute at its limits and on each
/// counter; full sets of events; for IA-64, filters of the run. Writes one JSON line for each; nothing is left
/// half-written. Throws UsageError for a file that cannot be written.
void write_snapshot(const std::vector<std::string>& targets, const std::filesystem::path& file);

/// Encodes all of it again and prints every difference by register and field. Returns whether there is none. Throws
/// UsageError for a file that is no snapshot.
[[nodiscard]] bool compare_snapshot(const std::vector<std::string>& targets, const std::filesystem::path& file);

}  // namespace pmusim::testbench
