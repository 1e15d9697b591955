// docs/generated/provenance.csv and the numbers in docs/evidence.md against the traces: the stimulus that causes each
// event, from recorded programs down to directives. PMUSIM_PRINT_PROVENANCE=1 prints the rows that the file should
// have.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "pmusim/trace/collection.h"
#include "pmusim/trace/reader.h"
#include "run.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/target_name.h"

namespace pmusim::micro {
namespace {

namespace fs = std::filesystem;
const fs::path source = PMUSIM_SOURCE_DIR;

constexpr std::array kinds = {"real", "text", "directive", "never"};  // in order of preference
struct Found {
  std::size_t kind = kinds.size() - 1;
  std::vector<std::string> traces;  ///< of that kind, the smallest first
};
using Table = std::map<std::string, Found>;
/// A row of the file: target,event,kind,trace.
struct Row {
  std::string kind, trace;
};
using Rows = std::map<std::string, Row>;

/// True if the trace has directives other than pauses (`idle`), which are not external events.
bool tells_of_the_outside(const fs::path& file) {
  const auto reader = trace::open(file);
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr && item.directive->name != "idle") return true;
  }
  return false;
}

/// A trace, or one for each of two hardware threads.
struct Stimulus {
  std::size_t kind = 0;
  std::uintmax_t bytes = 0;
  std::string name;
  std::vector<fs::path> files;
};
Stimulus stimulus_of(std::vector<fs::path> files, std::string name) {
  Stimulus stimulus;
  stimulus.name = std::move(name);
  for (const fs::path& file : files) {
    const std::size_t kind = file.extension() == ".pmt" ? 0 : tells_of_the_outside(file) ? 2 : 1;
    stimulus.kind = std::max(stimulus.kind, kind);
    stimulus.bytes += trace::size_of(file);
  }
  stimulus.files = std::move(files);
  return stimulus;
}

/// Programs that run together, the same pairs as in `pmusim validate`.
constexpr std::array<std::array<const char*, 2>, 2> recorded_pairs{
    {{"ia64-strhash-O2", "ia64-sieve-O3"}, {"ia64-recursion-O0", "ia64-matmul-O2"}}};

/// All stimuli of a target, in order of preference of their kinds, then of their size.
std::vector<Stimulus> stimuli_of(const std::string& target) {
  const bool ia64 = target == "itanium2" || target == "montecito";
  const std::string prefix = target == "athlon"            ? "i386-"
                             : ia64                        ? "ia64-"
                             : target.starts_with("alpha") ? "alpha-"
                                                           : "ppc-";
  const fs::path recorded = source / "isa-traces/recorded";
  std::vector<Stimulus> all;
  for (const auto& entry : fs::directory_iterator(recorded)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".pmt" || !file.filename().string().starts_with(prefix)) continue;
    all.push_back(stimulus_of({file}, file.stem()));
  }
  std::vector<std::string> folders{target.starts_with("alpha") ? "alpha" : target};
  if (target == "montecito") folders.emplace_back("itanium2");
  for (const std::string& folder : folders) {
    const auto file = [&](const std::string& name) { return source / "isa-traces/micro" / (folder + ".pmt") / name; };
    for (const std::string& name : traces(folder)) {
      if (target == "montecito" && name == "ia32") continue;  // the Montecito has no IA-32 hardware
      all.push_back(stimulus_of({file(name)}, name));
      if (target != "montecito" || folder != target || !name.ends_with("_0")) continue;
      const std::string both = name.substr(0, name.size() - 2);
      all.push_back(stimulus_of({file(name), file(both + "_1")}, both));
    }
  }
  if (target == "montecito") {
    for (const auto& [first, second] : recorded_pairs) {
      const auto file = [&](const std::string& name) { return recorded / (name + ".pmt"); };
      all.push_back(stimulus_of({file(first), file(second)}, std::string(first) + "+" + second));
    }
  }
  std::sort(all.begin(), all.end(), [](const Stimulus& a, const Stimulus& b) {
    return std::tie(a.kind, a.bytes, a.name) < std::tie(b.kind, b.bytes, b.name);
  });
  return all;
}

/// A request for the event, with a breakpoint on the instruction or access found in the trace.
oracle::Request request_for(const std::string& target, const std::string& name, const trace::Instruction& found) {
  oracle::Request request = ask(name);
  if (target == "montecito") {
    request.ia64.levels = 15;
    request.ia64.all_threads = true;
  }
  if (name == "IABR_MATCHES") {
    request.address = found.code->pc;
    request.breakpoint = oracle::breakpoint_translation;
  } else if (name == "DATA_EAR_EVENTS" || name == "L1I_EAR_EVENTS") {
    request.ia64.armed = name == "DATA_EAR_EVENTS" ? "DATA_EAR_CACHE_LAT4" : "L1I_EAR_CACHE_LAT0";
  } else if (name.starts_with("DATA_DEBUG_REGISTER_")) {
    const std::uint64_t address = found.accesses.empty() ? 0 : found.accesses[0].address;
    request.ia64.breakpoints = {{{address, address + 1}}};
  } else if (name.starts_with("BREAKPOINT_")) {
    request.address = found.accesses.empty() ? 0 : found.accesses[0].address;
    request.breakpoint = oracle::breakpoint_read_write | 8u << oracle::breakpoint_length_shift;
  }
  return request;
}

std::vector<std::string> names_of(const std::string& target) {
  std::vector<std::string> names;
  for (const oracle::EventName& event : oracle::events(target)) {
    const std::string name(event.name);
    if (name == "NOTHING" || name.starts_with("PM_RSVD_")) continue;
    if (event.umasks.empty()) names.push_back(name);
    for (const auto& umask : event.umasks) names.push_back(name + ":" + std::string(umask));
  }
  return names;
}

