// Every row of an Itanium's event list counts its own occurrences and no others, and the division into stretches does
// not matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "stimuli_itanium2.h"

namespace pmusim::oracle {
namespace {

using namespace script;  // NOLINT

const ParameterLookup all_known = Values{{"pmu.syllable_overcount", 1}};

Cycle room_of(const Stimulus& s) { return s.length == 0 ? 10 : s.length; }

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

struct EventTable {
  std::string target;
  std::string always;  ///< the row that counts in every cycle
  const std::vector<Stimulus>& (*stimuli)();
  std::size_t rows;  ///< in libpfm's table
};

/// All stimuli in succession.
Machine everything(const std::vector<Stimulus>& all) {
  Cycle end = 10;
  for (const Stimulus& stimulus : all) end += room_of(stimulus);
  Machine machine(end);
  Cycle at = 0;
  for (const Stimulus& stimulus : all) {
    stimulus.act(machine, at + 5);
    at += room_of(stimulus);
  }
  for (const State queues : {State::bus_queues, State::interface_self, State::interface_both}) {
    machine.state(queues, at + 5, 0x1f1f1f1f1f);  // the fullest state possible
  }
  return machine;
}

class Ia64Events : public ::testing::TestWithParam<EventTable> {
 protected:
  const std::string& target = GetParam().target;
  const std::vector<Stimulus>& stimuli = GetParam().stimuli();
};

TEST_P(Ia64Events, CountTheirOccurrencesOnly) {
  std::set<std::string> tested = {GetParam().always}, known;
  for (const Stimulus& stimulus : stimuli) {
    Machine machine(room_of(stimulus));
    stimulus.act(machine, 5);
    auto expected = rows_of(stimulus.rows);
    for (const auto& [name, n] : expected) tested.insert(name);
    expected.try_emplace(GetParam().always, machine.block.end);
    EXPECT_EQ(counting_rows(target, machine), expected) << stimulus.what;
  }
  for (const EventName& name : events(target)) known.insert(std::string(name.name));
  EXPECT_EQ(known.size(), GetParam().rows) << "rows of libpfm's table";
  EXPECT_EQ(tested, known) << "every row has a stimulus";
}

TEST_P(Ia64Events, CountTheSameInStretches) {
  const Machine machine = everything(stimuli);
  std::mt19937 random(1);
  for (const EventName& name : events(target)) {
    const auto whole = make_counter(target, {asked_of(name.name)}, all_known);
    const auto pieces = make_counter(target, {asked_of(name.name)}, all_known);
    whole->consume(machine.block);
    for (Cycle from = 0, to = 0; from < machine.block.end; from = to) {
      to = std::min<Cycle>(machine.block.end, from + 1 + random() % (random() % 2 == 0 ? 3000 : 8));
      pieces->consume(machine.block, from, to);
    }
    EXPECT_EQ(pieces->tally(0).expected, whole->tally(0).expected) << name.name;
    EXPECT_EQ(pieces->tally(0).occurrences, whole->tally(0).occurrences) << name.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Ia64Events,
                         ::testing::Values(EventTable{"itanium2", "CPU_CYCLES", itanium2_stimuli, 497},
                                           EventTable{"montecito", "CPU_OP_CYCLES_ALL", montecito_stimuli, 637}),
                         [](const auto& info) { return info.param.target; });

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

TEST(Itanium2Events, UnknownPredictionsAndOvercount) {
  Machine machine;
  Insn guessed = insn({i64::Kind::branch}, i64::SlotType::b);
  guessed.syllable.unknown_prediction = true;
  machine.put(Signal::retire, 5, guessed);
  machine.put(Signal::syllable_held, 5, insn({}), i64::detail::held_explicit_stop | i64::detail::held_implicit_stop);
  for (const char* name : {"BR_MISPRED_DETAIL2_ALL_ALL_UNKNOWN_PRED", "BR_PATH_PRED2_ALL_UNKNOWNPRED_NOTTAKEN"}) {
    EXPECT_EQ(counted(machine, name), 1u) << name;
    EXPECT_EQ(counted(machine, name, Values{{"pmu.unknown_prediction", 1}}), 0u) << name;
  }
  EXPECT_EQ(counted(machine, "SYLL_OVERCOUNT_ALL"), 0u);
  EXPECT_EQ(counted(machine, "SYLL_OVERCOUNT_ALL", Values{{"pmu.syllable_overcount", 1}}), 1u);
}

// Several occurrences in one cycle: the event counts them up to its maximum per cycle.
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

}  // namespace
}  // namespace pmusim::oracle
