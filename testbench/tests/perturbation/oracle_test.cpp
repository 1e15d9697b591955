// Every rule of the oracle broken: the rule never counts, always counts or ignores its filter; unit masks shifted; a
// level inverted.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tally.h"

namespace pmusim::perturbation {
namespace {

/// Events of the IA-64 processors that the core never causes more often in a cycle than they can count: no run shows
/// whether their count is bounded.
constexpr std::string_view never_more[] = {
    "ALAT_CAPACITY_MISS",
    "BE_BR_MISPRED_DETAIL",
    "BR_MISPRED_DETAIL",
    "BR_PATH_PRED",
    "BUS_ALL",
    "BUS_BACKSNP_REQ_THIS",
    "BUS_BRQ_LIVE_REQ_HI",
    "BUS_BRQ_REQ_INSERTED",
    "BUS_HITM",
    "BUS_IO",
    "BUS_IOQ_LIVE_REQ_HI",
    "BUS_LOCK",
    "BUS_MEMORY",
    "BUS_MEM_READ",
    "BUS_OOQ_LIVE_REQ_HI",
    "BUS_RD_DATA",
    "BUS_RD_HIT",
    "BUS_RD_HITM",
    "BUS_RD_INVAL_ALL_HITM",
    "BUS_RD_INVAL_BST_HITM",
    "BUS_RD_INVAL_HITM",
    "BUS_RD_IO",
    "BUS_RD_PRTL",
    "BUS_SNOOPS",
    "BUS_SNOOPS_HITM",
    "BUS_WR_WB",
    "DATA_DEBUG_REGISTER_FAULT",
    "DATA_DEBUG_REGISTER_MATCHES",
    "DATA_REFERENCES_SET0",
    "DATA_REFERENCES_SET1",
    "DTLB_INSERTS_HPW",
    "DTLB_INSERTS_HPW_RETIRED",
    "ENCBR_MISPRED_DETAIL",
    "ER_BRQ_LIVE_REQ_HI",
    "ER_BRQ_REQ_INSERTED",
    "EXTERN_DP_PINS_0_TO_3",
    "EXTERN_DP_PINS_4_TO_5",
    "FP_FAILED_FCHKF",
    "FP_FALSE_SIRSTALL",
    "FP_FLUSH_TO_ZERO",
    "FP_OPS_RETIRED",
    "FP_TRUE_SIRSTALL",
    "HPW_DATA_REFERENCES",
    "IA32_INST_RETIRED",
    "IA64_INST_RETIRED",
    "IA64_INST_RETIRED_THIS",
    "IA64_TAGGED_INST_RETIRED",
    "INST_CHKA_LDC_ALAT",
    "INST_DISPERSED",
    "INST_FAILED_CHKA_LDC_ALAT",
    "INST_FAILED_CHKS_RETIRED",
    "ISB_BUNPAIRS_IN",
    "ITLB_MISSES_FETCH",
    "L1DTLB_TRANSFER",
    "L1D_READS_SET0",
    "L1D_READS_SET1",
    "L1D_READ_MISSES",
    "L1ITLB_INSERTS_HPW",
    "L1I_FETCH_ISB_HIT",
    "L1I_FETCH_RAB_HIT",
    "L1I_FILLS",
    "L1I_PREFETCHES",
    "L1I_PURGE",
    "L1I_READS",
    "L1I_SNOOP",
    "L1I_STRM_PREFETCHES",
    "L2DTLB_MISSES",
    "L2D_BAD_LINES_SELECTED_ANY",
    "L2D_FORCE_RECIRC",
    "L2D_INSERT_HITS",
    "L2D_INSERT_MISSES",
    "L2D_ISSUED_RECIRC_OZQ_ACC",
    "L2D_L3ACCESS_CANCEL",
    "L2D_OZQ_CANCELS0",
    "L2D_OZQ_CANCELS1",
    "L2D_REFERENCES",
    "L2D_STORE_HIT_SHARED_ANY",
    "L2I_DEMAND_READS",
    "L2I_HIT_CONFLICTS",
    "L2I_L3_REJECTS",
    "L2I_PREFETCHES",
    "L2I_READS",
    "L2I_RECIRCULATES",
    "L2I_SNOOP_HITS",
    "L2I_SPEC_ABORTS",
    "L2I_UC_READS",
    "L2I_VICTIMIZATION",
    "L2_BAD_LINES_SELECTED_ANY",
    "L2_DATA_REFERENCES_L2",
    "L2_FORCE_RECIRC",
    "L2_GOT_RECIRC_IFETCH_ANY",
    "L2_GOT_RECIRC_OZQ_ACC",
    "L2_IFET_CANCELS",
    "L2_INST_DEMAND_READS",
    "L2_INST_PREFETCHES",
    "L2_ISSUED_RECIRC_IFETCH_ANY",
    "L2_ISSUED_RECIRC_OZQ_ACC",
    "L2_L3ACCESS_CANCEL",
    "L2_MISSES",
    "L2_OZQ_CANCELS0",
    "L2_OZQ_CANCELS1",
    "L2_OZQ_CANCELS2",
    "L2_REFERENCES",
    "L2_STORE_HIT_SHARED_ANY",
    "L3_LINES_REPLACED",
    "L3_MISSES",
    "L3_READS",
    "L3_REFERENCES",
    "L3_WRITES",
    "LOADS_RETIRED",
    "LOADS_RETIRED_INTG",
    "MEM_READ_CURRENT",
    "MISALIGNED_LOADS_RETIRED",
    "MISALIGNED_STORES_RETIRED",
    "NOPS_RETIRED",
    "PREDICATE_SQUASHED_RETIRED",
    "RSE_CURRENT_REGS_2_TO_0",
    "RSE_CURRENT_REGS_5_TO_3",
    "RSE_CURRENT_REGS_6",
    "RSE_DIRTY_REGS_2_TO_0",
    "RSE_DIRTY_REGS_5_TO_3",
    "RSE_DIRTY_REGS_6",
    "RSE_EVENT_RETIRED",
    "RSE_REFERENCES_RETIRED",
    "SERIALIZATION_EVENTS",
    "SPEC_LOADS_NATTED",
    "STORES_RETIRED",
    "SYLL_NOT_DISPERSED",
    "SYLL_OVERCOUNT_ALL",
    "SYLL_OVERCOUNT_EXPL",
    "SYLL_OVERCOUNT_IMPL",
    "THREAD_SWITCH_EVENTS",
    "THREAD_SWITCH_GATED",
    "THREAD_SWITCH_STALL",
    "UC_LOADS_RETIRED",
    "UC_STORES_RETIRED",
};

/// The target's rules for bounds that no run can test.
const std::vector<std::string>& unbounded_of(const std::string& target) {
  static std::map<std::string, std::vector<std::string>> all;
  const auto [place, is_new] = all.try_emplace(target);
  if (!is_new) return place->second;
  for (const oracle::Breakage& breakage : oracle::breakages(target)) {
    const bool listed = std::find(std::begin(never_more), std::end(never_more), breakage.event) != std::end(never_more);
    if (listed && breakage.kind == oracle::Breakage::Kind::uncapped) place->second.push_back(breakage.text());
  }
  return place->second;
}

std::vector<Equivalent> equivalents_of(const std::string& target) {
  if (target != "itanium2" && target != "montecito") return {};
  constexpr std::string_view no_trace = "no trace makes it happen: the core names one cause for a held syllable",
                             retired = "what retires is no page walk and no cancelled passage",
                             zero = "the number that is added is 0 for every other instruction";
  std::vector<Equivalent> list{{"SYLL_OVERCOUNT_*: rule 1 never holds", no_trace},
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
  for (const std::string& change : unbounded_of(target)) {
    list.push_back({change, "the core never makes more of it in a cycle"});
  }
  return list;
}

class OracleRules : public testing::TestWithParam<const char*> {};

TEST_P(OracleRules, AreAllWatched) {
  const std::string target = GetParam();
  const std::size_t usually = target == "montecito" ? 29 : 1;
  Tally tally(bench_of(target), "oracle " + target, equivalents_of(target), usually);
  for (const oracle::Breakage& breakage : oracle::breakages(target)) {
    if (!tally.next()) continue;
    Rows rows;
    for (const std::string& row : testbench::row_names(target)) {
      if (oracle::pass_of(target, row.substr(0, row.find(':'))) == breakage.event) rows.insert(row);
    }
    Exchange exchange;
    exchange.make_counter = [&](const std::vector<oracle::Request>& requests, const oracle::ParameterLookup& lookup) {
      return oracle::make_broken_counter(target, requests, lookup, breakage);
    };
    tally.expect_noticed(breakage.text(), rows, exchange);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, OracleRules, testing::Values("ppc750gx", "athlon", "itanium2", "montecito"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace pmusim::perturbation
