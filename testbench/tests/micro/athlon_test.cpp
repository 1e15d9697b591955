// Counts of the Athlon micro-traces. athlon_programs.py describes what they execute.
#include <gtest/gtest.h>

#include "run.h"

namespace pmusim::micro {
namespace {

// Only the effects of the trace itself: no next-line prefetch, no page walks in L2, no wrong path.
const Settings bare = {{"core.instruction_prefetch", "off"}, {"core.walk_in_l2", "off"}, {"core.wrong_path", "off"}};

TraceRun run(const std::string& trace, const Settings& settings = bare) { return TraceRun("athlon", trace, settings); }

oracle::Request compare(const std::string& event, std::uint32_t threshold, bool invert, bool edge) {
  oracle::Request request = ask(event);
  request.threshold = threshold;
  request.invert = invert;
  request.edge = edge;
  return request;
}

TEST(Athlon, StraightLine) {
  TraceRun r = run("straight");
  const std::uint64_t instructions = 32, bytes = 3 * instructions;
  r.expect("RETIRED_INSTRUCTIONS", instructions);
  r.expect("RETIRED_UOPS", instructions);  // DirectPath: one each
  r.expect("RETIRED_BRANCH_INSTRUCTIONS", 0);
  r.expect("CPU_CLK_UNHALTED", r.cycles());
  r.expect("INSTRUCTION_CACHE_FETCHES", bytes / 16);
  r.expect("INSTRUCTION_CACHE_MISSES", 2);
  r.expect("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", 2);
  r.expect("INSTRUCTION_CACHE_REFILLS_FROM_L2", 0);
  r.expect("L1_ITLB_MISS_AND_L2_ITLB_MISS", 1);
  r.expect("L1_ITLB_MISS_AND_L2_ITLB_HIT", 0);
  r.expect("DATA_CACHE_ACCESSES", 0);
}

// At most three retire in a clock, so the clocks with at least 1, 2 and 3 add up to the instructions.
TEST(Athlon, CounterMask) {
  TraceRun r = run("straight");
  const auto clocks = [&](std::uint32_t mask, bool invert) {
    return r.count(compare("RETIRED_INSTRUCTIONS", mask, invert, false));
  };
  EXPECT_EQ(clocks(1, false) + clocks(2, false) + clocks(3, false), 32u);
  EXPECT_GT(clocks(3, false), 0u);
  EXPECT_EQ(clocks(4, false), 0u);
  for (const std::uint32_t mask : {1u, 2u, 3u, 4u, 255u}) {
    EXPECT_EQ(clocks(mask, false) + clocks(mask, true), r.cycles()) << mask;
  }
}

TEST(Athlon, Privilege) {
  TraceRun r = run("privilege");
  const auto retired = [&](bool user, bool kernel, std::uint64_t expected) {
    oracle::Request request = ask("RETIRED_INSTRUCTIONS");
    request.user = user;
    request.kernel = kernel;
    r.expect(request, expected);
  };
  retired(true, true, 1 + 2 + 4 + 8);
  retired(true, false, 1 + 4 + 8);
  retired(false, true, 2);
  retired(false, false, 0);
}

TEST(Athlon, Idle) {
  TraceRun shorter = run("idle_100"), longer = run("idle_300");
  for (const char* event : {"CPU_CLK_UNHALTED", "INSTRUCTION_FETCH_STALL_CYCLES", "INSTRUCTION_DECODER_EMPTY"}) {
    EXPECT_EQ(longer.count(event) - shorter.count(event), 200u) << event;
  }
}

TEST(Athlon, Halt) {
  TraceRun shorter = run("halt_300"), longer = run("halt_500");
  EXPECT_EQ(longer.cycles() - shorter.cycles(), 200u);
  EXPECT_EQ(longer.count("CPU_CLK_UNHALTED"), shorter.count("CPU_CLK_UNHALTED"));
  longer.expect("CPU_CLK_UNHALTED", longer.cycles() - 500);
  longer.expect(compare("CPU_CLK_UNHALTED", 0, false, true), 1);  // the edge detector holds its state through the halt
}

TEST(Athlon, CodeLines) {
  TraceRun two = run("code_set_2"), three = run("code_set_3");
  two.expect("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", 2);
  two.expect("INSTRUCTION_CACHE_REFILLS_FROM_L2", 0);
  three.expect("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", 3);
  three.expect("INSTRUCTION_CACHE_REFILLS_FROM_L2", 1);  // the first line, evicted by the third
  three.expect("INSTRUCTION_CACHE_MISSES", 3 + 1);
  three.expect("L2_REQUESTS:INSTRUCTION_READ", 1);
  three.expect("L2_REQUESTS:TAG_READ", 3 + 1);
}

TEST(Athlon, CodePages) {
  TraceRun sixteen = run("code_pages_16"), seventeen = run("code_pages_17");
  sixteen.expect("L1_ITLB_MISS_AND_L2_ITLB_MISS", 16);
  sixteen.expect("L1_ITLB_MISS_AND_L2_ITLB_HIT", 0);
  seventeen.expect("L1_ITLB_MISS_AND_L2_ITLB_MISS", 17);
  seventeen.expect("L1_ITLB_MISS_AND_L2_ITLB_HIT", 17);
}

TEST(Athlon, SegmentRegisters) {
  TraceRun r = run("segments");
  const std::string event = "SEGMENT_REGISTER_LOADS:";
  r.expect(event + "ES", 2);
  r.expect(event + "SS", 1);
  r.expect(event + "DS", 2);
  r.expect(event + "FS", 3);
  r.expect(event + "GS", 1);
  r.expect(event + "CS", 1);
  r.expect(event + "HS", 0);
  r.expect(event + "ALL", 2 + 1 + 2 + 3 + 1 + 1);
  r.expect("RETIRED_FAR_CONTROL_TRANSFERS", 1);
}

TEST(Athlon, SelfModifyingCode) {
  TraceRun r = run("self_modifying");
  r.expect("STORES_TO_ACTIVE_INSTRUCTION_STREAM", 1);
  r.expect("RETIRED_BRANCH_RESYNCS", 1);
  r.expect("SNOOP_RESYNCS", 0);
  r.expect("RETIRED_INSTRUCTIONS", 2 + 8 + 1);  // the resync counts as one instruction
  // The store removes the line from the instruction cache; the next fetch takes it back.
  r.expect("INTERNAL_CACHE_LINE_INVALIDATES:D_INVALIDATES_I", 1);
  r.expect("INTERNAL_CACHE_LINE_INVALIDATES:I_INVALIDATES_D", 1);
  r.expect("INTERNAL_CACHE_LINE_INVALIDATES:ALL", 2);
}

TEST(Athlon, Aliases) {
  TraceRun data = run("data_alias"), code = run("code_alias");
  data.expect("INTERNAL_CACHE_LINE_INVALIDATES:D_INVALIDATES_D", 1);
  data.expect("INTERNAL_CACHE_LINE_INVALIDATES:ALL", 1);
  code.expect("INTERNAL_CACHE_LINE_INVALIDATES:I_INVALIDATES_I", 1);
  code.expect("INTERNAL_CACHE_LINE_INVALIDATES:ALL", 1);
}

TEST(Athlon, SnoopResync) {
  TraceRun read = run("snoop_code_read"), invalidate = run("snoop_code_invalidate");
  read.expect("SNOOP_RESYNCS", 0);
  invalidate.expect("SNOOP_RESYNCS", 1);
  invalidate.expect("RETIRED_BRANCH_RESYNCS", 1);
  invalidate.expect("STORES_TO_ACTIVE_INSTRUCTION_STREAM", 0);
}

// Of four-byte loads at the offsets 0 to 7, those at 5, 6 and 7 cross the eight-byte boundary.
TEST(Athlon, Alignment) {
  TraceRun r = run("alignment");
  r.expect("MISALIGNED_ACCESSES", 3);
  r.expect("DATA_CACHE_ACCESSES", 8 + 3 + 2);  // the addition to memory both loads and stores
  r.expect("DATA_CACHE_MISSES", 1);
  r.expect("RETIRED_INSTRUCTIONS", 9);
}

// Two probes per clock: both halves of the first load, then the second load with one half of the third.
TEST(Athlon, SplitLoads) {
  TraceRun r = run("split_loads");
  r.expect("MISALIGNED_ACCESSES", 2);
  r.expect("DATA_CACHE_ACCESSES", 1 + 2 + 1 + 2);
  // Probes of the three loads in successive clocks: 1, 1 + 1, 1, 1.
  r.expect(compare("DATA_CACHE_ACCESSES", 2, false, false), 1);
}

// The load's first probe is in the same clock as the store's; then the store retires, and the load restarts with both
// probes.
TEST(Athlon, SplitRestart) {
  TraceRun r = run("split_restart");
  r.expect("STORES_TO_ACTIVE_INSTRUCTION_STREAM", 1);
  r.expect("RETIRED_BRANCH_RESYNCS", 1);
  r.expect("MISALIGNED_ACCESSES", 2);
  r.expect("DATA_CACHE_ACCESSES", 1 + 1 + 2);
}

TEST(Athlon, Modes) {
  const unsigned real = 1, virtual_8086 = 2, management = 4, user = 8;
  const auto check = [&](const Settings& settings, std::uint64_t user_level, std::uint64_t kernel_level) {
    Settings all = bare;
    all.insert(all.end(), settings.begin(), settings.end());
    TraceRun r = run("modes", all);
    oracle::Request request = ask("RETIRED_INSTRUCTIONS");
    request.user = true;
    request.kernel = false;
    r.expect(request, user_level);
    std::swap(request.user, request.kernel);
    r.expect(request, kernel_level);
  };
  check({}, virtual_8086 + user, real + management);
  check({{"pmu.real_privilege", "usr"}}, real + virtual_8086 + user, management);
  check({{"pmu.v86_privilege", "os"}}, user, real + virtual_8086 + management);
  check({{"pmu.smm_privilege", "neither"}}, virtual_8086 + user, real);
}

TEST(Athlon, TwoWays) {
  TraceRun r = run("loads_2");
  r.expect("DATA_CACHE_MISSES", 2);
  r.expect("DATA_CACHE_LINES_EVICTED:ALL", 0);
  r.expect("DATA_CACHE_REFILLS_FROM_SYSTEM:ALL", 2);
}

// Three lines in two ways, then the first again: lines 1 and 2 are evicted, line 1 is refilled from L2.
void three_lines(const std::string& trace, const std::string& first, const std::string& others) {
  TraceRun r = run(trace);
  const std::string found = "DATA_CACHE_REFILLS:L2_",
                    system = "DATA_CACHE_REFILLS_FROM_SYSTEM:", evicted = "DATA_CACHE_LINES_EVICTED:";
  r.expect("DATA_CACHE_MISSES", 3 + 1);
  r.expect("DATA_CACHE_REFILLS:ALL", 3 + 1);
  r.expect(found + "INVALID", 3);
  r.expect(system + "ALL", 3);
  r.expect(evicted + "ALL", 2);
  r.expect(evicted + "INVALID", 0);
  for (const std::string state : {"SHARED", "EXCLUSIVE", "OWNED", "MODIFIED"}) {
    const std::uint64_t is_first = state == first ? 1 : 0, is_other = state == others ? 1 : 0;
    r.expect(found + state, is_first);
    r.expect(system + state, is_first + 2 * is_other);
    r.expect(evicted + state, is_first + is_other);
  }
  const bool stores = others == "MODIFIED";
  r.expect("L2_REQUESTS:LOAD_READ", stores ? 0 : 1);
  r.expect("L2_REQUESTS:STORE_READ", stores ? 1 : 0);
  r.expect("L2_REQUESTS:DC_WRITE", 2);
}
TEST(Athlon, ThreeLinesExclusive) { three_lines("loads_3", "EXCLUSIVE", "EXCLUSIVE"); }
TEST(Athlon, ThreeLinesModified) { three_lines("stores_3", "MODIFIED", "MODIFIED"); }
TEST(Athlon, ThreeLinesShared) { three_lines("shared_3", "SHARED", "EXCLUSIVE"); }
TEST(Athlon, ThreeLinesOwned) { three_lines("owned_3", "OWNED", "EXCLUSIVE"); }

// The first line is filled from the system in the given state and is evicted to L2 in it; no line is refilled.
TEST(Athlon, LinesThatLeaveForGood) {
  for (const std::string state : {"SHARED", "OWNED"}) {
    TraceRun r = run(state == "SHARED" ? "shared_leaves" : "owned_leaves");
    r.expect("DATA_CACHE_REFILLS_FROM_SYSTEM:" + state, 1);
    r.expect("DATA_CACHE_REFILLS_FROM_SYSTEM:ALL", 3);
    r.expect("DATA_CACHE_REFILLS:L2_" + state, 0);
    r.expect("DATA_CACHE_LINES_EVICTED:" + state, 1);
    r.expect("DATA_CACHE_LINES_EVICTED:ALL", 3 - 2);
  }
}

// A line invalidated by another agent is not a victim.
TEST(Athlon, LinesTakenAway) {
  TraceRun r = run("taken_away");
  for (const char* state : {"SHARED", "OWNED", "EXCLUSIVE"}) {
    r.expect(std::string("DATA_CACHE_REFILLS_FROM_SYSTEM:") + state, 1);
    r.expect(std::string("DATA_CACHE_LINES_EVICTED:") + state, 0);
  }
  r.expect("SNOOP_HITS:DC", 2);
}

// Lines brought into L2 by data accesses serve the instruction cache, and do not count as refills of the data cache.
TEST(Athlon, CodeFromDataLines) {
  TraceRun r = run("code_from_data");
  r.expect("INSTRUCTION_CACHE_REFILLS_FROM_L2", 2);
  r.expect("L2_REQUESTS:INSTRUCTION_READ", 2);
  r.expect("DATA_CACHE_LINES_EVICTED:EXCLUSIVE", 1);
  r.expect("DATA_CACHE_LINES_EVICTED:OWNED", 1);
  r.expect("DATA_CACHE_REFILLS:L2_INVALID", 2 * 3);
  r.expect("DATA_CACHE_REFILLS:ALL", 2 * 3);
}

// A prefetch looks up a line like a load.
TEST(Athlon, Prefetches) {
  TraceRun r = run("prefetches");
  r.expect("DATA_CACHE_ACCESSES", 5);
  r.expect("DATA_CACHE_MISSES", 4);
  r.expect("DATA_CACHE_REFILLS_FROM_SYSTEM:EXCLUSIVE", 4);
  r.expect("MISALIGNED_ACCESSES", 0);  // a prefetch names a line, not an operand
}

TEST(Athlon, CancelledFill) {
  TraceRun r = run("cancelled");
  r.expect("DATA_CACHE_REFILLS_FROM_SYSTEM:INVALID", 1, 2);  // the second load also misses
}

// Four data lookups and those of the code lines; code from the system is written to L2, and so are victims.
TEST(Athlon, L2Requests) {
  TraceRun r = run("loads_3");
  const std::uint64_t code = r.count("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM");
  r.expect("L2_REQUESTS:TAG_READ", 3 + 1 + code);
  const std::uint64_t writes = r.count("L2_REQUESTS:DC_WRITE") + r.count("L2_REQUESTS:SYSTEM_WRITE");
  r.expect("L2_REQUESTS:SYSTEM_WRITE", code);
  r.expect("L2_REQUESTS:TAG_WRITE", writes, writes + 1);  // possibly one more when a line leaves L2
  r.expect("L2_REQUESTS:L2_WRITE", 0);
  std::uint64_t sum = 0;
  for (const char* mask : {"TAG_READ", "TAG_WRITE", "INSTRUCTION_READ", "LOAD_READ", "STORE_READ", "SYSTEM_WRITE",
                           "DC_WRITE", "L2_WRITE"}) {
    sum += r.count(std::string("L2_REQUESTS:") + mask);
  }
  r.expect("L2_REQUESTS:ALL", sum);
  // The first store to each of three pages sets its dirty bit in the page table.
  TraceRun stores = run("stores_3", {{"core.instruction_prefetch", "off"}});
  stores.expect("L2_REQUESTS:L2_WRITE", 3);
}

TEST(Athlon, WaitForL2) {
  TraceRun one = run("from_l2_1"), two = run("from_l2_2");
  Settings slower = bare;
  slower.emplace_back("core.l2_transfer", "12");
  TraceRun two_slower = run("from_l2_2", slower);
  one.expect("CYCLES_FILL_REQUEST_WAITED_FOR_L2", 0);
  EXPECT_GT(two.count("CYCLES_FILL_REQUEST_WAITED_FOR_L2"), 0u);
  // The second request waits while the first uses the port: 12 cycles instead of 8.
  EXPECT_EQ(two_slower.count("CYCLES_FILL_REQUEST_WAITED_FOR_L2") - two.count("CYCLES_FILL_REQUEST_WAITED_FOR_L2"),
            12u - 8u);
}

TEST(Athlon, EccErrors) {
  TraceRun r = run("ecc");
  const std::string event = "SINGLE_BIT_ECC_ERRORS_DETECTED_CORRECTED:";
  r.expect(event + "SYSTEM", 1);
  r.expect(event + "L2", 1);
  r.expect(event + "ALL", 2);
  run("loads_3").expect(event + "ALL", 0);
  TraceRun system = run("ecc_system_2");
  system.expect(event + "SYSTEM", 2);
  system.expect(event + "L2", 0);
}

TEST(Athlon, DataPages) {
  TraceRun all = run("data_pages_24"), one_more = run("data_pages_25");
  all.expect("L1_DTLB_AND_L2_DTLB_MISS", 24);
  all.expect("L1_DTLB_MISS_AND_L2_DTLB_HIT", 0);
  one_more.expect("L1_DTLB_AND_L2_DTLB_MISS", 25);
  one_more.expect("L1_DTLB_MISS_AND_L2_DTLB_HIT", 25);
}

TEST(Athlon, MemoryTypes) {
  TraceRun r = run("memory_types");
  const std::string event = "SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE:";
  const std::uint64_t code = r.count("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM");
  r.expect(event + "UC", 3);
  r.expect(event + "WC", 1);
  r.expect(event + "WT", 2);
  r.expect(event + "WP", 2);
  r.expect(event + "WB", 4 + code);
  r.expect(event + "ALL", 3 + 1 + 2 + 2 + 4 + code);
  r.expect("DRAM_SYSTEM_REQUESTS", 1 + 2 + 2 + 4 + code);  // the accesses to uncacheable memory go to a device
}

TEST(Athlon, WriteThroughAndWriteProtected) {
  TraceRun r = run("through_and_protected");
  r.expect("SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE:WT", 1);
  r.expect("SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE:WP", 3);
}

// Both L1 caches have requested the line from the system, code first: L2 has it, too, but counts only lines that L1D
// does not have.
TEST(Athlon, SnoopHitsEverywhere) {
  TraceRun r = run("probe_code_and_data", {{"core.wrong_path", "off"}});  // with the next-line prefetch
  r.expect("SNOOP_HITS:IC", 1);
  r.expect("SNOOP_HITS:DC", 1);
  r.expect("SNOOP_HITS:L2", 0);
  r.expect("SNOOP_HITS:ALL", 1);
}

TEST(Athlon, SnoopHits) {
  TraceRun data = run("probe_data"), l2 = run("probe_l2"), code = run("probe_code"), nothing = run("probe_nothing");
  data.expect("SNOOP_HITS:DC", 1);
  data.expect("SNOOP_HITS:L2", 0);
  data.expect("SNOOP_HITS:IC", 0);
  data.expect("SNOOP_HITS:ALL", 1);
  l2.expect("SNOOP_HITS:DC", 0);
  l2.expect("SNOOP_HITS:L2", 1);
  l2.expect("SNOOP_HITS:ALL", 1);
  code.expect("SNOOP_HITS:IC", 1);
  code.expect("SNOOP_HITS:DC", 0);
  code.expect("SNOOP_HITS:ALL", 1);  // a probe is one hit, no matter which cache it hits
  nothing.expect("SNOOP_HITS:ALL", 0);
}

TEST(Athlon, ReturnStack) {
  TraceRun twelve = run("calls_12"), thirteen = run("calls_13");
  twelve.expect("RETURN_STACK_OVERFLOW", 0);
  twelve.expect("RETURN_STACK_HITS", 12);
  twelve.expect("RETIRED_NEAR_RETURNS", 12);
  twelve.expect("RETIRED_NEAR_RETURNS_MISPREDICTED", 0);
  thirteen.expect("RETURN_STACK_OVERFLOW", 1);
  thirteen.expect("RETURN_STACK_HITS", 12);
  thirteen.expect("RETIRED_NEAR_RETURNS", 13);
  thirteen.expect("RETIRED_NEAR_RETURNS_MISPREDICTED", 1);
  thirteen.expect("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 13 + 13);
}

// A branch that misses in the target buffer is predicted to fall through.
TEST(Athlon, ColdBranches) {
  TraceRun r = run("branches");
  r.expect("RETIRED_BRANCH_INSTRUCTIONS", 4 + 3 + 3 + 2);
  r.expect("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 4 + 3 + 2);
  r.expect("RETIRED_INDIRECT_BRANCHES_WITH_TARGET_MISPREDICTED", 2);  // A cold, A known, B instead of A
  r.expect("RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", 4 + 2);
  r.expect("RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", 4 + 2);
}

TEST(Athlon, ForcedBranches) {
  TraceRun r = run("forced_branches");
  r.expect("RETIRED_BRANCH_INSTRUCTIONS", 7);
  r.expect("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 4);
  r.expect("RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", 2 + 1);
  r.expect("RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", 2);
}

TEST(Athlon, Breakpoints) {
  TraceRun r = run("loop");
  const auto matches = [&](unsigned number, std::uint64_t address, std::uint32_t kind, std::uint32_t length) {
    oracle::Request request = ask("BREAKPOINT_MATCHES_FOR_DR" + std::to_string(number));
    request.address = address;
    request.breakpoint = kind | length << oracle::breakpoint_length_shift;
    return r.count(request);
  };
  for (unsigned number = 0; number < 4; ++number) {
    EXPECT_EQ(matches(number, 0x8048001, oracle::breakpoint_execute, 1), 10u);  // first instruction of the loop
    EXPECT_EQ(matches(number, 0x8048000, oracle::breakpoint_execute, 1), 1u);
    EXPECT_EQ(matches(number, 0x8048002, oracle::breakpoint_execute, 1), 0u);  // in the middle of an instruction
    EXPECT_EQ(matches(number, 0x8100008, oracle::breakpoint_write, 4), 10u);
    EXPECT_EQ(matches(number, 0x8100000, oracle::breakpoint_write, 4), 0u);  // only loaded, never stored
    EXPECT_EQ(matches(number, 0x8100000, oracle::breakpoint_read_write, 1), 10u);
    EXPECT_EQ(matches(number, 0x810000b, oracle::breakpoint_read_write, 1), 10u);  // last byte of the store
    EXPECT_EQ(matches(number, 0x810000c, oracle::breakpoint_read_write, 4), 0u);   // first byte after the store
  }
}

// INT and five IRET are instructions; an exception, an interrupt, an NMI and an SMI are counted in addition.
TEST(Athlon, FarTransfersAndInterrupts) {
  TraceRun r = run("transfers");
  const std::uint64_t lines = 1 + 4 + 4 * 3 + 2, far = 1 + 5, traps = 4, into = 1;  // INTO without overflow: none
  r.expect("RETIRED_INSTRUCTIONS", lines + traps);
  r.expect("RETIRED_FAR_CONTROL_TRANSFERS", far + traps);
  r.expect("RETIRED_BRANCH_INSTRUCTIONS", far + traps + into);
  r.expect("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", far + traps);
  r.expect("RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", 0);
  r.expect("INTERRUPTS_TAKEN", 3);
  Settings other = bare;
  other.emplace_back("pmu.far_with_traps", "no");
  other.emplace_back("pmu.branches_with_traps", "no");
  other.emplace_back("pmu.instructions_with_traps", "no");
  TraceRun without = run("transfers", other);
  without.expect("INTERRUPTS_TAKEN", 3);
  without.expect("RETIRED_FAR_CONTROL_TRANSFERS", far);
  without.expect("RETIRED_BRANCH_INSTRUCTIONS", far + into);
  without.expect("RETIRED_INSTRUCTIONS", lines);
}

TEST(Athlon, MaskableInterrupts) {
  TraceRun r = run("interrupts_2");
  r.expect("INTERRUPTS_TAKEN", 2);
  r.expect("RETIRED_INSTRUCTIONS", 1 + 3 * 2 + 2);
  r.expect("RETIRED_FAR_CONTROL_TRANSFERS", 2 + 2);
}

TEST(Athlon, InterruptsMasked) {
  TraceRun shorter = run("masked_100"), longer = run("masked_300");
  EXPECT_EQ(longer.count("INTERRUPTS_MASKED_CYCLES") - shorter.count("INTERRUPTS_MASKED_CYCLES"), 200u);
  longer.expect(compare("INTERRUPTS_MASKED_CYCLES", 0, false, true), 1);
  TraceRun masked = run("pending_masked"), allowed = run("pending_allowed");
  masked.expect("INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", 50);
  masked.expect(compare("INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", 1, false, true), 1);
  allowed.expect("INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", 0);
}

// An instruction that waits for a load's data waits 50 cycles longer if the load takes 50 cycles longer.
TEST(Athlon, StallsBehindALoad) {
  const std::pair<const char*, const char*> stalls[] = {{"icu_full", "ICU_FULL"},
                                                        {"stations_full", "RESERVATION_STATIONS_FULL"},
                                                        {"ls_full", "LS_FULL"},
                                                        {"fpu_full", "FPU_FULL"},
                                                        {"quiet", "ALL_QUIET_STALL"},
                                                        {"branch_abort", "BRANCH_ABORT_TO_RETIRE"},
                                                        {"own_code", "FAR_TRANSFER_OR_RESYNC_BRANCH_PENDING"}};
  for (const auto& [trace, event] : stalls) {
    TraceRun shorter = run(std::string(trace) + "_150"), longer = run(std::string(trace) + "_200");
    EXPECT_GT(shorter.count(event), 0u) << event;
    EXPECT_EQ(longer.count(event) - shorter.count(event), 50u) << event;
    EXPECT_EQ(longer.count("DISPATCH_STALLS") - shorter.count("DISPATCH_STALLS"), 50u) << event;
  }
}

TEST(Athlon, SegmentLoadStall) {
  TraceRun r = run("segment_stall");
  Settings slower = bare;
  slower.emplace_back("core.segment_load", "12");
  TraceRun longer = run("segment_stall", slower);
  EXPECT_GT(r.count("SEGMENT_LOAD_STALL"), 0u);
  EXPECT_EQ(longer.count("SEGMENT_LOAD_STALL") - r.count("SEGMENT_LOAD_STALL"), 12u - 8u);
  run("straight").expect("SEGMENT_LOAD_STALL", 0);
}

// Each CPUID starts one waiting period, and every period ends before the next.
TEST(Athlon, Serialize) {
  TraceRun one = run("serialize_1"), three = run("serialize_3");
  one.expect(compare("SERIALIZE", 1, false, true), 1);
  three.expect(compare("SERIALIZE", 1, false, true), 3);
  EXPECT_GE(three.count("SERIALIZE"), 3u);
  run("straight").expect("SERIALIZE", 0);
}

}  // namespace
}  // namespace pmusim::micro
