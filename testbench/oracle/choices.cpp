#include "testbench/oracle/choices.h"

namespace pmusim::oracle {

Choices read_choices(std::initializer_list<std::span<const ChoiceRow>> tables, const ParameterLookup& parameters) {
  Choices choices;
  if (!parameters) return choices;
  for (const auto rows : tables) {
    for (const ChoiceRow& row : rows) choices.*row.choice = parameters(row.parameter) != 0;
  }
  return choices;
}

}  // namespace pmusim::oracle
