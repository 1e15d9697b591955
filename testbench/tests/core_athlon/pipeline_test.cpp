// Cycle numbers computed by hand from the pipeline: fetch f, decode f+3, dispatch f+5, execution dispatch+2 at the
// earliest, a simple result one clock later, retirement at the earliest the clock after that: f+9.
#include "trace_log.h"

namespace pmusim::testbench::athlon {
namespace {

namespace d = activity::detail;
namespace hold = activity::dispatch_hold;

// mov eax,[ebx], a hit whose data is forced to arrive `latency` clocks after the address executed.
Script slow_load(unsigned latency) {
  return Script().add("8b03", "L 1000 4 dtlb=hit data=l1 lat=" + std::to_string(latency));
}

TEST(Pipeline, ThreeInstructionsAClock) {
  const TraceLog log = run(Script().add(4, "90"));
  EXPECT_EQ(log.cycles(Signal::fetch), (std::vector<Cycle>{0}));
  EXPECT_EQ(log.cycles(Signal::dispatch), (std::vector<Cycle>{5, 5, 5, 6}));
  EXPECT_EQ(log.cycles(Signal::retire), (std::vector<Cycle>{9, 9, 9, 10}));
  EXPECT_EQ(log.count(Signal::operation_retire), 4u);
  EXPECT_EQ(log.end(), 11u);
  EXPECT_EQ(log.retired(), 4u);
}

TEST(Pipeline, RetireWidth) {
  EXPECT_EQ(run(Script().add(4, "90"), plain({{"core.retire_width", 1}})).cycles(Signal::retire),
            (std::vector<Cycle>{9, 10, 11, 12}));
  EXPECT_EQ(run(Script().add(4, "90"), plain({{"core.retire_width", 2}})).cycles(Signal::retire),
            (std::vector<Cycle>{9, 9, 10, 10}));
}

// From the clock of an instruction's first part to that of its last result; one clock of address, two to the probe.
TEST(Pipeline, StartsAndFinishes) {
  const TraceLog simple = run(Script().add(4, "90"));
  EXPECT_EQ(simple.cycles(Signal::issue), (std::vector<Cycle>{7, 7, 7, 8}));
  EXPECT_EQ(simple.cycles(Signal::finish), (std::vector<Cycle>{8, 8, 8, 9}));
  // A load of 20 clocks, an addition that waits for it, and an operation that overtakes both.
  const TraceLog waits = run(std::string(slow_load(20)) + hit(0x1002, "01c1") + hit(0x1004, "90"));
  const auto started = waits.of(Signal::issue), finished = waits.of(Signal::finish);
  ASSERT_EQ(started.size(), 3u);
  ASSERT_EQ(finished.size(), 3u);
  EXPECT_EQ(waits.cycles(Signal::issue), (std::vector<Cycle>{7, 7, 27}));
  EXPECT_EQ(waits.cycles(Signal::finish), (std::vector<Cycle>{8, 27, 28}));
  EXPECT_EQ(started[1].instruction.ip, 0x1004u);
  EXPECT_EQ(finished[0].instruction.ip, 0x1004u);
  EXPECT_EQ(waits.cycles(Signal::retire), (std::vector<Cycle>{28, 29, 29}));
}

TEST(Pipeline, OneWindowAClock) {
  // 8 bytes of the first window, 16 of the second, 1 of the third.
  const TraceLog log = run(Script(0x1008).add(25, "90"));
  EXPECT_EQ(log.cycles(Signal::fetch), (std::vector<Cycle>{0, 1, 2}));
  EXPECT_EQ(log.count(Signal::fetch, d::lookup_hit), 3u);
}

TEST(Pipeline, DecoderEmptyUntilTheFirstLineAndBehindTheLast) {
  const TraceLog log = run(Script().add(3, "90"));  // one line, offered in cycle 5; the run ends in cycle 10
  EXPECT_EQ(log.cycles_with(State::decoder_empty, 1), log.end() - 1);
  EXPECT_EQ(log.at(State::decoder_empty, 5), 0u);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, ~0ull), 0u);
}

