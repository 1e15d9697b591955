// The other modes of `pmusim validate`: --mutate, --defects and --conformance; and the options that they share with it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "testbench/support/arguments.h"
#include "testbench/validate/candidate.h"

namespace pmusim::testbench {

/// A part of the work.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
};
/// Parses I/N.
[[nodiscard]] Shard parse_shard(const std::string& text);
/// The foreign encoder to judge, if any.
[[nodiscard]] std::optional<ForeignProgram> foreign_program(const Arguments& arguments);
/// Throws UsageError if one of these options is combined with `mode`.
void refuse_options(const Arguments& arguments, std::string_view mode, std::initializer_list<const char*> names);

/// Runs mutants of the answers of pmusim's own encoder on traces chosen for them.
int run_mutate(const Arguments& arguments);
/// Runs defective variants of our own encoder; exit code 1 if one of them is not noticed.
int run_defects(const Arguments& arguments);
/// Checks the rules of the protocol; exit code 1 if one is broken.
int run_conformance(const Arguments& arguments);

}  // namespace pmusim::testbench
