// Conversions of both IA-64 back ends: from the texts of qualifiers and the engine's requests to a run, and from its
// registers to an Encoding.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "encoder/src/backend.h"
#include "run.h"

namespace pmusim::encoder::ia64 {

/// The qualifiers of a processor that do not exist on both.
struct QualifierForm {
  std::string_view target;
  bool instruction_sets;    ///< executes IA-32 code, too
  bool prediction_details;  ///< the trace buffer has the field ds
  bool ip_ear;
  bool fetch_kinds;  ///< a range can restrict demand fetches or prefetches
};

/// Parses the texts. An error names the text, the word and the legal values.
[[nodiscard]] Result<Qualifiers> read_qualifiers(const QualifierTexts& texts, const QualifierForm& form);

/// Adds the ranges, EARs and trace buffer of the qualifiers to the input of a run. Fails for too many qualifiers of a
/// kind, and for qualifiers that the processor does not have.
[[nodiscard]] Failed add_qualifiers(const Qualifiers& qualifiers, const QualifierForm& form, RunInput& in);

inline constexpr unsigned kFirstCounter = 4;  ///< PMC and PMD number of the first counter

/// One event of the run with its row. The row of a raw event is made by row_of().
struct Wanted {
  const Request* request;
  Row row;
};

/// Reads the input of a run, except opcode matchers and the parts that exist on one processor only. `events` must
/// outlive the input.
[[nodiscard]] Failed read_run(std::span<const Wanted> events, const GroupOptions& options, const QualifierForm& form,
                              RunInput& in);

/// Converts a run to an Encoding: the register values of a processor with these registers, and the covered ranges, but
/// not the entries of the events and the warnings. `controls` has the value of every control register by PMC number.
[[nodiscard]] Encoding encoding_of(const RunInput& in, const RunOutput& out,
                                   const std::map<unsigned, std::uint64_t>& controls,
                                   std::span<const Register> registers);

}  // namespace pmusim::encoder::ia64
