#include <algorithm>
#include <random>
#include <set>

#include "stimuli_itanium2.h"

namespace pmusim::oracle::script {
namespace {

constexpr Cycle length = 10;
const ParameterLookup all_known = Values{{"pmu.syllable_overcount", 1}};

Cycle room_of(const Stimulus& s) { return s.length == 0 ? length : s.length; }

Request asked_of(std::string_view name) {
  Request request = row(std::string(name));
  request.ia64.levels = 15;
  if (name == "DATA_EAR_EVENTS") request.ia64.armed = "DATA_EAR_CACHE_LAT8";
  if (name == "L1I_EAR_EVENTS") request.ia64.armed = "L1I_EAR_TLB_VHPT";
  request.ia64.breakpoints = {{{watched_address, watched_address + 8}, true, false, 15}};
  return request;
}

/// The rows with a count above zero, and their counts; all requests of an event in one pass.
std::map<std::string, std::uint64_t> counting_rows(const std::string& target, const Machine& machine) {
  std::map<std::string_view, std::vector<Request>> passes;
  for (const EventName& name : events(target)) passes[pass_of(target, name.name)].push_back(asked_of(name.name));
  std::map<std::string, std::uint64_t> rows;
  for (const auto& [event, requests] : passes) {
    const auto counter = make_counter(target, requests, all_known);
    counter->consume(machine.block);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (const std::uint64_t n = counter->tally(i).expected; n != 0) rows[requests[i].event] = n;
    }
  }
  return rows;
}

/// All stimuli in succession, each `times(number)` times in a row and `at_once` times in its cycle.
Machine everything(const std::vector<Stimulus>& all, std::size_t (*times)(std::size_t), unsigned at_once) {
  Cycle end = length;
  for (std::size_t i = 0; i < all.size(); ++i) end += times(i) * room_of(all[i]);
  Machine machine(end);
  Cycle at = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t n = 0; n < times(i); ++n, at += room_of(all[i])) {
      for (unsigned k = 0; k < at_once; ++k) all[i].act(machine, at + 5);
    }
  }
  for (const State queues : {State::bus_queues, State::interface_self, State::interface_both}) {
    machine.state(queues, at + 5, 0x1f1f1f1f1f);  // the fullest state possible
  }
  const auto by_time = [](auto& entries) {
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  };
  for (auto& column : machine.block.columns) by_time(column);
  for (auto& state : machine.block.states) by_time(state.changes);
  return machine;
}
std::size_t in_different_numbers(std::size_t number) { return 1 + number % 5; }
std::size_t once(std::size_t) { return 1; }

/// The same activity, on thread 1.
Machine of_the_other_thread(Machine machine) {
  machine.state(State::thread, 0, 1);
  for (auto& record : machine.block.instructions) record.thread = 1;
  for (auto& record : machine.block.requests) record.thread = 1;
  return machine;
}

// Restricts a request so that an event that honours the qualifier counts zero.
void ask_for_nothing(Breakage::Kind kind, Request& request) {
  using Kind = Breakage::Kind;
  ia64::Qualifiers& q = request.ia64;
  if (kind == Kind::any_code || kind == Kind::unfiltered) q.code.assign(4, {0xff0000, 0xff0010});
  if (kind == Kind::any_opcode) q.opcodes = {{0, 0, false, false, false, false}};
  if (kind == Kind::any_data) q.data = {{0xff0000, 0xff0010}};
  if (kind == Kind::any_line) q.line_states = {false, false, false, false};
}

}  // namespace

void expect_occurrences_only(const EventTable& table) {
  for (const Stimulus& stimulus : table.stimuli) {
    Machine machine(room_of(stimulus));
    stimulus.act(machine, 5);
    auto expected = rows_of(stimulus.rows);
    expected.try_emplace(table.always, machine.block.end);
    EXPECT_EQ(counting_rows(table.target, machine), expected) << stimulus.what;
  }
}

void expect_a_stimulus_for_every_row(const EventTable& table) {
  std::set<std::string> tested = {table.always}, known;
  for (const Stimulus& stimulus : table.stimuli) {
    for (const auto& [name, n] : rows_of(stimulus.rows)) tested.insert(name);
  }
  for (const EventName& name : events(table.target)) {
    known.insert(std::string(name.name));
    EXPECT_TRUE(tested.contains(std::string(name.name))) << name.name;
  }
  EXPECT_EQ(known.size(), table.rows) << "rows of libpfm's table";
  EXPECT_EQ(tested, known);
}

void expect_breakages_noticed(const EventTable& table) {
  using Kind = Breakage::Kind;
  const Machine machine = everything(table.stimuli, in_different_numbers, 1);
  const Machine dense = everything(table.stimuli, once, 8), other = of_the_other_thread(machine);
  const auto all = breakages(table.target);
  EXPECT_GT(all.size(), 400u);
  for (const Breakage& breakage : all) {
    std::vector<Request> requests;
    for (const EventName& name : events(table.target)) {
      if (pass_of(table.target, name.name) != breakage.event) continue;
      requests.push_back(asked_of(name.name));
      if (!breakage.event.starts_with("DATA_DEBUG_REGISTER") || breakage.kind != Kind::unfiltered) {
        ask_for_nothing(breakage.kind, requests.back());
      }
    }
    const auto right = make_counter(table.target, requests, all_known);
    const auto wrong = make_broken_counter(table.target, requests, all_known, breakage);
    const Machine& run = breakage.kind == Kind::uncapped ? dense : breakage.kind == Kind::any_thread ? other : machine;
    right->consume(run.block);
    wrong->consume(run.block);
    bool noticed = false;
    for (std::size_t i = 0; i < requests.size(); ++i) noticed |= right->tally(i).expected != wrong->tally(i).expected;
    EXPECT_TRUE(noticed) << breakage.text();
  }
}

// The counts must not depend on the division into stretches.
void expect_stretches_change_nothing(const EventTable& table) {
  const Machine machine = everything(table.stimuli, once, 1);
  std::mt19937 random(1);
  for (const EventName& name : events(table.target)) {
    const auto whole = make_counter(table.target, {asked_of(name.name)}, all_known);
    const auto pieces = make_counter(table.target, {asked_of(name.name)}, all_known);
    whole->consume(machine.block);
    for (Cycle from = 0, to = 0; from < machine.block.end; from = to) {
      to = std::min<Cycle>(machine.block.end, from + 1 + random() % (random() % 2 == 0 ? 3000 : 8));
      pieces->consume(machine.block, from, to);
    }
    EXPECT_EQ(pieces->tally(0).expected, whole->tally(0).expected) << name.name;
    EXPECT_EQ(pieces->tally(0).occurrences, whole->tally(0).occurrences) << name.name;
  }
}

}  // namespace pmusim::oracle::script
