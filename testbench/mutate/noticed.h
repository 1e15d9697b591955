// Wrong bits in an encoder's answers, judged as `pmusim validate` judges them: the same questions, on the same traces,
// with the same comparison. What only the score's own activity tells apart is not noticed here.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "testbench/mutate/score.h"

namespace pmusim::testbench::mutate {

/// About `options.sample` live bits of the answers to a target's questions, one wrong at a time: killed, if the
/// questions notice; survived, if they do not; equivalent, by the rules. Bits that the manual reserves are left out.
/// The answers as they are, are judged as well: Score::verified, Score::disagreements.
[[nodiscard]] Score noticed_by_questions(const std::string& target, const ScoreOptions& options,
                                         const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace pmusim::testbench::mutate
