#include "testbench/judge/trial/needs.h"

#include <fmt/format.h>

#include <algorithm>

#include "testbench/judge/trial/expectations.h"

namespace pmusim::testbench::questions {
namespace {

/// The addresses of a request, which its event string does not contain.
std::string places_of(const oracle::Request& request) {
  std::string text;
  for (const auto& range : request.ia64.code)
    text += fmt::format("{:x}-{:x}:{} ", range.start, range.end, range.levels);
  for (const auto& range : request.ia64.data) text += fmt::format("{:x}-{:x} ", range.start, range.end);
  return text;
}

/// The first event for which a neighbour has another request; the number of events if there is none.
std::size_t differing(const Question& other, const std::vector<std::size_t>& own, NeededCounts& asked) {
  std::size_t check = 0;
  while (check < own.size() && asked.add(other.group, check) == own[check]) ++check;
  return check;
}

Question alone(Question question, std::size_t check) {
  question.group.checks = {question.group.checks[check]};
  return question;
}

/// The reason why two questions count the same. Of several events only the first that differs is compared.
std::string_view equal(const Family& family, const Question& question, const Question& other,
                       const std::vector<std::size_t>& own, NeededCounts& asked) {
  if (own.size() < 2) return family.equal(question, other);
  const std::size_t check = differing(other, own, asked);
  if (check == own.size()) return {};
  if (question.group.checks[check].holds) return "an event that never counts";
  return family.equal(alone(question, check), alone(other, check));
}

/// The need that distinguishes a question from its neighbour: the first event with another request.
Need need_of(const Question& question, const Neighbour& neighbour, const std::vector<std::size_t>& own,
             NeededCounts& asked) {
  const Group& others = neighbour.other.group;
  Need need{neighbour.attribute, neighbour.left_out, Need::Effect::handled, own.front(), own.front()};
  if (const std::size_t check = differing(neighbour.other, own, asked); check != own.size()) {
    need.effect = Need::Effect::count;
    need.own = own[check];
    need.other = asked.add(others, check);
  }
  const auto& captures = question.group.captures;
  const auto same_filters = [&] { return words_of(question.group.filters) == words_of(others.filters); };
  const bool traces = captures && captures->unit == Captures::Unit::ip_ear;
  if (traces && same_filters() && need.effect == Need::Effect::count) {
    need.effect = Need::Effect::captured;  // levels and other filters apply to both the counter and the unit
  } else if (captures && (traces || captures->prediction != others.captures->prediction)) {
    need.effect = Need::Effect::handled;  // the counts are the same, the data kept by the unit differs
  }
  if (question.interrupts != neighbour.other.interrupts) need.effect = Need::Effect::overflow;
  const auto period = [](const Group& group) { return group.sampled ? group.sampled->period : 0; };
  if (const std::uint64_t mine = period(question.group), its = period(others); mine != its) {
    need.effect = Need::Effect::overflow;
    need.least = mine == 0 || its == 0 ? std::max(mine, its) : std::min(mine, its);
  }
  if (question.group.checks.front().request.pin_control != others.checks.front().request.pin_control)
    need.effect = Need::Effect::second_event;
  return need;
}

}  // namespace

std::size_t NeededCounts::add(const Group& group, std::size_t check) {
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

std::size_t NeededCounts::pass(std::size_t number, const std::string& target) const {
  One& one = all_[number];
  if (!one.pass) {
    const std::string_view name = oracle::pass_of(target, one.group.checks.front().request.event);
    one.pass = passes_.try_emplace(name, passes_.size()).first->second;
  }
  return *one.pass;
}

bool NeededCounts::moves(std::size_t number, const std::string& target) const {
  One& one = all_[number];
  if (!one.moves) {  // with landmarks that no request has by itself
    constexpr std::uint64_t place = 0x123456780, other = place + 0x1000;
    one.moved = one.group;
    move_to(target, {place, other, other, 1, 1, place, other, place}, one.moved);
    const oracle::Request &own = one.group.checks.front().request, &there = one.moved.checks.front().request;
    one.moves = there.address != own.address || there.breakpoint != own.breakpoint || there.ia64 != own.ia64;
  }
  return *one.moves;
}

const oracle::Request& NeededCounts::request(std::size_t number, const std::string& target,
                                             const Landmarks& landmarks) const {
  One& one = all_[number];
  if (!moves(number, target)) return one.group.checks.front().request;
  one.moved = one.group;
  move_to(target, landmarks, one.moved);
  return one.moved.checks.front().request;
}

std::vector<Need> needs_of(const Family& family, const Question& question, bool thorough, NeededCounts& asked,
                           std::map<std::string, std::string>& excused) {
  std::vector<Need> needs;
  if (!question.illegal.empty()) return needs;
  if (profiles(question.group)) return {{"event", true, Need::Effect::handled}};
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < question.group.checks.size(); ++i) {
    own.push_back(asked.add(question.group, i));
    const bool holds = question.group.checks[i].holds;
    needs.push_back({"event", true, holds ? Need::Effect::nothing : Need::Effect::happens, own.back(), own.back()});
    // For a process that is not marked the only effect is that nothing counts. Where nothing counts, one level too many
    // shows as little as one too few.
    if (!holds && (thorough || question.group.checks[i].request.marked == true))
      needs.push_back({"count", false, Need::Effect::counts, own.back(), own.back()});
  }
  // Of three events one comes after the overflow (Examination::overflowing).
  for (std::size_t i = 0; i < own.size() && question.interrupts && family.may_stop; ++i) {
    if (!question.group.checks[i].holds)
      needs.push_back({"after the interrupt", false, Need::Effect::overflow, own[i], own[i], false, 3});
  }
  // The default period of a free-running counter is checked, too, if the question does not name one.
  for (std::size_t i = 0; i < own.size() && family.periods != nullptr && !question.group.sampled; ++i) {
    if (question.group.checks[i].holds) continue;
    const auto periods = family.periods(question.group.checks[i]);
    needs.push_back({default_period, false, Need::Effect::overflow, own[i], own[i], false,
                     *std::min_element(periods.begin(), periods.end())});
  }
  // Each event of a set must differ in its count from all others. Events of a form differ by their attributes.
  for (std::size_t i = 0; i < own.size() && !question.form; ++i) {
    for (std::size_t j = i + 1; j < own.size(); ++j) {
      if (own[i] != own[j]) needs.push_back({"counter", false, Need::Effect::count, own[i], own[j]});
    }
  }
  if (question.group.checks.front().holds) return needs;  // the only effect is that the counter holds
  for (const Neighbour& neighbour : neighbours_of(question)) {
    const std::string_view why = equal(family, question, neighbour.other, own, asked);
    if (!why.empty()) {
      if (neighbour.left_out) excused.emplace(neighbour.attribute, why);
      continue;
    }
    needs.push_back(need_of(question, neighbour, own, asked));
  }
  return needs;
}

std::vector<Counts::Pass> Counts::passes(const NeededCounts& asked, const std::vector<std::size_t>& numbers,
                                         const Stimulus& stimulus) const {
  std::vector<Pass> passes;
  for (const std::size_t number : numbers) {
    const std::size_t pass = asked.pass(number, target_);
    if (pass >= passes.size()) passes.resize(pass + 1);
    passes[pass].numbers.push_back(number);
    passes[pass].requests.push_back(&asked.request(number, target_, stimulus.landmarks));
  }
  std::erase_if(passes, [](const Pass& pass) { return pass.numbers.empty(); });
  return passes;
}

std::unique_ptr<oracle::LastingCounter> Counts::counter(const Pass& pass) const {
  return oracle::make_lasting_counter(target_, std::span<const oracle::Request* const>(pass.requests),
                                      [&known = parameters_](std::string_view name) { return known.get(name); });
}

// A counter of more requests is reused while it has at most twice as many: questions are settled, so numbers decrease.
Counts::Counters::One& Counts::counter(const NeededCounts& asked, const Pass& pass, Counters& counters) const {
  Counters::One& one = counters.by_pass_[asked.pass(pass.numbers.front(), target_)];
  const auto moves = [&](std::size_t number) { return asked.moves(number, target_); };
  const bool serves = one.counter != nullptr && one.numbers.size() <= 2 * pass.numbers.size() &&
                      std::includes(one.numbers.begin(), one.numbers.end(), pass.numbers.begin(), pass.numbers.end()) &&
                      std::none_of(one.numbers.begin(), one.numbers.end(), moves) && one.counter->restart();
  if (!serves) one = {pass.numbers, counter(pass)};
  return one;
}

void Counts::count(const NeededCounts& asked, const std::vector<std::size_t>& numbers, const Stimulus& stimulus,
                   Counters& counters) {
  const auto& blocks = stimulus.log.blocks();
  blocks_ = blocks.size();
  places_.assign(asked.size(), ~std::size_t{0});
  tallies_.resize(numbers.size() * blocks_);
  std::size_t next = 0;
  for (const Pass& pass : passes(asked, numbers, stimulus)) {
    const auto& [counted, counter] = this->counter(asked, pass, counters);
    std::vector<std::size_t> requests;  // index into the counter's requests, for each number
    for (std::size_t i = 0, at = 0; i < pass.numbers.size(); ++i) {
      while (counted[at] != pass.numbers[i]) ++at;
      requests.push_back(at);
      places_[pass.numbers[i]] = next + i * blocks_;
    }
    for (std::size_t block = 0; block < blocks_; ++block) {
      counter->consume(blocks[block]);
      for (std::size_t i = 0; i < requests.size(); ++i)
        tallies_[next + i * blocks_ + block] = counter->tally(requests[i]);
    }
    next += pass.numbers.size() * blocks_;
  }
}

std::map<std::size_t, Counts::Crossings> Counts::crossings(const NeededCounts& asked,
                                                           const std::map<std::size_t, std::uint64_t>& events,
                                                           const Stimulus& stimulus) const {
  std::vector<std::size_t> numbers;
  for (const auto& [number, target] : events) {
    if (target != 0) numbers.push_back(number);
  }
  std::map<std::size_t, Crossings> found;
  for (Pass& pass : passes(asked, numbers, stimulus)) {
    const std::size_t size = pass.requests.size();
    pass.requests.resize(2 * size);
    std::copy_n(pass.requests.begin(), size, pass.requests.begin() + static_cast<std::ptrdiff_t>(size));
    const auto counter = this->counter(pass);
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
