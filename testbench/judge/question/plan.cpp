#include "testbench/judge/question/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "testbench/judge/trial/judging_facts.h"
#include "testbench/support/only.h"

namespace pmusim::testbench {
namespace {

using oracle::Request;

std::vector<Request> list_of_plain_requests(const std::string& target) {
  std::vector<Request> requests = oracle_rows(target);
  if (const auto more_rows = judging_facts(target).more_rows; more_rows != nullptr) {
    for (const std::string& name : more_rows()) requests.push_back({.event = name, .umasks = {}});
  }
  return requests;
}

/// All (event, unit mask) rows of a target as plain requests.
const std::vector<Request>& plain_requests(const std::string& target) {
  static std::map<std::string, std::vector<Request>> known;
  std::vector<Request>& requests = known[target];
  if (requests.empty()) requests = list_of_plain_requests(target);
  return requests;
}

/// Marks the checks whose counter must hold its value, and drops the checks that were not requested.
void finish(const std::string& target, const std::string& only, std::vector<Group>& groups) {
  for (Group& group : groups) {
    for (Check& check : group.checks) check.holds = event_facts(target, row_name(check.request)).occurs.never();
  }
  const Only chosen(only);
  if (chosen.empty()) return;
  for (Group& group : groups) {
    const auto admits = [&](const Check& check) { return chosen.admits(check.text()); };
    if (group.whole && std::any_of(group.checks.begin(), group.checks.end(), admits)) continue;
    std::erase_if(group.checks, [&](const Check& check) { return !admits(check); });
  }
  std::erase_if(groups, [](const Group& group) { return group.checks.empty(); });
}

}  // namespace

const JudgingFacts& judging_facts(std::string_view target) {
  const JudgingFacts* const facts = find_judging_facts(target);
  if (facts == nullptr) throw std::invalid_argument("no validation plan for target " + std::string(target));
  return *facts;
}

std::vector<Group> full_sets(const std::string& target, const std::vector<Request>& rows, const Landmarks& landmarks,
                             const Levels& levels) {
  std::vector<Group> groups;
  for (const std::vector<std::size_t>& pass : passes_of(target, rows)) {
    Group group;
    for (const std::size_t row : pass) group.checks.push_back(plain_check(rows[row], levels));
    judging_facts(target).complete(group, landmarks);
    groups.push_back(std::move(group));
  }
  return groups;
}

std::string words_of(const encoder::QualifierTexts& filters) {
  std::string text;
  for (const auto& [option, texts] : filter_lists) {
    for (const std::string& value : filters.*texts) text += fmt::format(" --{} {}", option, value);
  }
  if (filters.no_fine) text += " --no-fine";
  if (filters.inverse) text += " --inverse";
  return text.empty() ? text : text.substr(1);
}

bool knows_all(const std::set<std::string>* known, const Group& group) {
  return known == nullptr || std::all_of(group.checks.begin(), group.checks.end(),
                                         [&](const Check& check) { return known->contains(check.request.event); });
}

std::string Group::question() const {
  if (!asked.empty()) return asked;
  std::string text = words_of(filters);
  for (const Check& check : checks) text += ' ' + check.text();
  for (const unsigned counter : unavailable_counters) text += fmt::format(" -{}", counter);
  if (samples()) text += " sampled";
  if (period != 0) text += fmt::format(" period={}", period);
  return text.starts_with(' ') ? text.substr(1) : text;
}

std::vector<Request> oracle_rows(std::string_view target) {
  std::vector<Request> rows;
  for (const oracle::EventName& event : oracle::events(target)) {
    if (event.umasks.empty()) rows.push_back({.event = std::string(event.name), .umasks = {}});
    for (const std::string_view mask : event.umasks) {
      rows.push_back({.event = std::string(event.name), .umasks = {std::string(mask)}});
    }
  }
  return rows;
}

std::string row_name(const Request& request) {
  std::string text = request.event;
  for (const std::string& mask : request.umasks) text += ':' + mask;
  return text;
}

std::string Check::text() const {
  if (!raw.empty()) return raw;
  static constexpr std::array<std::string_view, 14> flags{"u",   "k",   "i",  "e", "marked", "unmarked", "es",
                                                          "pme", "all", "me", "M", "E",      "S",        "I"};
  std::string result = row_name(request);
  for (const auto& [name, value] : attributes) {
    const bool flag = std::find(flags.begin(), flags.end(), name) != flags.end();
    result += flag && value == 1 ? ':' + name : fmt::format(":{}={}", name, value);
  }
  return result;
}

Check plain_check(const Request& row, const Levels& levels) {
  Check check{.request = row, .attributes = {}, .raw = {}};
  check.request.user = levels.user;
  check.request.kernel = levels.kernel;
  if (!levels.kernel) check.attributes.emplace_back("u", 1);
  if (!levels.user) check.attributes.emplace_back("k", 1);
  return check;
}

void move_to(const std::string& target, const Landmarks& landmarks, Group& group) {
  group.extra.clear();
  judging_facts(target).complete(group, landmarks);
}

std::vector<std::string> holding_rows(const std::string& target) {
  std::vector<std::string> rows = row_names(target);
  std::erase_if(rows, [&](const std::string& row) { return !event_facts(target, row).occurs.never(); });
  return rows;
}

std::vector<std::string> row_names(const std::string& target) {
  std::vector<std::string> names;
  for (const Request& request : plain_requests(target)) names.push_back(row_name(request));
  return names;
}

std::vector<Group> make_plan(const std::string& target, Depth depth, const Landmarks& landmarks,
                             const std::string& only) {
  const JudgingFacts& family = judging_facts(target);
  std::vector<Request> requests = plain_requests(target);
  std::erase_if(requests, [&](const Request& request) { return event_facts(target, request.event).occurs.reserved(); });
  std::vector<Group> groups;
  const Apart apart = depth == Depth::full ? family.apart : family.apart_on_long;
  if (apart != nullptr) apart(target, requests, landmarks, groups);
  for (const Levels& levels : all_levels) {
    if (depth == Depth::basic && !(levels.user && levels.kernel)) continue;
    for (Group& group : family.sets(target, requests, landmarks, levels)) groups.push_back(std::move(group));
  }
  finish(target, only, groups);
  return groups;
}

std::vector<Group> make_pair_plan(const std::string& target, Depth depth, unsigned thread, const Landmarks& landmarks,
                                  const std::string& only) {
  const JudgingFacts& family = judging_facts(target);
  if (family.pair == nullptr) throw std::invalid_argument(target + " has one thread");
  std::vector<Group> groups;
  family.pair(depth, plain_requests(target), landmarks, groups);
  for (Group& group : groups) group.thread = thread;
  finish(target, only, groups);
  return groups;
}

}  // namespace pmusim::testbench

#define FACTS JudgingFacts
#define MEMBER judging
#define FINDER find_judging_facts
#include "testbench/targets/find_facts.inc"
