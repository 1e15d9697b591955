// Register values that differ from the given ones in one field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench {

struct NeighbourRegisters {
  encoder::DecodedField from;  ///< the present value of the field
  encoder::DecodedField to;    ///< the changed value
  std::string reg;
  std::vector<encoder::RegisterValue> registers;
};

/// For a field of up to 4 bits every other value; for up to 8 bits each value with one bit changed. Wider, reserved and
/// fixed fields are not changed.
[[nodiscard]] std::vector<NeighbourRegisters> neighbours_of(std::string_view target, bool bit_0_is_topmost,
                                                            const std::vector<encoder::RegisterValue>& registers);

}  // namespace pmusim::testbench
