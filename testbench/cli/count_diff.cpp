#include "testbench/cli/count_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "testbench/support/error.h"

namespace pmusim::testbench {
namespace {

/// Amounts by table and name.
using Amounts = std::map<std::string, std::map<std::string, std::uint64_t>>;

constexpr const char* events_table = "events";
constexpr const char* compared[] = {"cycles", "instructions", "counts", "events", "stalls", "rows", "rows_in_all"};

/// Without the target, so that two targets can be compared.
std::string name_of_event(const std::string& event) {
  const std::size_t target = event.find("::");
  return target == std::string::npos ? event : event.substr(target + 2);
}

std::string of_thread(const std::string& name, const Json& object) {
  return object.contains("thread") ? fmt::format("{} (thread {})", name, object.at("thread").get<unsigned>()) : name;
}

/// A function, line or instruction of a report.
std::string name_of_row(const Json& row) {
  std::string name = row.at("function").is_null() ? "no instruction" : row.at("function").get<std::string>();
  if (row.contains("line") && !row.at("line").is_null()) name += fmt::format(":{}", row.at("line").get<unsigned>());
  if (row.contains("ip") && !row.at("ip").is_null()) name += ' ' + row.at("ip").get<std::string>();
  if (row.contains("slot") && !row.at("slot").is_null()) name += fmt::format(".{}", row.at("slot").get<unsigned>());
  return of_thread(name, row);
}

void add_rows(const Json& object, Amounts& amounts) {
  for (const Json& row : object.at("rows")) {
    const std::string name = name_of_row(row);
    amounts["cycles"][name] += row.at("cycles").get<std::uint64_t>();
    for (std::size_t i = 0; i < row.at("events").size(); ++i) {
      const std::string event = name_of_event(object.at("events").at(i).at("event").get<std::string>());
      amounts[event][name] += row.at("events").at(i).at("exact").get<std::uint64_t>();
    }
  }
}

Amounts amounts_of(const Json& object) {
  Amounts amounts;
  auto& events = amounts[events_table];
  for (const char* key : {"cycles", "instructions"}) events[key] = object.at(key).get<std::uint64_t>();
  const auto add = [&](const char* list, const char* name, const char* value) {
    for (const Json& one : object.value(list, Json::array()))
      events[of_thread(name_of_event(one.at(name).get<std::string>()), one)] += one.at(value).get<std::uint64_t>();
  };
  add("counts", "event", "value");
  add("events", "event", "counted");
  add("stalls", "event", "cycles");
  if (object.contains("rows")) add_rows(object, amounts);
  return amounts;
}

CountChange change_of(const std::string& table, const std::string& what, const std::uint64_t* before,
                      const std::uint64_t* now) {
  CountChange change{table, what, nullptr, nullptr, 0, nullptr};
  if (before != nullptr) change.before = *before;
  if (now != nullptr) change.now = *now;
  const std::uint64_t was = before == nullptr ? 0 : *before, is = now == nullptr ? 0 : *now;
  change.delta = static_cast<std::int64_t>(is - was);
  if (was != 0) change.percent = 100.0 * static_cast<double>(change.delta) / static_cast<double>(was);
  return change;
}

/// The sort key of changes, largest first. An event that was not counted before comes first.
double effect_of(const CountChange& change) {
  if (change.table != events_table) return std::abs(static_cast<double>(change.delta));
  return change.percent.is_null() ? std::numeric_limits<double>::infinity() : std::abs(change.percent.get<double>());
}

std::vector<CountChange> changes_of(const std::string& table, const std::map<std::string, std::uint64_t>& before,
                                    const std::map<std::string, std::uint64_t>& now) {
  std::vector<CountChange> changes;
  for (const auto& [what, value] : now) {
    const auto was = before.find(what);
    if (was != before.end() && was->second == value) continue;
    changes.push_back(change_of(table, what, was == before.end() ? nullptr : &was->second, &value));
  }
  for (const auto& [what, value] : before) {
    if (!now.contains(what)) changes.push_back(change_of(table, what, &value, nullptr));
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const CountChange& a, const CountChange& b) { return effect_of(a) > effect_of(b); });
  return changes;
}

}  // namespace

bool has_counts(const Json& object) {
  return object.contains("cycles") && object.contains("instructions") &&
         (object.contains("counts") || (object.contains("rows") && object.contains("by")));
}

std::vector<CountChange> take_counts(Json& before, Json& now) {
  Amounts was, is;
  try {
    was = amounts_of(before);
    is = amounts_of(now);
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("expected what run or report --format json prints: {}", error.what()));
  }
  std::vector<CountChange> all = changes_of(events_table, was[events_table], is[events_table]);
  for (const auto& [table, amounts] : is) {
    if (table == events_table || !was.contains(table)) continue;
    for (CountChange& change : changes_of(table, was[table], amounts)) all.push_back(std::move(change));
  }
  for (Json* const object : {&before, &now}) {
    for (const char* key : compared) object->erase(key);
  }
  return all;
}

}  // namespace pmusim::testbench
