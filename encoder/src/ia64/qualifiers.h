// Texts of qualifiers, as on a command line, and qualifiers as the input of a run.
#pragma once

#include "../backend.h"
#include "run.h"

namespace pmusim::encoder::ia64 {

/// What the texts say; an error names the text, the word and what is legal.
[[nodiscard]] Result<Qualifiers> read_qualifiers(const QualifierTexts& texts);

/// Ranges, EARs and branch buffer of the qualifiers as the input of a run. Too many of a kind are an error.
[[nodiscard]] Failed add_qualifiers(const Qualifiers& qualifiers, RunInput& in);

}  // namespace pmusim::encoder::ia64
