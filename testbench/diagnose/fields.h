// In which fields two values of a register differ, as `pmusim decode` names the fields.
#pragma once

#include <string>
#include <vector>

#include "testbench/diagnose/diagnose.h"

namespace pmusim::testbench::diagnose {

/// A difference and the bits of the register that it is about.
struct FieldDifference {
  Difference difference;
  std::uint64_t mask = 0;
};

/// From the top of the register down. Bits in `ignored` are not compared. Bits without a field are one difference whose
/// field is "bits".
[[nodiscard]] std::vector<FieldDifference> differing_fields(const std::string& target,
                                                            const encoder::RegisterValue& given,
                                                            const encoder::RegisterValue& right,
                                                            std::uint64_t ignored = 0);

}  // namespace pmusim::testbench::diagnose
