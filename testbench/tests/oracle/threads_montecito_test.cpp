// The thread for which an event of the Montecito counts where two threads share a core, and its other qualifiers.
#include <gtest/gtest.h>

#include "machine.h"

namespace pmusim::oracle::montecito {
namespace {

using namespace script;  // NOLINT
namespace d = activity::detail;
namespace id = i64::detail;

// --- threads ----------------------------------------------------------------------------------------------
/// Ten cycles of thread 0 at level 3 for users, then ten of thread 1 at level 0 for privileged monitors.
Machine two_threads() {
  Machine machine(20);
  machine.state(State::background_psr, 0, i64::psr::pp);
  machine.state(State::background_cpl, 0, 0);
  machine.state(State::thread, 10, 1);
  machine.state(State::psr, 10, i64::psr::pp);
  machine.state(State::cpl, 10, 0);
  machine.state(State::background_psr, 10, i64::psr::up);
  machine.state(State::background_cpl, 10, 3);
  return machine;
}
struct Asked {
  unsigned thread, levels;
  bool privileged, all;
};
constexpr Asked user_0{0, 8, false, false}, user_1{1, 8, false, false}, system_1{1, 1, true, false};
constexpr Asked user_of_all{0, 8, false, true}, system_of_all{0, 1, true, true};

std::uint64_t asked(const Machine& machine, const std::string& name, const Asked& who,
                    std::vector<std::pair<std::string_view, std::int64_t>> parameters = {}) {
  Request request = row(name);
  request.ia64.levels = who.levels;
  request.ia64.privileged_monitor = who.privileged;
  request.ia64.all_threads = who.all;
  parameters.emplace_back("pmu.thread", who.thread);
  return counted_by_montecito(machine, request, [parameters](std::string_view name_of) -> std::int64_t {
    for (const auto& [n, v] : parameters) {
      if (n == name_of) return v;
    }
    return 0;
  });
}

// Events of the active thread only, and events that belong to no thread.
TEST(MontecitoThreads, ActiveAndCausal) {
  Machine machine = two_threads();
  for (const Cycle at : {3, 4, 5}) machine.put(Signal::retire, at, insn({}));
  for (const Cycle at : {12, 13}) machine.put(Signal::retire, at, but(insn({}), [](Insn& i) { i.record.thread = 1; }));
  EXPECT_EQ(asked(machine, "IA64_INST_RETIRED", user_0), 3u);
  EXPECT_EQ(asked(machine, "IA64_INST_RETIRED", user_1), 0u) << "thread 1 runs at level 0";
  EXPECT_EQ(asked(machine, "IA64_INST_RETIRED", system_1), 2u);
  EXPECT_EQ(asked(machine, "IA64_INST_RETIRED", user_of_all), 3u) << "level and gates of who causes it";
  EXPECT_EQ(asked(machine, "IA64_INST_RETIRED", system_of_all), 2u);
  EXPECT_EQ(asked(machine, "CPU_OP_CYCLES_ALL", user_0), 10u);
  EXPECT_EQ(asked(machine, "CPU_OP_CYCLES_ALL", system_1), 10u);
  EXPECT_EQ(asked(machine, "CPU_OP_CYCLES_ALL", {0, 9, false, true}), 10u) << "PSR.up is thread 0's alone";
}

// A miss that thread 0 started returns while thread 1 is active.
TEST(MontecitoThreads, Floating) {
  Machine machine = two_threads();
  machine.put(Signal::l2_fill, 4, load_of());
  machine.put(Signal::l2_fill, 12, load_of());
  machine.put(Signal::l2_fill, 14, but(load_of(), [](Access& a) { a.record.thread = 1; }));
  machine.happen(Signal::l2_fill, 15);  // of no thread
  const std::string name = "L2D_FILL_MESI_STATE_I";
  EXPECT_EQ(asked(machine, name, user_0), 2u);
  EXPECT_EQ(asked(machine, name, user_0, {{"pmu.floating_background", 1}}), 1u);
  EXPECT_EQ(asked(machine, name, user_1), 0u);
  EXPECT_EQ(asked(machine, name, system_1), 2u) << "its own, and what belongs to no thread";
  EXPECT_EQ(asked(machine, name, user_of_all), 2u);
  EXPECT_EQ(asked(machine, name, system_of_all), 2u);
  EXPECT_EQ(asked(machine, name, user_of_all, {{"pmu.floating_background", 1}}), 1u);
}

TEST(MontecitoThreads, SelfFloating) {
  Machine machine = two_threads();
  const unsigned read = static_cast<unsigned>(i64::BusKind::read_line);
  machine.put(Signal::bus_transaction, 12, load_of(), read);
  machine.put(Signal::bus_transaction, 13, but(load_of(), [](Access& a) { a.record.thread = 1; }), read);
  EXPECT_EQ(asked(machine, "BUS_ALL_SELF", user_0), 1u) << "as floating";
  EXPECT_EQ(asked(machine, "BUS_ALL_SELF", system_1), 1u);
  EXPECT_EQ(asked(machine, "BUS_ALL_SELF", user_of_all), 0u) << "as causal: thread 1 is active";
  EXPECT_EQ(asked(machine, "BUS_ALL_SELF", system_of_all), 2u);
  EXPECT_EQ(asked(machine, "BUS_ALL_SELF", user_of_all, {{"pmu.self_floating_all", 1}}), 1u);
  EXPECT_EQ(asked(machine, "BUS_ALL_SELF", system_of_all, {{"pmu.self_floating_all", 1}}), 1u);
}

TEST(MontecitoThreads, LevelsBelongToNoThread) {
  Machine machine = two_threads();
  machine.state(State::l2_queue, 7, i64::l2_queue::full);  // three cycles of thread 0, ten of thread 1
  EXPECT_EQ(asked(machine, "L2D_OZQ_FULL_THIS", user_0), 3u);
  EXPECT_EQ(asked(machine, "L2D_OZQ_FULL_THIS", system_1), 10u);
  EXPECT_EQ(asked(machine, "L2D_OZQ_FULL_THIS", system_of_all), 10u);
  EXPECT_EQ(asked(machine, "L2D_OZQ_FULL_THIS", user_of_all), 3u);
}

// A switch counts for the thread that is switched out, and is not a change of level.
TEST(MontecitoThreads, Switches) {
  Machine machine = two_threads();
  machine.happen(Signal::thread_switch, 9, static_cast<std::uint16_t>(i64::SwitchCause::timer));
  machine.state(State::cpl, 15, 3);
  EXPECT_EQ(asked(machine, "THREAD_SWITCH_EVENTS_TIMER", user_0), 1u);
  EXPECT_EQ(asked(machine, "THREAD_SWITCH_EVENTS_TIMER", system_1), 0u);
  EXPECT_EQ(asked(machine, "CPU_CPL_CHANGES_ALL", {1, 15, true, true}), 1u);
  EXPECT_EQ(asked(machine, "CPU_CPL_CHANGES_LVL0", {1, 15, true, false}), 1u);
}

// In no core does a thread change its level while the other one runs, but synthetic activity may contain it: a thread
// resumes at another level than it had in the background. The change counts in its first active cycle, at the new
// level.
TEST(MontecitoThreads, AThreadThatComesInAtAnotherLevelHasChanged) {
  Machine machine = two_threads();
  machine.state(State::cpl, 10, 2);  // it was 0 in the background
  EXPECT_EQ(asked(machine, "CPU_CPL_CHANGES_ALL", {1, 15, true, false}), 1u);
  EXPECT_EQ(asked(machine, "CPU_CPL_CHANGES_LVL0", {1, 4, true, false}), 1u) << "from 0";
  EXPECT_EQ(asked(machine, "CPU_CPL_CHANGES_LVL2", {1, 4, true, false}), 1u) << "to 2";
  EXPECT_EQ(asked(machine, "CPU_CPL_CHANGES_LVL3", {1, 15, true, false}), 0u) << "3 is the level of the other thread";
  EXPECT_EQ(asked(machine, "CPU_CPL_CHANGES_ALL", {0, 15, false, false}), 0u);
}

TEST(MontecitoThreads, ThresholdOverWhatIsCounted) {
  Machine machine = two_threads();
  for (unsigned i = 0; i < 3; ++i) machine.put(Signal::queue_issue, 12, load_of());
  for (unsigned i = 0; i < 2; ++i) {
    machine.put(Signal::queue_issue, 12, but(load_of(), [](Access& a) { a.record.thread = 1; }));
  }
  const auto above = [&](unsigned threshold) {
    Request request = row("L2D_OPS_ISSUED_INT_LOAD");
    request.threshold = threshold;
    return counted_by_montecito(machine, request);
  };
  EXPECT_EQ(above(0), 3u);
  EXPECT_EQ(above(2), 1u);
  EXPECT_EQ(above(3), 0u);
}

// --- qualifiers -----------------------------------------------------------------------------------------------
TEST(MontecitoQualifiers, LineStates) {
  Machine machine;
  using activity::LineState;
  const std::pair<LineState, Cycle> lines[] = {
      {LineState::modified, 1}, {LineState::exclusive, 3}, {LineState::shared, 5}, {LineState::invalid, 7}};
  for (const auto& [state, at] : lines) {
    const unsigned number = static_cast<unsigned>(state);
    machine.put(Signal::l3_insert, at, load_of(), number);
    machine.put(Signal::l3_lookup, at, load_of(), d::side_data | number << id::l3_state_shift);
    machine.put(Signal::line_evict, at, load_of(), d::cache_l3 | d::evict_replacement | number << d::evict_state_shift);
  }
  const auto of_states = [&](const std::string& name, ia64::LineStates states) {
    Request request = row(name);
    request.ia64.line_states = states;
    return counted_by_montecito(machine, request, Values());
  };
  for (const char* name : {"L3_INSERTS", "L3_READS_DATA_READ_ALL", "L3_LINES_REPLACED"}) {
    EXPECT_EQ(of_states(name, {}), 4u) << name;
    EXPECT_EQ(of_states(name, {true, false, false, false}), 1u) << name;
    EXPECT_EQ(of_states(name, {false, true, true, false}), 2u) << name;
    EXPECT_EQ(of_states(name, {false, false, false, true}), 1u) << name;
    EXPECT_EQ(of_states(name, {false, false, false, false}), 0u) << name;
  }
  EXPECT_EQ(of_states("L3_REFERENCES", {false, false, false, false}), 4u) << "asks for no state";
}

// All 41 bits are compared; the Itanium 2 ignores fourteen in the middle.
TEST(MontecitoQualifiers, WholeOpcodes) {
  Machine machine;
  const std::uint64_t encoding = 0x10008000000 | 0x2000;
  machine.put(Signal::retire, 5, but(insn({}), [&](Insn& i) { i.record.encoding = encoding; }));
  const auto matching = [&](std::uint64_t match, std::uint64_t ignore) {
    Request request = row("IA64_INST_RETIRED");
    request.ia64.opcodes = {{match, ignore}};
    return counted_by_montecito(machine, request);
  };
  EXPECT_EQ(matching(encoding, 0), 1u);
  EXPECT_EQ(matching(encoding ^ 0x2000, 0), 0u) << "bit 13";
  EXPECT_EQ(matching(encoding ^ 0x2000, 0x2000), 1u);
  EXPECT_EQ(matching(encoding ^ 0x10000000000, 0), 0u) << "bit 40";
  EXPECT_EQ(matching(0, ia64::every_bit), 1u);
}

TEST(MontecitoQualifiers, Refusals) {
  const auto refused = [](const char* target, auto change) {
    Request request = row("NOPS_RETIRED");
    change(request.ia64);
    EXPECT_THROW((void)make_counter(target, {request}, Values()), std::invalid_argument);
  };
  refused("montecito", [](auto& q) { q.instruction_set = ia64::InstructionSet::ia32; });
  refused("montecito", [](auto& q) { q.trace_delay = 256; });
  refused("itanium2", [](auto& q) { q.all_threads = true; });
  refused("itanium2", [](auto& q) { q.line_states.shared = false; });
}

TEST(MontecitoChoices, AnyQueueCancel) {
  Machine machine;
  machine.put(Signal::queue_cancel, 5, load_of(), static_cast<unsigned>(i64::QueueCancel::acquire));
  const Request any = row("L2D_OZQ_CANCELS1_ANY");
  EXPECT_EQ(counted_by_montecito(machine, any), 0u);
  EXPECT_EQ(counted_by_montecito(machine, any, Values{{"pmu.ozq_cancels_any", 1}}), 1u);
}

}  // namespace
}  // namespace pmusim::oracle::montecito
