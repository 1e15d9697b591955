// What these tests run: validations of small encoders, and what came out.
#pragma once

#include <gtest/gtest.h>

#include "command.h"

namespace pmusim::cli_test {

/// The small encoder, whole or broken.
inline std::string python(const std::string& mode) { return PYTHON " " ENCODER " " + mode; }

/// A target's totals from a JSON report.
inline nlohmann::json totals(const Outcome& outcome) {
  for (const std::string& line : lines_of(outcome.out)) {
    auto object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_discarded() && object.contains("mismatches") && object.contains("exercised_by")) return object;
  }
  ADD_FAILURE() << outcome.out << outcome.err;
  return {};
}

/// A hand-written trace, `athlon/loop`.
inline std::string micro(const std::string& name) {
  return std::string(PMUSIM_SOURCE_DIR) + "/testbench/tests/micro/traces/" + name + ".txt";
}

}  // namespace pmusim::cli_test
