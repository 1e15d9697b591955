// Register values that differ from others in one field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench {

struct NeighbourRegisters {
  encoder::DecodedField from;  ///< the field as it is
  encoder::DecodedField to;    ///< and as it would be
  std::string reg;
  std::vector<encoder::RegisterValue> registers;
};

/// Of a field of up to 4 bits every other value, of one of up to 8 bits each with one bit changed; wider ones,
/// reserved and fixed ones stay.
[[nodiscard]] std::vector<NeighbourRegisters> neighbours_of(std::string_view target, bool bit_0_is_topmost,
                                                            const std::vector<encoder::RegisterValue>& registers);

}  // namespace pmusim::testbench
