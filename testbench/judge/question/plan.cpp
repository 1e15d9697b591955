#include "testbench/judge/question/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "pmusim/trace/reader.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/support/only.h"

namespace pmusim::testbench {
namespace {

using oracle::Request;

std::vector<Request> list_of_plain_requests(const std::string& target) {
  std::vector<Request> requests;
  for (const oracle::EventName& event : oracle::events(target)) {
    if (event.umasks.empty()) requests.push_back({.event = std::string(event.name), .umasks = {}});
    for (const std::string_view mask : event.umasks) {
      requests.push_back({.event = std::string(event.name), .umasks = {std::string(mask)}});
    }
  }
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

/// Address of the 64-byte block with the highest count; the lowest address among equals.
std::uint64_t hottest(const std::map<std::uint64_t, std::uint64_t>& blocks) {
  const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto found = std::max_element(blocks.begin(), blocks.end(), more);
  return found == blocks.end() ? 0 : found->first;
}

/// Bits of slot `slot` of a bundle, 41 of them after the template's five.
std::uint64_t syllable_of(const trace::Code& code, unsigned slot) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 41; ++i) {
    const unsigned at = 5 + 41 * slot + i;
    bits |= std::uint64_t{(code.bytes[at / 8] >> at % 8 & 1u)} << i;
  }
  return bits;
}

void find_ia64_landmarks(const InputFile& trace, Landmarks& marks) {
  constexpr std::uint64_t lines_read = 20'000;
  constexpr std::uint64_t block = ~std::uint64_t{63};
  std::map<std::uint64_t, std::uint64_t> code, data;
  const auto reader = trace.trace();
  trace::Item item;
  for (std::uint64_t lines = 0; lines < lines_read && reader->next(item);) {
    if (item.directive != nullptr) continue;
    ++lines;
    ++code[item.instruction.code->pc & block];
    for (const trace::Access& access : item.instruction.accesses) {
      ++data[access.address & block];
      if (!access.store && marks.load_syllable == 0) {
        marks.load_syllable = syllable_of(*item.instruction.code, access.slot);
      }
    }
  }
  // The range must end within the address space, so its last bytes are excluded.
  constexpr std::uint64_t highest = block << 20;
  marks.hot_code = std::min(hottest(code), highest);
  marks.hot_data = std::min(hottest(data), highest);
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
  const auto each = [&](std::string_view option, const std::vector<std::string>& values) {
    for (const std::string& value : values) text += fmt::format(" --{} {}", option, value);
  };
  each("irange", filters.irange);
  each("drange", filters.drange);
  each("opcode", filters.opcode);
  each("ear", filters.ear);
  each("btb", filters.btb);
  each("etb", filters.etb);
  each("ipear", filters.ipear);
  each("fetch", filters.fetch);
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

Landmarks find_landmarks(const InputFile& trace) {
  Landmarks marks;
  const auto reader = trace.trace();
  trace::Item item;
  bool branch = false, load = false, store = false;
  std::uint64_t first = 0;
  while (!(branch && load && store) && reader->next(item)) {
    if (item.directive != nullptr) continue;
    const trace::Instruction& instruction = item.instruction;
    if (first == 0) first = instruction.code->pc;
    if (!branch && instruction.taken) {
      marks.instruction = instruction.target;
      branch = true;
    }
    for (const trace::Access& access : instruction.accesses) {
      bool& seen = access.store ? store : load;
      if (seen) continue;
      seen = true;
      (access.store ? marks.store : marks.load) = access.address;
      (access.store ? marks.store_size : marks.load_size) = access.size;
    }
  }
  if (!branch) marks.instruction = first;
  if (reader->info().isa == trace::Isa::ia64) find_ia64_landmarks(trace, marks);
  return marks;
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
