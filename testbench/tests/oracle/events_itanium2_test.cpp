// A single occurrence: exactly the rows that name it count it, all others of the 497 count zero.
#include <gtest/gtest.h>

#include "stimuli_itanium2.h"

namespace pmusim::oracle {
namespace {

using namespace script;  // NOLINT

const EventTable& table() {
  static const EventTable itanium2{"itanium2", "CPU_CYCLES", itanium2_stimuli(), 497};
  return itanium2;
}

TEST(Itanium2Events, CountTheirOccurrencesOnly) { expect_occurrences_only(table()); }
TEST(Itanium2Events, EveryRowHasAStimulus) { expect_a_stimulus_for_every_row(table()); }

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

TEST(Itanium2Events, BreakagesChangeACount) { expect_breakages_noticed(table()); }
TEST(Itanium2Events, StretchesChangeNothing) { expect_stretches_change_nothing(table()); }

}  // namespace
}  // namespace pmusim::oracle
