// How many of the changes to one table the validation noticed. A change that escapes fails the test, unless it is
// listed as one that changes nothing; a listed one that is noticed, or that was not made, fails as well.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"

namespace pmusim::perturbation {

/// A change that leaves the function of the table as it is, by the sentence that describes it.
struct Equivalent {
  std::string_view change;  ///< a `*` stands for anything
  std::string_view reason;
};

class Tally {
 public:
  /// `table` is how the result is called: "encoder athlon"; one in `usually` changes is tried, see sampling().
  Tally(Bench& bench, std::string table, std::vector<Equivalent> equivalents, std::size_t usually = 1)
      : bench_(bench),
        table_(std::move(table)),
        equivalents_(std::move(equivalents)),
        met_(equivalents_.size()),
        every_(sampling(usually)) {}
  /// Prints the numbers; fails if a listed equivalent was never met.
  ~Tally();
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  /// Whether the change that comes next is to be tried.
  [[nodiscard]] bool next();
  /// Tries the change on the checks of the rows.
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
