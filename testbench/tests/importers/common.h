// Traces of other tools as text, ELF programs with given bytes, and traces as lines.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "isa-traces/import/import.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/text.h"
#include "pmusim/trace/writer.h"
#include "testbench/fuzz/elf_file.h"
#include "testbench/tests/scratch.h"

namespace pmusim::trace::test {

inline const std::filesystem::path samples = PMUSIM_SOURCE_DIR "/testbench/tests/importers/samples";

using testbench::content_of;

/// Lines of the text interchange, without `! isa`.
inline std::string lines_of(Reader& reader) {
  std::string lines;
  for (Item item; reader.next(item);) {
    if (item.directive != nullptr) {
      append_line(lines, *item.directive);
    } else {
      append_line(lines, reader.info().isa, item.instruction);
    }
    lines += '\n';
  }
  return lines;
}

inline std::string lines_of(const std::filesystem::path& file) { return lines_of(*open(file)); }

/// An ELF program with these bytes at an address: 32-bit little-endian (PowerPC: big-endian) or, for Alpha, 64-bit.
inline std::string elf_of(std::uint16_t machine, std::uint64_t address, const std::string& bytes) {
  return pmusim::fuzz::elf_program({machine, machine == 0x9026, machine == 20}, address, bytes);
}

class Importing : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& content) {
    std::ofstream(folder.path() / name, std::ios::binary) << content;
    return folder.path() / name;
  }

  /// The trace lines imported from a text; `result` has the counts.
  std::string imported(const char* tool, const std::string& text, const import::Options& options = {}) {
    const auto output = folder.path() / "made.txt";
    const auto writer = create_text(output, import::isa_of(*import::find_tool(tool), options));
    result = import::import_trace(*import::find_tool(tool), write("from.txt", text), options, *writer);
    writer->close();
    return lines_of(output);
  }

  std::string error_of(const char* tool, const std::string& text, const import::Options& options = {}) {
    try {
      return "made of it: " + imported(tool, text, options);
    } catch (const TraceError& error) {
      return error.what();
    }
  }

  static import::Options options(Isa isa, std::vector<import::Image> images = {}) {
    import::Options options;
    options.isa = isa;
    options.images = std::move(images);
    return options;
  }

  testbench::Scratch folder;
  import::Result result;
};

}  // namespace pmusim::trace::test
