#include <algorithm>
#include <tuple>

#include "stimuli_itanium2.h"

namespace pmusim::oracle::script {
namespace {

using activity::LineState;
using i64::BusAgent;
using i64::BusKind;
using i64::Deferral;
using i64::InterfaceQueue;
using i64::Kind;
using i64::SwitchCause;
using i64::SwitchGate;
namespace d = activity::detail;
namespace id = i64::detail;

using Rows = std::map<std::string, std::uint64_t>;

// --- rows that the Itanium 2 also has ---------------------------------------------------------------------
/// Prefixes of the Itanium 2's rows and of the Montecito's; empty: the Montecito has no such row.
constexpr std::pair<const char*, const char*> renamed[] = {
    {"IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", "IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33"},
    {"IA64_TAGGED_INST_RETIRED_IBRP1_PMC9", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35"},
    {"IA64_TAGGED_INST_RETIRED_IBRP2_PMC8", "IA64_TAGGED_INST_RETIRED_IBRP2_PMC32_33"},
    {"IA64_TAGGED_INST_RETIRED_IBRP3_PMC9", "IA64_TAGGED_INST_RETIRED_IBRP3_PMC34_35"},
    {"BR_MISPRED_DETAIL_NTRETIND", "BR_MISPRED_DETAIL_NRETIND"},
    {"BE_L1D_FPU_BUBBLE_L1D_DCURECIR", "BE_L1D_FPU_BUBBLE_L1D_PIPE_RECIRC"},
    {"BE_L1D_FPU_BUBBLE_L1D_DCS", "BE_L1D_FPU_BUBBLE_L1D_AR_CR"},
    {"FP_FLUSH_TO_ZERO", "FP_FLUSH_TO_ZERO_FTZ_REAL"},
    {"DTLB_INSERTS_HPW_RETIRED", ""},
    {"L2_INST_", "L2I_"},
    {"L2_DATA_REFERENCES_L2_DATA_", "L2D_REFERENCES_"},
    {"L2_DATA_REFERENCES_L2_", "L2D_REFERENCES_"},
    {"L2_REFERENCES", ""},
    {"L2_SYNTH_PROBE", ""},
    {"L2_GOT_RECIRC", ""},
    {"L2_ISSUED_RECIRC_IFETCH", ""},
    {"L2_BYPASS_L2_INST", ""},
    {"L2_BYPASS_L3_INST", ""},
    {"L2_IFET_CANCELS", ""},
    {"L2_OPS_ISSUED_NST_NLD", "L2D_OPS_ISSUED_OTHER"},
    {"L2_", "L2D_"},
    {"BUS_LOCK", ""},
    {"BUS_IOQ", ""},
    {"BUS_OOQ", ""},
    {"BUS_SNOOPS", ""},
    {"BUS_SNOOPQ_REQ", "ER_SNOOPQ_REQ_LO"},
    {"BUS_BACKSNP_REQ_THIS", "ER_BKSNP_ME_ACCEPTED"},
    {"BUS_BRQ_", "ER_BRQ_"},
    {"BUS_MEM_READ_OUT_", "ER_MEM_READ_OUT_"},
    {"BUS_DATA_CYCLE", "BUS_DATA_CYCLE_SELF"},  // of the agent with number 0
    {"BUS_RD_INVAL_ALL_HITM", "BUS_RD_INVAL_BST_HITM_ANY"},
    {"BUS_RD_INVAL_HITM", "BUS_RD_INVAL_HITM_ANY"},
    {"BUS_RD_HITM", "BUS_RD_HITM_ANY"},
    {"BUS_RD_HIT", "BUS_RD_HIT_ANY"},
    {"BUS_HITM", "BUS_HITM_ANY"},
};
std::string renamed_row(std::string name) {
  const auto found = std::find_if(std::begin(renamed), std::end(renamed),
                                  [&](const auto& names) { return name.starts_with(names.first); });
  if (found != std::end(renamed)) {
    const std::string rest = name.substr(std::string(found->first).size());
    name = std::string(found->second).empty() ? "" : found->second + rest;
  }
  if (name.starts_with("SYLL_NOT_DISPERSED") && name.ends_with("MLI")) name.replace(name.size() - 3, 3, "MLX");
  return name;
}
/// True for events whose rows name an agent: occurrences of this core also count in the rows for either core of the
/// die.
bool knows_either_core(const std::string& name) {
  return name.starts_with("BUS_") && name.ends_with("_SELF") && !name.starts_with("BUS_WR_WB");
}

Rows by_montecito(const Stimulus& stimulus) {
  Rows rows;
  for (const auto& [name, n] : rows_of(stimulus.rows)) {
    const std::string own = renamed_row(name);
    if (own.empty()) continue;
    rows[own] = n;
    if (knows_either_core(own)) rows[own.substr(0, own.size() - 4) + "EITHER"] = n;
  }
  if (rows.contains("BUS_DATA_CYCLE_SELF")) rows["BUS_DATA_CYCLE_ANY"] = rows["BUS_DATA_CYCLE_SELF"];
  if (rows.contains("BUS_RD_INVAL_HITM_ANY")) rows.erase("BUS_RD_INVAL_BST_HITM_ANY");
  if (rows.contains("BRANCH_EVENT")) rows["ETB_EVENT"] = rows["BRANCH_EVENT"];
  if (rows.contains("IA64_INST_RETIRED")) rows["CPU_OP_CYCLES_QUAL"] = 1;
  const auto integer_loads = [&](std::uint64_t n) { rows["LOADS_RETIRED_INTG"] = n; };
  if (stimulus.what == "load from a watched address") integer_loads(2);
  for (const char* what : {"load", "misaligned load", "uncacheable load", "load that misses the first data TLB",
                           "load from a watched address, no faults"}) {
    if (stimulus.what == what) integer_loads(1);
  }
  return rows;
}
std::string text_of(const Rows& rows) {
  std::string text;
  for (const auto& [name, n] : rows) text += name + "=" + std::to_string(n) + " ";
  return text;
}

void add_common(std::vector<Stimulus>& list) {
  for (Stimulus stimulus : itanium2_stimuli()) {
    const auto concerns = [&](const char* event) { return stimulus.rows.find(event) != std::string::npos; };
    const char* others[] = {"IA32_", "EXTERN_", "CPU_CPL_CHANGES", "L2_OZQ_CANCELS", "L2_FORCE_RECIRC", "L2_L3ACCESS"};
    if (std::any_of(std::begin(others), std::end(others), concerns)) continue;
    stimulus.rows = text_of(by_montecito(stimulus));
    list.push_back(std::move(stimulus));
  }
}

// --- rows that only the Montecito has ---------------------------------------------------------------------
class Adder {
 public:
  explicit Adder(std::vector<Stimulus>& list) : list_(list) {}
  void rule(Signal signal, unsigned detail, const std::string& rows) {
    list_.push_back(
        {rows, [=](Machine& m, Cycle at) { m.happen(signal, at, static_cast<std::uint16_t>(detail)); }, rows});
  }
  void access(Signal signal, const Access& made, unsigned detail, const std::string& rows) {
    list_.push_back({rows, [=](Machine& m, Cycle at) { m.put(signal, at, made, detail); }, rows});
  }
  template <class Reason>
  void because(Signal signal, Reason why, const std::string& rows) {
    access(signal, load_of(), static_cast<unsigned>(why), rows);
  }
  void level(State state, std::uint64_t value, const std::string& rows, std::uint64_t rest = 0) {
    list_.push_back({rows,
                     [=](Machine& m, Cycle at) {
                       m.state(state, at, value);
                       m.state(state, at + 2, rest);
                     },
                     rows});
  }
  void retiring(const Insn& made, const std::string& rows) {
    const std::string always =
        "IA64_INST_RETIRED{,_THIS} CPU_OP_CYCLES_QUAL "
        "IA64_TAGGED_INST_RETIRED_{IBRP0_PMC32_33,IBRP1_PMC34_35,IBRP2_PMC32_33,IBRP3_PMC34_35} ";
    list_.push_back({rows, [=](Machine& m, Cycle at) { m.put(Signal::retire, at, made); }, always + rows});
  }

 private:
  std::vector<Stimulus>& list_;
};

void add_core(Adder add) {
  add.retiring(but(insn({Kind::fp_operation}, i64::SlotType::f), [](Insn& i) { i.syllable.possibly_flushed = 2; }),
               "FP_FLUSH_TO_ZERO_FTZ_POSS=2");
  const std::pair<Deferral, const char*> deferrals[] = {{Deferral::walker_miss, "VHPT_MISS"},
                                                        {Deferral::tlb_miss, "DEF_TLB_MISS"},
                                                        {Deferral::tlb_fault, "DEF_TLB_FAULT"},
                                                        {Deferral::nat_consumption, "NAT_CNSM"},
                                                        {Deferral::psr_ed, "DEF_PSR_ED"}};
  for (const auto& [why, name] : deferrals) {
    Insn load = insn({Kind::integer_load, Kind::speculative});
    load.syllable.deferral = why;
    add.retiring(load, std::string("SPEC_LOADS_NATTED_{ALL,") + name + "}");
    add.retiring(predicated_off(load), "PREDICATE_SQUASHED_RETIRED");
    load.syllable.kinds = i64::bit(Kind::fp_load) | i64::bit(Kind::speculative);
    add.retiring(load, "");
  }
  add.access(Signal::access_retire, but(load_of(), [](Access& a) { a.request.fp = true; }), 0, "LOADS_RETIRED");
  add.level(State::clock, 0, "CPU_OP_CYCLES_ALL=8 CPU_OP_CYCLES_HALTED=2", 1);
  for (unsigned level = 0; level < 3; ++level) {
    add.level(State::cpl, level, "CPU_CPL_CHANGES_{LVL3,ALL,LVL" + std::to_string(level) + "}=2", 3);
  }
  const std::pair<SwitchCause, const char*> causes[] = {
      {SwitchCause::l3_miss, ",L3MISS"}, {SwitchCause::timer, ",TIMER"}, {SwitchCause::hint, ",HINT"},
      {SwitchCause::low_power, ",LP"},   {SwitchCause::debug, ",DBG"},   {SwitchCause::none, ""}};
  for (const auto& [cause, name] : causes) {
    const auto number = static_cast<unsigned>(cause);
    add.rule(Signal::thread_switch, number, std::string("THREAD_SWITCH_EVENTS_{ALL") + name + "}");
    add.rule(Signal::thread_switch_missed, number, "THREAD_SWITCH_EVENTS_MISSED");
  }
  std::string reached;
  for (unsigned limit = 4; limit <= 4096; limit *= 2) {
    const auto after = [](unsigned cycles) { return cycles << id::switch_stall_shift; };
    const std::string all = "THREAD_SWITCH_EVENTS_ALL ";
    add.rule(Signal::thread_switch, after(limit - 1), all + reached);
    reached += "THREAD_SWITCH_STALL_GTE_" + std::to_string(limit) + " ";
    add.rule(Signal::thread_switch, after(limit), all + reached);
  }
  const std::pair<SwitchGate, const char*> gates[] = {
      {SwitchGate::low_power, "LP"}, {SwitchGate::pipeline, "PIPE"}, {SwitchGate::forward_progress, "FWDPRO"}};
  for (const auto& [gate, name] : gates) {
    add.rule(Signal::thread_switch_gated, static_cast<unsigned>(gate),
             std::string("THREAD_SWITCH_GATED_{ALL,") + name + "}");
  }
  namespace s = i64::switching;
  const std::string cycle = "THREAD_SWITCH_CYCLE_";
  add.level(State::switching, s::due, cycle + "TOTAL=2");
  add.level(State::switching, s::due | s::request_buffer, cycle + "{TOTAL,CRAB,ANYSTALL}=2");
  add.level(State::switching, s::due | s::l2d_return, cycle + "{TOTAL,L2D,ANYSTALL}=2");
  add.level(State::switching, s::due | s::l2d_return | s::request_buffer, cycle + "{TOTAL,L2D,CRAB,ANYSTALL}=2");
  add.level(State::switching, s::disabled, cycle + "PCR=2");
  add.level(State::switching, s::due | s::gated, cycle + "{TOTAL,ALL_GATED}=2");
}

void add_caches(Adder add) {
  add.access(Signal::l2_reference, load_of(), d::lookup_hit, "L2D_INSERT_HITS L2D_REFERENCES_{READS,ALL}");
  add.access(Signal::l2_reference, store_of(), d::lookup_miss, "L2D_INSERT_MISSES L2D_REFERENCES_{WRITES,ALL}");
  using Q = i64::QueueCancel;
  using S = i64::QueueStage;
  using i64::queue_stage;
  namespace q = i64::queue_cancel;
  const std::tuple<Q, unsigned, const char*> cancels[] = {
      {Q::recirculating, 0, "0_RECIRC"},
      {Q::still_missing, 0, "0_RECIRC"},
      {Q::store_order, q::store | queue_stage(S::l2m), "0_CANC_L2M_TO_L2C_ST"},
      {Q::store_order, q::store | queue_stage(S::l2c), "0_CANC_L2M_TO_L2C_ST"},
      {Q::store_data, queue_stage(S::l2a), "0_L2A_ST_MAT"},
      {Q::store_data, queue_stage(S::l2m), "0_L2M_ST_MAT"},
      {Q::store_data, queue_stage(S::l2d), "0_L2D_ST_MAT"},
      {Q::store_data, queue_stage(S::l2c), "0_L2C_ST_MAT"},
      {Q::acquire, 0, "0_ACQ"},
      {Q::acquire, q::first | q::adjacent, "0_ACQ"},
      {Q::release, q::first, "0_REL"},
      {Q::bank, 0, "0_BANK_CONF"},
      {Q::semaphore, 0, "0_SEMA"},
      {Q::no_attempt_left, q::first, "0_OVER_SUB"},
      {Q::recirculating, q::first, "0_OZQ_PREEMPT"},
      {Q::write_back_read, 0, "0_WB_CONF"},
      {Q::sync, 0, "0_MISC_ORDER"},
      {Q::fence, 0, "0_MISC_ORDER"},
      {Q::compare_value, 0, "0_MISC_ORDER"},
      {Q::uncacheable, 0, "0_MISC_ORDER"},
      {Q::fill, q::store, "0_FILL_ST_CONF"},
      {Q::fill, q::store | q::same_set, "0_FILL_ST_CONF"},
      {Q::fill, 0, "0_OZDATA_CONF"},
      {Q::return_port, 0, "0_OZDATA_CONF"},
      {Q::missed_bypass, q::first, "1_{ANY,LATE_SPEC_BYP}"},
      {Q::sibling_order, q::first, "1_{ANY,SIBLING_ACQ_REL}"},
      {Q::bypass_of_release, q::first, "1_{ANY,LATE_BYP_EFFRELEASE}"}};
  for (const auto& [why, facts, name] : cancels) {
    add.because(Signal::queue_cancel, static_cast<unsigned>(why) | facts, std::string("L2D_OZQ_CANCELS") + name);
  }
  for (const Q why : {Q::l1d_fill, Q::l2_error, Q::system_error, Q::fetch}) add.because(Signal::queue_cancel, why, "");
  using R = i64::Recirculate;
  using P = i64::LinePhase;
  using i64::line_phase;
  namespace r = i64::recirculate;
  const std::tuple<R, unsigned, const char*> rounds[] = {
      {R::line_under_way, line_phase(P::requested), ",LIMBO"},
      {R::tags_written, 0, ",TAG_NOTOK"},
      {R::line_under_way, r::prefetch, ",TRAN_PREF"},
      {R::snoop, 0, ",SNP_OR_L3"},
      {R::line_under_way, line_phase(P::in_tags), ",TAG_OK"},
      {R::line_under_way, line_phase(P::arrives), ",FILL_HIT"},
      {R::no_fill_buffer, 0, ",FRC_RECIRC"},
      {R::set_under_way, 0, ",SAME_INDEX"},
      {R::miss, 0, ",OZQ_MISS"},
      {R::l1d_line_written, 0, ",L1W"},
      {R::line_under_way, line_phase(P::accepted), ",SECONDARY_READ,SECONDARY_ALL"},
      {R::line_under_way, line_phase(P::accepted) | r::store, ",SECONDARY_WRITE,SECONDARY_ALL"},
      {R::line_under_way, line_phase(P::arrives) | r::for_code_prefetch, ""},
      {R::write_back, 0, ""}};
  for (const auto& [why, facts, names] : rounds) {
    add.because(Signal::force_recirculate, static_cast<unsigned>(why) | facts,
                std::string("L2D_FORCE_RECIRC_{RECIRC") + names + "}");
  }
  using L = i64::L3Cancel;
  const std::pair<unsigned, const char*> l3_cancels[] = {
      {static_cast<unsigned>(L::l3_busy), ",INV_L3_BYP"},
      {static_cast<unsigned>(L::l3_busy) | i64::l3_cancel_during_write_back, ",INV_L3_BYP"},
      {static_cast<unsigned>(L::l2_hit), ",SPEC_L3_BYP"},
      {static_cast<unsigned>(L::bus_queue_full), ",ER_REJECT"},
      {static_cast<unsigned>(L::snoop_of_request), ",P2_COV_SNP_TEM"},
      {static_cast<unsigned>(L::snoop_of_victim), ",P2_COV_SNP_VIC"},
      {static_cast<unsigned>(L::fill), ",P2_COV_SNP_FILL_NOSNP"},
      {static_cast<unsigned>(L::write_back), ",TAIL_TRANS_DIS"},
      {static_cast<unsigned>(L::no_fill_buffer), ""}};
  for (const auto& [why, name] : l3_cancels) {
    add.because(Signal::l3_cancel, why | i64::l3_cancel_by_data, std::string("L2D_L3ACCESS_CANCEL_{ANY") + name + "}");
  }
  add.because(Signal::queue_issue, unsigned{id::operation_prefetch}, "L2D_OPS_ISSUED_LFETCH");
  const std::pair<LineState, const char*> states[] = {
      {LineState::modified, "M"}, {LineState::exclusive, "E"}, {LineState::shared, "S"}, {LineState::invalid, "I"}};
  for (const auto& [state, name] : states) {
    add.because(Signal::l2_fill, state, std::string("L2D_FILL_MESI_STATE_") + name);
    add.because(Signal::l3_insert, state, "L3_INSERTS");
  }
  add.because(Signal::l2_fill, unsigned{id::l2_fill_pending}, "L2D_FILL_MESI_STATE_P");
  for (const auto& [result, how] : {std::pair{d::lookup_hit, "{ALL,HIT}"}, std::pair{d::lookup_miss, "{ALL,MISS}"}}) {
    for (const bool prefetch : {false, true}) {
      const unsigned detail = result | (prefetch ? d::access_prefetch : 0u);
      const std::string rows = std::string(how) + (prefetch ? "_{ALL,PFTCH}" : "_{ALL,DMND}");
      const Access made = prefetch ? prefetch_of() : fetch_of();
      add.access(Signal::l2i_lookup, made, detail, "L2I_READS_" + rows);
      add.access(Signal::l2i_lookup, but(made, [](Access& a) { a.request.uncacheable = true; }), detail,
                 "L2I_UC_READS_" + rows);
      add.access(Signal::l2i_retry, made, detail | id::retry_recirculated, "L2I_RECIRCULATES_" + rows);
      add.access(Signal::l2i_retry, made, detail | id::retry_rejected, "L2I_L3_REJECTS_" + rows);
      add.access(Signal::l2i_retry, made, detail | id::retry_conflict, "L2I_HIT_CONFLICTS_" + rows);
    }
  }
  add.access(Signal::l2i_evict, fetch_of(), 0, "L2I_VICTIMIZATION");
  add.access(Signal::l2i_abort, prefetch_of(), 0, "L2I_SPEC_ABORTS");
  add.rule(Signal::l2i_snoop_hit, 0, "L2I_SNOOP_HITS");
}

void add_bus(Adder add, std::vector<Stimulus>& list) {
  const std::pair<BusAgent, const char*> agents[] = {{BusAgent::self, "{ANY,SELF,EITHER}"},
                                                     {BusAgent::other_core, "{ANY,EITHER}"},
                                                     {BusAgent::io, "{ANY,IO}"},
                                                     {BusAgent::other_processor, "ANY"}};
  for (const auto& [agent, name] : agents) {
    const std::string who = name;
    const unsigned by = static_cast<unsigned>(agent) << id::bus_agent_shift;
    const auto answered = [&](BusKind kind, unsigned how, const std::string& rows) {
      add.rule(Signal::bus_transaction, static_cast<unsigned>(kind) | by | how,
               "BUS_ALL_" + who + " BUS_MEMORY_{ALL,LT_128BYTE}_" + who + " " + rows);
    };
    const std::string read = "BUS_MEM_READ_{ALL,", hit_modified = " BUS_HITM_" + who;
    answered(BusKind::read_line, id::bus_answer_hit, read + "BRL}_" + who + " BUS_RD_HIT_" + who);
    answered(BusKind::read_line, id::bus_answer_modified, read + "BRL}_" + who + " BUS_RD_HITM_" + who + hit_modified);
    answered(BusKind::read_invalidate_line, id::bus_answer_modified,
             read + "BRIL}_" + who + " BUS_RD_INVAL_BST_HITM_" + who + " BUS_RD_HITM_" + who + hit_modified);
    answered(BusKind::invalidate_line, id::bus_answer_modified,
             read + "BIL}_" + who + " BUS_RD_INVAL_HITM_" + who + hit_modified);
    const auto number = static_cast<std::uint64_t>(agent);
    namespace clocks = i64::bus_clocks;
    add.level(State::bus_clocks, clocks::data | number << clocks::data_agent_shift, "BUS_DATA_CYCLE_" + who + "=2");
    add.level(State::bus_clocks, clocks::data | clocks::back_to_back | number << clocks::data_agent_shift,
              "BUS_DATA_CYCLE_" + who + "=2 BUS_B2B_DATA_CYCLES_" + who + "=2");
  }
  namespace clocks = i64::bus_clocks;
  const auto sibling = static_cast<std::uint64_t>(BusAgent::other_core) << clocks::stall_agent_shift;
  const auto foreign = static_cast<std::uint64_t>(BusAgent::other_processor) << clocks::stall_agent_shift;
  add.level(State::bus_clocks, clocks::snoop_stall_other | sibling, "BUS_SNOOP_STALL_CYCLES_{ANY,EITHER}=2");
  add.level(State::bus_clocks, clocks::snoop_stall_other | foreign, "BUS_SNOOP_STALL_CYCLES_ANY=2");
  add.level(State::bus_queues, std::uint64_t{19} << i64::bus_queues::snoops_shift,  // 10|011
            "ER_SNOOPQ_REQ_HI=4 ER_SNOOPQ_REQ_LO=6");
  namespace reject = i64::request_reject;
  add.level(State::request_reject, reject::instruction, "ER_REJECT_ALL_L1I_REQ=2");
  add.level(State::request_reject, reject::data, "ER_REJECT_ALL_L1D_REQ=2");
  add.level(State::request_reject, reject::data | reject::instruction, "ER_REJECT_ALL_{L1,L1D,L1I}_REQ=2");
  list.push_back({"four core clocks a bus clock: cycles 8 and 12; three to two: 15, 17, 18, 20",
                  [](Machine& m, Cycle at) {
                    m.state(State::bus_ratio, at, 4u << 16 | 1u);
                    m.state(State::bus_ratio, at + 10, 3u << 16 | 2u);
                    m.state(State::bus_ratio, at + 16, 0);
                  },
                  "SI_CYCLES=6", 30});
}

void add_interface(Adder add) {
  const auto detail = [](InterfaceQueue queue, unsigned kind, bool other) {
    return static_cast<unsigned>(queue) | kind << i64::interface_kind_shift | (other ? i64::interface_other_core : 0u);
  };
  using Q = InterfaceQueue;
  for (const bool other : {false, true}) {
    const std::string who = other ? "EITHER" : "{EITHER,SELF}";
    const auto at = [&](Signal signal, Q queue, unsigned kind, const std::string& rows) {
      add.rule(signal, detail(queue, kind, other), rows + who);
    };
    at(Signal::interface_insert, Q::request, 0, "SI_RQ_INSERTS_");
    at(Signal::interface_insert, Q::clean_castout, 0, "SI_CCQ_INSERTS_");
    unsigned kind = 0;
    for (const char* name : {"IWB", "EWB", "WC1_8A", "WC16", "WC32", "NEWB", "WC1_8B"}) {
      at(Signal::interface_insert, Q::write, kind++, std::string("SI_WRITEQ_INSERTS_{ALL,") + name + "}_");
    }
    kind = 0;
    for (const char* name : {"MISS", "HIT", "HITM"}) {
      add.rule(Signal::interface_signoff, detail(Q::snoop_coalescing, kind, other),
               std::string("SI_SCB_SIGNOFFS_{ALL,") + name + "}");
      at(Signal::interface_insert, Q::snoop_coalescing, kind++, std::string("SI_SCB_INSERTS_{ALL,") + name + "}_");
    }
    at(Signal::interface_collision, Q::write_address, 0, "SI_WAQ_COLLISIONS_");
    at(Signal::interface_collision, Q::clean_castout, 0, "SI_CCQ_COLLISIONS_");
    add.rule(Signal::interface_collision, detail(Q::in_order, 0, other), "SI_IOQ_COLLISIONS");
    add.rule(Signal::interface_collision, detail(Q::request, 0, other), "");
    add.rule(Signal::interface_insert, detail(Q::in_order, 0, other), "");
    const unsigned core = other ? i64::interface_other_core : 0u;
    add.rule(Signal::interface_ecc, core, "SI_WDQ_ECC_ERRORS_{ALL,SGL}_" + who);
    add.rule(Signal::interface_ecc, core | i64::interface_double_error, "SI_WDQ_ECC_ERRORS_{ALL,DBL}_" + who);
  }
  namespace q = i64::interface_queues;
  const std::pair<unsigned, std::string> queues[] = {{q::request_shift, "RQ"},
                                                     {q::write_shift, "WRITEQ"},
                                                     {q::clean_castout_shift, "CCQ"},
                                                     {q::snoop_coalescing_shift, "SCB"}};
  for (const auto& [shift, name] : queues) {  // 13 = 1|101
    const std::string row = "SI_" + name + "_LIVE_REQ_";
    add.level(State::interface_self, std::uint64_t{13} << shift, row + "LO_SELF=10 " + row + "HI_SELF=2");
    add.level(State::interface_both, std::uint64_t{13} << shift, row + "LO_EITHER=10 " + row + "HI_EITHER=2");
  }
  add.level(State::interface_both, std::uint64_t{9} << q::in_order_shift,  // 10|01
            "SI_IOQ_LIVE_REQ_LO=2 SI_IOQ_LIVE_REQ_HI=4");
  add.level(State::interface_self, std::uint64_t{9} << q::in_order_shift, "");
}

}  // namespace

const std::vector<Stimulus>& montecito_stimuli() {
  static const std::vector<Stimulus> all = [] {
    std::vector<Stimulus> list;
    add_common(list);
    add_core(Adder(list));
    add_caches(Adder(list));
    add_bus(Adder(list), list);
    add_interface(Adder(list));
    return list;
  }();
  return all;
}

}  // namespace pmusim::oracle::script
