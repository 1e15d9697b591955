// Identities: relations between the counts of one run that the manuals state, such as hits + misses = references. A
// mistake that core, model and oracle share breaks one of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/judge/trial/trace_counts.h"
#include "testbench/judge/verdict/verdict.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::testbench {

/// `SUM = SUM` or `SUM <= SUM`. A sum is a list of terms joined by ` + `. A term is a row of the oracle's table, with
/// an optional factor: `ISSUES = SINGLE + 2 DUAL`. `EVENT:*` is the sum over all unit masks. `trace:loads` is a count
/// of the trace's instructions (trace_counts.h); where it is unknown, the relation is not checked.
struct Identity {
  std::string_view relation;
  std::string_view source;
};

/// The table of a target. The relations of its family come first.
[[nodiscard]] std::vector<Identity> identities_of(std::string_view target);

/// The identities of a target, for one trace.
class IdentityChecks {
 public:
  /// Only identities whose events all match `only`. None if a `pmu.*` parameter changes the meaning of an event.
  IdentityChecks(const std::string& target, const std::string& only, const models::Parameters& parameters);
  /// The requests to count, at all privilege levels and without further conditions.
  [[nodiscard]] const std::vector<oracle::Request>& requests() const { return requests_; }
  /// `tallies` are those of requests(), in their order; `from_trace` are the counts of the trace's instructions, if
  /// known.
  [[nodiscard]] std::vector<IdentityVerdict> check(std::span<const oracle::Tally> tallies,
                                                   const TraceCounts* from_trace, const std::string& trace) const;

 private:
  struct Term {
    std::uint64_t factor = 1;
    std::size_t request = 0;
    std::string_view from_trace = {};  ///< the count of the trace, instead of a request
  };
  struct Relation {
    std::string_view text;
    std::vector<Term> left, right;
    bool equal = false;
  };
  std::vector<Term> sum(const std::string& target, std::string_view text);
  std::string target_;
  std::vector<oracle::Request> requests_;
  std::vector<Relation> relations_;
};

/// The rows of the oracle's table that a relation names.
[[nodiscard]] std::vector<std::string> rows_in(std::string_view relation);

}  // namespace pmusim::testbench
