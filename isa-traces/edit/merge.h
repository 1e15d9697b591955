#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pieces.h"

namespace pmusim::trace::edit {

enum class MergeAs : std::uint8_t {
  processes,  ///< `! switch` and `! process N` where the next trace goes on, N from 1
  threads     ///< `! switch` and `! thread N`, N from 0; ia64 only
};

struct MergeOptions {
  MergeAs as = MergeAs::processes;
  std::uint64_t quantum = 0;  ///< instructions until the next trace's turn; 0: each to its end. Not within a handler
};

/// All traces in one, which must be of one instruction set. Throws TraceError: also where one trace tells of a state of
/// the program (privilege, mode) and another says nothing about it, for the one would run in the other's.
std::uint64_t merge(std::vector<std::unique_ptr<Source>>& sources, const MergeOptions& options, Writer& writer);

}  // namespace pmusim::trace::edit
