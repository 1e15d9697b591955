// Filters and address registers of a whole run on an IA-64 PMU, as options that `encode`, `run` and `record` share.
#pragma once

#include "pmusim/encoder/encoder.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// Adds --irange, --drange, --opcode, --ear, --btb, --etb, --ipear, --fetch, --no-fine, --inverse.
void add_qualifier_options(Arguments::Description& options);
/// What those options say for `target`. Throws UsageError for bad texts, and for options on a target without filters.
[[nodiscard]] encoder::Qualifiers qualifiers_of(const Arguments& arguments, std::string_view target);

/// What an encoding tells beside registers and events: `code_ranges` and `data_ranges` that the registers cover,
/// `sample_registers`, `warnings`. Keys only where there is something to tell.
void add_notes(const encoder::Encoding& encoding, Json& object);
/// The same values as lines for people.
[[nodiscard]] std::vector<std::string> note_lines(const Json& object);

}  // namespace pmusim::testbench
