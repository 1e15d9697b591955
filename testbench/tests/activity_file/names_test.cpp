// A file is read by its names, even if the numbers of this program have changed.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "blocks.h"

namespace pmusim::activity_file::test {
namespace {

using activity::Signal;
using activity::State;
using ::testing::HasSubstr;

/// The description of a program whose enumerators have other numbers: all lists are reversed.
Description reversed(std::string_view target) {
  Description description = describe(target);
  description.properties.set("target", std::string(target));
  std::reverse(description.signals.begin(), description.signals.end());
  std::reverse(description.states.begin(), description.states.end());
  return description;
}

std::size_t number(Signal signal) { return static_cast<std::size_t>(signal); }

TEST(Names, EveryNumberHasAName) {
  for (const char* target : {"athlon", "ppc750gx", "itanium2", "montecito", "alpha-ev4", "alpha-ev6"}) {
    const auto signals = activity::signal_names(target);
    const auto states = activity::state_names(target);
    ASSERT_EQ(signals.size(), activity::signal_count);
    ASSERT_EQ(states.size(), activity::state_count);
    EXPECT_EQ(signals.back().name, "system_command");
    EXPECT_EQ(states.back().name, "issue_stall");
    EXPECT_EQ(signals[number(Signal::pin_assert)].name, "pin_assert");
    EXPECT_EQ(signals[number(Signal::l3_lookup)].name, "l3_lookup");
    EXPECT_EQ(states[static_cast<std::size_t>(State::bus_clocks)].name, "bus_clocks");
  }
}

// A value of an earlier version becomes a detail of today's fields, and no value of today is taken for an earlier one.
TEST(Names, EarlierValuesAreTranslated) {
  std::size_t values = 0;
  for (const char* target : {"athlon", "itanium2"}) {
    for (const activity::Name& name : activity::signal_names(target)) {
      const auto earlier = earlier_values(name.name);
      std::uint64_t bits = 0;
      for (const activity::Field& field : name.fields) {
        bits |= field.mask;
        for (const EarlierValue& value : earlier) {
          EXPECT_EQ(std::count(field.values.begin(), field.values.end(), value.value), 0) << name.name << value.value;
        }
      }
      std::set<std::uint16_t> details;
      for (const EarlierValue& value : earlier) {
        const activity::Field field{std::string(value.field), 63, {"unused", std::string(value.value)}};
        EXPECT_EQ(Translation({field}, name.fields, earlier)(1), value.detail) << value.value;
        EXPECT_EQ(value.detail & ~bits, 0) << value.value;
        EXPECT_THROW(static_cast<void>(Translation({field}, name.fields)(1)), std::invalid_argument) << value.value;
        details.insert(value.detail);
        ++values;
      }
      EXPECT_EQ(details.size(), earlier.size()) << name.name << ": two earlier values have become one";
    }
  }
  // 31 of queue_cancel (5 of 36 have kept their names), 8 of fetch_cancel, 16 of force_recirculate, 8 of 10 of
  // l3_cancel, and 8 of l2_array, whose signal both targets know.
  EXPECT_EQ(values, 2u * (31 + 8 + 16 + 8 + 8));
}

/// Checks the last enumerator of each enumeration, because a missing name would shift it.
TEST(Names, EnumeratorsHaveTheirNames) {
  const auto signal = [](const char* target, Signal name, auto value) {
    return activity::words(activity::signal_names(target)[number(name)].fields, static_cast<std::uint64_t>(value));
  };
  const auto state = [](const char* target, State name, std::uint64_t value) {
    return activity::words(activity::state_names(target)[static_cast<std::size_t>(name)].fields, value);
  };
  namespace ia64 = activity::ia64;
  namespace alpha = activity::alpha;
  using activity::detail::evict_state_shift;
  EXPECT_EQ(signal("itanium2", Signal::queue_cancel, ia64::QueueCancel::still_missing),
            "cause=still_missing stage=l2a");
  EXPECT_EQ(signal("itanium2", Signal::fetch_cancel, ia64::FetchCancel::still_missing),
            "cause=still_missing after_data=0");
  EXPECT_EQ(signal("itanium2", Signal::force_recirculate, ia64::Recirculate::set_under_way),
            "cause=set_under_way phase=requested");
  EXPECT_EQ(signal("itanium2", Signal::l3_cancel, ia64::L3Cancel::write_back), "reason=write_back");
  EXPECT_EQ(signal("itanium2", Signal::bus_transaction, ia64::BusKind::other), "kind=other agent=self");
  EXPECT_EQ(signal("itanium2", Signal::queue_issue, ia64::detail::operation_prefetch), "operation=prefetch");
  EXPECT_EQ(signal("montecito", Signal::thread_switch_missed, ia64::SwitchCause::debug), "cause=debug");
  EXPECT_EQ(signal("montecito", Signal::thread_switch_gated, ia64::SwitchGate::forward_progress),
            "gate=forward_progress");
  EXPECT_EQ(signal("montecito", Signal::interface_insert, ia64::InterfaceQueue::write_address),
            "queue=write_address kind=0");
  EXPECT_EQ(signal("athlon", Signal::l2_array, activity::L2Requester::l2), "requester=l2");
  EXPECT_EQ(signal("athlon", Signal::segment_load, activity::SegmentRegister::gs), "segment=gs");
  EXPECT_EQ(signal("athlon", Signal::bus_request, activity::MemoryType::write_back), "memory_type=write_back");
  EXPECT_EQ(
      signal("athlon", Signal::line_evict, static_cast<unsigned>(activity::LineState::modified) << evict_state_shift),
      "cache=l1i state=modified");
  EXPECT_EQ(signal("alpha-ev5", Signal::replay_trap, alpha::Replay::load_missed), "cause=load_missed");
  EXPECT_EQ(signal("alpha-ev6", Signal::pal_entry, alpha::Trap::call_pal), "cause=call_pal");
  EXPECT_EQ(signal("alpha-ev5", Signal::system_command, alpha::SystemCommand::other), "command=other");
  EXPECT_EQ(state("alpha-ev4", State::issue_stall, static_cast<unsigned>(alpha::IssueStall::trap)), "cause=trap");
  EXPECT_EQ(state("itanium2", State::back_end, ia64::back_end(ia64::BackEnd::front_end)), "stage=front_end cause=0");
  EXPECT_EQ(state("itanium2", State::front_end, ia64::front_end(ia64::FrontEnd::unreached, 2)),
            "missing=2 cause=unreached");
  EXPECT_EQ(state("athlon", State::operating_mode, 3), "mode=system_management");
  EXPECT_EQ(state("athlon", State::dispatch_hold, activity::dispatch_hold::far_or_resync), "far_or_resync");

  const auto column = [](const char* table, const char* name, auto value) -> std::string {
    for (const Table& candidate : tables()) {
      for (const Column& c : candidate.columns) {
        if (candidate.name == table && c.name.name == name)
          return activity::words(c.name.fields, static_cast<std::uint64_t>(value));
      }
    }
    return "no such column";
  };
  EXPECT_EQ(column("instruction", "traits", activity::Trait::fp_arithmetic), "fp_arithmetic");
  EXPECT_EQ(column("instruction", "unit", activity::Unit::branch), "value=branch");
  EXPECT_EQ(column("ia64_instruction", "kinds", ia64::Kind::rfi), "rfi");
  EXPECT_EQ(column("ia64_instruction", "type", ia64::SlotType::x), "value=x");
  EXPECT_EQ(column("ia64_instruction", "branch_class", ia64::BranchClass::indirect), "value=indirect");
  EXPECT_EQ(column("ia64_instruction", "prediction", ia64::Prediction::wrong_target), "value=wrong_target");
  EXPECT_EQ(column("ia64_instruction", "deferral", ia64::Deferral::psr_ed), "value=psr_ed");
  EXPECT_EQ(column("ia64_request", "requester", ia64::Requester::snoop), "value=snoop");
  EXPECT_EQ(column("ia64_request", "served", ia64::Served::memory), "value=memory");
  EXPECT_EQ(column("ia64_request", "translation", ia64::Translation::fault), "value=fault");
  EXPECT_EQ(column("alpha_instruction", "kinds", alpha::Kind::squashed), "squashed");
  EXPECT_EQ(column("alpha_instruction", "trap", alpha::Trap::call_pal), "value=call_pal");
  EXPECT_EQ(column("alpha_instruction", "replay", alpha::Replay::load_missed), "value=load_missed");
}

TEST(Names, SignalsAndStatesByName) {
  Block block;
  block.end = 10;
  block.columns[activity::signal_count - 1 - number(Signal::retire)] = {{3, activity::no_ref, 2, 0}};
  block.states[activity::state_count - 1 - static_cast<std::size_t>(State::process)].initial = 77;
  const Got got = read(file_of({block}, reversed("athlon")));
  ASSERT_EQ(got.defect, "");
  ASSERT_EQ(got.blocks.at(0).column(Signal::retire).size(), 1u);
  EXPECT_EQ(got.blocks[0].column(Signal::retire)[0].amount, 2);
  EXPECT_EQ(got.blocks[0].state(State::process).initial, 77u);
}

TEST(Names, DetailsByName) {
  // A program in which the fields of line_evict are elsewhere, and in which caches are numbered from L3 down.
  Description other = reversed("athlon");
  std::reverse(other.signals.begin(), other.signals.end());
  auto& fields = other.signals[number(Signal::line_evict)].fields;
  fields = {{"snoop", 1}, {"cache", 6, {"l3", "l2", "l1d", "l1i"}}, {"state", 0x70, {"modified", "invalid"}}};
  Block block;
  block.end = 10;
  block.columns[number(Signal::line_evict)] = {{3, activity::no_ref, 1, 1 | 2 << 1 | 0 << 4}};
  const Got got = read(file_of({block}, other));
  ASSERT_EQ(got.defect, "");
  using namespace activity::detail;
  const std::uint16_t modified = static_cast<std::uint16_t>(activity::LineState::modified) << evict_state_shift;
  EXPECT_EQ(got.blocks.at(0).column(Signal::line_evict).at(0).detail, cache_l1d | evict_snoop | modified);
}

TEST(Names, FieldsOfRecordsByName) {
  Description other = describe("athlon");
  other.properties.set("target", "athlon");
  Block block;
  block.end = 10;
  block.instructions.resize(2);
  block.instructions[0].ip = 0x1000;
  block.instructions[1].ip = 0x1004;
  std::swap(other.tables[0].columns[0].name, other.tables[0].columns[1].name);  // id and ip
  const Got got = read(file_of({block}, other));
  ASSERT_EQ(got.defect, "");
  EXPECT_EQ(got.blocks.at(0).instructions.at(1).id, 0x1004u);
  EXPECT_EQ(got.blocks.at(0).instructions.at(1).ip, 0u);
  EXPECT_EQ(got.blocks.at(0).instructions.at(1).operations, 1);
}

TEST(Names, WhatIsNotKnownIsRefused) {
  const auto defect_of = [](const std::function<void(Description&)>& change) {
    Description other = describe("athlon");
    other.properties.set("target", "athlon");
    change(other);
    Block block;
    block.end = 10;
    block.columns[number(Signal::retire)] = {{3, activity::no_ref, 1, 1}};
    block.requests.resize(1);
    block.requests[0].size = 4;
    return read(file_of({block}, other)).defect;
  };
  EXPECT_EQ(defect_of([](Description&) {}), "");
  EXPECT_THAT(defect_of([](Description& d) { d.signals[number(Signal::retire)].name = "leave"; }),
              HasSubstr("signal leave: not known to this program"));
  EXPECT_THAT(defect_of([](Description& d) { d.signals[number(Signal::retire)].fields[0].name = "happy"; }),
              HasSubstr("signal retire: 'happy' is not known to this program"));
  EXPECT_THAT(defect_of([](Description& d) { d.signals[number(Signal::retire)].fields.clear(); }),
              HasSubstr("signal retire: bits 0x1 have no name in the file"));
  EXPECT_THAT(defect_of([](Description& d) { d.tables[1].columns[6].name = "length"; }),
              HasSubstr("table request: length of row (not known to this program) 0: 4 is above 0"));
  EXPECT_THAT(defect_of([](Description& d) { d.tables[1].name = "asked"; }),
              HasSubstr("table asked: not known to this program"));
  EXPECT_THAT(defect_of([](Description& d) { d.signals[number(Signal::retire)].fields[0].mask = 5; }),
              HasSubstr("are not neighbours of its own"));
}

}  // namespace
}  // namespace pmusim::activity_file::test
