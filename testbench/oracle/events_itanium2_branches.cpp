// Itanium 2: branches that retire, by class and by prediction.
#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle::itanium2 {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::BranchClass;
using activity::ia64::Kind;
using activity::ia64::Prediction;
using activity::ia64::Syllable;

bool branches(const EventSite& s) { return s.syllable().has(Kind::branch); }

/// Unit masks come in groups of `width`: all branches, IP-relative ones, other indirect ones, returns. `kinds` are
/// positions in a group.
Classes in_groups(const EventSite& s, unsigned width, Classes kinds) {
  unsigned group = 0;
  switch (s.syllable().branch_class) {
    case BranchClass::ip_relative:
      group = 1;
      break;
    case BranchClass::indirect:
      group = 2;
      break;
    case BranchClass::return_:
      group = 3;
      break;
    case BranchClass::none:
      break;
  }
  return kinds | (group == 0 ? 0 : kinds << group * width);
}

// ALL_PRED, CORRECT_PRED, WRONG_PATH, WRONG_TARGET
Classes by_outcome(Prediction prediction) {
  switch (prediction) {
    case Prediction::correct:
      return places({0, 1});
    case Prediction::wrong_path:
      return places({0, 2});
    case Prediction::wrong_target:
      return places({0, 3});
    case Prediction::none:
      break;
  }
  return places({0});
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
  return {.name = name,
          .umasks = std::move(umasks),
          .rules = {{Signal::retire, rule}},
          .most = most,
          .filters = by_instruction};
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
