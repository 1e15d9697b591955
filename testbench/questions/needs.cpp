#include "testbench/questions/needs.h"

#include <algorithm>

namespace pmusim::testbench::questions {

std::size_t Asked::add(const Check& check) {
  const std::string text = row_name(check.request) + ' ' + check.text();
  const auto [place, is_new] = known_.try_emplace(text, checks_.size());
  if (is_new) checks_.push_back(check);
  return place->second;
}

std::vector<Need> needs_of(const Family& family, const Question& question, Asked& asked,
                           std::map<std::string, std::string>& excused) {
  std::vector<Need> needs;
  if (!question.illegal.empty()) return needs;
  std::vector<std::size_t> own;
  for (const Check& check : question.group.checks) {
    own.push_back(asked.add(check));
    needs.push_back({"event", true, check.holds ? Need::Shown::nothing : Need::Shown::happens, own.back(), own.back()});
  }
  // Each event of a set counts as no other of the set does.
  for (std::size_t i = 0; i < own.size(); ++i) {
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
    const Check& other = neighbour.other.group.checks.front();
    Need need{neighbour.attribute, neighbour.left_out, Need::Shown::count, own.front(), asked.add(other)};
    if (question.interrupts != neighbour.other.interrupts) need.shown = Need::Shown::overflow;
    if (question.group.checks.front().request.pin_control != other.request.pin_control)
      need.shown = Need::Shown::second_event;
    needs.push_back(need);
  }
  return needs;
}

std::map<std::string_view, Counts::Pass> Counts::passes(const Asked& asked, const std::vector<std::size_t>& numbers,
                                                        const Stimulus& stimulus) const {
  std::map<std::string_view, Pass> passes;
  for (const std::size_t number : numbers) {
    Group placed;
    placed.checks.push_back(asked[number]);
    move_to(target_, stimulus.landmarks, placed);
    Pass& pass = passes[oracle::pass_of(target_, asked[number].request.event)];
    pass.numbers.push_back(number);
    pass.requests.push_back(placed.checks.front().request);
  }
  return passes;
}

std::unique_ptr<oracle::Counter> Counts::counter(const std::vector<oracle::Request>& requests) const {
  return oracle::make_counter(target_, requests, [this](std::string_view name) { return parameters_.get(name); });
}

void Counts::count(const Asked& asked, const std::vector<std::size_t>& numbers, const Stimulus& stimulus) {
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
