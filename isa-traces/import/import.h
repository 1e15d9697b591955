// Traces of other tools, line by line, as traces of this project.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pmusim/trace/reader.h"
#include "pmusim/trace/writer.h"
#include "step.h"

namespace pmusim::trace::import {

/// All tools, in alphabetical order.
[[nodiscard]] std::span<const Tool> tools();
[[nodiscard]] const Tool* find_tool(std::string_view name);

/// A program or library whose bytes were executed.
struct Image {
  std::filesystem::path file;
  std::uint64_t base = 0;  ///< added to the file's addresses
};
/// Of `FILE` or `FILE@BASE`, BASE in hexadecimal. Throws TraceError.
[[nodiscard]] Image image_of(const std::string& text);

struct Options {
  std::optional<Isa> isa;  ///< without it the ELF files tell, or the tool
  std::vector<Image> images;
  std::string thread;  ///< of several that the tool tells apart, this one; empty: there must be only one
  /// What stands where the program went on elsewhere although no branch went there: `switch` or `interrupt`; empty:
  /// such a place is an error.
  std::string gap = "switch";
};

struct Result {
  std::uint64_t instructions = 0;
  std::uint64_t gaps = 0;            ///< places that a directive explains
  std::uint64_t other_threads = 0;   ///< instructions of threads that were not wanted
  std::uint64_t without_access = 0;  ///< loads and stores of which the tool tells no address
};

/// The instruction set of the trace to be made. Throws TraceError when nothing tells, or the tool has no such traces.
[[nodiscard]] Isa isa_of(const Tool& tool, const Options& options);
/// Reads `file` (`.zst`: packed; `-`: standard input) and writes what was executed. Does not close the writer. A last
/// line without an end is taken as cut off, and left out. Throws TraceError: file, line, right form.
Result import_trace(const Tool& tool, const std::filesystem::path& file, const Options& options, Writer& writer);

}  // namespace pmusim::trace::import
