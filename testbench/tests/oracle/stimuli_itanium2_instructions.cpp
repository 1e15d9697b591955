#include "stimuli_itanium2.h"

namespace pmusim::oracle::script {
namespace {

using i64::BranchClass;
using i64::Kind;
using i64::Prediction;
using i64::SlotType;
namespace d = activity::detail;

const std::string inst =
    "IA64_INST_RETIRED{,_THIS} IA64_TAGGED_INST_RETIRED_{IBRP0_PMC8,IBRP1_PMC9,IBRP2_PMC8,IBRP3_PMC9} ";

Stimulus retiring(const std::string& what, const Insn& made, const std::string& rows) {
  return {what, [made](Machine& m, Cycle at) { m.put(Signal::retire, at, made); }, inst + rows};
}
Stimulus other(const std::string& what, Signal signal, const Insn& made, const std::string& rows, unsigned detail = 0) {
  return {what, [=](Machine& m, Cycle at) { m.put(signal, at, made, detail); }, rows};
}
Stimulus accessing(const std::string& what, const Access& made, const std::string& rows) {
  return {what, [made](Machine& m, Cycle at) { m.put(Signal::access_retire, at, made); }, rows};
}

Insn branch(BranchClass kind, Prediction prediction, bool taken) {
  Insn i = insn({Kind::branch}, SlotType::b);
  i.syllable.branch_class = kind;
  i.syllable.prediction = prediction;
  i.record.taken = taken;
  return i;
}

void add_branches(std::vector<Stimulus>& list) {
  struct Named {
    BranchClass kind;
    std::string detail, path, encoded;
  };
  const Named classes[] = {{BranchClass::ip_relative, "IPREL", "IPREL", ""},
                           {BranchClass::return_, "RETURN", "RETURN", ",OVERSUB"},
                           {BranchClass::indirect, "NTRETIND", "NRETIND", ",ALL2"}};
  const std::pair<Prediction, std::string> outcomes[] = {{Prediction::correct, "CORRECT_PRED"},
                                                         {Prediction::wrong_path, "WRONG_PATH"},
                                                         {Prediction::wrong_target, "WRONG_TARGET"}};
  for (const Named& c : classes) {
    for (const auto& [prediction, outcome] : outcomes) {
      for (const bool taken : {false, true}) {
        const bool wrong = prediction == Prediction::wrong_path;
        const std::string direction = std::string(wrong ? "MISPRED_" : "OKPRED_") + (taken ? "TAKEN" : "NOTTAKEN");
        const std::string detail = "BR_MISPRED_DETAIL_{ALL," + c.detail + "}_{ALL_PRED," + outcome + "} ";
        const std::string path = "BR_PATH_PRED_{ALL," + c.path + "}_" + direction + " ";
        Insn made = branch(c.kind, prediction, taken);
        list.push_back(retiring("branch " + c.detail + " " + outcome, made, detail + path + "BRANCH_EVENT"));
        made.syllable.kinds |= i64::bit(Kind::multiway);
        list.push_back(retiring(
            "one of several branches", made,
            detail + path + "BRANCH_EVENT ENCBR_MISPRED_DETAIL_{ALL" + c.encoded + "}_{ALL_PRED," + outcome + "}"));
        made = branch(c.kind, prediction, taken);
        made.syllable.unknown_prediction = true;
        const std::string guess = prediction == Prediction::correct ? ",UNKNOWN_PATH_CORRECT_PRED"
                                  : wrong                           ? ",UNKNOWN_PATH_WRONG_PATH"
                                                                    : "";
        list.push_back(retiring("a branch without prediction", made,
                                detail + path + "BRANCH_EVENT BR_MISPRED_DETAIL2_{ALL," + c.path +
                                    "}_{ALL_UNKNOWN_PRED" + guess + "} BR_PATH_PRED2_{ALL," + c.path +
                                    "}_UNKNOWNPRED_" + (taken ? "TAKEN" : "NOTTAKEN")));
      }
    }
  }
  const std::string flushed =
      "BR_MISPRED_DETAIL_{ALL,RETURN}_{ALL_PRED,WRONG_TARGET} "
      "BR_PATH_PRED_{ALL,RETURN}_OKPRED_TAKEN BRANCH_EVENT BE_BR_MISPRED_DETAIL_";
  const auto flush = [&](const char* names, auto change) {
    Insn made = branch(BranchClass::return_, Prediction::wrong_target, true);
    made.syllable.back_end_flush = true;
    change(made.syllable);
    list.push_back(retiring("a branch that the back end finds wrong", made, flushed + names));
  };
  flush("ANY", [](i64::Syllable&) {});
  flush("{ANY,STG}", [](i64::Syllable& y) { y.wrong_stage = true; });
  flush("{ANY,ROT}", [](i64::Syllable& y) { y.wrong_rotation = true; });
  flush("{ANY,PFS}", [](i64::Syllable& y) { y.wrong_previous_state = true; });
  list.push_back(retiring("rfi", insn({Kind::rfi}, SlotType::b), "BRANCH_EVENT"));
  list.push_back(
      retiring("a branch predicated off", predicated_off(branch(BranchClass::ip_relative, Prediction::correct, false)),
               "BR_MISPRED_DETAIL_{ALL,IPREL}_{ALL_PRED,CORRECT_PRED} BR_PATH_PRED_{ALL,IPREL}_OKPRED_NOTTAKEN "
               "BRANCH_EVENT"));
}

void add_checks(std::vector<Stimulus>& list) {
  const auto failing = [](Insn i) {
    i.syllable.check_failed = true;
    return i;
  };
  for (const bool fp : {false, true}) {
    const std::string file = fp ? "FP" : "INT";
    const auto with = [&](std::initializer_list<Kind> kinds) {
      Insn i = insn(kinds);
      if (fp) i.syllable.kinds |= i64::bit(Kind::fp_check);
      return i;
    };
    const std::string checks = "INST_CHKA_LDC_ALAT_{ALL," + file + "} ";
    const std::string fails = checks + "INST_FAILED_CHKA_LDC_ALAT_{ALL," + file + "} DATA_EAR_ALAT";
    list.push_back(retiring("chk.a", with({Kind::check_advanced}), checks));
    list.push_back(retiring("ld.c", with({Kind::check_load, Kind::integer_load}), checks));
    list.push_back(retiring("chk.a fails", failing(with({Kind::check_advanced})), fails));
    list.push_back(retiring("ld.c fails", failing(with({Kind::check_load, Kind::integer_load})), fails));
    list.push_back(retiring("chk.a predicated off", predicated_off(failing(with({Kind::check_advanced}))),
                            "PREDICATE_SQUASHED_RETIRED"));
    list.push_back(retiring("chk.s", with({Kind::check_speculative}), ""));
    list.push_back(retiring("chk.s fails", failing(with({Kind::check_speculative})),
                            "INST_FAILED_CHKS_RETIRED_{ALL," + file + "}"));
  }
  list.push_back(retiring("ldf.c", insn({Kind::check_load, Kind::fp_load}), "INST_CHKA_LDC_ALAT_{ALL,FP}"));
  list.push_back(other("an integer ALAT entry is needed", Signal::alat_displace,
                       insn({Kind::integer_load, Kind::advanced}), "ALAT_CAPACITY_MISS_{ALL,INT}"));
  list.push_back(other("a floating-point ALAT entry is needed", Signal::alat_displace,
                       insn({Kind::fp_load, Kind::advanced}), "ALAT_CAPACITY_MISS_{ALL,FP}"));
  list.push_back(retiring("fchkf", insn({Kind::fp_check_flags}, SlotType::f), ""));
  list.push_back(retiring("fchkf fails", failing(insn({Kind::fp_check_flags}, SlotType::f)), "FP_FAILED_FCHKF"));
}

void add_accesses(std::vector<Stimulus>& list) {
  using R = i64::Requester;
  list.push_back(accessing("load", load_of(), "LOADS_RETIRED"));
  list.push_back(accessing("store", store_of(), "STORES_RETIRED"));
  list.push_back(accessing("lfetch", but(load_of(), [](Access& a) { a.request.prefetch = true; }), ""));
  list.push_back(accessing("semaphore", but(access(R::data, true, true), [](Access& a) { a.request.semaphore = true; }),
                           "LOADS_RETIRED STORES_RETIRED"));
  list.push_back(accessing("misaligned load", but(load_of(), [](Access& a) { a.request.misaligned = true; }),
                           "LOADS_RETIRED MISALIGNED_LOADS_RETIRED"));
  list.push_back(accessing("misaligned store", but(store_of(), [](Access& a) { a.request.misaligned = true; }),
                           "STORES_RETIRED MISALIGNED_STORES_RETIRED"));
  list.push_back(accessing("uncacheable load", but(load_of(), [](Access& a) { a.request.uncacheable = true; }),
                           "LOADS_RETIRED UC_LOADS_RETIRED"));
  list.push_back(accessing("uncacheable store", but(store_of(), [](Access& a) { a.request.uncacheable = true; }),
                           "STORES_RETIRED UC_STORES_RETIRED"));
  list.push_back(accessing("register stack fill", access(R::register_stack, true, false),
                           "LOADS_RETIRED RSE_REFERENCES_RETIRED_{LOAD,ALL}"));
  list.push_back(accessing("register stack spill", access(R::register_stack, false, true),
                           "STORES_RETIRED RSE_REFERENCES_RETIRED_{STORE,ALL}"));
  const auto translated = [&](i64::Translation where, const std::string& rows) {
    list.push_back(accessing("load that misses the first data TLB",
                             but(load_of(), [where](Access& a) { a.request.translation = where; }),
                             "LOADS_RETIRED DATA_EAR_TLB_" + rows));
  };
  translated(i64::Translation::second_level, "{L2DTLB,L2DTLB_OR_VHPT,L2DTLB_OR_FAULT,ALL}");
  translated(i64::Translation::walker, "{VHPT,L2DTLB_OR_VHPT,VHPT_OR_FAULT,ALL}");
  translated(i64::Translation::fault, "{FAULT,L2DTLB_OR_FAULT,VHPT_OR_FAULT,ALL}");
  list.push_back(accessing("store that the walker helped",
                           but(store_of(), [](Access& a) { a.request.walker_inserted = true; }),
                           "STORES_RETIRED DTLB_INSERTS_HPW_RETIRED"));
  list.push_back({"load from a watched address",
                  [](Machine& m, Cycle at) {
                    m.state(State::psr, at - 1, i64::psr::up | i64::psr::db);
                    m.put(Signal::access_retire, at, load_of(watched_address + 7));
                    m.put(Signal::access_retire, at, load_of(watched_address + 8));
                    m.put(Signal::access_retire, at, store_of(watched_address));
                    m.put(Signal::access_retire, at + 1, access(R::page_walker, true, false, watched_address));
                    m.state(State::psr, at + 2, i64::psr::up);
                  },
                  "LOADS_RETIRED=2 STORES_RETIRED DATA_DEBUG_REGISTER_FAULT"});
  list.push_back(accessing("load from a watched address, no faults", load_of(watched_address), "LOADS_RETIRED"));
}

}  // namespace

std::vector<Stimulus> instruction_stimuli() {
  std::vector<Stimulus> list = {
      retiring("add", insn({}), ""),
      retiring("add predicated off", predicated_off(insn({})), "PREDICATE_SQUASHED_RETIRED"),
      retiring("nop", insn({Kind::nop}), "NOPS_RETIRED"),
      retiring("nop predicated off", predicated_off(insn({Kind::nop})), "PREDICATE_SQUASHED_RETIRED"),
      retiring("nop.b predicated off", predicated_off(insn({Kind::nop}, SlotType::b)), ""),
      retiring("srlz.i", insn({Kind::serialize_instruction}), "SERIALIZATION_EVENTS"),
      retiring("alloc, frame 96 = 1|100|000, dirty 13 = 0|001|101",
               but(insn({Kind::rse_event}),
                   [](Insn& i) {
                     i.syllable.frame_registers = 96;
                     i.syllable.dirty_registers = 13;
                   }),
               "RSE_EVENT_RETIRED RSE_CURRENT_REGS_6 RSE_CURRENT_REGS_5_TO_3=4 RSE_DIRTY_REGS_5_TO_3 "
               "RSE_DIRTY_REGS_2_TO_0=5"),
      retiring("br.call, frame 7, dirty 64",
               but(insn({Kind::rse_event}, SlotType::b),
                   [](Insn& i) {
                     i.syllable.frame_registers = 7;
                     i.syllable.dirty_registers = 64;
                   }),
               "RSE_EVENT_RETIRED RSE_CURRENT_REGS_2_TO_0=7 RSE_DIRTY_REGS_6"),
      retiring("fma predicated off",
               predicated_off(but(insn({Kind::fp_operation}, SlotType::f),
                                  [](Insn& i) { i.syllable.fp_operations = i.syllable.flushed_to_zero = 2; })),
               "PREDICATE_SQUASHED_RETIRED"),
      retiring("br.call predicated off, frame and dirty 73 = 1|001|001",
               predicated_off(but(insn({Kind::rse_event}, SlotType::b),
                                  [](Insn& i) { i.syllable.frame_registers = i.syllable.dirty_registers = 73; })),
               ""),
      retiring("fma", but(insn({Kind::fp_operation}, SlotType::f), [](Insn& i) { i.syllable.fp_operations = 2; }),
               "FP_OPS_RETIRED=2"),
      retiring("fpma with a zeroed half",
               but(insn({Kind::fp_operation}, SlotType::f),
                   [](Insn& i) {
                     i.syllable.fp_operations = 4;
                     i.syllable.flushed_to_zero = 1;
                   }),
               "FP_OPS_RETIRED=4 FP_FLUSH_TO_ZERO"),
      retiring("fpma with both halves zeroed",
               but(insn({Kind::fp_operation}, SlotType::f), [](Insn& i) { i.syllable.flushed_to_zero = 2; }),
               "FP_FLUSH_TO_ZERO=2"),
      other("stall that ends in a trap", Signal::safety_stall, insn({}, SlotType::f), "FP_TRUE_SIRSTALL",
            d::trap_exception),
      other("stall that ends well", Signal::safety_stall, insn({}, SlotType::f), "FP_FALSE_SIRSTALL"),
      other("dispersed", Signal::dispatch, insn({}), "INST_DISPERSED"),
      other("killed", Signal::kill, insn({Kind::nop}), ""),
      {"two IA-32 instructions",
       [](Machine& m, Cycle at) {
         m.state(State::psr, at, i64::psr::up | i64::psr::is);
         m.happen(Signal::ia32_retire, at, 0, 2);
         m.state(State::psr, at + 1, i64::psr::up);
       },
       "IA32_INST_RETIRED=2 IA32_ISA_TRANSITIONS=2 IA64_INST_RETIRED{,_THIS}=2 "
       "IA64_TAGGED_INST_RETIRED_{IBRP0_PMC8,IBRP1_PMC9}=2"},
      {"an IA-64 instruction under PSR.is",
       [](Machine& m, Cycle at) {
         m.state(State::psr, at, i64::psr::up | i64::psr::is);
         m.put(Signal::retire, at, insn({}));
         m.state(State::psr, at + 1, i64::psr::up);
       },
       "IA32_ISA_TRANSITIONS=2 IA64_INST_RETIRED{,_THIS} "
       "IA64_TAGGED_INST_RETIRED_{IBRP0_PMC8,IBRP1_PMC9,IBRP2_PMC8,IBRP3_PMC9}"},
      {"level 3 to 0 and back",
       [](Machine& m, Cycle at) {
         m.state(State::cpl, at, 0);
         m.state(State::cpl, at + 2, 3);
       },
       "CPU_CPL_CHANGES=2"},
  };
  add_branches(list);
  add_checks(list);
  add_accesses(list);
  return list;
}

const std::vector<Stimulus>& itanium2_stimuli() {
  static const std::vector<Stimulus> all = [] {
    std::vector<Stimulus> list;
    for (auto part : {memory_stimuli, instruction_stimuli, pipeline_stimuli, bus_stimuli}) {
      for (Stimulus& stimulus : part()) list.push_back(std::move(stimulus));
    }
    return list;
  }();
  return all;
}

}  // namespace pmusim::oracle::script
