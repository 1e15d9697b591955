// docs/provenance.md against the traces: what causes each event, from recorded programs down to directives.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

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
  std::vector<std::string> traces;  ///< of that kind
};
using Table = std::map<std::string, Found>;

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

void count(const std::string& target, const fs::path& file, std::size_t kind, Table& table) {
  const models::Target& model = *models::find_target(target);
  const models::Parameters parameters = model.parameters();
  const auto lookup = [&](std::string_view name) { return parameters.get(name); };
  std::vector<oracle::Request> requests;
  for (const std::string& name : names_of(target)) {
    const auto reader = trace::open(file);
    const bool wants_access = name.starts_with("BREAKPOINT_") || name.starts_with("DATA_DEBUG_REGISTER_");
    oracle::Request request = ask(name);
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr || (wants_access && item.instruction.accesses.empty())) continue;
      request = request_for(name, item.instruction);
      break;
    }
    requests.push_back(request);
  }
  // What can be counted in one pass is: the Itanium has many rows for each event.
  std::map<std::string_view, std::vector<oracle::Request>> passes;
  std::vector<std::pair<std::string_view, std::size_t>> places;
  for (const auto& request : requests) {
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
  const auto names = names_of(target);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Found& found = table[names[i]];
    const auto& [pass, place] = places[i];
    // What an Itanium's address register is armed for is part of the event, though it is a filter of the occurrences.
    const oracle::Tally tally = counters.at(pass)->tally(place);
    if ((target == "itanium2" ? tally.expected : tally.occurrences) == 0 || kind > found.kind) continue;
    if (kind < found.kind) found = {kind, {}};
    found.traces.push_back(file.stem());
  }
}

/// The longest programs of the Itanium take too long for a test.
bool is_quick(const fs::path& file) { return fs::file_size(file) < 20'000; }

Table find_all(const std::string& target) {
  Table table;
  const std::string prefix = target == "athlon" ? "i386-" : target == "itanium2" ? "ia64-" : "ppc-";
  for (const auto& entry : fs::directory_iterator(source / "isa-traces/recorded")) {
    if (entry.path().extension() != ".pmt" || !entry.path().filename().string().starts_with(prefix)) continue;
    if (target == "itanium2" && !is_quick(entry.path())) continue;
    count(target, entry.path(), 0, table);
  }
  for (const std::string& name : traces(target)) {
    const fs::path file = source / "testbench/tests/micro/traces" / target / (name + ".txt");
    count(target, file, tells_of_the_outside(file) ? 2 : 1, table);
  }
  return table;
}

struct Row {
  std::string kind, trace;
};
/// Rows of the page: `| `EVENT` | kind | `trace` |` under `## target`.
std::map<std::string, Row> rows_of(const std::string& target) {
  std::map<std::string, Row> rows;
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
  const Table table = find_all(target);
  const auto rows = rows_of(target);
  EXPECT_EQ(rows.size(), table.size());
  for (const auto& [event, found] : table) {
    const auto row = rows.find(event);
    ASSERT_NE(row, rows.end()) << event << ": no row";
    EXPECT_EQ(row->second.kind, kinds[found.kind]) << event;
    if (found.traces.empty()) continue;
    EXPECT_NE(std::find(found.traces.begin(), found.traces.end(), row->second.trace), found.traces.end())
        << event << " does not occur in " << row->second.trace << ", but in " << found.traces.front();
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Provenance, testing::Values("ppc750gx", "athlon", "itanium2"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace pmusim::micro
