// What a family of processors brings along: its events, its privileges, the comparison its counters make.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "testbench/oracle/event.h"
#include "testbench/oracle/gate.h"

namespace pmusim::oracle {

struct Family {
  std::string_view name;
  activity::State privilege_state;
  activity::State gate_state;  ///< what else decides whether a counter runs
  Privilege (*privilege)(std::uint64_t privilege_state, std::uint64_t gate_state, std::uint64_t thread);
  Privilege privileges;  ///< how many there are
  bool (*admits)(const Request&, Privilege, const Choices&);
  std::uint32_t (*bound)(const Request&);  ///< least number of occurrences that counts; 0: no comparison
  const std::vector<Event>& (*events)();
  Choices (*choices)(const ParameterLookup&);
  bool (*charged_to_next)(const Event&, const Choices&);  ///< to the privilege of the following cycle
  bool stops_in_halt;
  bool flat_names;  ///< a row is named EVENT_UMASK, not EVENT:UMASK
  void (*check)(const Request&);
  std::size_t trace_entries = 0;                          ///< of the buffer that keeps branches
  activity::State third_state = activity::State::thread;  ///< what privilege() is told beside the two
};

/// Whether a request counts on the Athlon at that CPL in that operating mode (activity::OperatingMode).
[[nodiscard]] bool counts_at(const Request& request, std::uint64_t cpl, std::uint64_t mode, const Choices& choices);
/// Throws std::invalid_argument for an unknown target.
[[nodiscard]] const Family& family_of(std::string_view target);
/// The event of that name, or that the row of that name belongs to. Throws std::invalid_argument if there is none.
[[nodiscard]] const Event& event_of(const Family& family, std::string_view name);

}  // namespace pmusim::oracle
