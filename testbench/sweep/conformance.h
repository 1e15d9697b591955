// Checks that a foreign encoder keeps the protocol, by requests whose correct answers do not depend on its tables.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/sweep/line_process.h"

namespace pmusim::testbench::questions {

struct Conformance {
  std::string rule;     ///< of docs/foreign-encoders.md
  std::string problem;  ///< empty: the rule is kept
};

/// Starts a new process of `program` for every rule; `begins` is called with the rule's text before each.
[[nodiscard]] std::vector<Conformance> check_conformance(
    const std::string& target, const ForeignProgram& program,
    const std::function<void(const std::string& rule)>& begins = [](const std::string&) {});

}  // namespace pmusim::testbench::questions

// An encoder that is a program: it answers questions in JSON lines (docs/foreign-encoders.md).
namespace pmusim::testbench {

/// One process for the whole validation, unless it fails. Throws UsageError if it cannot be started.
[[nodiscard]] std::unique_ptr<EncoderUnderTest> foreign_encoder(const ForeignProgram& program);

}  // namespace pmusim::testbench
