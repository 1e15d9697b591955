// Every figure of the encoder's event tables against the tables of its sources, kept here as CSV (README.md). A figure
// that only one source states stands in docs/generated/one_source.csv; PMUSIM_PRINT_ONE_SOURCE=1 prints the rows that
// the file should have.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <perfmon/pfmlib_alpha.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/tests/target_name.h"

namespace pmusim::encoder::test {
namespace {

const std::string folder = PMUSIM_SOURCE_DIR "/testbench/tests/sources/";
const std::string one_source_file = PMUSIM_SOURCE_DIR "/docs/generated/one_source.csv";

using Fields = std::vector<std::string>;

/// The lines of a CSV after its header. The last of `columns` takes the rest of the line.
std::vector<Fields> read_rows(const std::string& file, std::size_t columns) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  std::vector<Fields> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    Fields fields;
    std::size_t begin = 0;
    while (fields.size() + 1 < columns) {
      const std::size_t comma = line.find(',', begin);
      if (comma == std::string::npos) break;
      fields.push_back(line.substr(begin, comma - begin));
      begin = comma + 1;
    }
    fields.push_back(line.substr(begin));
    EXPECT_EQ(fields.size(), columns) << file << ": " << line;
    fields.resize(columns);
    rows.push_back(std::move(fields));
  }
  return rows;
}

// --- figures ------------------------------------------------------------------------------------------------------

/// What a table says of an event or of one of its unit masks, in words by kind of figure. Kinds that are not there are
/// not stated.
using Figures = std::map<std::string, std::string>;
/// Event and unit mask; the latter is empty for an event without unit masks.
using Name = std::pair<std::string, std::string>;
using Table = std::map<Name, Figures>;

const std::string none = "none";

/// Event select, with the unit mask after a slash if there is one.
std::string code_text(std::uint64_t code, std::optional<std::uint64_t> bits) {
  return bits ? fmt::format("{:#x}/{:#x}", code, *bits) : fmt::format("{:#x}", code);
}
std::uint64_t from_hex(const std::string& text) { return std::stoull(text, nullptr, 16); }

std::string filters_of(const EventInfo& event) {
  std::string text;
  for (const auto& [filter, word] : {std::pair{"code range", "code"}, {"opcode", "opcode"}, {"data range", "data"}}) {
    if (std::find(event.filters.begin(), event.filters.end(), filter) == event.filters.end()) continue;
    text += (text.empty() ? "" : " ") + std::string(word);
  }
  return text.empty() ? none : text;
}

/// The group in the name of an event set: "L1" in "L1 set 2".
std::string group_of(const std::string& set) { return set == none ? none : set.substr(0, set.find(' ')); }

bool is_ia64(const std::string& target) { return target == "itanium2" || target == "montecito"; }

/// The number of a statistic of profiled instructions, which takes the place of a unit mask.
std::uint64_t statistic_number(const std::string& name) {
  unsigned index = 0;
  EXPECT_EQ(pfm_force_pmu(PFMLIB_ALPHA_EV67_PMU), PFMLIB_SUCCESS);
  EXPECT_EQ(pfm_find_event(name.c_str(), &index), PFMLIB_SUCCESS) << name;
  return static_cast<std::uint64_t>(pfm_alpha_get_profileme_statistic(index));
}

Figures figures_of(const std::string& target, const EventInfo& event) {
  std::vector<unsigned> counters;
  for (const auto& [counter, code] : event.counter_codes) {
    counters.push_back(counter);
    EXPECT_EQ(code, event.code) << event.name << " has another code on counter " << counter;
  }
  std::optional<std::uint64_t> bits;
  if (event.mask_is_fixed) bits = event.fixed_mask;
  if (event.name.starts_with("PF67_PM_")) bits = statistic_number(event.name);
  Figures figures{{"code", code_text(event.code, bits)}};
  if (target == "athlon") return figures;
  figures["counters"] = fmt::format("{}", fmt::join(counters, " "));
  if (!is_ia64(target)) return figures;
  const std::string set = event.event_set.empty() ? none : event.event_set;
  figures["group"] = group_of(set);
  if (set != none) figures["set"] = set;
  figures["limit"] = std::to_string(event.max_per_cycle);
  figures["filters"] = filters_of(event);
  if (!event.thread_type.empty()) figures["type"] = event.thread_type + (event.unit_masks.empty() ? "" : " states");
  return figures;
}

