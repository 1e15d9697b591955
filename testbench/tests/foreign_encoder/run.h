// Helpers that run validations of small encoders and read their reports.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {

/// The command line of the small encoder, correct or defective.
inline std::string python(const std::string& mode) { return PYTHON " " + as_word(ENCODER) + " " + mode; }

/// Returns a target's totals from a JSON report.
inline nlohmann::json totals(const Outcome& outcome) {
  for (const std::string& line : lines_of(outcome.out)) {
    auto object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_discarded() && object.contains("mismatches") && object.contains("exercised_by")) return object;
  }
  ADD_FAILURE() << outcome.out << outcome.err;
  return {};
}

/// The path of a hand-written trace, such as `athlon/loop`.
inline std::string micro(const std::string& name) {
  const std::size_t slash = name.find('/');
  return source_file("isa-traces/micro/" + name.substr(0, slash) + ".pmt" + name.substr(slash));
}

}  // namespace pmusim::cli_test
