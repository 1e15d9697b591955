// Identities: relations among the counts of one run that the manuals state, as hits + misses = references. What core,
// model and oracle have in common by mistake breaks one of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/oracle/oracle.h"
#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

/// `SUM = SUM` or `SUM <= SUM`. A sum is terms with ` + ` between them, a term a row of the oracle's table, with a
/// factor before it where it counts more than once: `ISSUES = SINGLE + 2 DUAL`. `EVENT:*` is all unit masks together.
struct Identity {
  std::string_view relation;
  std::string_view source;
};

/// The table of a target; relations of its family first.
[[nodiscard]] std::vector<Identity> identities_of(std::string_view target);

/// Identities of a target, to be checked on one trace.
class IdentityChecks {
 public:
  /// Those all of whose events `only` admits. None where parameters read an event otherwise than the manuals: `pmu.*`.
  IdentityChecks(const std::string& target, const std::string& only, const models::Parameters& parameters);
  /// What has to be counted, at all privilege levels, without further conditions.
  [[nodiscard]] const std::vector<oracle::Request>& requests() const { return requests_; }
  /// `tallies` are those of requests(), in their order.
  [[nodiscard]] std::vector<IdentityVerdict> check(std::span<const oracle::Tally> tallies,
                                                   const std::string& trace) const;

 private:
  struct Term {
    std::uint64_t factor = 1;
    std::size_t request = 0;
  };
  struct Relation {
    std::string_view text;
    std::vector<Term> left, right;
    bool equal = false;
  };
  std::vector<Term> sum(const std::string& target, std::string_view text);
  std::vector<oracle::Request> requests_;
  std::vector<Relation> relations_;
};

/// The rows that a relation names.
[[nodiscard]] std::vector<std::string> rows_in(std::string_view relation);

}  // namespace pmusim::testbench
