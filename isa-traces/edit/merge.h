#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pieces.h"

namespace pmusim::trace::edit {

enum class MergeAs : std::uint8_t {
  processes,  ///< `! switch` and `! process N` where the next trace continues, N from 1
  threads     ///< `! switch` and `! thread N`, N from 0; ia64 only
};

struct MergeOptions {
  MergeAs as = MergeAs::processes;
  std::uint64_t quantum = 0;  ///< instructions (numbering.h) until the next trace, 0: all of it; no switch in a handler
};

/// Merges traces of one instruction set. Throws TraceError, also if one trace specifies a state of the program
/// (privilege, mode) and another does not, because the latter would run in the state of the former. Returns the number
/// of instructions.
std::uint64_t merge(std::vector<std::unique_ptr<Source>>& sources, const MergeOptions& options, Writer& writer);

}  // namespace pmusim::trace::edit
