// Shared parts of the tests of the IA-64 multiplexers' tables.
#pragma once

#include "models/ia64/events.h"

namespace pmusim::testing {

/// The filters that an event honours, code range, opcode and data range (I, O, D), as in libpfm's tables.
inline const char* letters(const pmu::ia64::Event& event) {
  using Q = pmu::ia64::Qualifier;
  using S = pmu::ia64::Source;
  // Captures were already qualified when they were made.
  if (event.source == S::data_ear) return "IOD";
  if (event.source == S::fetch_ear) return "I--";
  if (event.source == S::branch_ring) return "IO-";
  switch (event.qualifier) {
    case Q::none:
      return "---";
    case Q::address:
    case Q::prefetch:
    case Q::fetch:
      return "I--";
    case Q::tag:
    case Q::tag_by_umask:
      return "IO-";
    case Q::data:
      return "IOD";
    case Q::data_address:
      return "I-D";
  }
  return "";
}

}  // namespace pmusim::testing