void count(const std::string& target, const Stimulus& stimulus, const std::vector<std::string>& names, Table& table) {
  const models::Target& model = *models::find_target(target);
  const models::Parameters parameters = model.parameters();
  const auto lookup = [&](std::string_view name) { return parameters.get(name); };
  // Events that can be counted in one pass share it: the Itanium has many rows for each event.
  std::map<std::string_view, std::vector<oracle::Request>> passes;
  std::vector<std::pair<std::string_view, std::size_t>> places;
  for (const std::string& name : names) {
    const auto reader = trace::open(stimulus.files.front());
    const bool wants_access = name.starts_with("BREAKPOINT_") || name.starts_with("DATA_DEBUG_REGISTER_");
    oracle::Request request = ask(name);
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr || (wants_access && item.instruction.accesses.empty())) continue;
      request = request_for(target, name, item.instruction);
      break;
    }
    auto& together = passes[oracle::pass_of(target, request.event)];
    places.emplace_back(oracle::pass_of(target, request.event), together.size());
    together.push_back(request);
  }
  std::map<std::string_view, std::unique_ptr<oracle::Counter>> counters;
  for (const auto& [pass, together] : passes) counters[pass] = oracle::make_counter(target, together, lookup);
  std::vector<std::unique_ptr<trace::Reader>> readers;
  for (const fs::path& file : stimulus.files) readers.push_back(trace::open(file));
  const auto core = readers.size() > 1 ? model.make_threaded_core(std::move(readers), parameters)
                                       : model.make_core(std::move(readers.front()), parameters);
  activity::Block block;
  bool more = true;
  while (more) {
    block.restart(core->now());
    more = core->run(core->now() + 65536, block);
    for (const auto& [pass, counter] : counters) counter->consume(block);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    Found& found = table[names[i]];
    const auto& [pass, place] = places[i];
    // The setting of an Itanium's address register is part of the event, although it is implemented as a filter.
    const oracle::Tally tally = counters.at(pass)->tally(place);
    const bool ia64 = target == "itanium2" || target == "montecito";
    if ((ia64 ? tally.expected : tally.occurrences) == 0) continue;
    if (stimulus.kind < found.kind) found = {stimulus.kind, {}};
    if (stimulus.kind == found.kind) found.traces.push_back(stimulus.name);
  }
}

/// Counts on each trace the events without a cause of an equal or preferred kind so far, and those whose row in the
/// file names this trace.
Table find_all(const std::string& target, const Rows& rows) {
  Table table;
  const std::vector<std::string> names = names_of(target);
  for (const std::string& name : names) table[name];
  for (const Stimulus& stimulus : stimuli_of(target)) {
    std::vector<std::string> wanted;
    std::copy_if(names.begin(), names.end(), std::back_inserter(wanted), [&](const std::string& name) {
      const auto row = rows.find(name);
      return stimulus.kind < table[name].kind || (row != rows.end() && row->second.trace == stimulus.name);
    });
    if (!wanted.empty()) count(target, stimulus, wanted, table);
  }
  return table;
}

Rows rows_of(const std::string& target) {
  Rows rows;
  std::ifstream file(source / "docs/generated/provenance.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "target,event,source,trace");
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string of, event;
    Row row;
    std::getline(words, of, ',');
    std::getline(words, event, ',');
    std::getline(words, row.kind, ',');
    std::getline(words, row.trace, ',');
    if (of == target) rows[event] = row;
  }
  return rows;
}

/// The target's row in the table of numbers in the page's section on provenance.
std::string row_of_page(const std::string& target) {
  std::ifstream page(source / "docs/evidence.md");
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) inside = line.starts_with("## Provenance");
    if (inside && line.starts_with("| " + target + " |")) return line;
  }
  return "";
}

/// The same row, computed from the traces.
std::string numbers_of(const std::string& target, const Table& table) {
  std::array<std::size_t, kinds.size()> numbers{};
  for (const auto& [event, found] : table) ++numbers[found.kind];
  std::string row = "| " + target + " |";
  for (const std::size_t number : numbers) row += " " + std::to_string(number) + " |";
  return row;
}

void print(const std::string& target, const Table& table) {
  for (const auto& [event, found] : table) {
    std::cout << target << ',' << event << ',' << kinds[found.kind] << ','
              << (found.traces.empty() ? "" : found.traces.front()) << '\n';
  }
}

class Provenance : public ::testing::TestWithParam<const char*> {};

TEST_P(Provenance, IsWhatTheFileSays) {
  if (sanitized) GTEST_SKIP() << "what it runs, others run here; the file is compared without a sanitizer";
  const std::string target = GetParam();
  const Rows rows = rows_of(target);
  const Table table = find_all(target, rows);
  if (std::getenv("PMUSIM_PRINT_PROVENANCE") != nullptr) print(target, table);
  EXPECT_EQ(rows.size(), table.size());
  EXPECT_EQ(row_of_page(target), numbers_of(target, table));
  for (const auto& [event, found] : table) {
    const auto row = rows.find(event);
    ASSERT_NE(row, rows.end()) << event << ": no row";
    EXPECT_EQ(row->second.kind, kinds[found.kind]) << event;
    if (found.traces.empty()) continue;
    EXPECT_TRUE(std::find(found.traces.begin(), found.traces.end(), row->second.trace) != found.traces.end())
        << event << " does not occur in " << row->second.trace << ", but in " << found.traces.front();
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Provenance,
                         ::testing::Values("ppc750gx", "athlon", "itanium2", "montecito", "alpha-ev4", "alpha-ev5",
                                           "alpha-pca56", "alpha-ev6"),
                         target_name);

}  // namespace
}  // namespace pmusim::micro