/// The encoder's table.
Table table_of(const std::string& target) {
  Table table;
  for (const EventInfo& event : events(target).value()) {
    if (event.unit_masks.empty() || is_ia64(target)) {
      table[{event.name, ""}] = figures_of(target, event);
      continue;
    }
    for (const UnitMaskInfo& mask : event.unit_masks)
      table[{event.name, mask.name}] = {{"code", code_text(event.code, mask.code)}};
  }
  return table;
}

/// A row of a source's table.
struct SourceRow {
  std::string source;
  Name name;
  Figures figures;
};

/// The group that the only counter of an event speaks of: oprofile has no sets, and its table names for the events of
/// a group the counter that selects the set, PMC5 for L1 and PMC4 for L2.
std::string group_by_counters(const std::string& counters) {
  return counters == "1" ? "L1" : counters == "0" ? "L2" : none;
}

std::vector<SourceRow> source_rows(const std::string& target) {
  enum { source, event, mask, code, bits, counters, set, limit, filters, type, printed, columns };
  std::vector<SourceRow> rows;
  for (const Fields& f : read_rows(folder + target + ".csv", columns)) {
    SourceRow row{f[source], {f[event], f[mask]}, {}};
    row.figures["code"] =
        code_text(from_hex(f[code]), f[bits].empty() ? std::nullopt : std::optional(from_hex(f[bits])));
    if (!f[counters].empty()) row.figures["counters"] = f[counters];
    if (!f[set].empty()) row.figures["group"] = group_of(f[set]);
    if (!f[set].empty() && f[set] != none) row.figures["set"] = f[set];
    if (!f[limit].empty()) row.figures["limit"] = f[limit];
    if (!f[filters].empty()) row.figures["filters"] = f[filters];
    if (!f[type].empty()) row.figures["type"] = f[type];
    if (f[source] == "oprofile" && target == "itanium2") row.figures["group"] = group_by_counters(f[counters]);
    rows.push_back(std::move(row));
  }
  return rows;
}

// --- comparison ---------------------------------------------------------------------------------------------------

/// A figure of a source as in differences.csv.
std::string text_of(const std::string& target, const SourceRow& row, const std::string& kind,
                    const std::string& value) {
  return fmt::format("{},{},{},{},{},{}", target, row.source, row.name.first, row.name.second, kind, value);
}

/// Figures of a row that the encoder's counters contradict although both describe the same rule: a source without sets
/// names the counter that selects the set.
bool says_the_same(const std::string& target, const SourceRow& row, const std::string& kind, const Figures& here) {
  return target == "itanium2" && row.source == "oprofile" && kind == "counters" && row.figures.at("group") != none &&
         row.figures.at("group") == here.at("group");
}

struct Comparison {
  std::set<std::string> differences;                                     ///< rows of differences.csv without reason
  std::map<Name, std::map<std::string, std::set<std::string>>> sources;  ///< of each figure that agrees, by kind
};

Comparison compare(const std::string& target) {
  const Table table = table_of(target);
  Comparison result;
  for (const auto& [name, figures] : table)
    for (const auto& [kind, value] : figures) result.sources[name][kind];
  for (const SourceRow& row : source_rows(target)) {
    const auto here = table.find(row.name);
    if (here == table.end()) {
      // An event with unit masks, of which the source states the event select alone.
      const auto event = table.lower_bound({row.name.first, ""});
      const bool known = row.name.second.empty() && event != table.end() && event->first.first == row.name.first;
      const std::string code = known ? event->second.at("code") : "";
      if (!known || code.substr(0, code.find('/')) != row.figures.at("code"))
        result.differences.insert(text_of(target, row, "event", row.figures.at("code")));
      continue;
    }
    for (const auto& [kind, value] : row.figures) {
      const auto figure = here->second.find(kind);
      if (figure == here->second.end()) continue;
      if (figure->second == value) {
        result.sources[row.name][kind].insert(row.source);
      } else if (!says_the_same(target, row, kind, here->second)) {
        result.differences.insert(text_of(target, row, kind, value));
      }
    }
  }
  return result;
}

const std::vector<std::string>& compared_targets() {
  static const std::vector<std::string> names{"ppc750gx",  "athlon",      "itanium2",  "montecito", "alpha-ev4",
                                              "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"};
  return names;
}

class Sources : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Tables, Sources, ::testing::ValuesIn(compared_targets()), target_name);

