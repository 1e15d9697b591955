// Counts that follow from the instructions of a trace alone, read from the trace itself: no core, model or oracle has a
// part in them. The oracle sees what a core reports; here a core that reports too much or too little is found out.
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
  /// What a request counts that asks for a row at some levels and for nothing more; nothing if the instructions do not
  /// tell: another event, a further condition, or a trace in which directives or system instructions change the mode.
  [[nodiscard]] std::optional<std::uint64_t> of(const oracle::Request& request) const;
  /// The target has rows that instructions tell.
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
