// Wrong bits in an encoder's answers, judged as `pmusim validate` judges them: by the same questions, traces and
// comparisons. Differences visible only in the score's own activity are not noticed here.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "testbench/mutate/score.h"

namespace pmusim::testbench::mutate {

/// Judges about `options.sample` live bits of the answers to a target's questions, one wrong at a time. A bit is killed
/// if the questions notice it, survives if they do not, and is equivalent by the rules. Bits that the manual reserves
/// are left out. The unchanged answers are judged, too: Score::verified, Score::disagreements.
[[nodiscard]] Score noticed_by_questions(const std::string& target, const ScoreOptions& options,
                                         const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace pmusim::testbench::mutate