TEST(Pipeline, MispredictionCostsTenClocksFromItsResolve) {
  // je over 0x20 bytes, unknown to the BTB, taken: execute 7, resolve 8, refetch 13, dispatch 18, retire 22.
  const TraceLog log = run(hit(0x1000, "741e", "T 1020") + hit(0x1020, "90"), plain({{"core.wrong_path", 0}}));
  const auto resolved = log.of(Signal::branch_resolved);
  ASSERT_EQ(resolved.size(), 1u);
  EXPECT_EQ(resolved[0].cycle, 8u);
  EXPECT_EQ(resolved[0].detail & d::branch_correct, 0u);
  EXPECT_EQ(log.cycles(Signal::dispatch), (std::vector<Cycle>{5, 18}));
  const auto retired = log.of(Signal::retire);
  ASSERT_EQ(retired.size(), 2u);
  EXPECT_TRUE(retired[0].instruction.mispredicted);
  EXPECT_TRUE(retired[0].instruction.taken);
  EXPECT_EQ(retired[0].instruction.next_ip, 0x1020u);
  EXPECT_EQ(retired[1].cycle, 22u);
}

TEST(Pipeline, ForcedPredictionMakesTheBranchFree) {
  // Predicted taken: the next window is fetched two clocks later (one bubble), dispatched in 2 + 5.
  const TraceLog log =
      run(hit(0x1000, "741e", "T 1020 mispredict=none") + hit(0x1020, "90"), plain({{"core.wrong_path", 0}}));
  EXPECT_EQ(log.cycles(Signal::fetch), (std::vector<Cycle>{0, 2}));
  EXPECT_EQ(log.cycles(Signal::dispatch), (std::vector<Cycle>{5, 7}));
  EXPECT_FALSE(log.of(Signal::retire)[0].instruction.mispredicted);
}

TEST(Pipeline, DirectJumpUnknownToTheBtbWaitsForDecode) {
  const TraceLog log = run(hit(0x1000, "eb1e", "T 1020") + hit(0x1020, "90"));
  EXPECT_EQ(log.cycles(Signal::fetch), (std::vector<Cycle>{0, 5}));  // 1 + 4
  EXPECT_FALSE(log.of(Signal::retire)[0].instruction.mispredicted);
  EXPECT_TRUE(log.of(Signal::retire)[0].instruction.taken);
}

TEST(Pipeline, RepeatedStringIsOneInstruction) {
  // Three iterations, and the line that finds the count exhausted.
  std::string text;
  for (unsigned i = 0; i < 3; ++i) {
    const std::string at = std::to_string(2000 + i);
    text += hit(0x1000, "f3a4", "L " + at + " 1 S 3" + at.substr(1) + " 1 T 1000 dtlb=hit data=l1");
  }
  text += hit(0x1000, "f3a4") + hit(0x1002, "90");
  const TraceLog log = run(text);
  const auto retired = log.of(Signal::retire);
  ASSERT_EQ(retired.size(), 2u);
  EXPECT_EQ(log.retired(), 2u);
  EXPECT_EQ(retired[0].instruction.id, 0u);
  EXPECT_EQ(retired[1].instruction.id, 1u);
  EXPECT_EQ(log.count(Signal::dispatch), 2u);
  EXPECT_EQ(log.count(Signal::dcache_lookup), 6u);
  EXPECT_EQ(log.count(Signal::operation_retire), retired[0].instruction.operations + 1u);
  EXPECT_EQ(log.count(Signal::iteration_retire), 3u);
}

TEST(Pipeline, MacroOperationsOfTwoOperations) {
  const auto doubles = [](const std::string& bytes, const std::string& access) {
    const TraceLog log = run(Script().add(bytes, access + " dtlb=hit data=l1"));
    EXPECT_EQ(log.count(Signal::operation_retire), 1u);
    return log.of(Signal::operation_retire).at(0).detail;
  };
  EXPECT_EQ(doubles("01c3", ""), 0u);          // add ebx,eax
  EXPECT_EQ(doubles("8b03", "L 8000 4"), 0u);  // mov eax,[ebx]: only an address
  EXPECT_EQ(doubles("0303", "L 8000 4"), 1u);  // add eax,[ebx]
  EXPECT_EQ(doubles("8903", "S 8000 4"), 1u);  // mov [ebx],eax: the address and the data
}

