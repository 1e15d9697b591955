// What came out of judging one trace, and what all of them say together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testbench/support/output.h"

namespace pmusim::testbench {

/// What drives a trace: a recorded program, hand-written instructions, or directives of the outside.
enum class Provenance { real, text, directive };
[[nodiscard]] std::string_view name_of(Provenance provenance);

/// One comparison that is worth showing.
struct Comparison {
  std::string trace;
  std::string event;      ///< the event string
  std::string registers;  ///< NAME=VALUE ..., the selectors programmed
  std::string counter;
  std::uint64_t counted = 0;
  std::uint64_t expected = 0;
};

/// A comparison that failed, with the command that shows it again.
struct Mismatch {
  Comparison sample;
  std::string problem;    ///< one sentence where the reason is not a wrong count
  std::string diagnosis;  ///< one sentence: which register fields are wrong, and what that did
  std::string reproduce;
  std::string cause = {};  ///< the same for mismatches of one reason
};

/// Bits of a register that some question wants to be 1, and to be 0.
struct WantedBits {
  std::uint64_t ones = 0, zeros = 0;
};

/// What came of one question.
struct QuestionVerdict {
  std::string question;
  std::string verdict;       ///< ok, mismatch, not exercised, unsupported
  std::string detail;        ///< what is wrong, what no trace shows, or what cannot show and why
  std::uint64_t traces = 0;  ///< on which it was judged
  std::size_t number = 0;    ///< of the question among those that were put together
  bool at_once = false;      ///< judged by the answer alone
};

/// Verdict on one row of a target's event table.
struct RowVerdict {
  std::uint64_t checks = 0;
  std::uint64_t vacuous = 0;  ///< compared 0 with 0 while nothing happened
  std::uint64_t mismatches = 0;
  std::uint64_t unsupported = 0;  ///< requests that a foreign encoder does not know
  bool exercised = false;
  Comparison best;         ///< the plain request with the largest count
  Comparison failed = {};  ///< of the checks that failed the one that asks for least
  double seconds = 0;      ///< that its checks took of their jobs
  /// Counts a check that failed.
  void fail(const Comparison& check);
};

/// Merges `more` into `row`; a tie between samples goes to the name that sorts first, whatever came first.
void add(RowVerdict& row, const RowVerdict& more);

/// What a driver counts that gets an interrupt once per period of events of a counter: floor(events / frequency).
struct DriverCounts {
  std::uint64_t counts = 0;     ///< that were compared
  std::uint64_t ticks = 0;      ///< interrupts taken
  std::uint64_t untaken = 0;    ///< merged with the one before, or not taken at the end
  std::uint64_t remainder = 0;  ///< events after the last whole period
  void add(const DriverCounts& more) {
    counts += more.counts;
    ticks += more.ticks;
    untaken += more.untaken;
    remainder += more.remainder;
  }
};

/// What came of a relation among the counts of a run, which the manuals state.
struct IdentityVerdict {
  std::string relation;
  std::uint64_t traces = 0;     ///< on which it was checked
  std::uint64_t exercised = 0;  ///< of these, where one of its counts is not 0
  std::uint64_t broken = 0;     ///< of these, where it does not hold
  std::string example = {};     ///< a trace and the counts with which it does not hold
};

/// Merges `more` into what is known of the same relation.
void add(std::vector<IdentityVerdict>& identities, const IdentityVerdict& more);

/// What one job (a target on a trace, or a shard of it) found.
struct JobVerdict {
  std::string job;  ///< its identity, for resuming
  std::string target;
  std::string trace;
  Provenance provenance = Provenance::real;
  std::map<std::string, RowVerdict> rows;
  std::vector<Mismatch> mismatches;
  DriverCounts driver;
  std::uint64_t unsupported = 0;  ///< requests that a foreign encoder does not know
  std::vector<std::string> not_modelled;
  std::map<std::string, std::uint64_t> causes = {};  ///< mismatches by their reason
  std::vector<QuestionVerdict> questions = {};
  std::map<std::string, WantedBits> wanted = {};  ///< by register, of all answers that were judged
  std::vector<IdentityVerdict> identities = {};
  double seconds = 0;  ///< that it took
};

[[nodiscard]] Json to_json(const JobVerdict& verdict);
/// Throws std::exception for anything that to_json() did not write.
[[nodiscard]] JobVerdict verdict_from_json(const Json& object);

/// All jobs of one target together.
struct TargetVerdict {
  std::string target;
  std::uint64_t checks = 0;
  std::uint64_t vacuous = 0;
  std::uint64_t mismatched = 0;
  std::uint64_t unsupported = 0;
  DriverCounts driver;
  std::vector<std::string> unexercised;
  std::vector<std::string> unknown = {};  ///< rows of which a foreign encoder knows nothing
  std::vector<std::string> not_modelled;
  std::map<Provenance, std::uint64_t> exercised_by;      ///< rows, by the realest trace that exercises them
  std::vector<std::pair<std::string, RowVerdict>> rows;  ///< in table order
  std::vector<Mismatch> mismatches;
  std::map<std::string, std::uint64_t> causes = {};
  std::vector<QuestionVerdict> questions = {};
  std::map<std::string, WantedBits> wanted = {};
  std::vector<IdentityVerdict> identities = {};
  [[nodiscard]] std::uint64_t questions_with(std::string_view verdict) const;
  [[nodiscard]] std::uint64_t broken_identities() const;
  [[nodiscard]] bool good() const {
    return mismatched == 0 && unexercised.empty() && not_modelled.empty() && broken_identities() == 0;
  }
};

/// Merges jobs, whatever order they came in; `rows` are all rows of the target in table order, `holding`
/// those that count nothing by definition.
[[nodiscard]] TargetVerdict merge(const std::string& target, const std::vector<std::string>& rows,
                                  const std::vector<std::string>& holding, std::vector<JobVerdict> jobs);

}  // namespace pmusim::testbench
