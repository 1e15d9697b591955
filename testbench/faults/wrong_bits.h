// Wrong bits in an encoder's answers, judged as `pmusim validate` judges them: by the same questions, traces and
// comparisons.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "testbench/faults/score.h"

namespace pmusim::testbench::faults {

struct WrongBitOptions {
  std::string only = {};                ///< patterns of events (validate/only.h)
  std::uint64_t sample = 0;             ///< number of bits that are judged; 0: all
  unsigned jobs = 1;                    ///< processes
  std::uint64_t shard = 1, shards = 1;  ///< the share of the work, from 1, and the number of shares
};

/// Judges `options.sample` bits of the answers to a target's questions, one wrong at a time, and the unchanged answers.
/// Bits that a rule of equivalence excuses come in addition, at the same rate; some of them are judged as well, which
/// checks the rules. Bits that the manual reserves are left out. `progress(done, all)` is called as parts end.
[[nodiscard]] Score noticed_by_questions(const std::string& target, const WrongBitOptions& options,
                                         const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace pmusim::testbench::faults
