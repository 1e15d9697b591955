// Events of the Montecito (Itanium 2 9000), by name: those of the Itanium 2 with their differences, and the Montecito's
// own in events_montecito_*.cpp.
#include <algorithm>

#include "testbench/oracle/events_itanium2.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle {
namespace {

using activity::LineState;
using activity::Signal;
using activity::State;
using Names = std::vector<std::string_view>;

/// Events of the Itanium 2 that the Montecito does not have, or that count something else there.
const Names& left_out() {
  static const Names names = {"BUS_IOQ_LIVE_REQ_HI",
                              "BUS_IOQ_LIVE_REQ_LO",
                              "BUS_LOCK",
                              "BUS_OOQ_LIVE_REQ_HI",
                              "BUS_OOQ_LIVE_REQ_LO",
                              "BUS_RD_INVAL_ALL_HITM",
                              "BUS_SNOOPS",
                              "BUS_SNOOPS_HITM",
                              "CPU_CPL_CHANGES",
                              "DTLB_INSERTS_HPW_RETIRED",
                              "EXTERN_DP_PINS_0_TO_3",
                              "EXTERN_DP_PINS_4_TO_5",
                              "FP_FLUSH_TO_ZERO",
                              "IA32_INST_RETIRED",
                              "IA32_ISA_TRANSITIONS",
                              "L2_FORCE_RECIRC",
                              "L2_GOT_RECIRC_IFETCH_ANY",
                              "L2_GOT_RECIRC_OZQ_ACC",
                              "L2_IFET_CANCELS",
                              "L2_L3ACCESS_CANCEL",
                              "L2_ISSUED_RECIRC_IFETCH_ANY",
                              "L2_OZQ_CANCELS0",
                              "L2_OZQ_CANCELS1",
                              "L2_OZQ_CANCELS2",
                              "L2_REFERENCES",
                              "L2_SYNTH_PROBE"};
  return names;
}

/// An event of the Itanium 2 with another name, other names of unit masks or another maximum.
struct Change {
  std::string_view itanium2;
  std::string_view name = {};  ///< empty: the same
  Names umasks = {};           ///< empty: the same
  std::uint32_t most = 0;      ///< 0: the same
};

const std::vector<Change>& changes() {
  const Names agents = {"ANY", "IO", "SELF", "EITHER"};
  static const std::vector<Change> list = {
      {"CPU_CYCLES", "CPU_OP_CYCLES_ALL"},
      {.itanium2 = "FP_OPS_RETIRED", .most = 6},
      {"IA64_TAGGED_INST_RETIRED", {}, {"IBRP0_PMC32_33", "IBRP1_PMC34_35", "IBRP2_PMC32_33", "IBRP3_PMC34_35"}},
      {"BR_MISPRED_DETAIL",
       {},
       {"ALL_ALL_PRED", "ALL_CORRECT_PRED", "ALL_WRONG_PATH", "ALL_WRONG_TARGET", "IPREL_ALL_PRED",
        "IPREL_CORRECT_PRED", "IPREL_WRONG_PATH", "IPREL_WRONG_TARGET", "NRETIND_ALL_PRED", "NRETIND_CORRECT_PRED",
        "NRETIND_WRONG_PATH", "NRETIND_WRONG_TARGET", "RETURN_ALL_PRED", "RETURN_CORRECT_PRED", "RETURN_WRONG_PATH",
        "RETURN_WRONG_TARGET"}},
      {"BE_L1D_FPU_BUBBLE",
       {},
       {"ALL", "FPU", "L1D", "L1D_FULLSTBUF", "L1D_PIPE_RECIRC", "L1D_HPW", "L1D_FILLCONF", "L1D_AR_CR", "L1D_L2BPRESS",
        "L1D_TLB", "L1D_LDCONF", "L1D_LDCHK", "L1D_NAT", "L1D_STBUFRECIR", "L1D_NATCONF"}},
      {"SYLL_NOT_DISPERSED",
       {},
       {"EXPL", "IMPL", "EXPL_OR_IMPL", "FE", "EXPL_OR_FE", "IMPL_OR_FE", "EXPL_OR_IMPL_OR_FE", "MLX", "EXPL_OR_MLX",
        "IMPL_OR_MLX", "EXPL_OR_IMPL_OR_MLX", "FE_OR_MLX", "EXPL_OR_FE_OR_MLX", "IMPL_OR_FE_OR_MLX", "ALL"}},
      // caches
      {"L2_INST_DEMAND_READS", "L2I_DEMAND_READS"},
      {"L2_INST_PREFETCHES", "L2I_PREFETCHES"},
      {"L2_DATA_REFERENCES_L2", "L2D_REFERENCES", {"READS", "WRITES", "ALL"}},
      {"L2_MISSES", "L2D_MISSES"},
      {"L2_BYPASS", "L2D_BYPASS", {"L2_DATA1", "L2_DATA2", "", "", "L3_DATA1"}},
      {"L2_OPS_ISSUED", "L2D_OPS_ISSUED", {"INT_LOAD", "FP_LOAD", "RMW", "STORE", "OTHER", "LFETCH"}},
      {"L2_ISSUED_RECIRC_OZQ_ACC", "L2D_ISSUED_RECIRC_OZQ_ACC"},
      {"L2_BAD_LINES_SELECTED_ANY", "L2D_BAD_LINES_SELECTED_ANY"},
      {"L2_STORE_HIT_SHARED_ANY", "L2D_STORE_HIT_SHARED_ANY"},
      {"L2_OZQ_FULL_THIS", "L2D_OZQ_FULL_THIS"},
      {"L2_OZDB_FULL_THIS", "L2D_OZDB_FULL_THIS"},
      {"L2_VICTIMB_FULL_THIS", "L2D_VICTIMB_FULL_THIS"},
      {"L2_FILLB_FULL_THIS", "L2D_FILLB_FULL_THIS"},
      {"L2_OZQ_ACQUIRE", "L2D_OZQ_ACQUIRE"},
      {"L2_OZQ_RELEASE", "L2D_OZQ_RELEASE"},
      // requests to the outside
      {"BUS_BACKSNP_REQ_THIS", "ER_BKSNP_ME_ACCEPTED", {}, 2},
      {"BUS_BRQ_REQ_INSERTED", "ER_BRQ_REQ_INSERTED"},
      {"BUS_BRQ_LIVE_REQ_HI", "ER_BRQ_LIVE_REQ_HI"},
      {"BUS_BRQ_LIVE_REQ_LO", "ER_BRQ_LIVE_REQ_LO"},
      {"BUS_MEM_READ_OUT_HI", "ER_MEM_READ_OUT_HI"},
      {"BUS_MEM_READ_OUT_LO", "ER_MEM_READ_OUT_LO"},
      {"BUS_SNOOPQ_REQ", "ER_SNOOPQ_REQ_LO"},
      // agents: either core of the die in addition
      {"BUS_ALL", {}, agents},
      {"BUS_DATA_CYCLE", {}, agents},
      {"BUS_HITM", {}, agents},
      {"BUS_IO", {}, agents},
      {"BUS_RD_DATA", {}, agents},
      {"BUS_RD_HIT", {}, agents},
      {"BUS_RD_HITM", {}, agents},
      {"BUS_RD_INVAL_HITM", {}, agents},
      {"BUS_RD_IO", {}, agents},
      {"BUS_RD_PRTL", {}, agents},
      {"BUS_SNOOP_STALL_CYCLES", {}, {"ANY", "SELF", "EITHER"}},
      {"BUS_MEMORY",
       {},
       {"ALL_ANY", "ALL_IO", "ALL_SELF", "ALL_EITHER", "EQ_128BYTE_ANY", "EQ_128BYTE_IO", "EQ_128BYTE_SELF",
        "EQ_128BYTE_EITHER", "LT_128BYTE_ANY", "LT_128BYTE_IO", "LT_128BYTE_SELF", "LT_128BYTE_EITHER"}},
      {"BUS_MEM_READ",
       {},
       {"ALL_ANY", "ALL_IO", "ALL_SELF", "ALL_EITHER", "BIL_ANY", "BIL_IO", "BIL_SELF", "BIL_EITHER", "BRIL_ANY",
        "BRIL_IO", "BRIL_SELF", "BRIL_EITHER", "BRL_ANY", "BRL_IO", "BRL_SELF", "BRL_EITHER"}},
  };
  return list;
}

/// The thread type of events other than active ones, by prefix of the name; the first matching row holds.
struct Owner {
  std::string_view begins;
  Attribution attribution;
};
constexpr Owner owners[] = {
    {"L1I_FILLS", Attribution::floating},
    {"L1I_EAR_", Attribution::floating},
    {"DATA_EAR_", Attribution::floating},
    {"DTLB_INSERTS_HPW", Attribution::floating},
    {"ER_MEM_READ_OUT_", Attribution::floating},
    {"ER_BRQ_REQ_INSERTED", Attribution::floating},
    {"L2D_", Attribution::floating},
    {"L2I_DEMAND_READS", Attribution::active},
    {"L2I_PREFETCHES", Attribution::active},
    {"L2I_SNOOP_HITS", Attribution::causal},
    {"L2I_", Attribution::floating},
    {"L3_", Attribution::floating},
    {"BUS_DATA_CYCLE", Attribution::causal},
    {"BUS_B2B_DATA_CYCLES", Attribution::causal},
    {"BUS_", Attribution::self_floating},
    {"SI_RQ_INSERTS", Attribution::self_floating},
    {"SI_CCQ_INSERTS", Attribution::self_floating},
    {"SI_WRITEQ_INSERTS", Attribution::self_floating},
    {"SI_", Attribution::causal},
    {"ER_", Attribution::causal},
    {"CPU_OP_CYCLES", Attribution::causal},
    {"L1I_SNOOP", Attribution::causal},
    {"L1I_PURGE", Attribution::causal},
    {"L1I_RAB_", Attribution::causal},
    {"MEM_READ_CURRENT", Attribution::causal},
    {"", Attribution::active},
};
Attribution attribution_of(std::string_view name) {
  return std::find_if(std::begin(owners), std::end(owners), [&](const Owner& o) { return name.starts_with(o.begins); })
      ->attribution;
}

// The state of an L3 line that is found or evicted.
LineState found(const EventSite& s) {
  return static_cast<LineState>(s.what.detail >> activity::ia64::detail::l3_state_shift & 7);
}
LineState leaving(const EventSite& s) {
  return static_cast<LineState>(s.what.detail >> activity::detail::evict_state_shift & 7);
}

void change(Event& event) {
  for (const Change& c : changes()) {
    if (c.itanium2 != event.name) continue;
    if (!c.name.empty()) event.name = c.name;
    if (!c.umasks.empty()) event.umasks = c.umasks;
    if (c.most != 0) event.most = c.most;
    break;
  }
  // There is no IA-32 mode.
  std::erase_if(event.rules, [](const OccurrenceRule& h) { return h.signal == Signal::ia32_retire; });
  if (event.name == "DTLB_INSERTS_HPW" || event.name == "HPW_DATA_REFERENCES") event.filters = {};
  if (event.name == "L3_READS" || event.name == "L3_WRITES") event.line_state = found;
  if (event.name == "L3_LINES_REPLACED") event.line_state = leaving;
}

void attribute(Event& event) {
  event.attribution = attribution_of(event.name);
  if (!event.floats() && !event.filters.code) return;
  for (const State state : thread_states) event.add_state(state);
}

}  // namespace

const std::vector<Event>& montecito_events() {
  static const std::vector<Event> all = [] {
    std::vector<Event> list;
    for (const Event& event : itanium2_events()) {
      const Names& without = left_out();
      if (std::find(without.begin(), without.end(), event.name) != without.end()) continue;
      list.push_back(event);
      change(list.back());
    }
    for (auto part : {montecito::core_events, montecito::cache_events, montecito::interface_events}) {
      for (Event& event : part()) list.push_back(std::move(event));
    }
    for (Event& event : list) attribute(event);
    return list;
  }();
  return all;
}

}  // namespace pmusim::oracle
