#include "testbench/cli/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "pmusim/encoder/encoder.h"
#include "testbench/explain/raw_counters.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {

std::vector<std::string> field_changes(const std::string& target, const std::string& reg, std::uint64_t before,
                                       std::uint64_t now) {
  std::vector<std::string> lines;
  const auto was = encoder::decode(target, reg, before), is = encoder::decode(target, reg, now);
  if (!was || !is || was->fields.size() != is->fields.size()) return lines;
  for (std::size_t i = 0; i < is->fields.size(); ++i) {
    const encoder::DecodedField &old = was->fields[i], &field = is->fields[i];
    if (old.value != field.value)
      lines.push_back(fmt::format("{} ({}) is {:#x}, {}; was {:#x}, {}", field.name, field.bits, field.value,
                                  field.meaning, old.value, old.meaning));
  }
  return lines;
}

namespace {

using Texts = std::map<std::string, std::string>;

struct Verdicts {
  Texts questions;   ///< verdicts
  Texts mismatches;  ///< by question, or by what was counted and the trace
};

std::string mismatch_text(const Json& detail) {
  const std::string problem = detail.value("problem", "");
  return fmt::format("{}{} ({})", detail.at("diagnosis").get<std::string>(),
                     problem.empty() ? fmt::format("; counted {}, expected {}", detail.at("counted").dump(),
                                                   detail.at("expected").dump())
                                     : "",
                     detail.at("registers").get<std::string>());
}

Verdicts verdicts_of(const Json& object) {
  Verdicts verdicts;
  Texts texts;
  for (const Json& question : object.at("questions")) {
    const auto text = question.at("question").get<std::string>();
    verdicts.questions[text] = question.at("verdict").get<std::string>();
    if (verdicts.questions[text] == "mismatch") verdicts.mismatches[text] = question.at("detail").get<std::string>();
  }
  for (const Json& detail : object.at("details")) {
    const auto event = detail.at("event").get<std::string>();
    std::string& text = texts[verdicts.questions.contains(event)
                                  ? event
                                  : fmt::format("{} on {}", event, detail.at("trace").get<std::string>())];
    text += (text.empty() ? "" : "; ") + mismatch_text(detail);
  }
  for (auto& [what, text] : texts) verdicts.mismatches[what] = text;
  return verdicts;
}

/// The events that a question names before its filters.
std::set<std::string> events_asked_in(const std::string& question) {
  std::set<std::string> events;
  std::istringstream words(question);
  for (std::string word;
       words >> word && !word.starts_with('-') && !word.starts_with('(') && word != "sampled" && word != "on";)
    events.insert(word.substr(0, word.find(':')));
  return events;
}

std::string value_or_none(const Texts& texts, const std::string& key) {
  const auto found = texts.find(key);
  return found == texts.end() ? "" : found->second;
}

/// The verdict on an event from those on its questions.
std::string joint_verdict(const std::string& a, const std::string& b) {
  for (const char* verdict : {"mismatch", "ok", "not exercised", "unsupported"}) {
    if (a == verdict || b == verdict) return verdict;
  }
  return a.empty() ? b : a;
}

/// The keys of both.
std::set<std::string> joint_keys(const Texts& a, const Texts& b) {
  std::set<std::string> keys;
  for (const Texts* const texts : {&a, &b}) {
    for (const auto& [key, value] : *texts) keys.insert(key);
  }
  return keys;
}

std::vector<VerdictChange> event_changes(const std::string& target, const Verdicts& before, const Verdicts& now) {
  std::map<std::string, VerdictChange> events;
  for (const std::string& question : joint_keys(before.questions, now.questions)) {
    const std::string was = value_or_none(before.questions, question), is = value_or_none(now.questions, question);
    for (const std::string& event : events_asked_in(question)) {
      VerdictChange& change = events[event];
      change.before = joint_verdict(change.before, was);
      change.now = joint_verdict(change.now, is);
      change.questions += was != is ? 1 : 0;
    }
  }
  for (const std::string& what : joint_keys(before.mismatches, now.mismatches)) {
    for (const std::string& event : events_asked_in(what)) {
      VerdictChange& change = events[event];
      const bool was = before.mismatches.contains(what), is = now.mismatches.contains(what);
      change.mismatches_before += was ? 1 : 0;
      change.mismatches_now += is ? 1 : 0;
      if (was) change.before = "mismatch";
      if (is) change.now = "mismatch";
    }
  }
  std::vector<VerdictChange> changes;
  for (auto& [event, change] : events) {
    if (change.questions == 0 && change.mismatches_before == change.mismatches_now) continue;
    change.target = target;
    change.what = event;
    change.event = true;
    changes.push_back(std::move(change));
  }
  const auto effect = [](const VerdictChange& c) {
    return std::pair(std::max(c.mismatches_before, c.mismatches_now) - std::min(c.mismatches_before, c.mismatches_now),
                     c.questions);
  };
  std::ranges::stable_sort(changes,
                           [&](const VerdictChange& a, const VerdictChange& b) { return effect(a) > effect(b); });
  return changes;
}

std::vector<VerdictChange> mismatch_changes(const std::string& target, const Verdicts& before, const Verdicts& now) {
  std::vector<VerdictChange> changes;
  const auto text = [](const Verdicts& verdicts, const std::string& what) {
    return value_or_none(verdicts.mismatches.contains(what) ? verdicts.mismatches : verdicts.questions, what);
  };
  for (const std::string& what : joint_keys(before.mismatches, now.mismatches)) {
    const std::string was = text(before, what), is = text(now, what);
    if (was != is) changes.push_back({target, what, was, is});
  }
  const auto is_gone = [&](const VerdictChange& c) { return !now.mismatches.contains(c.what); };
  const auto is_old = [&](const VerdictChange& c) { return before.mismatches.contains(c.what); };
  std::ranges::stable_sort(changes, [&](const VerdictChange& a, const VerdictChange& b) {
    return std::pair(is_gone(a), is_old(a)) < std::pair(is_gone(b), is_old(b));
  });
  return changes;
}

}  // namespace

bool has_verdicts(const Json& object) {
  return object.contains("target") && object.contains("questions") && object.contains("details");
}

std::vector<VerdictChange> take_verdicts(Json& before, Json& now) {
  Verdicts was, is;
  std::string target;
  try {
    target = now.at("target").get<std::string>();
    was = verdicts_of(before);
    is = verdicts_of(now);
  } catch (const Json::exception& error) {
    throw UsageError("expected what validate --format json prints: {}", error.what());
  }
  std::vector<VerdictChange> all = event_changes(target, was, is);
  for (VerdictChange& change : mismatch_changes(target, was, is)) all.push_back(std::move(change));
  for (Json* const object : {&before, &now}) {
    for (const char* key : {"questions", "details"}) object->erase(key);
  }
  return all;
}

namespace {

/// Amounts by table and name.
using Amounts = std::map<std::string, std::map<std::string, std::uint64_t>>;

constexpr const char* events_table = "events";
constexpr const char* compared[] = {"cycles", "instructions", "counts", "events", "stalls", "rows", "rows_in_all"};

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
      const std::string event = without_target(object.at("events").at(i).at("event").get<std::string>());
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
      events[of_thread(without_target(one.at(name).get<std::string>()), one)] += one.at(value).get<std::uint64_t>();
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
  std::ranges::stable_sort(changes,
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
    throw UsageError("expected what run or report --format json prints: {}", error.what());
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
