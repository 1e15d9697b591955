// Filters and address registers of a whole run on an IA-64 PMU, as options of `encode`, `run` and `record`.
#pragma once

#include "pmusim/encoder/encoder.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// Adds --irange, --drange, --opcode, --ear, --btb, --etb, --ipear, --fetch, --no-fine, --inverse.
void add_qualifier_options(Arguments::Description& options);
/// The values of those options for `target`. Throws UsageError for bad values, and for a target without filters.
[[nodiscard]] encoder::Qualifiers qualifiers_of(const Arguments& arguments, std::string_view target);

/// The statements of an encoding besides registers and events: the `code_ranges` and `data_ranges` that the registers
/// cover, `sample_registers`, `warnings`. A key is present only if it has content.
void add_notes(const encoder::Encoding& encoding, Json& object);
/// The same values as text lines.
[[nodiscard]] std::vector<std::string> note_lines(const Json& object);

}  // namespace pmusim::testbench
