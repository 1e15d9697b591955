// The number of changes to one table that the validation noticed. A change that is not noticed fails the test, unless
// it is listed as one without effect; a listed change that is noticed, or that was not made, fails as well.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"

namespace pmusim::perturbation {

/// A change that leaves the function of the table unchanged, identified by its description.
struct Equivalent {
  std::string_view change;  ///< a `*` matches any text
  std::string_view reason;
};

class Tally {
 public:
  /// `table` is the name in the result: "encoder athlon"; one in `usually` changes is tried, see sampling().
  Tally(Bench& bench, std::string table, std::vector<Equivalent> equivalents, std::size_t usually = 1)
      : bench_(bench),
        table_(std::move(table)),
        equivalents_(std::move(equivalents)),
        met_(equivalents_.size()),
        every_(sampling(usually)) {}
  /// Prints the numbers; fails if a listed equivalent was never encountered.
  ~Tally();
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  /// True if the next change is to be tried.
  [[nodiscard]] bool next();
  /// Tries the change with the checks of the rows.
  void expect_noticed(const std::string& change, const Rows& rows, const Exchange& exchange);

 private:
  [[nodiscard]] const Equivalent* equivalent(const std::string& change);

  Bench& bench_;
  std::string table_;
  std::vector<Equivalent> equivalents_;
  std::vector<bool> met_;
  std::size_t every_;
  std::size_t number_ = 0, tried_ = 0, caught_ = 0, same_ = 0;
};

}  // namespace pmusim::perturbation
