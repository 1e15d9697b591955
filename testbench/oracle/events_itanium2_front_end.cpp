// Itanium 2: instruction fetch, its cache, its buffers and its translations. Code ranges are held against the address
// that is fetched.
#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle::itanium2 {

namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
namespace d = activity::detail;
namespace id = activity::ia64::detail;
namespace buffers = activity::ia64::fetch_buffers;

bool of_instructions(const EventSite& s) { return !s.any(d::side_data); }

Classes demand(const EventSite& s) { return when(by_demand_fetch(s)); }
Classes prefetch(const EventSite& s) { return when(by_prefetch(s)); }
Classes streaming_prefetch(const EventSite& s) { return when(by_prefetch(s) && s.any(id::fetch_streaming)); }
bool may_hit_buffers(const EventSite& s) { return by_demand_fetch(s) || (by_prefetch(s) && s.choices.prefetch_hits); }
Classes line_under_way(const EventSite& s) { return when(may_hit_buffers(s) && s.any(d::lookup_pending)); }
Classes line_in_stream_buffer(const EventSite& s) { return when(may_hit_buffers(s) && s.any(id::fetch_stream_buffer)); }
Classes demand_line(const EventSite& s) { return when(of_instructions(s) && by_demand_fetch(s)); }
Classes prefetch_line(const EventSite& s) { return when(of_instructions(s) && by_prefetch(s)); }

// ALL, L1ITLB, L2ITLB: a miss in the second level is also a miss in the first.
Classes translation_miss(const EventSite& s) {
  if (!of_instructions(s) || !by_demand_fetch(s)) return not_counted;
  return s.any(d::tlb_walk | id::tlb_fault) ? places({0, 1, 2}) : places({0, 1});
}

// ALL, FLOW
LevelIncrement prefetch_held(const StateValues& states) {
  const std::uint64_t now = value_of(states, State::fetch_buffers);
  const bool held = (now & buffers::prefetch_held) != 0, flow = (now & buffers::prefetch_flow) != 0;
  return {when(held || flow, places({0})) | when(flow, places({1})), 1};
}

Event of_fetch(std::string_view name, Signal signal, Classes (*rule)(const EventSite&),
               std::vector<std::string_view> umasks = {}) {
  return occurring(name, 1, by_code, signal, rule, std::move(umasks));
}

}  // namespace

std::vector<Event> fetch_events() {
  return {
      of_fetch("L1I_READS", Signal::fetch, demand),
      of_fetch("L1I_PREFETCHES", Signal::fetch, prefetch),
      of_fetch("L1I_STRM_PREFETCHES", Signal::fetch, streaming_prefetch),
      of_fetch("L1I_FETCH_RAB_HIT", Signal::fetch, line_under_way),
      of_fetch("L1I_FETCH_ISB_HIT", Signal::fetch, line_in_stream_buffer),
      of_fetch("L1I_FILLS", Signal::line_fill, where<d::side_data, 0>),
      of_fetch("ISB_BUNPAIRS_IN", Signal::bundle_pair_in, each),
      of_fetch("L2_INST_DEMAND_READS", Signal::line_request, demand_line),
      of_fetch("L2_INST_PREFETCHES", Signal::line_request, prefetch_line),
      of_fetch("ITLB_MISSES_FETCH", Signal::translation, translation_miss, {"ALL", "L1ITLB", "L2ITLB"}),
      of_fetch("L1ITLB_INSERTS_HPW", Signal::tlb_insert, where<d::side_data, 0>),
      of_fetch("L1I_PURGE", Signal::tlb_purge, each),
      occurring("L1I_SNOOP", 1, by_all, Signal::l1i_snoop, each),
      occurring("L1I_PVAB_OVERFLOW", 1, {}, Signal::prefetch_lost, each),
      {.name = "L1I_RAB_FULL", .states = {State::fetch_buffers}, .level = holds<State::fetch_buffers, buffers::full>},
      {.name = "L1I_RAB_ALMOST_FULL",
       .states = {State::fetch_buffers},
       .level = holds<State::fetch_buffers, buffers::almost_full>},
      {.name = "L1I_PREFETCH_STALL",
       .umasks = {"ALL", "FLOW"},
       .states = {State::fetch_buffers},
       .increment = prefetch_held,
       .step = 1},
  };
}

