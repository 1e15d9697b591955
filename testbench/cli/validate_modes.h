// The other modes of `pmusim validate`: --mutate, --defects, --gallery and --conformance; and the options that they
// share with it. An option that a mode does not use is refused, not ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/support/arguments.h"
#include "testbench/sweep/line_process.h"

namespace pmusim::testbench {

/// A part of the work.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
};
/// --gallery judges encoders of other projects whose faults are known; exit code 1 if one gets another verdict.
int run_gallery(const Arguments& arguments);
/// Parses I/N.
[[nodiscard]] Shard parse_shard(const std::string& text);
/// The foreign encoder to judge, if any.
[[nodiscard]] std::optional<ForeignProgram> foreign_program(const Arguments& arguments);
/// The value of an option that is a percentage. Throws UsageError if it is not of 0 to 100.
[[nodiscard]] double percentage(const Arguments& arguments, const std::string& option);

/// A mode of the command, which an option chooses.
struct ValidateMode {
  std::string_view option;
  int (*run)(const Arguments&);
  std::vector<std::string_view> uses;  ///< the other options that mean something in this mode
};
/// --conformance checks the rules of the protocol; exit code 1 if one is broken. --mutate runs mutants of the answers
/// of pmusim's own encoder on traces chosen for them. --defects runs defective variants of our own encoder; exit code 1
/// if one of them is not noticed.
[[nodiscard]] const std::vector<ValidateMode>& validate_modes();
/// Throws UsageError for an option of `all` that the mode does not use.
void refuse_other_options(const Arguments& arguments, const Options& all, const ValidateMode& mode);

}  // namespace pmusim::testbench
