// Every value of every PMU parameter of an IA-64 processor. Its validation has too many checks to be repeated for each
// value: a row that shows the parameter is checked on all short traces, and everything on a few.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "testbench/faults/bench.h"
#include "values.h"

namespace pmusim::testbench::faults {

/// A parameter, and a row whose count shows it.
struct Shown {
  std::string_view parameter, row;
};

struct Ia64Sweep {
  std::string target;
  std::span<const Shown> shown;
  /// Behaviours under which libpfm's encodings do not do what its manual page promises. The oracle keeps to the
  /// promise, and the validation must report the difference.
  std::span<const Shown> broken_promises;
  std::span<const Silent> silent;  ///< in addition to those of both processors
  std::size_t stride;              ///< everything is checked on one in `stride` traces
  std::string_view branch_event;   ///< its row has a separate check for each of many filters
  std::vector<std::string> encoder::QualifierTexts::*branch_texts;

  void expect_read_alike_by_model_and_oracle() const;
  void expect_caught_in_the_model_alone() const;
  /// Expects each parameter to be in one of the lists.
  void expect_all_sorted() const;

 private:
  [[nodiscard]] bool notices(std::string_view row, const Exchange& exchange) const;
  template <class Body>
  void for_each_value(Body body) const;
};

}  // namespace pmusim::testbench::faults