TEST_P(Sources, AgreeWithTheEncodersTable) {
  const std::string& target = GetParam();
  std::set<std::string> known;
  for (const Fields& f : read_rows(folder + "differences.csv", 7)) {
    if (f[0] != target) continue;
    EXPECT_GE(f[6].size(), 8u) << "no reason for " << fmt::format("{}", fmt::join(f, ","));
    EXPECT_TRUE(known.insert(fmt::format("{}", fmt::join(f.begin(), f.end() - 1, ","))).second) << f[2];
  }
  const Comparison found = compare(target);
  for (const std::string& text : found.differences)
    EXPECT_TRUE(known.contains(text)) << text
                                      << " differs from the encoder's table, and differences.csv gives no reason";
  for (const std::string& text : known)
    EXPECT_TRUE(found.differences.contains(text)) << text << " of differences.csv is no difference";
}

/// The rows of one_source.csv that a target should have.
std::vector<std::string> rows_of_one_source(const std::string& target) {
  std::vector<std::string> rows;
  for (const auto& [name, kinds] : compare(target).sources) {
    std::map<std::string, std::string> by_source;  // the kinds of figures
    for (const auto& [kind, sources] : kinds) {
      EXPECT_FALSE(sources.empty()) << target << ' ' << name.first << ' ' << name.second << ": no source for its "
                                    << kind;
      if (sources.size() != 1) continue;
      std::string& text = by_source[*sources.begin()];
      text += (text.empty() ? "" : " ") + kind;
    }
    for (const auto& [source, text] : by_source)
      rows.push_back(fmt::format("{},{},{},{},{}", target, name.first, name.second, source, text));
  }
  return rows;
}

TEST_P(Sources, AreTwoOrTheListSaysThatThereIsOne) {
  const std::string& target = GetParam();
  std::set<std::string> listed;
  for (const Fields& f : read_rows(one_source_file, 5))
    if (f[0] == target) listed.insert(fmt::format("{}", fmt::join(f, ",")));
  for (const std::string& row : rows_of_one_source(target)) {
    if (std::getenv("PMUSIM_PRINT_ONE_SOURCE") != nullptr) std::cout << row << '\n';
    EXPECT_EQ(listed.erase(row), 1u) << "docs/generated/one_source.csv lacks " << row;
  }
  for (const std::string& row : listed) ADD_FAILURE() << row << " of docs/generated/one_source.csv has two sources";
}

// A source that nothing describes is none.
TEST(SourcesList, DescribesEverySource) {
  std::map<std::string, std::set<std::string>> described;
  for (const Fields& f : read_rows(folder + "sources.csv", 3)) {
    EXPECT_GE(f[2].size(), 8u) << f[1];
    described[f[0]].insert(f[1]);
  }
  for (const std::string& target : compared_targets()) {
    std::set<std::string> used;
    for (const SourceRow& row : source_rows(target)) used.insert(row.source);
    EXPECT_EQ(used, described[target]) << target;
  }
}

// The tables cover every target: the 750GL is the 750GX under another name.
TEST(SourcesList, CoversEveryTarget) {
  for (const TargetInfo& info : targets()) {
    const std::string name(info.name);
    const auto& all = compared_targets();
    if (name == "ppc750gl") {
      EXPECT_EQ(table_of("ppc750gl"), table_of("ppc750gx"));
    } else {
      EXPECT_NE(std::find(all.begin(), all.end(), name), all.end()) << name;
    }
  }
}

// AMD 22007E p. 163: each of the four counters can count any event.
TEST(SourcesList, TheAthlonHasNoConstraints) {
  for (const EventInfo& event : events("athlon").value()) EXPECT_EQ(event.counter_codes.size(), 4u) << event.name;
}

// Every code and unit mask in the tables of the Itanium 2's sources selects an event, and decode() names it.
TEST(SourcesList, EveryCodeOfTheItanium2IsNamed) {
  constexpr std::uint64_t level = 8, enable = 1 << 23;
  std::size_t named = 0;
  for (const SourceRow& row : source_rows("itanium2")) {
    const std::string& code = row.figures.at("code");
    const std::size_t slash = code.find('/');
    const std::uint64_t control =
        level | enable | from_hex(code.substr(0, slash)) << 8 | from_hex(code.substr(slash + 1)) << 16;
    const auto found = selections("itanium2", std::vector<RegisterValue>{{"", 0, "PMC4", 0, control}}).value();
    ASSERT_EQ(found.size(), 1u) << row.name.first;
    EXPECT_TRUE(found[0].known) << row.name.first << ' ' << code;
    ++named;
  }
  EXPECT_GT(named, 900u);
}

}  // namespace
}  // namespace pmusim::encoder::test
