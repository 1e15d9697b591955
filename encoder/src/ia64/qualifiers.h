// Parsing of the texts of qualifiers, as on a command line, and conversion of qualifiers to the input of a run.
#pragma once

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

}  // namespace pmusim::encoder::ia64
