// pmusim diff: the differences between two validations, snapshots or runs, down to the register field.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "testbench/cli/command.h"
#include "testbench/cli/differences.h"
#include "testbench/cli/examples.h"
#include "testbench/support/arguments.h"
#include "testbench/support/output.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText diff_help{
    "pmusim diff A B",
    "Compares two files of `--format json`: validations, runs, reports, samples, or snapshots of `encode --all`. Of "
    "two\n"
    "runs, also of two programs or targets, it lists the events whose counts differ, the largest relative change "
    "first;\n"
    "of two reports also the functions (report --by), the largest change first; of two validations, as of two "
    "encoders,\n"
    "the events whose verdicts or mismatches differ, and then the mismatches; a question about several events counts "
    "for\n"
    "each. Of all else it lists every value that was added, removed or changed; registers field by field. Exit code 1 "
    "if\n"
    "there is a difference.",
    examples::diff};

/// The name of an object in a list, so that lists are compared by names and not by positions.
std::string name_of(const Json& object) {
  std::string name;
  for (const char* key :
       {"target", "trace", "question", "relation", "event", "name", "counter", "index", "sampling", "options"}) {
    if (!object.is_object() || !object.contains(key)) continue;
    const Json& part = object.at(key);
    if (part.is_structured()) continue;
    name += (name.empty() ? "" : " ") + (part.is_string() ? part.get<std::string>() : part.dump());
  }
  return name;
}

/// Every value by its path.
using Values = std::map<std::string, std::string>;

/// A name that occurs again gets a number.
std::string numbered(const std::string& name, std::map<std::string, int>& times) {
  const int time = times[name]++;
  return time == 0 ? name : fmt::format("{} #{}", name, time + 1);
}

/// The registers of a mismatch, one text of `NAME=VALUE NAME=VALUE ...`, as one value each.
void split_registers(const std::string& text, const std::string& path, Values& values) {
  std::map<std::string, int> times;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = numbered(word.substr(0, equals), times);
    values[path + ": " + name] = equals == word.size() ? "" : word.substr(equals + 1);
  }
}

/// A mismatch or a question of a validation as one value; empty for other objects.
std::string one_value(const Json& object) {
  const auto text = [&](const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? "" : found->is_string() ? found->get<std::string>() : found->dump();
  };
  if (!object.is_object()) return {};
  if (object.contains("question") && object.contains("verdict")) return text("verdict");
  if (!object.contains("diagnosis") || !object.contains("reproduce")) return {};
  return fmt::format("counted {}, expected {}: {} ({})", text("counted"), text("expected"), text("diagnosis"),
                     text("registers"));
}

void flatten(const Json& value, const std::string& path, Values& values, unsigned depth = 0) {
  constexpr unsigned deepest = 64;
  if (depth > deepest) throw UsageError("values are nested deeper than {} levels", deepest);
  if (std::string line = one_value(value); !line.empty()) {
    values[path] = std::move(line);
  } else if (value.is_object()) {
    for (const auto& [key, part] : value.items())
      flatten(part, path.empty() ? key : path + ": " + key, values, depth + 1);
  } else if (value.is_array()) {
    std::map<std::string, int> times;
    for (const Json& part : value) {
      std::string name = name_of(part);
      if (name.empty()) name = part.is_primitive() ? part.dump() : "";
      flatten(part, path + ": " + numbered(name, times), values, depth + 1);
    }
  } else if (value.is_string() && path.ends_with(": registers")) {
    split_registers(value.get<std::string>(), path, values);
  } else {
    values[path] = value.is_string() ? value.get<std::string>() : value.dump();
  }
}

struct Read {
  Values values;
  std::map<std::string, std::string> targets;  ///< by the name of an object
};

/// An object of a file, with the line that has it.
struct Object {
  std::string name;
  Json value;
  std::string place;
};

std::vector<Object> objects_of(const std::string& file) {
  TextLines lines(file);
  std::vector<Object> objects;
  std::map<std::string, int> times;
  for (std::string line; lines.next(line);) {
    if (line.empty()) continue;
    const std::string place = fmt::format("{}:{}", file, lines.number());
    Json object = Json::parse(line, nullptr, false);
    if (!object.is_object()) throw UsageError("{}: no JSON object; write the file with --format json", place);
    objects.push_back({numbered(name_of(object), times), std::move(object), place});
  }
  if (objects.empty()) throw UsageError("{} is empty; write it with --format json", file);
  return objects;
}

std::string target_name(const Json& object) {
  const auto target = object.find("target");
  return target != object.end() && target->is_string() ? target->get<std::string>() : "";
}

/// Two files of one object each are compared value by value, also if they are of different programs or targets.
void name_alike(std::vector<Object>& before, std::vector<Object>& now) {
  if (before.size() != 1 || now.size() != 1 || before[0].name == now[0].name) return;
  before[0].name = now[0].name = target_name(now[0].value);
}

