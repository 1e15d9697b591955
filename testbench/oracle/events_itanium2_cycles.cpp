// Itanium 2: cycles, the causes of stalls, and dispersal.
#include <algorithm>
#include <array>

#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle::itanium2 {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::BackEnd;
using activity::ia64::FrontEnd;
namespace cause = activity::ia64::cause;
namespace id = activity::ia64::detail;

bool every_cycle(const StateValues&, const Choices&) { return true; }

// --- back end ---------------------------------------------------------------------------------------
BackEnd stage(const StateValues& states) { return static_cast<BackEnd>(value_of(states, State::back_end) & 0xf); }
unsigned why(const StateValues& states) { return static_cast<unsigned>(value_of(states, State::back_end) >> 8 & 0xff); }
LevelIncrement one(Classes classes) { return {classes, 1}; }

// ALL, FE, L1D_FPU_RSE
LevelIncrement bubble(const StateValues& states) {
  constexpr std::pair<BackEnd, Classes> stages[] = {{BackEnd::issuing, not_counted},
                                                    {BackEnd::front_end, places({0, 1})},
                                                    {BackEnd::l1d_fpu, places({0, 2})},
                                                    {BackEnd::register_stack, places({0, 2})}};
  return one(listed(stages, stage(states), places({0})));
}

// ALL, BRU, XPN
LevelIncrement flush_bubble(const StateValues& states) {
  if (stage(states) != BackEnd::flush) return {};
  return one(places({0}) | when(why(states) == cause::branch, places({1})) |
             when(why(states) == cause::interruption, places({2})));
}

// ALL, FPU, L1D, then what in L1D, in the order of cause::L1dFpu
LevelIncrement l1d_fpu_bubble(const StateValues& states) {
  if (stage(states) != BackEnd::l1d_fpu) return {};
  const unsigned reason = why(states);
  if (reason < cause::full_store_buffer) return one(reason == cause::fpu ? places({0, 1}) : places({0}));
  return one(places({0, 2}) | Classes{1} << (3 + reason - cause::full_store_buffer));
}

// ALL, GRALL, FRALL, PR, ARCR, GRGR, CANCEL, BANK_SWITCH, ARCR_PR_CANCEL_BANK
LevelIncrement execute_bubble(const StateValues& states) {
  if (stage(states) != BackEnd::execute) return {};
  constexpr std::pair<unsigned, Classes> causes[] = {{cause::gr_load, places({0, 1})},
                                                     {cause::gr_alu, places({0, 1, 5})},
                                                     {cause::fr, places({0, 2})},
                                                     {cause::predicate, places({0, 3, 8})},
                                                     {cause::application_or_control, places({0, 4, 8})},
                                                     {cause::cancelled_load, places({0, 6, 8})},
                                                     {cause::execute_bank_switch, places({0, 7, 8})}};
  return one(listed(causes, why(states), places({0})));
}

// ALL, then why, in the order of cause::RegisterStack
LevelIncrement register_stack_bubble(const StateValues& states) {
  if (stage(states) != BackEnd::register_stack) return {};
  return one(places({0}) | when(why(states) != 0, Classes{1} << why(states)));
}

bool dispersal_held(const StateValues& states, const Choices&) {
  return stage(states) != BackEnd::issuing && stage(states) != BackEnd::front_end;
}

// --- front end --------------------------------------------------------------------------------------
struct Lost {
  FrontEnd why;
  std::uint32_t bundles;
};
Lost lost(const StateValues& states, State where) {
  const std::uint64_t value = value_of(states, where);
  return {static_cast<FrontEnd>(value >> 8 & 0xff), static_cast<std::uint32_t>(value & 3)};
}

