// docs/provenance.md against the traces: what causes each event, from recorded programs down to directives.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "pmusim/trace/reader.h"
#include "run.h"
#include "testbench/tests/sampling.h"

namespace pmusim::micro {
namespace {

namespace fs = std::filesystem;
const fs::path source = PMUSIM_SOURCE_DIR;

constexpr std::array kinds = {"real", "text", "directive", "never"};  // the better ones first
struct Found {
  std::size_t kind = kinds.size() - 1;
  std::set<std::string> traces;  ///< of that kind
};
using Table = std::map<std::string, Found>;
/// A row of the page: `| `EVENT` | kind | `trace` |` under `## target`.
struct Row {
  std::string kind, trace;
};
using Rows = std::map<std::string, Row>;

/// Pausing is nothing that the outside does.
bool tells_of_the_outside(const fs::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("! ") && !line.starts_with("! isa") && !line.starts_with("! idle")) return true;
  }
  return false;
}

/// The event, with a breakpoint at something that the trace has.
oracle::Request request_for(const std::string& name, const trace::Instruction& found) {
  oracle::Request request = ask(name);
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

void count(const std::string& target, const fs::path& file, const std::vector<std::string>& names, std::size_t kind,
           Table& table) {
  const models::Target& model = *models::find_target(target);
  const models::Parameters parameters = model.parameters();
  const auto lookup = [&](std::string_view name) { return parameters.get(name); };
  // What can be counted in one pass is: the Itanium has many rows for each event.
  std::map<std::string_view, std::vector<oracle::Request>> passes;
  std::vector<std::pair<std::string_view, std::size_t>> places;
  for (const std::string& name : names) {
    const auto reader = trace::open(file);
    const bool wants_access = name.starts_with("BREAKPOINT_") || name.starts_with("DATA_DEBUG_REGISTER_");
    oracle::Request request = ask(name);
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr || (wants_access && item.instruction.accesses.empty())) continue;
      request = request_for(name, item.instruction);
      break;
    }
    auto& together = passes[oracle::pass_of(target, request.event)];
    places.emplace_back(oracle::pass_of(target, request.event), together.size());
    together.push_back(request);
  }
  std::map<std::string_view, std::unique_ptr<oracle::Counter>> counters;
  for (const auto& [pass, together] : passes) counters[pass] = oracle::make_counter(target, together, lookup);
  const auto core = model.make_core(trace::open(file), parameters);
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
    // What an Itanium's address register is armed for is part of the event, though it is a filter of the occurrences.
    const oracle::Tally tally = counters.at(pass)->tally(place);
    if ((target == "itanium2" ? tally.expected : tally.occurrences) == 0) continue;
    if (kind < found.kind) found = {kind, {}};
    if (kind == found.kind) found.traces.insert(file.stem());
  }
}

/// All traces of the target, the better kinds first and of those the shorter ones. A trace is asked for the events that
/// nothing as good has caused before it, and for those that the page says it causes.
Table find_all(const std::string& target, const Rows& rows) {
  struct Trace {
    std::size_t kind;
    std::uintmax_t bytes;
    fs::path file;
  };
  std::vector<Trace> all;
  const std::string prefix = target == "athlon" ? "i386-" : target == "itanium2" ? "ia64-" : "ppc-";
  for (const auto& entry : fs::directory_iterator(source / "isa-traces/recorded")) {
    const fs::path& file = entry.path();
    if (file.extension() != ".pmt" || !file.filename().string().starts_with(prefix)) continue;
    all.push_back({0, fs::file_size(file), file});
  }
  for (const std::string& name : traces(target)) {
    const fs::path file = source / "testbench/tests/micro/traces" / target / (name + ".txt");
    all.push_back({tells_of_the_outside(file) ? std::size_t{2} : std::size_t{1}, fs::file_size(file), file});
  }
  std::sort(all.begin(), all.end(), [](const Trace& a, const Trace& b) {
    return std::tie(a.kind, a.bytes, a.file) < std::tie(b.kind, b.bytes, b.file);
  });
  Table table;
  const std::vector<std::string> names = names_of(target);
  for (const std::string& name : names) table[name];
  for (const Trace& trace : all) {
    std::vector<std::string> wanted;
    std::copy_if(names.begin(), names.end(), std::back_inserter(wanted), [&](const std::string& name) {
      const auto row = rows.find(name);
      return trace.kind < table[name].kind || (row != rows.end() && row->second.trace == trace.file.stem());
    });
    if (!wanted.empty()) count(target, trace.file, wanted, trace.kind, table);
  }
  return table;
}

Rows rows_of(const std::string& target) {
  Rows rows;
  std::ifstream page(source / "docs/provenance.md");
  std::string section;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (section != target || !line.starts_with("| `")) continue;
    std::erase(line, '`');
    std::erase(line, '|');
    std::istringstream words(line);
    std::string event;
    Row row;
    words >> event >> row.kind >> row.trace;
    rows[event] = row;
  }
  return rows;
}

class Provenance : public testing::TestWithParam<const char*> {};

TEST_P(Provenance, IsWhatThePageSays) {
  if (sanitized) GTEST_SKIP() << "what it runs, others run here; the page is compared without a sanitizer";
  const std::string target = GetParam();
  const Rows rows = rows_of(target);
  const Table table = find_all(target, rows);
  EXPECT_EQ(rows.size(), table.size());
  for (const auto& [event, found] : table) {
    const auto row = rows.find(event);
    ASSERT_NE(row, rows.end()) << event << ": no row";
    EXPECT_EQ(row->second.kind, kinds[found.kind]) << event;
    if (found.traces.empty()) continue;
    EXPECT_TRUE(found.traces.contains(row->second.trace))
        << event << " does not occur in " << row->second.trace << ", but in " << *found.traces.begin();
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Provenance, testing::Values("ppc750gx", "athlon", "itanium2"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace pmusim::micro
