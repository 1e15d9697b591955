// Texts of qualifiers, as on a command line, and qualifiers as the input of a run.
#pragma once

#include "encoder/src/backend.h"
#include "run.h"

namespace pmusim::encoder::ia64 {

/// Which qualifiers a processor has beyond those that both have.
struct QualifierForm {
  std::string_view target;
  bool instruction_sets;    ///< IA-32 code, too
  bool prediction_details;  ///< the branch buffer's ds
  bool ip_ear;
  bool fetch_kinds;  ///< events about demand fetches and prefetches
};

/// What the texts say; an error names the text, the word and what is legal.
[[nodiscard]] Result<Qualifiers> read_qualifiers(const QualifierTexts& texts, const QualifierForm& form);

/// Ranges, EARs and branch buffer of the qualifiers as the input of a run. Too many of a kind are an error, and so are
/// those that the processor has not.
[[nodiscard]] Failed add_qualifiers(const Qualifiers& qualifiers, const QualifierForm& form, RunInput& in);

}  // namespace pmusim::encoder::ia64
