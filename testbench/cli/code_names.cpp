#include "testbench/cli/code_names.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "elf_names.h"
#include "testbench/cli/command.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

void check_count(const std::vector<std::string>& files, std::string_view option, const SessionSetup& setup) {
  if (files.size() > setup.traces.size())
    throw UsageError(fmt::format("{}: {} files for {} {}", option, files.size(), setup.traces.size(),
                                 setup.traces.size() == 1 ? "trace" : "traces"));
}

}  // namespace

CodeNames::CodeNames(const trace::ProgramNames& names) {
  for (const trace::FunctionName& function : names.functions)
    symbols_.add(function.address, function.size, function.name);
  for (const trace::LineStart& line : names.lines) lines_[line.address] = {printable(line.file), line.line};
}

std::optional<SourceLine> CodeNames::line_of(std::uint64_t address) const {
  const auto after = lines_.upper_bound(address);
  if (after == lines_.begin() || std::prev(after)->second.line == 0) return std::nullopt;
  return std::prev(after)->second;
}

void add_name_options(Arguments::Description& options) {
  namespace po = boost::program_options;
  options.add_options()("elf", po::value<std::vector<std::string>>()->composing(),
                        "the traced program: names of functions and, if built with -g, lines; repeat for the program "
                        "of the second thread")("symbols", po::value<std::vector<std::string>>()->composing(),
                                                "symbol file: the output of nm, or of nm -S, which includes function "
                                                "sizes; repeat for the program of the second thread");
}

std::vector<CodeNames> code_names(const Arguments& arguments, const SessionSetup& setup) {
  const std::vector<std::string> elves = arguments.list("elf"), tables = arguments.list("symbols");
  if (!elves.empty() && !tables.empty()) throw UsageError("give either --elf or --symbols");
  check_count(elves, "--elf", setup);
  check_count(tables, "--symbols", setup);
  std::vector<CodeNames> names;
  names.reserve(elves.size() + tables.size());
  for (const std::string& file : elves) names.emplace_back(trace::elf_names(file, setup.target->isa));
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
