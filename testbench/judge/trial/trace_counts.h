// Counts that follow from the instructions of a trace alone, read from the trace itself, without core, model or oracle.
// The oracle counts what a core reports; these counts reveal a core that reports too much or too little.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "models/common/parameters.h"
#include "pmusim/trace/reader.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::testbench {

class TraceCounts {
 public:
  /// Reads the trace to its end.
  TraceCounts(const std::string& target, trace::Reader& trace, const models::Parameters& parameters);
  /// The count of a request for one row at some levels without further conditions. Empty if the instructions do not
  /// determine it: another event, a further condition, or a trace in which directives or system instructions change the
  /// mode.
  [[nodiscard]] std::optional<std::uint64_t> of(const oracle::Request& request) const;
  /// True if the target has rows whose counts follow from the instructions.
  [[nodiscard]] static bool tells(const std::string& target);

  static constexpr unsigned levels = 4;
  using ByLevel = std::array<std::uint64_t, levels>;
  using Counts = std::map<std::string_view, ByLevel>;

 private:
  trace::Isa isa_;
  bool silent_ = false;
  Counts counts_;
};

}  // namespace pmusim::testbench
