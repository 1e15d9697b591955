// Faults of the oracle's rules: a rule never counts, always counts or ignores its filter; unit masks are shifted; a
// level is inverted.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "pmusim/encoder/encoder.h"
#include "testbench/faults/bench.h"
#include "testbench/tests/faults/noticed.h"
#include "testbench/tests/target_name.h"

namespace pmusim::testbench::faults {

namespace {

/// Events of the IA-64 processors that the core never causes more often in a cycle than they can count: no run shows
/// whether their count is bounded.
constexpr std::string_view never_more =
    "ALAT_CAPACITY_MISS BE_BR_MISPRED_DETAIL BR_MISPRED_DETAIL BR_PATH_PRED BUS_ALL BUS_BACKSNP_REQ_THIS "
    "BUS_BRQ_LIVE_REQ_HI BUS_BRQ_REQ_INSERTED BUS_HITM BUS_IO BUS_IOQ_LIVE_REQ_HI BUS_LOCK BUS_MEMORY "
    "BUS_MEM_READ BUS_OOQ_LIVE_REQ_HI BUS_RD_DATA BUS_RD_HIT BUS_RD_HITM BUS_RD_INVAL_ALL_HITM "
    "BUS_RD_INVAL_BST_HITM BUS_RD_INVAL_HITM BUS_RD_IO BUS_RD_PRTL BUS_SNOOPS BUS_SNOOPS_HITM BUS_WR_WB "
    "DATA_DEBUG_REGISTER_FAULT DATA_DEBUG_REGISTER_MATCHES DATA_REFERENCES_SET0 DATA_REFERENCES_SET1 "
    "DTLB_INSERTS_HPW DTLB_INSERTS_HPW_RETIRED ENCBR_MISPRED_DETAIL ER_BRQ_LIVE_REQ_HI ER_BRQ_REQ_INSERTED "
    "EXTERN_DP_PINS_0_TO_3 EXTERN_DP_PINS_4_TO_5 FP_FAILED_FCHKF FP_FALSE_SIRSTALL FP_FLUSH_TO_ZERO "
    "FP_OPS_RETIRED FP_TRUE_SIRSTALL HPW_DATA_REFERENCES IA32_INST_RETIRED IA64_INST_RETIRED "
    "IA64_INST_RETIRED_THIS IA64_TAGGED_INST_RETIRED INST_CHKA_LDC_ALAT INST_DISPERSED INST_FAILED_CHKA_LDC_ALAT "
    "INST_FAILED_CHKS_RETIRED ISB_BUNPAIRS_IN ITLB_MISSES_FETCH L1DTLB_TRANSFER L1D_READS_SET0 L1D_READS_SET1 "
    "L1D_READ_MISSES L1ITLB_INSERTS_HPW L1I_FETCH_ISB_HIT L1I_FETCH_RAB_HIT L1I_FILLS L1I_PREFETCHES L1I_PURGE "
    "L1I_READS L1I_SNOOP L1I_STRM_PREFETCHES L2DTLB_MISSES L2D_BAD_LINES_SELECTED_ANY L2D_FORCE_RECIRC "
    "L2D_INSERT_HITS L2D_INSERT_MISSES L2D_ISSUED_RECIRC_OZQ_ACC L2D_L3ACCESS_CANCEL L2D_OZQ_CANCELS0 "
    "L2D_OZQ_CANCELS1 L2D_REFERENCES L2D_STORE_HIT_SHARED_ANY L2I_DEMAND_READS L2I_HIT_CONFLICTS L2I_L3_REJECTS "
    "L2I_PREFETCHES L2I_READS L2I_RECIRCULATES L2I_SNOOP_HITS L2I_SPEC_ABORTS L2I_UC_READS L2I_VICTIMIZATION "
    "L2_BAD_LINES_SELECTED_ANY L2_DATA_REFERENCES_L2 L2_FORCE_RECIRC L2_GOT_RECIRC_IFETCH_ANY "
    "L2_GOT_RECIRC_OZQ_ACC L2_IFET_CANCELS L2_INST_DEMAND_READS L2_INST_PREFETCHES L2_ISSUED_RECIRC_IFETCH_ANY "
    "L2_ISSUED_RECIRC_OZQ_ACC L2_L3ACCESS_CANCEL L2_MISSES L2_OZQ_CANCELS0 L2_OZQ_CANCELS1 L2_OZQ_CANCELS2 "
    "L2_REFERENCES L2_STORE_HIT_SHARED_ANY L3_LINES_REPLACED L3_MISSES L3_READS L3_REFERENCES L3_WRITES "
    "LOADS_RETIRED LOADS_RETIRED_INTG MEM_READ_CURRENT MISALIGNED_LOADS_RETIRED MISALIGNED_STORES_RETIRED "
    "NOPS_RETIRED PREDICATE_SQUASHED_RETIRED RSE_CURRENT_REGS_2_TO_0 RSE_CURRENT_REGS_5_TO_3 RSE_CURRENT_REGS_6 "
    "RSE_DIRTY_REGS_2_TO_0 RSE_DIRTY_REGS_5_TO_3 RSE_DIRTY_REGS_6 RSE_EVENT_RETIRED RSE_REFERENCES_RETIRED "
    "SERIALIZATION_EVENTS SPEC_LOADS_NATTED STORES_RETIRED SYLL_NOT_DISPERSED SYLL_OVERCOUNT_ALL "
    "SYLL_OVERCOUNT_EXPL SYLL_OVERCOUNT_IMPL THREAD_SWITCH_EVENTS THREAD_SWITCH_GATED THREAD_SWITCH_STALL "
    "UC_LOADS_RETIRED UC_STORES_RETIRED";

constexpr std::string_view in_a_cycle = "the core never makes more of it in a cycle";

Excuses excuses_of_ia64(const std::string& target) {
  constexpr std::string_view no_trace = "no trace makes it happen: the core names one cause for a held syllable",
                             retired = "what retires is no page walk and no cancelled passage",
                             zero = "the number that is added is 0 for every other instruction";
  Excuses list{{"SYLL_OVERCOUNT_*: rule 1 never holds", no_trace},
               {"SYLL_OVERCOUNT_*: code ranges do not restrict it", no_trace},
               {"DATA_DEBUG_REGISTER_FAULT: rule 1 holds for every occurrence", retired},
               {"FP_FLUSH_TO_ZERO*: rule 1 holds for every occurrence", zero},
               {"RSE_CURRENT_REGS_6: rule 1 holds for every occurrence", zero},
               {"RSE_DIRTY_REGS_*: rule 1 holds for every occurrence", zero}};
  if (target == "itanium2") {
    list.push_back({"RSE_CURRENT_REGS_[25]*: rule 1 holds for every occurrence", zero});
  } else {
    list.push_back({"SYLL_OVERCOUNT_*: it counts whichever thread it belongs to", no_trace});
    list.push_back({"L2D_ISSUED_RECIRC_OZQ_ACC: rule 1 holds for every occurrence", "L2D sees data alone"});
  }
  return list;
}

Excuses excuses_of_alpha(const std::string& target) {
  constexpr std::string_view squashed = "what is squashed leaves without retiring";
  constexpr std::string_view same_cycle = "another replay is in the cycle of the load's issue, and a cycle counts one";
  if (target == "alpha-ev4") {
    return {{"PF_*: a cycle counts without bound", in_a_cycle},
            {"PF_LOADI: rule 2 holds for every occurrence", same_cycle}};
  }
  if (target == "alpha-ev6")
    return {{"PF6_MUX1_RET_BRANCH*: a cycle counts without bound", in_a_cycle},
            {"PF6_MUX1_RET_[DIU]*: a cycle counts without bound", in_a_cycle},
            {"PF6_MUX1_REPLAY_TRAP: a cycle counts without bound", in_a_cycle},
            {"PF6_MUX0_RET_INSTRUCTIONS: rule 1 holds for every occurrence", squashed}};
  if (target == "alpha-ev67")
    return {{"[BR]*: a cycle counts without bound", in_a_cycle},
            {"RETINST: rule 1 holds for every occurrence", squashed}};
  // Except the references of the 21164's board cache, C_BCACHE_REF.
  return {{"PF5_MUX[02]_*: a cycle counts without bound", in_a_cycle},
          {"PF5_MUX1_[RFI]*: a cycle counts without bound", in_a_cycle},
          {"PF5_MUX1_C_*[!F]: a cycle counts without bound", in_a_cycle}};
}

Excuses excuses_of(const std::string& target) {
  if (target.starts_with("alpha")) return excuses_of_alpha(target);
  return target == "itanium2" || target == "montecito" ? excuses_of_ia64(target) : Excuses{};
}

class OracleRules : public ::testing::TestWithParam<const char*> {};

TEST_P(OracleRules, AreAllWatched) {
  const std::string target = GetParam();
  const bool is_alpha = target.starts_with("alpha");
  Excuses excuses = excuses_of(target);
  std::istringstream names{std::string(never_more)};
  const std::set<std::string> unbounded{std::istream_iterator<std::string>(names), {}};
  const std::vector<oracle::Breakage> breakages = oracle::breakages(target);
  std::vector<TableFault> faults;
  std::vector<std::string> of_bounds;
  for (const oracle::Breakage& breakage : breakages) {
    TableFault& fault = faults.emplace_back(
        TableFault{{breakage.text()}, {}, [&target, &breakage] {
                     return Exchange{.make_counter = [&](const std::vector<oracle::Request>& requests,
                                                         const oracle::ParameterLookup& lookup) {
                       return oracle::make_broken_counter(target, requests, lookup, breakage);
                     }};
                   }});
    for (const std::string& row : row_names(target)) {
      const std::string event = row.substr(0, row.find(':'));
      if ((is_alpha ? event : oracle::pass_of(target, event)) == breakage.event) fault.rows.insert(row);
    }
    if (breakage.kind == oracle::Breakage::Kind::uncapped && unbounded.contains(breakage.event))
      of_bounds.push_back(breakage.text());
  }
  for (const std::string& name : of_bounds) excuses.push_back({name, in_a_cycle});
  expect_noticed(target, "oracle " + target, faults, excuses, target == "montecito" ? 29 : 1);
}

INSTANTIATE_TEST_SUITE_P(Targets, OracleRules,
                         ::testing::Values("ppc750gx", "athlon", "itanium2", "montecito", "alpha-ev4", "alpha-ev5",
                                           "alpha-pca56", "alpha-ev6", "alpha-ev67"),
                         target_name);

}  // namespace

// The bench itself: without a fault every check must pass, and some trace must exercise every row of the target.
// Otherwise "noticed" would have no meaning.

namespace {

class WithoutFaults : public ::testing::TestWithParam<const char*> {
 protected:
  /// This target has by far the most checks: they are left to the validation itself, unless every fault is to be tried
  /// (PMUSIM_PERTURB_EVERY=1).
  void SetUp() override {
    if (target == "montecito" && sampling(2) != 1) GTEST_SKIP() << "test validate_montecito has them";
  }
  const std::string target = GetParam();
};

TEST_P(WithoutFaults, EveryRowPassesAndIsExercised) {
  // Under a sanitizer an Alpha's rows once: only the full plan contains the statistics of profiled instructions.
  const bool basic = sanitized && target.starts_with("alpha");
  const Findings findings = bench_of(target).judge_all(basic ? Depth::basic : Depth::full);
  for (const std::string& mismatch : findings.mismatches) ADD_FAILURE() << mismatch;
  if (basic) return;
  const auto holding = holding_rows(target);
  std::size_t exercised = 0;
  for (const std::string& row : row_names(target)) {
    if (std::find(holding.begin(), holding.end(), row) != holding.end()) continue;
    ++exercised;
    EXPECT_TRUE(findings.exercised.contains(row)) << row << " is exercised by no short trace";
  }
  std::cout << target << ": " << findings.checks << " checks pass, " << exercised << " rows exercised\n";
}

// No row is noticed without a fault, so a fault is the cause whenever a row is noticed.
TEST_P(WithoutFaults, NoRowIsNoticed) {
  Rows rows;
  std::size_t number = 0;
  for (const std::string& row : row_names(target)) {
    if (number++ % std::min<std::size_t>(sampling(), 16) == 0) rows.insert(row);
  }
  EXPECT_FALSE(bench_of(target).notices(rows, {}));
}

/// Rows of each target: the statistics of pfm(7), numbered S1 to S132, and rows of sys/pfcntr.h that are not among
/// them: on the 21264 the retired mispredictions, on the 21264A three kinds of traps.
constexpr std::pair<std::string_view, std::size_t> rows_of[] = {{"alpha-ev4", 9 + 8},
                                                                {"alpha-ev5", 2 + 15 + 14 + 7 + 8},
                                                                {"alpha-pca56", 2 + 15 + 14 + 7 + 8},
                                                                {"alpha-ev6", 2 + 7 + 1},
                                                                {"alpha-ev67", 2 + 3 + 40 + 3}};

TEST(RowsOfTheAlphas, AreThoseOfTheirDocuments) {
  for (const auto& [name, number] : rows_of) {
    const std::string target(name);
    const auto names = row_names(target);
    EXPECT_EQ(names.size(), number);
    Rows encoded;
    const auto events = encoder::events(target);
    for (const encoder::EventInfo& event : *events) encoded.insert(event.name);
    EXPECT_EQ(encoded, Rows(names.begin(), names.end())) << "the encoder names the same";
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, WithoutFaults,
                         ::testing::Values("ppc750gx", "athlon", "itanium2", "montecito", "alpha-ev4", "alpha-ev5",
                                           "alpha-pca56", "alpha-ev6", "alpha-ev67"),
                         target_name);

}  // namespace

}  // namespace pmusim::testbench::faults
