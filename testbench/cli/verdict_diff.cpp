#include "testbench/cli/verdict_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "testbench/support/error.h"

namespace pmusim::testbench {
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
  std::stable_sort(changes.begin(), changes.end(),
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
  std::stable_sort(changes.begin(), changes.end(), [&](const VerdictChange& a, const VerdictChange& b) {
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
    throw UsageError(fmt::format("expected what validate --format json prints: {}", error.what()));
  }
  std::vector<VerdictChange> all = event_changes(target, was, is);
  for (VerdictChange& change : mismatch_changes(target, was, is)) all.push_back(std::move(change));
  for (Json* const object : {&before, &now}) {
    for (const char* key : {"questions", "details"}) object->erase(key);
  }
  return all;
}

}  // namespace pmusim::testbench