// Itanium 2: branches that retire, by class and by prediction.

namespace {

using activity::ia64::BranchClass;
using activity::ia64::Kind;
using activity::ia64::Prediction;
using activity::ia64::Syllable;

bool branches(const EventSite& s) { return s.syllable().has(Kind::branch); }

/// Unit masks come in groups of `width`: all branches, IP-relative ones, other indirect ones, returns. `kinds` are
/// positions in a group.
Classes in_groups(const EventSite& s, unsigned width, Classes kinds) {
  const std::pair<BranchClass, Classes> groups[] = {{BranchClass::ip_relative, kinds << width},
                                                    {BranchClass::indirect, kinds << 2 * width},
                                                    {BranchClass::return_, kinds << 3 * width}};
  return kinds | listed(groups, s.syllable().branch_class);
}

// ALL_PRED, CORRECT_PRED, WRONG_PATH, WRONG_TARGET
Classes by_outcome(Prediction prediction) {
  constexpr std::pair<Prediction, Classes> outcomes[] = {{Prediction::correct, places({0, 1})},
                                                         {Prediction::wrong_path, places({0, 2})},
                                                         {Prediction::wrong_target, places({0, 3})}};
  return listed(outcomes, prediction, places({0}));
}
Classes outcome(const EventSite& s) { return when(branches(s), in_groups(s, 4, by_outcome(s.syllable().prediction))); }

// ALL, OVERSUB (returns), ALL2 (other indirect branches)
Classes encoded_outcome(const EventSite& s) {
  if (!branches(s) || !s.syllable().has(Kind::multiway)) return not_counted;
  const Classes kinds = by_outcome(s.syllable().prediction);
  return kinds | (s.syllable().branch_class == BranchClass::return_ ? kinds << 4 : 0) |
         (s.syllable().branch_class == BranchClass::indirect ? kinds << 8 : 0);
}

// MISPRED_NOTTAKEN, MISPRED_TAKEN, OKPRED_NOTTAKEN, OKPRED_TAKEN: of the direction, whatever the target
Classes direction(const EventSite& s) {
  const bool wrong = s.syllable().prediction == Prediction::wrong_path;
  const unsigned place = (wrong ? 0 : 2) + (s.instruction().taken ? 1 : 0);
  return when(branches(s), in_groups(s, 4, Classes{1} << place));
}

bool guessed(const EventSite& s) {
  return branches(s) && s.syllable().unknown_prediction && !s.choices.unknown_left_out;
}
// ALL_UNKNOWN_PRED, UNKNOWN_PATH_CORRECT_PRED, UNKNOWN_PATH_WRONG_PATH
Classes guess(const EventSite& s) {
  const Prediction prediction = s.syllable().prediction;
  const Classes kinds = places({0}) | when(prediction == Prediction::correct, places({1})) |
                        when(prediction == Prediction::wrong_path, places({2}));
  return when(guessed(s), in_groups(s, 3, kinds));
}
// UNKNOWNPRED_NOTTAKEN, UNKNOWNPRED_TAKEN
Classes guessed_direction(const EventSite& s) {
  return when(guessed(s), in_groups(s, 2, s.instruction().taken ? places({1}) : places({0})));
}

// ANY, STG, ROT, PFS
Classes found_by_back_end(const EventSite& s) {
  const Syllable& y = s.syllable();
  if (!branches(s) || !y.back_end_flush) return not_counted;
  return places({0}) | when(y.wrong_stage, places({1})) | when(y.wrong_rotation, places({2})) |
         when(y.wrong_previous_state, places({3}));
}

Event of_branches(std::string_view name, std::uint32_t most, std::vector<std::string_view> umasks,
                  Classes (*rule)(const EventSite&)) {
  return occurring(name, most, by_instruction, Signal::retire, rule, std::move(umasks));
}

}  // namespace