// ALL, FEFLUSH, TLBMISS, IMISS, FILL_RECIRC, BRANCH, BUBBLE, IBFULL, GROUP1 (bubble or branch), GROUP2 (misses),
// GROUP3 (fill or branch), ALLBUT_FEFLUSH_BUBBLE, ALLBUT_IBFULL
LevelIncrement front_end_bubble(const StateValues& states) {
  const Lost now = lost(states, State::front_end);
  if (now.bundles < 2) return {};  // something is delivered
  constexpr Classes branch = places({0, 5, 8, 10, 11, 12});
  constexpr std::pair<FrontEnd, Classes> causes[] = {{FrontEnd::flush, places({0, 1, 12})},
                                                     {FrontEnd::tlb_miss, places({0, 2, 9, 11, 12})},
                                                     {FrontEnd::instruction_miss, places({0, 3, 9, 11, 12})},
                                                     {FrontEnd::fill_recirculate, places({0, 4, 10, 11, 12})},
                                                     {FrontEnd::branch_interlock, branch},
                                                     {FrontEnd::branch_queue, branch},
                                                     {FrontEnd::perfect_loop_prediction, branch},
                                                     {FrontEnd::branch_immediate, branch},
                                                     {FrontEnd::bubble, places({0, 6, 8, 12})},
                                                     {FrontEnd::buffer_full, places({0, 7, 11})}};
  return one(listed(causes, now.why, places({0, 11, 12})));
}

// ALL, FEFLUSH, UNREACHED, IBFULL, IMISS, TLBMISS, FILL_RECIRC, BI, BRQ, PLP, BR_ILOCK, BUBBLE
LevelIncrement bandwidth(const Lost& now) {
  if (now.bundles == 0) return {};
  using enum FrontEnd;
  constexpr std::array in_order{flush,
                                unreached,
                                buffer_full,
                                instruction_miss,
                                tlb_miss,
                                fill_recirculate,
                                branch_immediate,
                                branch_queue,
                                perfect_loop_prediction,
                                branch_interlock,
                                bubble};
  const auto why = std::find(in_order.begin(), in_order.end(), now.why);
  const auto place = static_cast<unsigned>(why == in_order.end() ? 0 : why - in_order.begin() + 1);
  return {places({0, place}), now.bundles};
}
LevelIncrement lost_at_entry(const StateValues& states) { return bandwidth(lost(states, State::front_end)); }
LevelIncrement lost_at_exit(const StateValues& states) { return bandwidth(lost(states, State::buffer_exit)); }
// While the back end itself stalls, the front end is not charged.
LevelIncrement lost_to_back_end(const StateValues& states) {
  const BackEnd now = stage(states);
  return now == BackEnd::issuing || now == BackEnd::front_end ? lost_at_exit(states) : LevelIncrement{};
}

// --- dispersal --------------------------------------------------------------------------------------
// The combinations of EXPL, IMPL, FE, MLI in turn: the position of a combination is its number minus one.
Classes held_back(const EventSite& s) {
  Classes classes = not_counted;
  for (unsigned combination = 1; combination < 16; ++combination) {
    const unsigned reasons = ((combination & 1u) != 0 ? id::held_explicit_stop : 0u) |
                             ((combination & 2u) != 0 ? id::held_implicit_stop : 0u) |
                             ((combination & 4u) != 0 ? id::held_front_end : 0u) |
                             ((combination & 8u) != 0 ? id::held_long_immediate : 0u);
    if ((s.what.detail & reasons) != 0) classes |= Classes{1} << (combination - 1);
  }
  return classes;
}
// Held for both kinds of stop, and therefore counted under both names.
Classes held_twice(const EventSite& s) {
  return when(s.choices.overcounts_syllables && s.has(id::held_explicit_stop | id::held_implicit_stop));
}
Event overcounted(std::string_view name) { return occurring(name, 2, by_code, Signal::syllable_held, held_twice); }

