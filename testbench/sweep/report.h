// A validation as a table for people, JSON for programs and JUnit for continuous integration, from the same
// verdicts.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <vector>

#include "testbench/judge/verdict/verdict.h"

namespace pmusim::testbench {

/// Text: the errors, grouped by cause; the rows that were not exercised; and a line per target. With `verbose`, first a
/// line per row: event, registers, counted, expected, verdict. JSON: one object per target, with every question and its
/// `coverage`. CSV: the rows.
void print_report(std::ostream& out, const std::vector<TargetVerdict>& verdicts, Format format, bool verbose = false,
                  const std::function<Json(const TargetVerdict&)>& coverage = {});
/// One test case per row. Writes a temporary file and renames it.
void write_junit(const std::filesystem::path& file, const std::vector<TargetVerdict>& verdicts);

}  // namespace pmusim::testbench
