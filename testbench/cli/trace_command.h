// `pmusim trace info|dump|import|export`: looks into traces and converts them.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace pmusim::testbench {

/// Runs `trace` with the arguments after that word. Results go to `out`, one line per error to `err`.
/// Returns 0 on success, 2 on bad usage or bad input; then no output file is left behind.
///
///     info FILE [--isa ISA] [--salvage] [--format text|json|csv]
///     dump FILE [--isa ISA] [--salvage] [--range BEGIN:END] [--format text|json]
///     import TEXT -o FILE.pmt [--isa ISA] [--program NAME] [--level 1..22] [--salvage]
///     export FILE.pmt -o TEXT [--salvage]
int trace_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

/// True for the sub-commands that trace_command() knows.
[[nodiscard]] bool is_trace_command(const std::string& name);

}  // namespace pmusim::testbench