Read flattened(const std::vector<Object>& objects) {
  Read result;
  for (const Object& object : objects) {
    if (const std::string target = target_name(object.value); !target.empty()) result.targets[object.name] = target;
    try {
      flatten(object.value, object.name, result.values);
    } catch (const UsageError& error) {
      throw UsageError("{}: {}", object.place, error.what());
    }
  }
  return result;
}

/// A number of 0x and up to 16 digits.
std::optional<std::uint64_t> bits_of(const std::string& text) {
  return text.starts_with("0x") ? whole_number(std::string_view(text).substr(2), 16) : std::nullopt;
}

/// The fields that differ, if both values belong to a register of the target.
std::vector<std::string> fields_of(const std::string& target, const std::string& path, const std::string& before,
                                   const std::string& now) {
  constexpr std::string_view of_register = ": value";  // of an object that names its register
  const std::string place = path.ends_with(of_register) ? path.substr(0, path.size() - of_register.size()) : path;
  const std::size_t at = place.rfind(": ");
  const auto old_bits = bits_of(before), bits = bits_of(now);
  if (at == std::string::npos || !old_bits || !bits) return {};
  return field_changes(target, place.substr(at + 2), *old_bits, *bits);
}

std::string target_of(const Read& read, const std::string& path) {
  const auto found = read.targets.find(path.substr(0, path.find(": ")));
  return found == read.targets.end() ? "" : found->second;
}

/// A difference of any kind: an event or a function with its numbers, or a value by its path.
struct Change {
  std::string change, what;
  Json before, now;
  std::optional<CountChange> count = {};
  std::optional<VerdictChange> verdict = {};
};

std::vector<Change> changes_of(const Read& before, const Read& now) {
  std::vector<Change> changes;
  for (const auto& [path, value] : now.values) {
    const auto found = before.values.find(path);
    if (found == before.values.end()) {
      changes.push_back({"new", path, "", value});
    } else if (found->second != value) {
      const auto fields = fields_of(target_of(now, path), path, found->second, value);
      for (const std::string& field : fields) changes.push_back({"field", path, "", field});
      if (fields.empty()) changes.push_back({"changed", path, found->second, value});
    }
  }
  for (const auto& [path, value] : before.values) {
    if (!now.values.contains(path)) changes.push_back({"gone", path, value, ""});
  }
  return changes;
}

std::string kind_of(const CountChange& count) { return count.table == "events" ? "event" : "function"; }

/// The differences between the counts of two runs, if each file holds one (`only`), or between the verdicts of two
/// validations. Removes what has been compared from both objects.
std::vector<Change> tables_of(Json& before, Json& now, bool only) {
  std::vector<Change> changes;
  if (only && has_counts(before) && has_counts(now)) {
    for (CountChange& count : take_counts(before, now))
      changes.push_back({kind_of(count), count.what, count.before, count.now, count});
  } else if (has_verdicts(before) && has_verdicts(now)) {
    for (VerdictChange& one : take_verdicts(before, now))
      changes.push_back({one.event ? "verdict" : "mismatch", one.what, one.before, one.now, {}, one});
  }
  return changes;
}

/// The number of additional mismatches.
std::int64_t delta_of(const VerdictChange& verdict) {
  return static_cast<std::int64_t>(verdict.mismatches_now - verdict.mismatches_before);
}

void print_json(const std::vector<Change>& changes) {
  for (const Change& one : changes) {
    Json object{{"change", one.change}, {"what", one.what}, {"before", one.before}, {"now", one.now}};
    if (one.count) {
      if (one.change == "function") object["amount"] = one.count->table;
      object["delta"] = one.count->delta;
      object["percent"] = one.count->percent;
    }
    if (one.verdict) object["target"] = one.verdict->target;
    if (one.verdict && one.verdict->event) {
      object["mismatches_before"] = one.verdict->mismatches_before;
      object["mismatches_now"] = one.verdict->mismatches_now;
      object["delta"] = delta_of(*one.verdict);
      object["questions"] = one.verdict->questions;
    }
    std::cout << line_of(object) << '\n';
  }
}

void print_csv(const std::vector<Change>& changes) {
  Table table(
      {{"change", ""}, {"what", ""}, {"before", ""}, {"now", ""}, {"amount", ""}, {"delta", ""}, {"percent", ""}});
  for (const Change& one : changes) {
    const bool counted = one.count.has_value(), judged = one.verdict && one.verdict->event;
    table.row({one.change, one.what, one.before, one.now, one.change == "function" ? Json(one.count->table) : Json(),
               counted  ? Json(one.count->delta)
               : judged ? Json(delta_of(*one.verdict))
                        : Json(),
               counted ? one.count->percent : Json()});
  }
  table.print(std::cout, Format::csv);
}

/// A number with its sign, in groups of three.
std::string signed_text(std::int64_t delta) {
  const auto size = static_cast<std::uint64_t>(delta);
  return (delta < 0 ? "-" : "+") + grouped(delta < 0 ? ~size + 1 : size);
}

