#include "stimuli_itanium2.h"

namespace pmusim::oracle::script {
namespace {

using i64::BackEnd;
using i64::FrontEnd;
namespace cause = i64::cause;

/// The state has `value` in two cycles.
Stimulus two_cycles(const std::string& what, State state, std::uint64_t value, const std::string& rows) {
  return {what,
          [=](Machine& m, Cycle at) {
            m.state(state, at, value);
            m.state(state, at + 2, 0);
          },
          rows};
}
Stimulus held(BackEnd stage, unsigned why, const std::string& bubble, const std::string& rows) {
  return two_cycles("back end", State::back_end, i64::back_end(stage, why), "BACK_END_BUBBLE_" + bubble + "=2 " + rows);
}

void add_back_end(std::vector<Stimulus>& list) {
  const std::string stalled = " DISP_STALLED=2";
  const auto flush = [&](unsigned why, const std::string& names) {
    list.push_back(held(BackEnd::flush, why, "ALL", "BE_FLUSH_BUBBLE_{ALL," + names + "}=2" + stalled));
  };
  flush(cause::branch, "BRU");
  flush(cause::interruption, "XPN");
  const auto l1d = [&](unsigned why, const std::string& names) {
    list.push_back(
        held(BackEnd::l1d_fpu, why, "{ALL,L1D_FPU_RSE}", "BE_L1D_FPU_BUBBLE_{ALL," + names + "}=2" + stalled));
  };
  l1d(cause::fpu, "FPU");
  l1d(cause::full_store_buffer, "L1D,L1D_FULLSTBUF");
  l1d(cause::recirculated, "L1D,L1D_DCURECIR");
  l1d(cause::walker, "L1D,L1D_HPW");
  l1d(cause::fill_conflict, "L1D,L1D_FILLCONF");
  l1d(cause::dcs, "L1D,L1D_DCS");
  l1d(cause::l2_back_pressure, "L1D,L1D_L2BPRESS");
  l1d(cause::tlb, "L1D,L1D_TLB");
  l1d(cause::load_conflict, "L1D,L1D_LDCONF");
  l1d(cause::load_check, "L1D,L1D_LDCHK");
  l1d(cause::nat, "L1D,L1D_NAT");
  l1d(cause::store_buffer_recirculated, "L1D,L1D_STBUFRECIR");
  l1d(cause::nat_conflict, "L1D,L1D_NATCONF");
  const auto execute = [&](unsigned why, const std::string& names) {
    list.push_back(held(BackEnd::execute, why, "ALL", "BE_EXE_BUBBLE_{ALL," + names + "}=2" + stalled));
  };
  execute(cause::gr_load, "GRALL");
  execute(cause::gr_alu, "GRALL,GRGR");
  execute(cause::fr, "FRALL");
  execute(cause::predicate, "PR,ARCR_PR_CANCEL_BANK");
  execute(cause::application_or_control, "ARCR,ARCR_PR_CANCEL_BANK");
  execute(cause::cancelled_load, "CANCEL,ARCR_PR_CANCEL_BANK");
  execute(cause::execute_bank_switch, "BANK_SWITCH,ARCR_PR_CANCEL_BANK");
  const auto stack = [&](unsigned why, const std::string& names) {
    list.push_back(
        held(BackEnd::register_stack, why, "{ALL,L1D_FPU_RSE}", "BE_RSE_BUBBLE_{ALL," + names + "}=2" + stalled));
  };
  stack(cause::rse_bank_switch, "BANK_SWITCH");
  stack(cause::rse_dependency, "AR_DEP");
  stack(cause::overflow, "OVERFLOW");
  stack(cause::underflow, "UNDERFLOW");
  stack(cause::loadrs, "LOADRS");
  list.push_back(held(BackEnd::front_end, 0, "{ALL,FE}", ""));
}

void add_front_end(std::vector<Stimulus>& list) {
  const auto lost = [&](FrontEnd why, const std::string& name, const std::string& bubbles) {
    const std::string own = name.empty() ? "" : "," + name;
    list.push_back(two_cycles("nothing enters the buffer", State::front_end, i64::front_end(why, 2),
                              "FE_LOST_BW_{ALL" + own + "}=4 FE_BUBBLE_{ALL" + bubbles + "}=2"));
    list.push_back(two_cycles("one bundle enters the buffer", State::front_end, i64::front_end(why, 1),
                              "FE_LOST_BW_{ALL" + own + "}=2"));
    list.push_back(two_cycles("nothing leaves the buffer", State::buffer_exit, i64::front_end(why, 2),
                              "{,IDEAL_}BE_LOST_BW_DUE_TO_FE_{ALL" + own + "}=4"));
    list.push_back({"nothing leaves the buffer; first the front end, then the back end is to blame",
                    [why](Machine& m, Cycle at) {
                      m.state(State::buffer_exit, at, i64::front_end(why, 2));
                      m.state(State::back_end, at, i64::back_end(BackEnd::front_end));
                      m.state(State::back_end, at + 1, i64::back_end(BackEnd::execute, cause::fr));
                      m.state(State::buffer_exit, at + 2, 0);
                      m.state(State::back_end, at + 2, 0);
                    },
                    "IDEAL_BE_LOST_BW_DUE_TO_FE_{ALL" + own + "}=4 BE_LOST_BW_DUE_TO_FE_{ALL" + own +
                        "}=2 BACK_END_BUBBLE_ALL=2 BACK_END_BUBBLE_FE BE_EXE_BUBBLE_{ALL,FRALL} DISP_STALLED"});
  };
  const std::string not_flush = ",ALLBUT_FEFLUSH_BUBBLE,ALLBUT_IBFULL";
  lost(FrontEnd::flush, "FEFLUSH", ",FEFLUSH,ALLBUT_IBFULL");
  lost(FrontEnd::tlb_miss, "TLBMISS", ",TLBMISS,GROUP2" + not_flush);
  lost(FrontEnd::instruction_miss, "IMISS", ",IMISS,GROUP2" + not_flush);
  lost(FrontEnd::fill_recirculate, "FILL_RECIRC", ",FILL_RECIRC,GROUP3" + not_flush);
  lost(FrontEnd::branch_interlock, "BR_ILOCK", ",BRANCH,GROUP1,GROUP3" + not_flush);
  lost(FrontEnd::branch_queue, "BRQ", ",BRANCH,GROUP1,GROUP3" + not_flush);
  lost(FrontEnd::perfect_loop_prediction, "PLP", ",BRANCH,GROUP1,GROUP3" + not_flush);
  lost(FrontEnd::branch_immediate, "BI", ",BRANCH,GROUP1,GROUP3" + not_flush);
  lost(FrontEnd::bubble, "BUBBLE", ",BUBBLE,GROUP1,ALLBUT_IBFULL");
  lost(FrontEnd::buffer_full, "IBFULL", ",IBFULL,ALLBUT_FEFLUSH_BUBBLE");
  lost(FrontEnd::unreached, "UNREACHED", not_flush);
}

}  // namespace

std::vector<Stimulus> pipeline_stimuli() {
  std::vector<Stimulus> list;
  add_back_end(list);
  add_front_end(list);
  const auto syllable = [&](const std::string& what, unsigned why, const std::string& rows) {
    list.push_back({what, [why](Machine& m, Cycle at) { m.put(Signal::syllable_held, at, insn({}), why); }, rows});
  };
  using namespace i64::detail;  // NOLINT: reasons
  const std::string row = "SYLL_NOT_DISPERSED_";
  syllable(
      "explicit stop", held_explicit_stop,
      row + "{EXPL,EXPL_OR_IMPL,EXPL_OR_FE,EXPL_OR_IMPL_OR_FE,EXPL_OR_MLI,EXPL_OR_IMPL_OR_MLI,EXPL_OR_FE_OR_MLI,ALL}");
  syllable(
      "implicit stop", held_implicit_stop,
      row + "{IMPL,EXPL_OR_IMPL,IMPL_OR_FE,EXPL_OR_IMPL_OR_FE,IMPL_OR_MLI,EXPL_OR_IMPL_OR_MLI,IMPL_OR_FE_OR_MLI,ALL}");
  syllable("long immediate", held_long_immediate,
           row + "{MLI,EXPL_OR_MLI,IMPL_OR_MLI,EXPL_OR_IMPL_OR_MLI,FE_OR_MLI,EXPL_OR_FE_OR_MLI,IMPL_OR_FE_OR_MLI,ALL}");
  syllable(
      "both stops", held_explicit_stop | held_implicit_stop,
      row + "{EXPL,EXPL_OR_IMPL,EXPL_OR_FE,EXPL_OR_IMPL_OR_FE,EXPL_OR_MLI,EXPL_OR_IMPL_OR_MLI,EXPL_OR_FE_OR_MLI,ALL} " +
          row + "{IMPL,IMPL_OR_FE,IMPL_OR_MLI,IMPL_OR_FE_OR_MLI} SYLL_OVERCOUNT_{EXPL,IMPL,ALL}");
  list.push_back(
      {"an invalid bundle", [](Machine& m, Cycle at) { m.happen(Signal::syllable_held, at, held_front_end, 3); },
       row + "{FE,EXPL_OR_FE,IMPL_OR_FE,EXPL_OR_IMPL_OR_FE,FE_OR_MLI,EXPL_OR_FE_OR_MLI,IMPL_OR_FE_OR_MLI,ALL}=3"});
  const auto level = [&](State state, std::uint64_t value, const std::string& rows) {
    list.push_back(two_cycles(rows, state, value, rows));
  };
  namespace buffers = i64::fetch_buffers;
  level(State::fetch_buffers, buffers::full | buffers::almost_full, "L1I_RAB_FULL=2 L1I_RAB_ALMOST_FULL=2");
  level(State::fetch_buffers, buffers::almost_full, "L1I_RAB_ALMOST_FULL=2");
  level(State::fetch_buffers, buffers::prefetch_held, "L1I_PREFETCH_STALL_ALL=2");
  level(State::fetch_buffers, buffers::prefetch_held | buffers::prefetch_flow, "L1I_PREFETCH_STALL_{ALL,FLOW}=2");
  level(State::l2_queue, i64::l2_queue::full, "L2_OZQ_FULL_THIS=2");
  level(State::l2_queue, i64::l2_queue::data_full, "L2_OZDB_FULL_THIS=2");
  level(State::l2_queue, i64::l2_queue::victims_full, "L2_VICTIMB_FULL_THIS=2");
  level(State::l2_queue, i64::l2_queue::fills_full, "L2_FILLB_FULL_THIS=2");
  level(State::l2_queue, i64::l2_queue::has_acquire, "L2_OZQ_ACQUIRE=2");
  level(State::l2_queue, i64::l2_queue::has_release, "L2_OZQ_RELEASE=2");
  return list;
}

}  // namespace pmusim::oracle::script
