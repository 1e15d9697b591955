// Does a foreign encoder keep the protocol? Questions whose answers are known whatever it encodes.
#pragma once

#include <string>
#include <vector>

namespace pmusim::testbench {

struct Conformance {
  std::string rule;     ///< of docs/foreign-encoders.md
  std::string problem;  ///< empty: it is kept
};

/// Starts `command` anew for every rule. Each answer may take that many seconds.
[[nodiscard]] std::vector<Conformance> check_conformance(const std::string& target, const std::string& command,
                                                         unsigned timeout_seconds);

}  // namespace pmusim::testbench
