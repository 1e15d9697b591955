// A validation as a table for people, JSON for programs and JUnit for continuous integration, from the same
// verdicts.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <vector>

#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

/// Text: a line per row with event, registers, counted, expected, verdict, then mismatches and totals. JSON: one
/// object per target. CSV: the rows.
void print_report(std::ostream& out, const std::vector<TargetVerdict>& verdicts, Format format);
/// One test case per row. Writes beside the file and renames.
void write_junit(const std::filesystem::path& file, const std::vector<TargetVerdict>& verdicts);

}  // namespace pmusim::testbench
