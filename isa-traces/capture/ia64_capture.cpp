#include "ia64_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <utility>

#include "elf_names.h"
#include "ia64_start.h"
#include "pmusim/trace/names.h"
#include "pmusim/trace/writer.h"
#include "simulate.h"
#include "subprocess.h"

namespace pmusim::trace::ia64 {
namespace {

namespace fs = std::filesystem;

constexpr const char* install = "the IA-64 assembler and linker (Debian: binutils-ia64-linux-gnu)";

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw CaptureError("{}: cannot be read; expected an IA-64 executable or assembly", file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void run(const std::vector<std::string>& words, const fs::path& what) {
  if (const int status = run_program(words, install, words[0], false); status != 0) {
    throw CaptureError("{}: {} refuses it (exit status {}), see above; expected IA-64 assembly for GNU as",
                       what.string(), words[0], status);
  }
}

/// Assembles and links. -x preserves the bundles and instruction groups of the source.
fs::path build(std::vector<fs::path> sources, const Workspace& workspace) {
  static const std::regex start_label(R"((^|\n)\s*_start#?\s*:)");
  const bool complete = std::any_of(sources.begin(), sources.end(), [](const fs::path& source) {
    return std::regex_search(text_of(source), start_label);
  });
  if (!complete) {
    sources.insert(sources.begin(), workspace.file("start.s"));
    std::ofstream(sources.front()) << start_code;
  }
  std::vector<std::string> link{"ia64-linux-gnu-ld", "-static", "-o", workspace.file("program").string()};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    link.push_back(workspace.file(fmt::format("{}.o", i)).string());
    run({"ia64-linux-gnu-as", "-x", "-o", link.back(), sources[i].string()}, sources[i]);
  }
  run(link, sources.back());
  return workspace.file("program");
}

}  // namespace

CaptureResult capture(const fs::path& program, const std::vector<std::string>& arguments, const fs::path& output,
                      std::uint64_t most_slots, bool names) {
  const bool assembly = program.extension() == ".s";
  std::vector<fs::path> sources{program};
  for (const std::string& argument : arguments) {
    if (!assembly || fs::path(argument).extension() != ".s") {
      throw CaptureError("'{}': IA-64 programs get no arguments; expected PROGRAM alone, or several .s files",
                         argument);
    }
    sources.emplace_back(argument);
  }
  std::optional<Workspace> workspace;
  if (assembly) workspace.emplace(output);
  const fs::path linked = assembly ? build(sources, *workspace) : program;
  const std::string executable = text_of(linked);
  const std::string name = program.filename().string();
  const auto writer =
      output.extension() == ".pmt" ? create_pmt(output, Isa::ia64, name) : create_text(output, Isa::ia64);
  SimulationOptions options;
  options.output = write_all;
  options.most_slots = most_slots;
  Item item;
  options.on_bundle = [&](const Instruction& line) {
    if (std::exchange(names, false)) {
      ProgramNames known = elf_names(linked, Isa::ia64);
      known.files.clear();  // the program alone, at the addresses of its file
      write_names(known, *writer);
    }
    item.instruction = line;
    writer->write(item);
  };
  CaptureResult result;
  try {
    const SimulationResult simulated = simulate(
        {reinterpret_cast<const std::uint8_t*>(executable.data()), executable.size()}, program.string(), options);
    result = {simulated.bundles, simulated.exit_status, {}};
  } catch (const SimulationError& error) {
    throw CaptureError(error.what());
  }
  writer->close();
  return result;
}

}  // namespace pmusim::trace::ia64
