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
#include "testbench/tests/scratch.h"

namespace pmusim::trace::test {

inline const std::filesystem::path samples = PMUSIM_SOURCE_DIR "/testbench/tests/importers/samples";

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

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
inline std::string elf_of(unsigned machine, std::uint64_t address, const std::string& bytes) {
  const bool wide = machine == 0x9026, big = machine == 20;
  std::string file(
      "\x7f"
      "ELF",
      4);
  const auto put = [&](std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) file.push_back(static_cast<char>(value >> 8 * (big ? size - 1 - i : i)));
  };
  const unsigned word = wide ? 8 : 4, header = wide ? 64 : 52, entry = wide ? 56 : 32;
  put(wide ? 2 : 1, 1);
  file.push_back(big ? '\2' : '\1');
  file.push_back('\1');
  file.resize(16);
  put(2, 2);  // type: executable
  put(machine, 2);
  put(1, 4);
  put(address, word);
  put(header, word);  // program headers
  put(0, word);
  put(0, 4);
  put(header, 2);
  put(entry, 2);
  put(1, 2);
  put(0, 6);
  put(1, 4);  // PT_LOAD
  if (wide) put(5, 4);
  put(header + entry, word);
  put(address, word);
  put(address, word);
  put(bytes.size(), word);
  put(bytes.size(), word);
  if (!wide) put(5, 4);
  put(16, word);
  return file + bytes;
}

class Importing : public testing::Test {
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
