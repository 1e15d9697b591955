// The instructions at some addresses of a trace, as text.
#pragma once

#include <map>
#include <string>

#include "pmusim/trace/reader.h"
#include "testbench/explain/recorder.h"

namespace pmusim::testbench {

/// Disassembled for i386, else its encoding; IA-64: of a bundle's slot. Empty for what is no instruction.
[[nodiscard]] std::string instruction_text(const trace::Code& code, trace::Isa isa, unsigned slot);

/// Fills in the text of each culprit that the trace has an instruction for: disassembled for i386, else its encoding.
void add_code_text(trace::Reader& trace, std::map<Culprit, std::string>& wanted);

}  // namespace pmusim::testbench
