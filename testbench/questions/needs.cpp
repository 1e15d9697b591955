#include "testbench/questions/needs.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmusim::testbench::questions {
namespace {

/// The addresses that a request names, which its string does not say.
std::string places_of(const oracle::Request& request) {
  std::string text;
  for (const auto& range : request.ia64.code)
    text += fmt::format("{:x}-{:x}:{} ", range.start, range.end, range.levels);
  for (const auto& range : request.ia64.data) text += fmt::format("{:x}-{:x} ", range.start, range.end);
  return text;
}

/// The 21264A's statistics, which no counter has.
bool profiles(const Question& question) {
  return question.group.sampled && question.group.sampled->by == Sampled::By::profile_me;
}

/// What shows that a question is not its neighbour: the first event that asks for something else.
Need need_of(const Question& question, const Neighbour& neighbour, const std::vector<std::size_t>& own, Asked& asked) {
  const Group& others = neighbour.other.group;
  std::size_t check = 0;
  Need need{neighbour.attribute, neighbour.left_out, Need::Shown::handled, own.front(), own.front()};
  for (; check < own.size(); ++check) {
    if (asked.add(others, check) == own[check]) continue;
    need.shown = Need::Shown::count;
    need.own = own[check];
    need.other = asked.add(others, check);
    break;
  }
  const auto& captures = question.group.captures;
  // The counter counts the same, what the unit keeps differs.
  if (captures && (captures->unit == Captures::Unit::ip_ear || captures->prediction != others.captures->prediction))
    need.shown = Need::Shown::handled;
  if (question.interrupts != neighbour.other.interrupts) need.shown = Need::Shown::overflow;
  const auto period = [](const Group& group) { return group.sampled ? group.sampled->period : 0; };
  if (const std::uint64_t mine = period(question.group), its = period(others); mine != its) {
    need.shown = Need::Shown::overflow;
    need.least = mine == 0 || its == 0 ? std::max(mine, its) : std::min(mine, its);
  }
  if (question.group.checks.front().request.pin_control != others.checks.front().request.pin_control)
    need.shown = Need::Shown::second_event;
  return need;
}

}  // namespace

std::size_t Asked::add(const Group& group, std::size_t check) {
  const Check& own = group.checks[check];
  const std::string text = row_name(own.request) + ' ' + own.text() + ' ' + words_of(group.filters) + ' ' +
                           places_of(own.request) + std::to_string(group.filter);
  const auto [place, is_new] = known_.try_emplace(text, all_.size());
  if (is_new) {
    Group& alone = all_.emplace_back().group;
    alone.checks.push_back(own);
    alone.filters = group.filters;
    alone.filter = group.filter;
  }
  return place->second;
}

std::string_view Asked::pass(std::size_t number, const std::string& target) const {
  One& one = all_[number];
  if (one.pass.empty()) one.pass = oracle::pass_of(target, one.group.checks.front().request.event);
  return one.pass;
}

const oracle::Request& Asked::request(std::size_t number, const std::string& target, const Landmarks& landmarks) const {
  One& one = all_[number];
  const auto move = [&](const Landmarks& to) -> const oracle::Request& {
    one.moved = one.group;
    move_to(target, to, one.moved);
    return one.moved.checks.front().request;
  };
  const oracle::Request& own = one.group.checks.front().request;
  if (!one.moves) {  // with landmarks that nothing has by itself
    constexpr std::uint64_t somewhere = 0x123456780;
    const oracle::Request& there =
        move({somewhere, somewhere + 0x1000, somewhere + 0x2000, 1, 1, somewhere, somewhere + 0x1000, somewhere});
    one.moves = there.address != own.address || there.breakpoint != own.breakpoint || there.ia64 != own.ia64;
  }
  return *one.moves ? move(landmarks) : own;
}

std::vector<Need> needs_of(const Family& family, const Question& question, Asked& asked,
                           std::map<std::string, std::string>& excused) {
  std::vector<Need> needs;
  if (!question.illegal.empty()) return needs;
  if (profiles(question)) return {{"event", true, Need::Shown::handled}};
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < question.group.checks.size(); ++i) {
    own.push_back(asked.add(question.group, i));
    const bool holds = question.group.checks[i].holds;
    needs.push_back({"event", true, holds ? Need::Shown::nothing : Need::Shown::happens, own.back(), own.back()});
  }
  // Each event of a set counts as no other of the set does; those of a form differ by what it says of each.
  for (std::size_t i = 0; i < own.size() && !question.form; ++i) {
    for (std::size_t j = i + 1; j < own.size(); ++j) {
      if (own[i] != own[j]) needs.push_back({"counter", false, Need::Shown::count, own[i], own[j]});
    }
  }
  if (question.group.checks.front().holds) return needs;  // nothing shows but that the counter holds
  for (const Neighbour& neighbour : neighbours_of(question)) {
    const std::string_view why = family.equal(question, neighbour.other);
    if (!why.empty()) {
      if (neighbour.left_out) excused.emplace(neighbour.attribute, why);
      continue;
    }
    needs.push_back(need_of(question, neighbour, own, asked));
  }
  return needs;
}

std::map<std::string_view, Counts::Pass> Counts::passes(const Asked& asked, const std::vector<std::size_t>& numbers,
                                                        const Stimulus& stimulus) const {
  std::map<std::string_view, Pass> passes;
  for (const std::size_t number : numbers) {
    Pass& pass = passes[asked.pass(number, target_)];
    pass.numbers.push_back(number);
    pass.requests.push_back(asked.request(number, target_, stimulus.landmarks));
  }
  return passes;
}

std::unique_ptr<oracle::Counter> Counts::counter(const std::vector<oracle::Request>& requests) const {
  return oracle::make_counter(target_, requests, [this](std::string_view name) { return parameters_.get(name); });
}

void Counts::count(const Asked& asked, const std::vector<std::size_t>& numbers, const Stimulus& stimulus) {
  tallies_.resize(asked.size());
  for (const auto& [name, pass] : passes(asked, numbers, stimulus)) {
    const auto counter = this->counter(pass.requests);
    for (const Block& block : stimulus.log.blocks()) {
      counter->consume(block);
      for (std::size_t i = 0; i < pass.numbers.size(); ++i) tallies_[pass.numbers[i]].push_back(counter->tally(i));
    }
  }
}

std::map<std::size_t, Counts::Crossings> Counts::crossings(const Asked& asked,
                                                           const std::map<std::size_t, std::uint64_t>& events,
                                                           const Stimulus& stimulus) const {
  std::vector<std::size_t> numbers;
  for (const auto& [number, target] : events) {
    if (target != 0) numbers.push_back(number);
  }
  std::map<std::size_t, Crossings> found;
  for (auto& [name, pass] : passes(asked, numbers, stimulus)) {
    const std::size_t size = pass.requests.size();
    const std::vector<oracle::Request> once = pass.requests;
    pass.requests.insert(pass.requests.end(), once.begin(), once.end());
    const auto counter = this->counter(pass.requests);
    for (std::size_t i = 0; i < size; ++i) {
      counter->watch(i, 1, 0);
      counter->watch(size + i, events.at(pass.numbers[i]), 0);
    }
    for (const Block& block : stimulus.log.blocks()) counter->consume(block);
    for (std::size_t i = 0; i < size; ++i) {
      Crossings& crossing = found[pass.numbers[i]];
      if (!counter->crossings(i).empty()) crossing.first = counter->crossings(i).front();
      if (!counter->crossings(size + i).empty()) crossing.last = counter->crossings(size + i).front();
    }
  }
  return found;
}

}  // namespace pmusim::testbench::questions
