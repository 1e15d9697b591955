// Finds an encoder whose answer depends on the requests before.
#pragma once

#include <vector>

#include "testbench/cli/validate_options.h"
#include "testbench/judge/verdict/verdict.h"
#include "testbench/sweep/conformance.h"

namespace pmusim::testbench {

/// Asks the examples of the most frequent causes once more, each in a new process. Where the answer is another one, the
/// mismatch says so, and its cause is that the encoder keeps a state: the command that reproduces a mismatch asks one
/// question. Questions that only a trace's plan has are left as they are.
void ask_alone(const ForeignProgram& program, const Choice& choice, std::vector<TargetVerdict>& verdicts);

}  // namespace pmusim::testbench
