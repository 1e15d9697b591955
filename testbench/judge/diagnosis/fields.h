// The fields in which two values of a register differ, under the names of `pmusim decode`.
#pragma once

#include <string>
#include <vector>

#include "testbench/judge/diagnosis/diagnose.h"

namespace pmusim::testbench::diagnose {

/// A difference and its bits in the register.
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
