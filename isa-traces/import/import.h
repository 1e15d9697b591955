// Imports traces of other tools line by line.
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
  bool placed = false;     ///< the base was named
};
/// Parses `FILE` or `FILE@BASE`, with BASE in hexadecimal. A text that is the name of a file is `FILE`. Throws
/// TraceError.
[[nodiscard]] Image image_of(const std::string& text);

struct Options {
  std::optional<Isa> isa;  ///< if not set: determined by the ELF files or the tool
  std::vector<Image> images;
  std::string thread;  ///< the thread to import; empty: the trace must have only one
                       /// Directive for gaps, where the program continues at another address without a branch: `switch`
                       /// or `interrupt`. Empty: a gap is an error.
  std::string gap = "switch";
};

struct Result {
  std::uint64_t instructions = 0;    ///< as in numbering.h
  std::uint64_t gaps = 0;            ///< gaps that a directive explains
  std::uint64_t other_threads = 0;   ///< executed lines of other threads, which were skipped
  std::uint64_t without_access = 0;  ///< loads and stores for which the tool reports no address
};

/// The instruction set of the imported trace. Throws TraceError if it is unknown, or if the tool does not support it.
[[nodiscard]] Isa isa_of(const Tool& tool, const Options& options);
/// Reads `file` (`.zst`: packed; `-`: standard input) and writes the executed instructions. Does not close the writer.
/// A last line without a line end is treated as cut off and dropped. Throws TraceError with file, line and correct
/// form.
Result import_trace(const Tool& tool, const std::filesystem::path& file, const Options& options, Writer& writer);

}  // namespace pmusim::trace::import