/// Ends a table of which only the first rows are shown.
void print_more(std::size_t rows, std::size_t top) {
  if (rows > top) std::cout << fmt::format("... and {} more; --top shows more rows\n", grouped(rows - top));
  std::cout << '\n';
}

/// The counts of a table, from its first change on; returns the first one of another table.
std::size_t print_counts(const std::vector<Change>& changes, std::size_t first, std::size_t top) {
  const std::string name = changes[first].count->table;
  const bool events = changes[first].change == "event";
  Table table({{"what", events ? "event" : "function", false, Table::Fit::cut},
               {"before", "before", true},
               {"now", "now", true},
               {"delta", "change", true},
               {"percent", "%", true}});
  std::size_t at = first;
  for (; at < changes.size() && changes[at].count && changes[at].count->table == name; ++at) {
    if (at - first >= top) continue;
    const CountChange& count = *changes[at].count;
    table.row({count.what, count.before, count.now, signed_text(count.delta),
               count.percent.is_null() ? Json("") : Json(fmt::format("{:+.1f}", count.percent.get<double>()))});
  }
  std::cout << fmt::format("{}\n", events ? "events:" : fmt::format("functions by {}:", name));
  table.print(std::cout, Format::text);
  print_more(at - first, top);
  return at;
}

std::vector<Table::Column> columns_of_verdicts() {
  return {{"what", "event", false, Table::Fit::cut},
          {"before", "verdict"},
          {"now", "now"},
          {"mismatches", "mismatches", true},
          {"mismatches_now", "now", true},
          {"delta", "change", true},
          {"questions", "questions", true, Table::Fit::drop}};
}

std::vector<Table::Column> columns_of_mismatches() {
  constexpr Table::Fit cut = Table::Fit::cut;
  return {{"what", "mismatch", false, cut}, {"before", "before", false, cut}, {"now", "now", false, cut}};
}

/// The verdicts on a target's events, or its mismatches, from the first one on; returns the first one of another table.
std::size_t print_verdicts(const std::vector<Change>& changes, std::size_t first, std::size_t top) {
  const std::string target = changes[first].verdict->target;
  const bool events = changes[first].verdict->event;
  Table table(events ? columns_of_verdicts() : columns_of_mismatches());
  std::size_t at = first;
  for (; at < changes.size() && changes[at].verdict && changes[at].change == changes[first].change &&
         changes[at].verdict->target == target;
       ++at) {
    if (at - first >= top) continue;
    const VerdictChange& one = *changes[at].verdict;
    std::vector<Json> row{one.what, one.before, one.now};
    if (events)
      row.insert(row.end(), {one.mismatches_before, one.mismatches_now, signed_text(delta_of(one)), one.questions});
    table.row(row);
  }
  std::cout << fmt::format("{}: {}\n", target, events ? "events:" : "mismatches:");
  table.print(std::cout, Format::text);
  print_more(at - first, top);
  return at;
}

void print_text(const std::vector<Change>& changes, std::size_t compared, std::size_t top) {
  std::size_t at = 0;
  while (at < changes.size() && changes[at].count) at = print_counts(changes, at, top);
  while (at < changes.size() && changes[at].verdict) at = print_verdicts(changes, at, top);
  Table table({{"change", "change"}, {"what", "what"}, {"before", "before"}, {"now", "now"}});
  for (; at < changes.size(); ++at)
    table.row({changes[at].change, changes[at].what, changes[at].before, changes[at].now});
  if (!table.empty()) table.print(std::cout, Format::text);
  std::cout << fmt::format("{} values, {} different\n", grouped(compared), grouped(changes.size()));
}

Options diff_options() {
  return {{"top", po::number<unsigned>(20), "maximum number of rows of a table of events, functions or mismatches"}};
}

int run_diff(const Arguments& arguments) {
  if (arguments.positional().size() != 2)
    throw UsageError("diff compares two files, as in pmusim diff before.json now.json");
  std::vector<Object> objects_before = objects_of(arguments.positional()[0]),
                      objects_now = objects_of(arguments.positional()[1]);
  const std::size_t compared = flattened(objects_now).values.size();
  name_alike(objects_before, objects_now);
  const bool only = objects_before.size() == 1 && objects_now.size() == 1;
  std::vector<Change> changes;
  for (Object& is : objects_now) {
    const auto was = std::ranges::find(objects_before, is.name, &Object::name);
    if (was == objects_before.end()) continue;
    for (Change& change : tables_of(was->value, is.value, only)) changes.push_back(std::move(change));
  }
  const Read before = flattened(objects_before), now = flattened(objects_now);
  for (Change& change : changes_of(before, now)) changes.push_back(std::move(change));
  if (arguments.format() == Format::json) print_json(changes);
  if (arguments.format() == Format::csv) print_csv(changes);
  if (arguments.format() == Format::text) print_text(changes, compared, arguments.get<unsigned>("top"));
  return changes.empty() ? exit_good : exit_mismatch;
}

}  // namespace

const CommandBody diff_body{diff_help, diff_options, run_diff};

}  // namespace pmusim::testbench
