// The verdict on one trace, the sum of all verdicts of a target, and verdicts as bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/support/output.h"

namespace pmusim::testbench {

/// The source of a trace: a recorded program, hand-written instructions, or directives for the outside.
enum class Provenance { real, text, directive };
[[nodiscard]] std::string_view name_of(Provenance provenance);

/// One comparison that is shown to the user.
struct Comparison {
  std::string trace;
  std::string event;      ///< the event string
  std::string registers;  ///< NAME=VALUE ..., the selectors programmed
  std::string counter;
  std::uint64_t counted = 0;
  std::uint64_t expected = 0;
};

/// A comparison that failed, with the command that reproduces it.
struct Mismatch {
  Comparison sample;
  std::string problem;    ///< one sentence, if the problem is not a wrong count
  std::string diagnosis;  ///< one sentence: the wrong register fields and their effect
  std::string reproduce;
  std::string cause = {};  ///< equal for mismatches with one cause
};

/// The cause of mismatches beyond the number that a job diagnoses.
inline constexpr std::string_view not_diagnosed = "not diagnosed, because there are too many";

/// The result of one question.
struct QuestionVerdict {
  std::string question;
  std::string verdict;       ///< ok, mismatch, not exercised, unsupported
  std::string detail;        ///< the error, the attributes that no trace shows, or those that cannot be shown and the
                             ///< reason
  std::uint64_t traces = 0;  ///< number of traces on which it was judged
  std::size_t number = 0;    ///< index in the questions judged together
  bool at_once = false;      ///< judged by the answer alone
};

/// The verdict on one row of a target's event table.
struct RowVerdict {
  std::uint64_t checks = 0;
  std::uint64_t vacuous = 0;      ///< compared 0 with 0 because the event did not occur
  std::uint64_t mismatches = 0;   ///< checks that failed
  std::uint64_t unsupported = 0;  ///< requests that a foreign encoder does not support
  std::uint64_t encoded = 0;      ///< answers with registers: what shows that the encoder knows the event
  bool exercised = false;
  Comparison best;         ///< the plain request with the largest count
  Comparison failed = {};  ///< the failed check with the fewest attributes
  double seconds = 0;      ///< run time of its checks
  /// True if the encoder does not have the event. An `invalid` does not tell: some encoders count the events of a
  /// request before they look at their names.
  [[nodiscard]] bool unknown() const { return encoded == 0 && unsupported != 0 && mismatches == 0; }
  /// Counts a failed check.
  void fail(const Comparison& check);
};

/// Merges `more` into `row`. Among equal samples the one whose name sorts first is kept, so the order of merging does
/// not matter.
void add(RowVerdict& row, const RowVerdict& more);

/// The counts of a driver that gets one interrupt per period of a counter's events: floor(events / frequency).
struct DriverCounts {
  std::uint64_t counts = 0;     ///< number of counts compared
  std::uint64_t ticks = 0;      ///< interrupts taken
  std::uint64_t untaken = 0;    ///< merged with the previous one, or not taken at the end
  std::uint64_t remainder = 0;  ///< events after the last complete period
  void add(const DriverCounts& more) {
    counts += more.counts;
    ticks += more.ticks;
    untaken += more.untaken;
    remainder += more.remainder;
  }
};

/// The result of an identity: a relation that the manuals state between the counts of a run.
struct IdentityVerdict {
  std::string relation;
  std::uint64_t traces = 0;     ///< number of traces on which it was checked
  std::uint64_t exercised = 0;  ///< of these, those on which one of its counts is not 0
  std::uint64_t broken = 0;     ///< of these, those on which it does not hold
  std::string example = {};     ///< a trace on which it does not hold, with the counts
};

/// Merges another result of the same relation.
void add(std::vector<IdentityVerdict>& identities, const IdentityVerdict& more);

/// What a job finds besides rows and mismatches, and what all jobs of a target find together.
struct Findings {
  DriverCounts driver = {};
  std::uint64_t unsupported = 0;                     ///< requests that a foreign encoder does not support
  std::vector<std::string> not_modelled = {};        ///< sorted in sums
  std::map<std::string, std::uint64_t> causes = {};  ///< mismatches by cause; the sum is that of the rows
  std::vector<QuestionVerdict> questions = {};
  std::vector<IdentityVerdict> identities = {};
  std::map<std::string, std::uint64_t> policies = {};  ///< answers that were judged under each (Policy)
  void add(Findings more);
};

/// The result of one job: a target on a trace, or a shard of it.
struct JobVerdict : Findings {
  std::string job;  ///< its identity in a journal
  std::string target;
  std::string trace;
  Provenance provenance = Provenance::real;
  std::map<std::string, RowVerdict> rows;
  std::vector<Mismatch> mismatches;
  double seconds = 0;  ///< run time
};

[[nodiscard]] Json to_json(const JobVerdict& verdict);
/// Throws std::exception for a text that to_json() did not write.
[[nodiscard]] JobVerdict verdict_from_json(const Json& object);

/// All jobs of one target together.
struct TargetVerdict : Findings {
  std::string target;
  std::uint64_t checks = 0;
  std::uint64_t vacuous = 0;
  std::uint64_t mismatched = 0;
  std::vector<std::string> unexercised;
  std::vector<std::string> unknown = {};                 ///< rows that a foreign encoder does not support at all
  std::map<Provenance, std::uint64_t> exercised_by;      ///< rows by the best source of the traces that exercise them
  std::vector<std::pair<std::string, RowVerdict>> rows;  ///< in table order
  std::vector<Mismatch> mismatches;
  /// True for a target of which the encoder has no event.
  [[nodiscard]] bool none_known() const {
    return unsupported != 0 && mismatched == 0 &&
           std::none_of(rows.begin(), rows.end(), [](const auto& row) { return row.second.encoded != 0; });
  }
  [[nodiscard]] std::uint64_t questions_with(std::string_view verdict) const;
  [[nodiscard]] std::uint64_t broken_identities() const;
  [[nodiscard]] bool good() const {
    return mismatched == 0 && unexercised.empty() && not_modelled.empty() && broken_identities() == 0;
  }
};

/// Merges jobs, in any order. `rows` are all rows of the target in table order; `holding` are those that count nothing
/// by definition.
[[nodiscard]] TargetVerdict merge(const std::string& target, const std::vector<std::string>& rows,
                                  const std::vector<std::string>& holding, std::vector<JobVerdict> jobs);

// A verdict as bytes: in the cache, and on the way from a process that judges to the one that reports. Reading it costs
// a tenth of reading the JSON of a journal.

/// The members in their order, without names: numbers, lengths and texts as in pmusim/trace/bytes.h.
[[nodiscard]] std::string packed(const JobVerdict& verdict);
/// Throws std::exception for bytes that packed() did not write.
[[nodiscard]] JobVerdict unpacked(std::string_view bytes);

}  // namespace pmusim::testbench
