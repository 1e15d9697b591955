// Counts of every event on recorded programs must equal those of docs/generated/counts. PMUSIM_PIN_COUNTS=1 writes the
// files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "models/targets.h"
#include "testbench/driver/session.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/store/data_folder.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/target_name.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

/// Number of traces of each target that are always compared, the shortest first.
constexpr std::size_t always = 2;
/// Maximum number of differing lines shown for a trace.
constexpr std::size_t told = 10;

bool asked_for(const char* variable) { return std::getenv(variable) != nullptr; }

fs::path file_of(const std::string& target) {
  return data_folder() / "docs" / "generated" / "counts" / (target + ".csv");
}

/// The recorded traces of a target that run on their own, the shortest file first.
std::vector<fs::path> traces_of(const std::string& target) {
  std::vector<fs::path> files;
  for (const TraceInput& stimulus : shipped_inputs(target)) {
    if (stimulus.provenance == Provenance::real && stimulus.second.empty() && stimulus.settings.empty())
      files.push_back(stimulus.file.path());
  }
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return std::make_pair(fs::file_size(a), a) < std::make_pair(fs::file_size(b), b);
  });
  return files;
}

using Counts = std::map<std::string, std::string>;  ///< by row

/// Counts of all rows of the oracle's table, at every privilege level.
Counts counts_of(const std::string& name, const fs::path& trace) {
  const models::Target& target = *models::find_target(name);
  const models::Parameters parameters = target.parameters();
  const auto lookup = [&](std::string_view parameter) { return parameters.get(parameter); };
  struct Pass {
    std::vector<std::string> rows;
    std::vector<oracle::Request> requests;
    std::unique_ptr<oracle::Counter> counter;
  };
  std::map<std::string_view, Pass> passes;
  for (const oracle::EventName& event : oracle::events(name)) {
    const auto add = [&](const std::string& row, std::vector<std::string> masks) {
      oracle::Request request{.event = std::string(event.name), .umasks = std::move(masks)};
      request.ia64.levels = 15;
      Pass& pass = passes[oracle::pass_of(name, request.event)];
      pass.rows.push_back(row);
      pass.requests.push_back(std::move(request));
    };
    if (event.umasks.empty()) add(std::string(event.name), {});
    for (const std::string_view mask : event.umasks) add(fmt::format("{}:{}", event.name, mask), {std::string(mask)});
  }
  for (auto& [first, pass] : passes) pass.counter = oracle::make_counter(name, pass.requests, lookup);
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, parameters, options);
  session.add_observer([&](const activity::Block& block) {
    for (auto& [first, pass] : passes) pass.counter->consume(block);
  });
  session.run(trace::open(trace));
  Counts counts;
  for (const auto& [first, pass] : passes) {
    for (std::size_t i = 0; i < pass.rows.size(); ++i) {
      const oracle::Tally tally = pass.counter->tally(i);
      counts[pass.rows[i]] = fmt::format("{}{}", tally.expected, tally.half ? ".5" : "");
    }
  }
  return counts;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

/// The file's columns, by trace.
std::map<std::string, Counts> pinned(const std::string& target) {
  std::ifstream in(file_of(target));
  std::map<std::string, Counts> columns;
  std::string line;
  if (!std::getline(in, line)) return columns;
  const std::vector<std::string> header = cells_of(line);
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != header.size()) throw std::runtime_error(file_of(target).string() + ": a line is cut: " + line);
    for (std::size_t i = 1; i < cells.size(); ++i) columns[header[i]][cells[0]] = cells[i];
  }
  return columns;
}

void pin(const std::string& target) {
  fs::create_directories(file_of(target).parent_path());
  std::ofstream out(file_of(target));
  out << "event";
  std::vector<Counts> columns;
  std::vector<fs::path> traces = traces_of(target);
  std::sort(traces.begin(), traces.end());
  for (const fs::path& trace : traces) {
    out << ',' << trace.stem().string();
    columns.push_back(counts_of(target, trace));
  }
  out << '\n';
  for (const auto& [row, first] : columns.front()) {
    out << row;
    for (const Counts& column : columns) out << ',' << column.at(row);
    out << '\n';
  }
}

class PinnedCounts : public testing::TestWithParam<std::string> {};

TEST_P(PinnedCounts, AreThoseOfTheCores) {
  const std::string& target = GetParam();
  if (asked_for("PMUSIM_PIN_COUNTS")) pin(target);
  ASSERT_TRUE(fs::exists(file_of(target))) << "nothing is pinned; scripts/pin-counts writes " << file_of(target);
  const std::map<std::string, Counts> columns = pinned(target);
  std::vector<fs::path> traces = traces_of(target);
  ASSERT_EQ(columns.size(), traces.size()) << "scripts/pin-counts writes " << file_of(target);
  const std::size_t compared = sanitized ? 1 : always;
  if (!asked_for("PMUSIM_EVERY_TRACE") && traces.size() > compared) traces.resize(compared);
  for (const fs::path& trace : traces) {
    ASSERT_TRUE(columns.contains(trace.stem().string())) << trace;
    const Counts& due = columns.at(trace.stem().string());
    const Counts counts = counts_of(target, trace);
    EXPECT_EQ(counts.size(), due.size());
    std::size_t differing = 0;
    for (const auto& [row, count] : counts) {
      const auto found = due.find(row);
      if (found != due.end() && found->second == count) continue;
      if (++differing <= told)
        ADD_FAILURE() << target << ' ' << row << " on " << trace.stem().string() << ": counts " << count << ", pinned "
                      << (found == due.end() ? "nothing" : found->second);
    }
    EXPECT_EQ(differing, 0u) << "if the change is meant, scripts/pin-counts writes the file anew";
  }
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const models::Target& target : models::targets()) names.emplace_back(target.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Targets, PinnedCounts, testing::ValuesIn(target_names()), target_name);

}  // namespace
}  // namespace pmusim::testbench