std::vector<Event> branch_events() {
  return {
      of_branches("BR_MISPRED_DETAIL", 3,
                  {"ALL_ALL_PRED", "ALL_CORRECT_PRED", "ALL_WRONG_PATH", "ALL_WRONG_TARGET", "IPREL_ALL_PRED",
                   "IPREL_CORRECT_PRED", "IPREL_WRONG_PATH", "IPREL_WRONG_TARGET", "NTRETIND_ALL_PRED",
                   "NTRETIND_CORRECT_PRED", "NTRETIND_WRONG_PATH", "NTRETIND_WRONG_TARGET", "RETURN_ALL_PRED",
                   "RETURN_CORRECT_PRED", "RETURN_WRONG_PATH", "RETURN_WRONG_TARGET"},
                  outcome),
      of_branches(
          "BR_PATH_PRED", 3,
          {"ALL_MISPRED_NOTTAKEN", "ALL_MISPRED_TAKEN", "ALL_OKPRED_NOTTAKEN", "ALL_OKPRED_TAKEN",
           "IPREL_MISPRED_NOTTAKEN", "IPREL_MISPRED_TAKEN", "IPREL_OKPRED_NOTTAKEN", "IPREL_OKPRED_TAKEN",
           "NRETIND_MISPRED_NOTTAKEN", "NRETIND_MISPRED_TAKEN", "NRETIND_OKPRED_NOTTAKEN", "NRETIND_OKPRED_TAKEN",
           "RETURN_MISPRED_NOTTAKEN", "RETURN_MISPRED_TAKEN", "RETURN_OKPRED_NOTTAKEN", "RETURN_OKPRED_TAKEN"},
          direction),
      of_branches("BR_MISPRED_DETAIL2", 2,
                  {"ALL_ALL_UNKNOWN_PRED", "ALL_UNKNOWN_PATH_CORRECT_PRED", "ALL_UNKNOWN_PATH_WRONG_PATH",
                   "IPREL_ALL_UNKNOWN_PRED", "IPREL_UNKNOWN_PATH_CORRECT_PRED", "IPREL_UNKNOWN_PATH_WRONG_PATH",
                   "NRETIND_ALL_UNKNOWN_PRED", "NRETIND_UNKNOWN_PATH_CORRECT_PRED", "NRETIND_UNKNOWN_PATH_WRONG_PATH",
                   "RETURN_ALL_UNKNOWN_PRED", "RETURN_UNKNOWN_PATH_CORRECT_PRED", "RETURN_UNKNOWN_PATH_WRONG_PATH"},
                  guess),
      of_branches("BR_PATH_PRED2", 2,
                  {"ALL_UNKNOWNPRED_NOTTAKEN", "ALL_UNKNOWNPRED_TAKEN", "IPREL_UNKNOWNPRED_NOTTAKEN",
                   "IPREL_UNKNOWNPRED_TAKEN", "NRETIND_UNKNOWNPRED_NOTTAKEN", "NRETIND_UNKNOWNPRED_TAKEN",
                   "RETURN_UNKNOWNPRED_NOTTAKEN", "RETURN_UNKNOWNPRED_TAKEN"},
                  guessed_direction),
      of_branches("BE_BR_MISPRED_DETAIL", 1, {"ANY", "STG", "ROT", "PFS"}, found_by_back_end),
      of_branches("ENCBR_MISPRED_DETAIL", 3,
                  {"ALL_ALL_PRED", "ALL_CORRECT_PRED", "ALL_WRONG_PATH", "ALL_WRONG_TARGET", "OVERSUB_ALL_PRED",
                   "OVERSUB_CORRECT_PRED", "OVERSUB_WRONG_PATH", "OVERSUB_WRONG_TARGET", "ALL2_ALL_PRED",
                   "ALL2_CORRECT_PRED", "ALL2_WRONG_PATH", "ALL2_WRONG_TARGET"},
                  encoded_outcome),
  };
}

}  // namespace pmusim::oracle::itanium2
