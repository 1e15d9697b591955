// Choices of parameters that all IA-64 processors have.
#pragma once

#include <span>

#include "testbench/oracle/choices.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle::ia64 {

[[nodiscard]] std::span<const ChoiceRow> choice_rows();

}  // namespace pmusim::oracle::ia64