TEST(Hold, BranchAbort) {
  // The load is ready in 67 and retires in 68 with the branch, which resolved in 8; the correct path is offered
  // in 18: held 18..67.
  const TraceLog log = run(slow_load(60).go("741e", 0x1022).add("90"), plain({{"core.wrong_path", 0}}));
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, hold::branch_abort), 50u);
  EXPECT_EQ(log.at(State::dispatch_hold, 18), hold::branch_abort);
  // Also when no instruction waits: 8..67.
  const TraceLog any =
      run(slow_load(60).go("741e", 0x1022).add("90"), plain({{"core.wrong_path", 0}, {"core.stall_causes", 1}}));
  EXPECT_EQ(any.cycles_with(State::dispatch_hold, hold::branch_abort), 60u);
  EXPECT_EQ(any.at(State::decoder_empty, 17), 1u);
  EXPECT_EQ(log.cycles(Signal::retire)[0], 68u);
}

// GMP, mpn/x86/k7/README: the multiplier is attached to IEU0. MUL and the additions of edi (station 0) and ebp (station
// 1) wait for the same cycle.
TEST(Stations, AProductOfTwoWordsComputesInTheFirstOne) {
  const std::string loads = " L 1000 4 dtlb=hit data=l1 lat=60";
  const Script script = Script().add("8b03", loads).add("8b33", loads).add("90").add("f7e1").add("01f7").add("01f5");
  const std::vector<Cycle> starts = run(script).cycles(Signal::issue);
  EXPECT_EQ(std::vector<Cycle>(starts.end() - 2, starts.end()), (std::vector<Cycle>{67, 68}));
}

TEST(Stations, AStoreTakesNoTimeOfTheAluForItsData) {
  // The store of eax and the addition are in station 0.
  const Script script = slow_load(60).add(2, "90").add("8903", "S 2000 4 dtlb=hit data=l1").add(2, "90").add("01c1");
  EXPECT_EQ(run(script).cycles(Signal::issue).back(), 67u);
}

TEST(Hold, ReorderBufferFull) {
  // 24 lines dispatch in 5..28, the 25th is offered in 29; the load is ready in 207, retires in 208.
  const std::string text = slow_load(200).add(73, "90");
  const TraceLog log = run(text);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, hold::reorder_buffer_full), 208u - 29u);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, ~hold::reorder_buffer_full), 0u);
}

TEST(Hold, ReservationStationFull) {
  // Adds of eax wait for the load. Stations 1 and 2 hold six each after line 6 (cycle 10); line 7 is offered in 11. The
  // first add starts in station 1 in 207, the next one in station 2 in 208; its entry is free a clock later.
  const std::string text = slow_load(200).add(20, "01c0");
  const TraceLog log = run(text);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, hold::reservation_full), 209u - 11u);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, ~hold::reservation_full), 0u);
  const TraceLog at_once = run(text, plain({{"core.entry_release", 0}}));
  EXPECT_EQ(at_once.cycles_with(State::dispatch_hold, hold::reservation_full), 208u - 11u);
}

TEST(Hold, FloatingPointSchedulerFull) {
  // fld and 35 dependent fadds fill 36 entries with line 12 (cycle 16); line 13, one fadd, is offered in 17.
  // The fld's data arrives in 207; then it starts, and its entry is free in 208.
  const std::string text = Script().add("d903", "L 1000 4 dtlb=hit data=l1 lat=200").add(36, "d8c1");
  const TraceLog log = run(text);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, hold::fp_full), 208u - 17u);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, ~hold::fp_full), 0u);
  const TraceLog late = run(text, plain({{"core.entry_release", 3}}));
  EXPECT_EQ(late.cycles_with(State::dispatch_hold, hold::fp_full), 210u - 17u);
}

TEST(Hold, LoadStoreQueueFull) {
  // 13 loads from [eax] after the load of eax. Lines 1..4 (cycles 5..8) contain 12 accesses, of which the first is
  // probed in 9. Line 5 contains two more, one too many, and is offered in 9. Addresses execute in 207; probes resume
  // in 209, two a clock.
  const std::string text = slow_load(200).add(13, "8b08", "L 1040 4 dtlb=hit data=l1");
  const TraceLog log = run(text);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, hold::load_store_full), 209u - 9u);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, ~hold::load_store_full), 0u);
}

