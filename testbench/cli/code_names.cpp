#include "testbench/cli/code_names.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "elf_names.h"
#include "isa-traces/import/import.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

void check_count(const std::vector<std::string>& files, std::string_view option, const SessionSetup& setup) {
  if (files.size() > setup.traces.size())
    throw UsageError("{}: {} files for {} {}", option, files.size(), setup.traces.size(),
                     setup.traces.size() == 1 ? "trace" : "traces");
}

bool holds(const trace::LoadedFile& file, std::uint64_t address) {
  return address >= file.address && address - file.address < file.size;
}

/// The files that have no instruction of the trace. The trace is read until each has one.
std::vector<trace::LoadedFile> unexecuted(trace::Reader& reader, std::vector<trace::LoadedFile> files) {
  for (trace::Item item; !files.empty() && reader.next(item);) {
    if (item.directive != nullptr) continue;
    std::erase_if(files, [&](const trace::LoadedFile& file) { return holds(file, item.instruction.code->pc); });
  }
  return files;
}

/// The load address, by the trace, of a file for which the user gave none.
std::uint64_t base_in(const trace::ProgramNames& of_trace, const std::string& name) {
  const auto found = std::ranges::find(of_trace.files, name, &trace::LoadedFile::name);
  return found == of_trace.files.end() ? 0 : found->base;
}

/// Replaces the names of the trace in these files, and adds those of other files.
trace::ProgramNames merged(std::vector<trace::ProgramNames> elves, const trace::ProgramNames& of_trace) {
  trace::ProgramNames all;
  for (trace::ProgramNames& one : elves) {
    all.files.insert(all.files.end(), one.files.begin(), one.files.end());
    all.functions.insert(all.functions.end(), one.functions.begin(), one.functions.end());
    all.lines.insert(all.lines.end(), one.lines.begin(), one.lines.end());
  }
  if (of_trace.files.empty()) return all;
  const auto replaced = [&, named = all.files](std::uint64_t address) {
    return std::ranges::any_of(named, [&](const trace::LoadedFile& one) { return holds(one, address); });
  };
  for (const trace::FunctionName& one : of_trace.functions) {
    if (!replaced(one.address)) all.functions.push_back(one);
  }
  for (const trace::LineStart& one : of_trace.lines) {
    if (!replaced(one.address)) all.lines.push_back(one);
  }
  all.files = of_trace.files;
  return all;
}

/// The names in the ELF files of one program.
trace::ProgramNames elf_names(const std::vector<std::string>& texts, const SessionSetup& setup, unsigned thread) {
  trace::ProgramNames of_trace;
  if (setup.activity.empty()) of_trace = trace::read_names(*open_traces(setup).at(thread));
  std::vector<trace::ProgramNames> elves;
  std::vector<trace::LoadedFile> files;
  for (const std::string& text : texts) {
    const trace::import::Image image = trace::import::image_of(text);
    const std::uint64_t base = image.placed ? image.base : base_in(of_trace, image.file.filename().string());
    elves.push_back(trace::elf_names(image.file, setup.target->isa, base));
    files.push_back(elves.back().files.at(0));
    files.back().name = text;
  }
  if (setup.activity.empty()) {
    for (const trace::LoadedFile& one : unexecuted(*open_traces(setup).at(thread), files))
      throw UsageError(
          "--elf {}: the trace executes nothing of it, at {:x} to {:x}; expected the program that was "
          "traced, or FILE@ADDRESS with the hexadecimal address where it was loaded",
          printable(one.name), one.address, one.address + one.size);
  }
  return merged(std::move(elves), of_trace);
}

}  // namespace

CodeNames::CodeNames(const trace::ProgramNames& names) {
  for (const trace::LoadedFile& file : names.files) symbols_.add_file(file.address, file.size, file.name);
  for (const trace::FunctionName& function : names.functions)
    symbols_.add(function.address, function.size, function.name);
  for (const trace::LineStart& line : names.lines) lines_[line.address] = {printable(line.file), line.line};
}

std::optional<SourceLine> CodeNames::line_of(std::uint64_t address) const {
  const auto after = lines_.upper_bound(address);
  if (after == lines_.begin() || std::prev(after)->second.line == 0) return std::nullopt;
  return std::prev(after)->second;
}

Options name_options() {
  return {
      {"elf", po::texts(),
       "FILE[@ADDRESS]: the traced program or a library, for names of functions and, if built with -g, lines; ADDRESS "
       "is "
       "the hexadecimal address where a position-independent file was loaded (default: as the trace says); repeat for "
       "more files, or with two traces for the program of the second thread"},
      {"symbols", po::texts(),
       "symbol file: the output of nm, or of nm -S, which includes function sizes; repeat for the program of the "
       "second "
       "thread"}};
}

std::vector<CodeNames> code_names(const Arguments& arguments, const SessionSetup& setup) {
  const std::vector<std::string> elves = arguments.list("elf"), tables = arguments.list("symbols");
  if (!elves.empty() && !tables.empty()) throw UsageError("give either --elf or --symbols");
  const bool one_program = setup.traces.size() == 1;
  if (!one_program) check_count(elves, "--elf", setup);
  check_count(tables, "--symbols", setup);
  std::vector<CodeNames> names;
  names.reserve(setup.traces.size());
  if (one_program && !elves.empty()) {
    names.emplace_back(elf_names(elves, setup, 0));
  } else {
    for (const std::string& file : elves)
      names.emplace_back(elf_names({file}, setup, static_cast<unsigned>(names.size())));
  }
  for (const std::string& file : tables) names.emplace_back(Symbols(file));
  if (setup.activity.empty()) {
    const auto readers = open_traces(setup);
    while (names.size() < readers.size()) names.emplace_back(trace::read_names(*readers[names.size()]));
  }
  names.resize(setup.traces.size());
  return names;
}

std::vector<Symbols> symbols_of(const std::vector<CodeNames>& names) {
  std::vector<Symbols> symbols;
  symbols.reserve(names.size());
  for (const CodeNames& one : names) symbols.push_back(one.symbols());
  return symbols;
}

}  // namespace pmusim::testbench
