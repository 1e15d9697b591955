// pmusim trace: inspects, converts, cuts and merges traces, imports those of other tools, records programs. Each
// subcommand is a function; this header declares their shared parts.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/targets.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/writer.h"
#include "testbench/cli/command.h"
#include "testbench/support/output.h"

namespace pmusim::trace {
class Workspace;
}

namespace pmusim::testbench {

/// The text of --range.
inline constexpr const char* trace_range_help =
    "BEGIN:END: instructions numbered from 0 (i386: a rep with all its iterations is one; ia64: bundles), END "
    "exclusive";

extern const CommandBody trace_info_body, trace_dump_body, trace_stats_body, trace_import_body, trace_export_body,
    trace_convert_body, trace_cut_body, trace_merge_body, trace_capture_body;

/// `--isa` and `--salvage`, for commands that read a trace.
[[nodiscard]] Options reading();
[[nodiscard]] trace::ReadOptions reading_of(const Arguments& arguments);
/// `--isa`, checked; empty if it is absent.
[[nodiscard]] std::optional<trace::Isa> isa_of(const Arguments& arguments);
/// The only positional argument; a UsageError states what is missing.
[[nodiscard]] std::string only_file(const Arguments& arguments, std::string_view what);
/// `-o`, `--level` and `--program`, for commands that write a trace.
[[nodiscard]] Options writing(const char* output = "trace to write; .pmt: binary, else text (.zst: compressed)");
/// Opens a writer: a binary trace if the name ends in `.pmt`, otherwise text (`.zst`: packed). `--program` has priority
/// over `program`.
[[nodiscard]] std::unique_ptr<trace::Writer> create_trace(const Arguments& arguments, const trace::TraceInfo& like);
/// Closes the file, prints `FILE: N instructions` on standard output, and returns the exit code.
int close_trace(const Arguments& arguments, trace::Writer& writer, trace::Isa isa, std::uint64_t instructions);

/// BEGIN:END; either number may be left out.
struct TraceRange {
  std::uint64_t begin = 0, end = ~std::uint64_t{0};
};
[[nodiscard]] TraceRange range_of(const std::string& text);

/// A program that is recorded before it is run on a model: `pmusim run -t athlon -e cycles -- ./program argument`.
class RecordedProgram {
 public:
  /// Runs the program, the first word, with the other words as its arguments, and records its trace in a temporary
  /// folder, which the destructor removes. The program's standard output is the command's for text, and otherwise
  /// standard error. Notes go to standard error. Throws CaptureError.
  RecordedProgram(const models::Target& target, const std::vector<std::string>& words, Format format);
  ~RecordedProgram();
  RecordedProgram(const RecordedProgram&) = delete;
  RecordedProgram& operator=(const RecordedProgram&) = delete;
  [[nodiscard]] const std::string& trace() const { return trace_; }

 private:
  std::unique_ptr<trace::Workspace> folder_;
  std::string trace_;
};

}  // namespace pmusim::testbench
