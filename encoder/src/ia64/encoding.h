// What both IA-64 back ends do between the engine's requests and a run, and between its registers and an Encoding.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "encoder/src/backend.h"
#include "qualifiers.h"
#include "run.h"

namespace pmusim::encoder::ia64 {

inline constexpr unsigned kFirstCounter = 4;  ///< PMC and PMD number of the first counter

/// One event of the run with its row; raw events have a row made for them.
struct Wanted {
  const Request* request;
  Row row;
};

/// Everything of a run but opcode matchers and what only one processor has. `events` must outlive the input.
[[nodiscard]] Failed read_run(std::span<const Wanted> events, const GroupOptions& options, const QualifierForm& form,
                              RunInput& in);

/// The row of an event of the table, or one for a raw event, which may go anywhere and honours everything: nothing is
/// known about it.
[[nodiscard]] Row row_of(const Request& request, const std::vector<Event>& events, const std::vector<Row>& rows);

/// The EAR event whose control registers are set up, where the counter counts what its EAR takes in: mode and unit mask
/// of `data` or of the instruction EAR say which. Else null.
[[nodiscard]] const Row* ear_event(const std::vector<Row>& rows, bool data, std::uint64_t control);

/// The values of the control registers among `values`, by PMC number.
[[nodiscard]] Result<std::map<unsigned, std::uint64_t>> controls_of(const Backend& backend,
                                                                    std::span<const RegisterValue> values);

/// A run of a processor with these registers as register values, and what they cover; without the events' own entries
/// and warnings. `controls` has the value of every control register by PMC number.
[[nodiscard]] Encoding encoding_of(const RunInput& in, const RunOutput& out,
                                   const std::map<unsigned, std::uint64_t>& controls,
                                   std::span<const Register> registers);

/// Warnings about ranges: filters that hold on some tag channels only, levels that the hardware does not look at.
void warn_about_ranges(const RunInput& in, const RunOutput& out, bool fine, std::vector<std::string>& warnings);

/// Start value of a counter that overflows after `period` events.
[[nodiscard]] Result<std::uint64_t> preset(std::string_view counter, unsigned width, std::uint64_t period);

}  // namespace pmusim::encoder::ia64
