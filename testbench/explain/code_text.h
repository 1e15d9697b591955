// Disassembly of the instructions at some addresses of a trace.
#pragma once

#include <map>
#include <string>

#include "pmusim/trace/reader.h"
#include "testbench/explain/recorder.h"

namespace pmusim::testbench {

/// Fills in the text of each culprit whose instruction is in the trace.
void add_code_text(trace::Reader& trace, std::map<Culprit, std::string>& wanted);

}  // namespace pmusim::testbench