TEST(Hold, NeedsSomethingToDispatch) {
  const auto file = PMUSIM_SOURCE_DIR "/isa-traces/recorded/i386-units.pmt";
  const TraceLog log = run(*core::make_athlon(trace::open(file), core::athlon_parameters()));
  const auto& holds = log.changes(State::dispatch_hold);
  std::size_t last = 0;
  for (const auto& [cycle, empty] : log.changes(State::decoder_empty)) {
    while (last + 1 < holds.size() && holds[last + 1].first <= cycle) ++last;
    EXPECT_TRUE(empty == 0 || holds[last].second == 0) << "cycle " << cycle;
  }
}

TEST(Hold, SerializingInstruction) {
  // cpuid is offered in 6 and waits for the nop's retirement in 9 (all quiet: 6, 7, 8). Its L lines dispatch in
  // 9..8+L, its last operation executes in 10+L for 36 clocks and retires in 47+L; the nop after is offered in 9+L.
  const TraceLog log = run(Script().add("90").add("0fa2").add("90"));
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, hold::all_quiet), 3u);
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, hold::serialize), 38u);
  EXPECT_EQ(log.cycles(Signal::dispatch)[1], 9u);
}

// Prefixes beyond three and microcode keep the decoder: nothing is offered, and the decoder is not empty.
TEST(Decode, PrefixesAndMicrocodeTakeTime) {
  const auto distance = [](const std::string& first) {
    const std::vector<Cycle> cycles = run(Script().add(first).add("90")).cycles(Signal::dispatch);
    return cycles.at(1) - cycles.at(0);
  };
  EXPECT_EQ(distance("66666690"), 0u);
  EXPECT_EQ(distance("6666666690"), 1u);              // alone in its line
  EXPECT_EQ(distance("6666666666666666666690"), 3u);  // ten prefixes
  EXPECT_EQ(distance("0fa5d0"), 3u);                  // shld eax,edx,cl: one line, three clocks
  EXPECT_EQ(distance("0fa4d003"), 2u);                // by an immediate
  EXPECT_EQ(distance("0fd7c0"), 2u);                  // pmovmskb: two and a half clocks
  EXPECT_EQ(run(Script().add("0fd7c0").add("0fd7c0").add("90")).cycles(Signal::dispatch),
            (std::vector<Cycle>{5, 7, 10}));
  const TraceLog log = run(Script().add("0fa5d0").add("90"));
  const auto empty = [&](Cycle cycle) { return log.at(State::decoder_empty, cycle); };
  EXPECT_EQ(std::vector<std::uint64_t>({empty(4), empty(5), empty(6), empty(7), empty(8), empty(9)}),
            std::vector<std::uint64_t>({1, 0, 0, 0, 0, 1}));
}

TEST(Hold, SegmentLoad) {
  // L lines dispatch in 5..4+L; the last operation executes in 6+L and takes 8. The nop waits from 5+L to 13+L.
  const TraceLog log = run(Script().add("8ed8").add("90"));
  const auto loads = log.of(Signal::segment_load);
  ASSERT_EQ(loads.size(), 1u);
  EXPECT_EQ(loads[0].detail, static_cast<std::uint16_t>(activity::SegmentRegister::ds));
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, hold::segment_load), 9u);
  EXPECT_EQ(log.cycles(Signal::dispatch)[1], loads[0].cycle + 8);
}

TEST(Hold, FarTransferPending) {
  // int 80h; nop; jmp back, twice, so that the second time the nop after the int is known and offered. It is held from
  // the clock after the int's last line until the int retires and restarts fetch.
  const std::string loop = hit(0x1000, "cd80") + hit(0x1002, "90");
  const TraceLog log = run(loop + hit(0x1003, "ebfb", "T 1000") + loop);
  const auto retired = log.of(Signal::retire);
  ASSERT_EQ(retired.size(), 5u);
  EXPECT_TRUE(retired[3].instruction.has(activity::Trait::far_transfer));
  const auto dispatched = log.of(Signal::dispatch);
  Cycle start = 0;
  for (const LoggedOccurrence& h : dispatched) {
    if (h.instruction.id == 3) start = h.cycle;
  }
  const Cycle lines = (retired[3].instruction.operations + 2u) / 3u;
  EXPECT_EQ(log.cycles_with(State::dispatch_hold, hold::far_or_resync), retired[3].cycle - (start + lines));
  EXPECT_GE(log.cycles_with(State::dispatch_hold, hold::far_or_resync), 30u);
  EXPECT_EQ(log.count(Signal::segment_load), 2u);  // CS, both times
}

}  // namespace
}  // namespace pmusim::testbench::athlon
