// The registers that `run` and `explain` program: from event names or from raw values.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/cli/session_options.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

struct ProgrammedCounter {
  std::string event;  ///< canonical
  std::string counter;
  unsigned index = 0;
  std::vector<std::string> notes;
};

/// The registers of one pass and the counters that they enable.
struct Programmed {
  std::vector<encoder::RegisterValue> registers;
  std::vector<ProgrammedCounter> counters;
  Json notes = Json::object();
  bool raw = false;  ///< from --write: the program itself may enable more counters
};

/// Encodes events for counting: without filters of the whole run, and with the requested ones.
[[nodiscard]] encoder::EncodeOptions plain_options(const SessionSetup& setup);
[[nodiscard]] encoder::EncodeOptions counting_options(const Arguments& arguments, const SessionSetup& setup);

/// Both throw UsageError for registers that cannot be programmed.
[[nodiscard]] Programmed programmed_events(const SessionSetup& setup, const std::vector<std::string>& events,
                                           const encoder::EncodeOptions& options);
[[nodiscard]] Programmed programmed_writes(SessionSetup& setup, const std::vector<std::string>& texts);

/// The beginning of a run's JSON: `target`, and `trace` or `traces`.
[[nodiscard]] Json head_of(const SessionSetup& setup);
/// The first line of a run's text: what ran where, and how long. `region` follows the instructions.
[[nodiscard]] std::string head_line(const SessionSetup& setup, std::uint64_t instructions, std::uint64_t cycles,
                                    std::string_view region = {});
/// The name of what numbers of the target's traces count (pmusim/trace/numbering.h).
[[nodiscard]] std::string_view instruction_word(const SessionSetup& setup);

// Filters and address registers of a whole run on an IA-64 PMU, as options of `encode`, `run` and `record`.

/// Adds --irange, --drange, --opcode, --ear, --btb, --etb, --ipear, --fetch, --no-fine, --inverse.
[[nodiscard]] Options qualifier_options();
/// The values of those options for `target`. Throws UsageError for bad values, and for a target without filters.
[[nodiscard]] encoder::Qualifiers qualifiers_of(const Arguments& arguments, std::string_view target);

/// The statements of an encoding besides registers and events: the `code_ranges` and `data_ranges` that the registers
/// cover, `sample_registers`, `warnings`. A key is present only if it has content.
void add_notes(const encoder::Encoding& encoding, Json& object);
/// The same values as text lines.
[[nodiscard]] std::vector<std::string> note_lines(const Json& object);

}  // namespace pmusim::testbench
