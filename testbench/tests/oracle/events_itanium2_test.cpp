// One thing happens, and exactly the rows that are named for it count it: all others of the 497 count nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "stimuli_itanium2.h"

namespace pmusim::oracle {
namespace {

using namespace script;  // NOLINT

constexpr Cycle length = 10;

Request asked_of(std::string_view name) {
  Request request = row(std::string(name));
  if (name == "DATA_EAR_EVENTS") request.ia64.armed = "DATA_EAR_CACHE_LAT8";
  if (name == "L1I_EAR_EVENTS") request.ia64.armed = "L1I_EAR_TLB_VHPT";
  request.ia64.breakpoints = {{{watched_address, watched_address + 8}, true, false, 15}};
  return request;
}

/// Rows that count anything, and how much; all requests of an event in one pass.
std::map<std::string, std::uint64_t> counting_rows(const Machine& machine, const ParameterLookup& parameters) {
  std::map<std::string_view, std::vector<Request>> passes;
  for (const EventName& name : events("itanium2")) {
    passes[pass_of("itanium2", name.name)].push_back(asked_of(name.name));
  }
  std::map<std::string, std::uint64_t> rows;
  for (const auto& [event, requests] : passes) {
    const auto counter = make_counter("itanium2", requests, parameters);
    counter->consume(machine.block);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (const std::uint64_t n = counter->tally(i).expected; n != 0) rows[requests[i].event] = n;
    }
  }
  return rows;
}

const ParameterLookup all_known = Values{{"pmu.syllable_overcount", 1}, {"pmu.unknown_prediction", 1}};

TEST(Itanium2Events, CountTheirOccurrencesOnly) {
  for (const Stimulus& stimulus : itanium2_stimuli()) {
    Machine machine(stimulus.length == 0 ? length : stimulus.length);
    stimulus.act(machine, 5);
    auto expected = rows_of(stimulus.rows);
    expected["CPU_CYCLES"] = machine.block.end;
    EXPECT_EQ(counting_rows(machine, all_known), expected) << stimulus.what;
  }
}

TEST(Itanium2Events, EveryRowHasAStimulus) {
  std::set<std::string> tested = {"CPU_CYCLES"};
  for (const Stimulus& stimulus : itanium2_stimuli()) {
    for (const auto& [name, n] : rows_of(stimulus.rows)) tested.insert(name);
  }
  std::set<std::string> known;
  for (const EventName& name : events("itanium2")) {
    known.insert(std::string(name.name));
    EXPECT_TRUE(tested.contains(std::string(name.name))) << name.name;
  }
  EXPECT_EQ(known.size(), 497u) << "rows of libpfm's table";
  EXPECT_EQ(tested, known);
}

TEST(Itanium2Events, UnitMasksApart) {
  Machine machine;
  machine.state(State::back_end, 4, i64::back_end(i64::BackEnd::execute, i64::cause::gr_alu));
  Request apart = row("BE_EXE_BUBBLE");
  apart.umasks = {"GRGR"};
  EXPECT_EQ(counted(machine, apart), 6u);
  EXPECT_EQ(counted(machine, "BE_EXE_BUBBLE_GRGR"), 6u);
  EXPECT_THROW((void)counted(machine, "BE_EXE_BUBBLE_NONE"), std::invalid_argument);
  EXPECT_THROW((void)counted(machine, "BE_EXE_BUBBLE"), std::invalid_argument) << "no unit mask";
}

// The choices that the event list leaves open count nothing unless asked for.
TEST(Itanium2Events, UnknownPredictionsAndOvercount) {
  Machine machine;
  Insn guessed = insn({i64::Kind::branch}, i64::SlotType::b);
  guessed.syllable.unknown_prediction = true;
  machine.put(Signal::retire, 5, guessed);
  machine.put(Signal::syllable_held, 5, insn({}), i64::detail::held_explicit_stop | i64::detail::held_implicit_stop);
  const std::map<std::string, std::string_view> by = {
      {"BR_MISPRED_DETAIL2_ALL_ALL_UNKNOWN_PRED", "pmu.unknown_prediction"},
      {"BR_PATH_PRED2_ALL_UNKNOWNPRED_NOTTAKEN", "pmu.unknown_prediction"},
      {"SYLL_OVERCOUNT_ALL", "pmu.syllable_overcount"}};
  for (const auto& [name, parameter] : by) {
    EXPECT_EQ(counted(machine, name), 0u) << name;
    EXPECT_EQ(counted(machine, name, Values{{parameter, 1}}), 1u) << name;
  }
}

// Several occurrences in one cycle: as many as the event can count, no more.
TEST(Itanium2Events, MostInACycle) {
  const auto in_one_cycle = [](unsigned times, const std::function<void(Machine&)>& act) {
    Machine machine;
    for (unsigned i = 0; i < times; ++i) act(machine);
    return machine;
  };
  const auto check = in_one_cycle(3, [](Machine& m) {
    Insn failed = insn({i64::Kind::check_advanced});
    failed.syllable.check_failed = true;
    m.put(Signal::retire, 5, failed);
  });
  EXPECT_EQ(counted(check, "INST_FAILED_CHKA_LDC_ALAT_ALL"), 1u);
  EXPECT_EQ(counted(check, "INST_CHKA_LDC_ALAT_ALL"), 2u);
  EXPECT_EQ(counted(check, "IA64_INST_RETIRED"), 3u);
  const auto transfers = in_one_cycle(2, [](Machine& m) {
    Access read = load_of();
    read.request.l1d_read = true;
    m.put(Signal::translation, 5, read, activity::detail::side_data | activity::detail::tlb_second_level_hit);
  });
  EXPECT_EQ(counted(transfers, "L1DTLB_TRANSFER"), 1u);
  EXPECT_EQ(count("itanium2", row("L1DTLB_TRANSFER"), transfers.block).occurrences, 2u) << "raw";
  Machine queues;
  queues.state(State::bus_queues, 0, std::uint64_t{31} << i64::bus_queues::requests_shift);
  EXPECT_EQ(counted(queues, "BUS_BRQ_LIVE_REQ_LO"), 10u * 7);
  EXPECT_EQ(counted(queues, "BUS_BRQ_LIVE_REQ_HI"), 10u * 2) << "in quiet cycles too";
}

/// All stimuli, one after the other, each `times(number)` times in a row and `at_once` times in its cycle.
Machine everything(std::size_t (*times)(std::size_t), unsigned at_once) {
  const auto& all = itanium2_stimuli();
  const auto room = [](const Stimulus& s) { return s.length == 0 ? length : s.length; };
  Cycle end = length;
  for (std::size_t i = 0; i < all.size(); ++i) end += times(i) * room(all[i]);
  Machine machine(end);
  Cycle at = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t n = 0; n < times(i); ++n, at += room(all[i])) {
      for (unsigned k = 0; k < at_once; ++k) all[i].act(machine, at + 5);
    }
  }
  machine.state(State::bus_queues, at + 5, 0x1f1f1f1f);  // queues as full as they can be
  const auto by_time = [](auto& entries) {
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  };
  for (auto& column : machine.block.columns) by_time(column);
  for (auto& state : machine.block.states) by_time(state.changes);
  return machine;
}
std::size_t in_different_numbers(std::size_t number) { return 1 + number % 5; }
std::size_t once(std::size_t) { return 1; }

