// Counts of the Itanium 2 micro-traces. itanium2_programs.py describes what they execute; a bundle has three
// instructions unless stated otherwise, and each program ends with a bundle of three additions. Keys of the traces
// force the outcomes that the counts need, so that the counts do not depend on latencies of the core.
#include <gtest/gtest.h>

#include "run.h"

namespace pmusim::micro {
namespace {

namespace qualifiers = oracle::ia64;

template <class Change>
oracle::Request with(const std::string& row, Change change) {
  oracle::Request request = ask(row);
  change(request.ia64);
  return request;
}
constexpr std::uint64_t code = 0x4000000000010000, data = 0x6000000000200000;

TEST(Itanium2, StraightLine) {
  TraceRun r = run_itanium2("straight", {{"core.instruction_prefetch", "off"}});
  const std::uint64_t bundles = 12, instructions = 3 * bundles, lines = bundles * 16 / 64;
  for (const char* row : {"IA64_INST_RETIRED", "IA64_INST_RETIRED_THIS", "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8",
                          "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9", "IA64_TAGGED_INST_RETIRED_IBRP2_PMC8",
                          "IA64_TAGGED_INST_RETIRED_IBRP3_PMC9", "INST_DISPERSED"}) {
    r.expect(row, instructions);
  }
  for (const char* row : {"NOPS_RETIRED", "PREDICATE_SQUASHED_RETIRED", "STORES_RETIRED", "IA32_INST_RETIRED",
                          "BR_MISPRED_DETAIL_ALL_ALL_PRED", "BRANCH_EVENT", "CPU_CPL_CHANGES"}) {
    r.expect(row, 0);
  }
  r.expect("CPU_CYCLES", r.cycles());
  r.expect("L1I_READS", bundles / 2);
  r.expect("L1I_FILLS", lines);
  r.expect("ISB_BUNPAIRS_IN", 2 * lines);
  r.expect("ITLB_MISSES_FETCH_L2ITLB", 1);
  r.expect("L1ITLB_INSERTS_HPW", 1);
  r.expect("HPW_DATA_REFERENCES", 1);
  r.expect("LOADS_RETIRED", 1);  // the page walker's load
  r.expect("L2_INST_DEMAND_READS", lines);
  r.expect("L1I_FETCH_ISB_HIT", 0);
}

TEST(Itanium2, KindsOfInstructions) {
  TraceRun r = run_itanium2("kinds");
  const std::uint64_t mlx = 2;
  r.expect("IA64_INST_RETIRED", 3 * 3 + mlx + last_bundle);
  r.expect("NOPS_RETIRED", 3 + 1);
  r.expect("PREDICATE_SQUASHED_RETIRED", 2 + 1);  // without the nop.b and the branch
  r.expect("BR_PATH_PRED_IPREL_OKPRED_NOTTAKEN", 1);
  r.expect("SYLL_NOT_DISPERSED_MLI", 1, 2);  // syllables that MLX loses, once for each time the bundle is offered
}

TEST(Itanium2, FloatingPointOperations) {
  TraceRun r = run_itanium2("fp");
  const std::uint64_t fma = 2, fadd = 1, fmpy = 1, fpma = 4;
  r.expect("FP_OPS_RETIRED", fma + fadd + fmpy + fpma + fma);
  r.expect("FP_FLUSH_TO_ZERO", 1);
  r.expect("PREDICATE_SQUASHED_RETIRED", 1);
}

TEST(Itanium2, Accesses) {
  TraceRun r = run_itanium2("accesses");
  const std::uint64_t loads = 4, stores = 3, semaphores = 1, walks = 1;
  r.expect("LOADS_RETIRED", loads + semaphores + walks);
  r.expect("STORES_RETIRED", stores + semaphores);
  r.expect("MISALIGNED_LOADS_RETIRED", 1);
  r.expect("MISALIGNED_STORES_RETIRED", 1);
  r.expect("DATA_REFERENCES_SET1", loads + stores + semaphores);  // without the lfetch
  r.expect("L1D_READS_SET1", 2);                                  // only the integer loads
  r.expect("DTLB_INSERTS_HPW_RETIRED", 1);
  r.expect("L2_DATA_REFERENCES_L2_DATA_WRITES", stores + semaphores);
  r.expect(with("STORES_RETIRED", [](auto& q) { q.data = {{data + 64, data + 72}}; }), 3);
  r.expect(with("STORES_RETIRED", [](auto& q) { q.data = {{data + 68, data + 72}}; }), 1);
  r.expect(with("LOADS_RETIRED", [](auto& q) { q.data = {{data, data + 1}, {data + 192, data + 200}}; }), 3);
}

TEST(Itanium2, UncacheableAccesses) {
  TraceRun r = run_itanium2("uncacheable");
  r.expect("UC_LOADS_RETIRED", 2);
  r.expect("UC_STORES_RETIRED", 3);
  r.expect("STORES_RETIRED", 3 + 1);
  r.expect("BUS_RD_PRTL_SELF", 2);
  r.expect("BUS_MEMORY_LT_128BYTE_SELF", 2 + 3);
}

TEST(Itanium2, DataLines) {
  TraceRun r = run_itanium2("lines");
  const std::uint64_t lines = 5, l2_lines = (5 + 1) / 2;
  r.expect("L1D_READS_SET1", 2 * lines);
  r.expect("L1D_READ_MISSES_ALL", lines);
  r.expect("L1D_READ_MISSES_RSE_FILL", 0);
  r.expect("L3_READS_DATA_READ_MISS", l2_lines + 1);  // one more by the page walker
  r.expect("L3_READS_DATA_READ_HIT", 0);
  r.expect("DATA_EAR_CACHE_LAT4", lines);
  r.expect("DATA_EAR_CACHE_LAT128", l2_lines);
}

// Loads of latency limit - 1 and limit: one step on each side of every threshold.
TEST(Itanium2, LoadLatencies) {
  TraceRun r = run_itanium2("latencies");
  std::uint64_t captured = 20;
  r.expect("DATA_EAR_CACHE_LAT4", captured);
  for (std::uint64_t limit = 8; limit <= 4096; limit *= 2, captured -= 2) {
    const std::string row = "DATA_EAR_CACHE_LAT" + std::to_string(limit);
    r.expect(row, captured - 1);
    r.expect(with("DATA_EAR_EVENTS", [&](auto& q) { q.armed = row; }), captured - 1);
  }
  r.expect("DATA_EAR_EVENTS", 0);
}

TEST(Itanium2, DataTranslations) {
  TraceRun r = run_itanium2("data_pages");
  const std::uint64_t hits = 3, second = 4, walks = 5, faults = 1;
  r.expect("L1DTLB_TRANSFER", second);
  r.expect("L2DTLB_MISSES", walks + faults);
  r.expect("DTLB_INSERTS_HPW", walks);
  r.expect("DTLB_INSERTS_HPW_RETIRED", walks);
  r.expect("HPW_DATA_REFERENCES", walks + faults);
  r.expect("L1D_READS_SET1", hits + second + walks + faults);
  r.expect("L1D_READS_SET0", hits + 2 * (second + walks + faults));  // each of these is repeated once
  const std::pair<const char*, std::uint64_t> rows[] = {{"L2DTLB", second},
                                                        {"VHPT", walks},
                                                        {"FAULT", faults},
                                                        {"L2DTLB_OR_VHPT", second + walks},
                                                        {"L2DTLB_OR_FAULT", second + faults},
                                                        {"VHPT_OR_FAULT", walks + faults},
                                                        {"ALL", second + walks + faults}};
  for (const auto& [name, n] : rows) r.expect(std::string("DATA_EAR_TLB_") + name, n);
}

TEST(Itanium2, CodeTranslations) {
  TraceRun r = run_itanium2("code_pages");
  const std::uint64_t second = 2, walks = 3, faults = 1;
  r.expect("ITLB_MISSES_FETCH_L1ITLB", second + walks + faults);
  r.expect("ITLB_MISSES_FETCH_L2ITLB", walks + faults);
  r.expect("ITLB_MISSES_FETCH_ALL", second + walks + faults);
  r.expect("L1ITLB_INSERTS_HPW", walks);
  const std::pair<const char*, std::uint64_t> rows[] = {{"L2TLB", second},
                                                        {"VHPT", walks},
                                                        {"FAULT", faults},
                                                        {"L2TLB_OR_VHPT", second + walks},
                                                        {"L2TLB_OR_FAULT", second + faults},
                                                        {"VHPT_OR_FAULT", walks + faults},
                                                        {"ALL", second + walks + faults}};
  for (const auto& [name, n] : rows) r.expect(std::string("L1I_EAR_TLB_") + name, n);
  // The page of the third fetch, which is the first that needs the walker.
  r.expect(with("ITLB_MISSES_FETCH_ALL", [](auto& q) { q.code = {{code + 0x2000, code + 0x3000}}; }), 1);
}

TEST(Itanium2, Branches) {
  TraceRun r = run_itanium2("branches");
  const std::uint64_t right = 3, path = 2, target = 1, taken = right + path + target;
  const std::uint64_t untaken = 4, untaken_wrong = 1;
  const auto detail = [&](const std::string& kind, std::uint64_t all, std::uint64_t ok, std::uint64_t wrong) {
    r.expect("BR_MISPRED_DETAIL_" + kind + "_ALL_PRED", all);
    r.expect("BR_MISPRED_DETAIL_" + kind + "_CORRECT_PRED", ok);
    r.expect("BR_MISPRED_DETAIL_" + kind + "_WRONG_PATH", wrong);
    r.expect("BR_MISPRED_DETAIL_" + kind + "_WRONG_TARGET", all - ok - wrong);
  };
  detail("IPREL", taken + untaken, right + untaken - untaken_wrong, path + untaken_wrong);
  detail("RETURN", taken, right, path);
  detail("NTRETIND", taken, right, path);
  detail("ALL", 3 * taken + untaken, 3 * right + untaken - untaken_wrong, 3 * path + untaken_wrong);
  const auto direction = [&](const std::string& kind, std::uint64_t n) {
    r.expect("BR_PATH_PRED_" + kind + "_MISPRED_TAKEN", n * path);
    r.expect("BR_PATH_PRED_" + kind + "_OKPRED_TAKEN", n * (right + target));
  };
  direction("IPREL", 1);
  direction("RETURN", 1);
  direction("NRETIND", 1);
  direction("ALL", 3);
  r.expect("BR_PATH_PRED_IPREL_MISPRED_NOTTAKEN", untaken_wrong);
  r.expect("BR_PATH_PRED_IPREL_OKPRED_NOTTAKEN", untaken - untaken_wrong);
  r.expect("ENCBR_MISPRED_DETAIL_ALL_ALL_PRED", 0);
  r.expect("RSE_EVENT_RETIRED", taken);  // the returns
}

// The branches that the branch trace buffer records under every filter.
TEST(Itanium2, RecordedBranches) {
  TraceRun r = run_itanium2("branches");
  using Type = qualifiers::BranchFilter::Type;
  const auto recorded = [&](qualifiers::BranchFilter filter, std::uint64_t n) {
    r.expect(with("BRANCH_EVENT", [&](auto& q) { q.branches = filter; }), n);
  };
  recorded({}, 3 * 6 + 4);
  recorded({.not_taken = false}, 3 * 6);
  recorded({.taken = false}, 4);
  recorded({.path_right = false}, 3 * 2 + 1);
  recorded({.path_wrong = false}, 3 * 4 + 3);
  recorded({.target_right = false}, 3);
  recorded({.target_wrong = false}, 3 * 5 + 4);
  recorded({.type = Type::ip_relative}, 6 + 4);
  recorded({.type = Type::returns}, 6);
  recorded({.not_taken = false, .path_right = false, .type = Type::indirect}, 2);
}

TEST(Itanium2, CountedLoops) {
  for (const std::uint64_t iterations : {4u, 9u}) {
    TraceRun r = run_itanium2("loop_" + std::to_string(iterations));
    r.expect("IA64_INST_RETIRED", 3 * iterations + last_bundle);
    r.expect("BR_PATH_PRED_IPREL_OKPRED_TAKEN", iterations - 1);
    r.expect("BR_PATH_PRED_IPREL_OKPRED_NOTTAKEN", 1);
    r.expect("BRANCH_EVENT", iterations);
    const auto loop = [](auto& q) { q.code = {{code, code + 16}}; };
    r.expect(with("IA64_INST_RETIRED", loop), 3 * iterations);
    const auto rest = [&](auto& q) {
      loop(q);
      q.outside = true;
    };
    r.expect(with("IA64_INST_RETIRED", rest), last_bundle);
    r.expect(with("BRANCH_EVENT", rest), 0);
    const auto slot = [](bool b) { return [b](auto& q) { q.opcodes = {{0, 0x7ffffff, !b, false, false, b}}; }; };
    r.expect(with("IA64_INST_RETIRED", slot(true)), iterations);
    r.expect(with("IA64_INST_RETIRED", slot(false)), iterations + 1);
  }
}

TEST(Itanium2, SeveralBranchesInABundle) {
  TraceRun r = run_itanium2("multiway");
  const std::uint64_t in_bundles = 2 * 2 + 3, alone = 1, taken = 3;
  r.expect("ENCBR_MISPRED_DETAIL_ALL_ALL_PRED", in_bundles);
  r.expect("ENCBR_MISPRED_DETAIL_ALL_CORRECT_PRED", in_bundles);
  r.expect("ENCBR_MISPRED_DETAIL_OVERSUB_ALL_PRED", 0);
  r.expect("BR_MISPRED_DETAIL_ALL_ALL_PRED", in_bundles + alone);
  r.expect("BR_PATH_PRED_ALL_OKPRED_TAKEN", taken);
  r.expect("BR_PATH_PRED_ALL_OKPRED_NOTTAKEN", in_bundles + alone - taken);
  r.expect("BRANCH_EVENT", taken + alone);  // one branch per cycle, the taken one first
}

TEST(Itanium2, Serialization) {
  TraceRun r = run_itanium2("system");
  r.expect("SERIALIZATION_EVENTS", 3);
}

TEST(Itanium2, AdvancedLoads) {
  TraceRun r = run_itanium2("advanced");
  r.expect("INST_CHKA_LDC_ALAT_ALL", 3);
  r.expect("INST_CHKA_LDC_ALAT_INT", 2);
  r.expect("INST_CHKA_LDC_ALAT_FP", 1);
  r.expect("INST_FAILED_CHKA_LDC_ALAT_ALL", 2);
  r.expect("INST_FAILED_CHKA_LDC_ALAT_INT", 1);
  r.expect("INST_FAILED_CHKA_LDC_ALAT_FP", 1);
  r.expect("DATA_EAR_ALAT", 2);
  r.expect("ALAT_CAPACITY_MISS_ALL", 0);
}

// The ALAT has 32 entries.
TEST(Itanium2, CrowdedAlat) {
  TraceRun full = run_itanium2("alat_32"), beyond = run_itanium2("alat_34");
  full.expect("ALAT_CAPACITY_MISS_ALL", 0);
  beyond.expect("ALAT_CAPACITY_MISS_ALL", 34 - 32);
  beyond.expect("ALAT_CAPACITY_MISS_INT", 34 - 32);
  beyond.expect("ALAT_CAPACITY_MISS_FP", 0);
}

TEST(Itanium2, Levels) {
  TraceRun r = run_itanium2("levels");
  const std::uint64_t bundles[4] = {3, 2, 4, 2};
  for (unsigned mask = 1; mask <= 15; ++mask) {
    std::uint64_t n = 0;
    for (unsigned level = 0; level < 4; ++level) n += (mask >> level & 1u) * 3 * bundles[level];
    r.expect(with("IA64_INST_RETIRED", [&](auto& q) { q.levels = mask; }), n);
  }
  r.expect(with("CPU_CPL_CHANGES", [&](auto& q) { q.levels = 15; }), 3);
}

TEST(Itanium2, UserAndPrivilegedMonitors) {
  TraceRun r = run_itanium2("monitors");
  r.expect("IA64_INST_RETIRED", 3 * (2 + 1));
  r.expect(with("IA64_INST_RETIRED", [](auto& q) { q.privileged_monitor = true; }), 3 * (3 + 1));
}

TEST(Itanium2, Cycles) {
  TraceRun shorter = run_itanium2("idle_100"), longer = run_itanium2("idle_300");
  EXPECT_EQ(longer.count("CPU_CYCLES") - shorter.count("CPU_CYCLES"), 300u - 100u);
  EXPECT_EQ(longer.count("BACK_END_BUBBLE_FE") - shorter.count("BACK_END_BUBBLE_FE"), 300u - 100u);
  EXPECT_EQ(longer.count("IDEAL_BE_LOST_BW_DUE_TO_FE_ALL") - shorter.count("IDEAL_BE_LOST_BW_DUE_TO_FE_ALL"),
            2 * (300u - 100u));
}

TEST(Itanium2, Ia32) {
  TraceRun r = run_itanium2("ia32");
  r.expect("IA32_ISA_TRANSITIONS", 2);
  const auto in = [](qualifiers::InstructionSet set) { return [set](auto& q) { q.instruction_set = set; }; };
  const std::uint64_t ia32 = r.count("IA32_INST_RETIRED");
  EXPECT_EQ(ia32, 100u + 100u / 4) << "one in each cycle, two in every fourth";
  r.expect("IA64_INST_RETIRED", 2 * 3 + ia32);
  r.expect("IA64_TAGGED_INST_RETIRED_IBRP2_PMC8", 2 * 3);
  r.expect(with("IA64_INST_RETIRED", in(qualifiers::InstructionSet::ia64)), 2 * 3);
  r.expect(with("IA32_INST_RETIRED", in(qualifiers::InstructionSet::ia64)), 0);
  r.expect(with("IA32_INST_RETIRED", in(qualifiers::InstructionSet::ia32)), ia32);
}

TEST(Itanium2, Pins) {
  TraceRun r = run_itanium2("pins");
  const auto named = [](unsigned mask, unsigned first) {
    std::string name;
    for (unsigned pin = 0; pin < 4; ++pin) {
      if ((mask >> pin & 1u) != 0) name += (name.empty() ? "PIN" : "_OR_PIN") + std::to_string(first + pin);
    }
    return name;
  };
  for (unsigned mask = 1; mask < 16; ++mask) {
    std::uint64_t n = 0;
    for (unsigned pin = 0; pin < 4; ++pin) n += (mask >> pin & 1u) * (pin + 1);
    r.expect("EXTERN_DP_PINS_0_TO_3_" + (mask == 15 ? "ALL" : named(mask, 0)), n);
  }
  r.expect("EXTERN_DP_PINS_4_TO_5_PIN4", 5);
  r.expect("EXTERN_DP_PINS_4_TO_5_PIN5", 6);
  r.expect("EXTERN_DP_PINS_4_TO_5_ALL", 5 + 6);
}

// Transactions of kind n: n + 1 of another processor, n + 2 of an I/O agent, none of this processor.
TEST(Itanium2, BusOfOthers) {
  TraceRun r = run_itanium2("bus");
  enum : unsigned { brl, bril, bil, brc, brp, bwl, bwp, io_read, io_write, lock, other, kinds };
  const auto io = [](unsigned n) { return std::uint64_t{n} + 2; };
  const auto any = [&](unsigned n) { return std::uint64_t{n} + 1 + io(n); };
  const auto both = [&](const std::string& event, std::initializer_list<unsigned> list) {
    std::uint64_t by_any = 0, by_io = 0;
    for (const unsigned n : list) by_any += any(n), by_io += io(n);
    r.expect(event + "_ANY", by_any);
    r.expect(event + "_IO", by_io);
    r.expect(event + "_SELF", 0);
  };
  both("BUS_ALL", {brl, bril, bil, brc, brp, bwl, bwp, io_read, io_write, lock, other});
  both("BUS_MEMORY_ALL", {brl, bril, bil, brc, brp, bwl, bwp});
  both("BUS_MEM_READ_BRL", {brl});
  both("BUS_MEM_READ_BRIL", {bril});
  both("BUS_MEM_READ_BIL", {bil});
  both("BUS_MEM_READ_ALL", {brl, bril, bil});
  both("BUS_RD_PRTL", {brp});
  both("BUS_RD_IO", {io_read});
  both("BUS_IO", {io_read, io_write});
  both("BUS_WR_WB_ALL", {bwl});
  r.expect("MEM_READ_CURRENT_ANY", any(brc));
  r.expect("MEM_READ_CURRENT_IO", io(brc));
  r.expect("BUS_LOCK_ANY", any(lock));
  r.expect("BUS_LOCK_SELF", 0);
}

TEST(Itanium2, Checks) {
  TraceRun r = run_itanium2("checks");
  r.expect("INST_FAILED_CHKS_RETIRED_ALL", 2);
  r.expect("INST_FAILED_CHKS_RETIRED_INT", 1);
  r.expect("INST_FAILED_CHKS_RETIRED_FP", 1);
  r.expect("INST_CHKA_LDC_ALAT_ALL", 2);
  r.expect("INST_FAILED_CHKA_LDC_ALAT_INT", 1);
  r.expect("INST_FAILED_CHKA_LDC_ALAT_FP", 1);
  r.expect("FP_FAILED_FCHKF", 1);
  r.expect("DATA_EAR_ALAT", 2);
  r.expect("BR_MISPRED_DETAIL_ALL_ALL_PRED", 0);  // checks are not branches
}

// There are 96 registers: the excess of four frames of 40 is spilled to memory and filled again, with one NaT
// collection for each 63 registers.
TEST(Itanium2, Calls) {
  TraceRun r = run_itanium2("calls");
  const std::uint64_t calls = 3, returns = 3, allocs = 4, spilled = 4 * 40 - 96;
  r.expect("RSE_EVENT_RETIRED", allocs + calls + returns);
  r.expect("BR_MISPRED_DETAIL_RETURN_ALL_PRED", returns);
  r.expect("RSE_REFERENCES_RETIRED_STORE", spilled + 1, spilled + 2);
  r.expect("RSE_REFERENCES_RETIRED_LOAD", spilled + 1, spilled + 2);
  EXPECT_EQ(r.count("RSE_REFERENCES_RETIRED_LOAD") + r.count("RSE_REFERENCES_RETIRED_STORE"),
            r.count("RSE_REFERENCES_RETIRED_ALL"));
}

TEST(Itanium2, LinesOfOtherCaches) {
  TraceRun r = run_itanium2("elsewhere");
  r.expect("BUS_RD_HIT", 2);
  r.expect("BUS_RD_HITM", 3 + 1 + 2);  // requested by any agent
  r.expect("BUS_HITM", 3 + 1 + 2);
  r.expect("BUS_RD_INVAL_ALL_HITM", 1);
  r.expect("BUS_RD_INVAL_HITM", 0);
  r.expect("BUS_SNOOPS_HITM_ANY", 2);
  r.expect("BUS_MEM_READ_BRIL_SELF", 1 + 2);
}

TEST(Itanium2, ServedBy) {
  TraceRun r = run_itanium2("served");
  r.expect("L3_READS_DATA_READ_HIT", 4);
  r.expect("L3_READS_DATA_READ_MISS", 5);
  r.expect("L3_READS_DATA_READ_ALL", 4 + 5);
  r.expect("L3_WRITES_DATA_WRITE_HIT", 2);
  r.expect("L3_WRITES_DATA_WRITE_MISS", 3);
  r.expect("L3_REFERENCES", 4 + 5 + 2 + 3);
  r.expect("L3_MISSES", 5 + 3);
  r.expect("L2_MISSES", 4 + 5 + 2 + 3);
  r.expect("L1D_READ_MISSES_ALL", 3 + 4 + 5);
  r.expect("L2_DATA_REFERENCES_L2_DATA_READS", 3 + 4 + 5);
  r.expect("L2_DATA_REFERENCES_L2_DATA_WRITES", 1 + 2 + 3);
  r.expect("DATA_EAR_CACHE_LAT4", 3 + 4 + 5);
  r.expect("DATA_EAR_CACHE_LAT128", 5);
}

TEST(Itanium2, FetchedFrom) {
  TraceRun r = run_itanium2("fetched", {{"core.instruction_prefetch", "off"}});
  r.expect("L2_INST_DEMAND_READS", 3 + 4 + 5);
  r.expect("L3_READS_DINST_FETCH_HIT", 4);
  r.expect("L3_READS_DINST_FETCH_MISS", 5);
  r.expect("L3_READS_INST_FETCH_ALL", 4 + 5);
  r.expect("L1I_EAR_CACHE_LAT0", 3 + 4 + 5);
  r.expect("L1I_EAR_CACHE_LAT128", 5);
  r.expect("L1I_PREFETCHES", 0);
}

TEST(Itanium2, EncodedBranches) {
  TraceRun r = run_itanium2("beside_a_nop");
  const std::uint64_t right = 1, path = 2, target = 3;
  const auto rows = [&](const std::string& kind, std::uint64_t n) {
    r.expect("ENCBR_MISPRED_DETAIL_" + kind + "_ALL_PRED", n * (right + path + target));
    r.expect("ENCBR_MISPRED_DETAIL_" + kind + "_CORRECT_PRED", n * right);
    r.expect("ENCBR_MISPRED_DETAIL_" + kind + "_WRONG_PATH", n * path);
    r.expect("ENCBR_MISPRED_DETAIL_" + kind + "_WRONG_TARGET", n * target);
  };
  rows("ALL", 3);
  rows("OVERSUB", 1);
  rows("ALL2", 1);
}

TEST(Itanium2, IndirectBranchesNotTaken) {
  TraceRun r = run_itanium2("untaken");
  r.expect("BR_PATH_PRED_RETURN_OKPRED_NOTTAKEN", 3);
  r.expect("BR_PATH_PRED_RETURN_MISPRED_NOTTAKEN", 1);
  r.expect("BR_PATH_PRED_NRETIND_OKPRED_NOTTAKEN", 4);
  r.expect("BR_PATH_PRED_NRETIND_MISPRED_NOTTAKEN", 2);
}

TEST(Itanium2, Purges) {
  TraceRun r = run_itanium2("purge");
  r.expect(with("L1I_PURGE", [](auto& q) { q.levels = 15; }), 2);
}

// The bits of the frame before each of four allocs: none, 7, 73 and 96 registers.
TEST(Itanium2, RegisterStack) {
  TraceRun r = run_itanium2("register_stack");
  const std::uint64_t frames[] = {0, 7, 73, 96};
  std::uint64_t low = 0, middle = 0, high = 0;
  for (const std::uint64_t f : frames) low += f % 8, middle += f / 8 % 8, high += f / 64;
  r.expect("RSE_EVENT_RETIRED", 4);
  r.expect("RSE_CURRENT_REGS_2_TO_0", low);
  r.expect("RSE_CURRENT_REGS_5_TO_3", middle);
  r.expect("RSE_CURRENT_REGS_6", high);
  r.expect("RSE_DIRTY_REGS_6", 0);
}

// Sixteen bundles, three times: every fourth of the first fifteen contains a load.
TEST(Itanium2, CodeRanges) {
  TraceRun r = run_itanium2("ranges");
  constexpr std::uint64_t turns = 3;
  const auto judge = [&](std::uint64_t first, std::uint64_t bundles, bool fine) {
    const auto range = [&](auto& q) {
      q.code = {{code + 16 * first, code + 16 * (first + bundles)}};
      q.fine_mode = fine;
    };
    std::uint64_t loads = 0;
    for (std::uint64_t b = first; b < first + bundles; ++b) loads += b % 4 == 0;
    r.expect(with("IA64_INST_RETIRED", range), turns * 3 * bundles);
    r.expect(with("DATA_REFERENCES_SET1", range), turns * loads);
    r.expect(with("NOPS_RETIRED", range), turns * loads);
    const auto outside = [&](auto& q) {
      range(q);
      q.outside = true;
    };
    r.expect(with("IA64_INST_RETIRED", outside), turns * 3 * (16 - bundles));
  };
  // Ranges by bounds in steps of two bundles, and by masks.
  for (const std::uint64_t first : {0u, 2u, 6u}) {
    for (const std::uint64_t bundles : {2u, 4u, 6u}) judge(first, bundles, true);
  }
  for (const std::uint64_t bundles : {1u, 2u, 4u}) {
    for (const std::uint64_t block : {0u, 1u, 2u}) judge(block * bundles, bundles, false);
  }
  // One range for each channel.
  constexpr std::uint64_t sizes[] = {1, 2, 4, 1};
  const auto four = [&](auto& q) {
    for (std::uint64_t k = 0; k < 4; ++k) q.code.push_back({code + 64 * k, code + 64 * k + 16 * sizes[k]});
  };
  const char* channels[] = {"IBRP0_PMC8", "IBRP1_PMC9", "IBRP2_PMC8", "IBRP3_PMC9"};
  for (std::uint64_t k = 0; k < 4; ++k) {
    r.expect(with(std::string("IA64_TAGGED_INST_RETIRED_") + channels[k], four), turns * 3 * sizes[k]);
  }
}

}  // namespace
}  // namespace pmusim::micro
