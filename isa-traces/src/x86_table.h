// Kind and decode path of each IA-32 instruction that an Athlon executes.
#pragma once

#include <Zydis/Zydis.h>

#include <cstdint>

#include "pmusim/trace/x86.h"

namespace pmusim::trace::x86 {

/// Decode path of one form: DirectPath (one macro-operation), or VectorPath with a number of them.
struct Path {
  std::uint8_t macro_ops;
  bool vector;
};

struct Rule {
  Kind kind = Kind::illegal;
  Path registers{1, false};  ///< no memory operand
  Path memory{1, false};     ///< with an explicit memory operand
  BranchKind branch = BranchKind::none;
  bool serializing = false;
};

/// The rule of a mnemonic; Kind::illegal for one that the processor does not have.
[[nodiscard]] const Rule& rule_of(ZydisMnemonic mnemonic);

}  // namespace pmusim::trace::x86