Event of_back_end(std::string_view name, std::vector<std::string_view> umasks,
                  LevelIncrement (*increment)(const StateValues&)) {
  return {.name = name, .umasks = std::move(umasks), .states = {State::back_end}, .increment = increment, .step = 1};
}
Event of_front_end(std::string_view name, std::vector<State> states, LevelIncrement (*increment)(const StateValues&)) {
  return {.name = name,
          .umasks = {"ALL", "FEFLUSH", "UNREACHED", "IBFULL", "IMISS", "TLBMISS", "FILL_RECIRC", "BI", "BRQ", "PLP",
                     "BR_ILOCK", "BUBBLE"},
          .states = std::move(states),
          .increment = increment};
}

}  // namespace

std::vector<Event> cycle_events() {
  return {
      {.name = "CPU_CYCLES", .level = every_cycle},
      {.name = "CPU_CPL_CHANGES", .states = {State::cpl}, .transition = Transition{State::cpl, 3}},
      {.name = "IA32_ISA_TRANSITIONS",
       .states = {State::psr},
       .transition = Transition{State::psr, activity::ia64::psr::is}},
      of_back_end("BACK_END_BUBBLE", {"ALL", "FE", "L1D_FPU_RSE"}, bubble),
      of_back_end("BE_FLUSH_BUBBLE", {"ALL", "BRU", "XPN"}, flush_bubble),
      of_back_end("BE_L1D_FPU_BUBBLE",
                  {"ALL", "FPU", "L1D", "L1D_FULLSTBUF", "L1D_DCURECIR", "L1D_HPW", "L1D_FILLCONF", "L1D_DCS",
                   "L1D_L2BPRESS", "L1D_TLB", "L1D_LDCONF", "L1D_LDCHK", "L1D_NAT", "L1D_STBUFRECIR", "L1D_NATCONF"},
                  l1d_fpu_bubble),
      of_back_end("BE_EXE_BUBBLE",
                  {"ALL", "GRALL", "FRALL", "PR", "ARCR", "GRGR", "CANCEL", "BANK_SWITCH", "ARCR_PR_CANCEL_BANK"},
                  execute_bubble),
      of_back_end("BE_RSE_BUBBLE", {"ALL", "BANK_SWITCH", "AR_DEP", "OVERFLOW", "UNDERFLOW", "LOADRS"},
                  register_stack_bubble),
      {.name = "DISP_STALLED", .states = {State::back_end}, .level = dispersal_held},
      {.name = "FE_BUBBLE",
       .umasks = {"ALL", "FEFLUSH", "TLBMISS", "IMISS", "FILL_RECIRC", "BRANCH", "BUBBLE", "IBFULL", "GROUP1", "GROUP2",
                  "GROUP3", "ALLBUT_FEFLUSH_BUBBLE", "ALLBUT_IBFULL"},
       .states = {State::front_end},
       .increment = front_end_bubble,
       .step = 1},
      of_front_end("FE_LOST_BW", {State::front_end}, lost_at_entry),
      of_front_end("BE_LOST_BW_DUE_TO_FE", {State::buffer_exit, State::back_end}, lost_to_back_end),
      of_front_end("IDEAL_BE_LOST_BW_DUE_TO_FE", {State::buffer_exit}, lost_at_exit),
      occurring("INST_DISPERSED", 6, by_code, Signal::dispatch, each),
      occurring(
          "SYLL_NOT_DISPERSED", 5, by_code, Signal::syllable_held, held_back,
          {"EXPL", "IMPL", "EXPL_OR_IMPL", "FE", "EXPL_OR_FE", "IMPL_OR_FE", "EXPL_OR_IMPL_OR_FE", "MLI", "EXPL_OR_MLI",
           "IMPL_OR_MLI", "EXPL_OR_IMPL_OR_MLI", "FE_OR_MLI", "EXPL_OR_FE_OR_MLI", "IMPL_OR_FE_OR_MLI", "ALL"}),
      overcounted("SYLL_OVERCOUNT_ALL"),
      overcounted("SYLL_OVERCOUNT_EXPL"),
      overcounted("SYLL_OVERCOUNT_IMPL"),
  };
}

}  // namespace pmusim::oracle::itanium2