// Restricts a request so that nothing is left for whoever honours the qualifier.
void ask_for_nothing(Breakage::Kind kind, Request& request) {
  using Kind = Breakage::Kind;
  ia64::Qualifiers& q = request.ia64;
  if (kind == Kind::any_code || kind == Kind::unfiltered) q.code.assign(4, {0xff0000, 0xff0010});
  if (kind == Kind::any_opcode) q.opcodes = {{0, 0, false, false, false, false}};
  if (kind == Kind::any_data) q.data = {{0xff0000, 0xff0010}};
}

TEST(Itanium2Events, BreakagesChangeACount) {
  const Machine machine = everything(in_different_numbers, 1), crowded = everything(once, 8);
  const auto all = breakages("itanium2");
  EXPECT_GT(all.size(), 400u);
  for (const Breakage& breakage : all) {
    std::vector<Request> requests;
    for (const EventName& name : events("itanium2")) {
      if (pass_of("itanium2", name.name) != breakage.event) continue;
      requests.push_back(asked_of(name.name));
      if (!breakage.event.starts_with("DATA_DEBUG_REGISTER") || breakage.kind != Breakage::Kind::unfiltered) {
        ask_for_nothing(breakage.kind, requests.back());
      }
    }
    const auto right = make_counter("itanium2", requests, all_known);
    const auto wrong = make_broken_counter("itanium2", requests, all_known, breakage);
    const Machine& run = breakage.kind == Breakage::Kind::uncapped ? crowded : machine;
    right->consume(run.block);
    wrong->consume(run.block);
    bool noticed = false;
    for (std::size_t i = 0; i < requests.size(); ++i) noticed |= right->tally(i).expected != wrong->tally(i).expected;
    EXPECT_TRUE(noticed) << breakage.text();
  }
}

// However the cycles are handed over.
TEST(Itanium2Events, StretchesChangeNothing) {
  const Machine machine = everything(once, 1);
  std::mt19937 random(1);
  for (const EventName& name : events("itanium2")) {
    const auto whole = make_counter("itanium2", {asked_of(name.name)}, all_known);
    const auto pieces = make_counter("itanium2", {asked_of(name.name)}, all_known);
    whole->consume(machine.block);
    for (Cycle from = 0, to = 0; from < machine.block.end; from = to) {
      to = std::min<Cycle>(machine.block.end, from + 1 + random() % (random() % 2 == 0 ? 3000 : 8));
      pieces->consume(machine.block, from, to);
    }
    EXPECT_EQ(pieces->tally(0).expected, whole->tally(0).expected) << name.name;
    EXPECT_EQ(pieces->tally(0).occurrences, whole->tally(0).occurrences) << name.name;
  }
}

}  // namespace
}  // namespace pmusim::oracle
