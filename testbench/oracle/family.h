// What a family of processors defines: its events, its privileges, and the comparison that its counters make.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "testbench/oracle/event.h"
#include "testbench/oracle/gate.h"

namespace pmusim::oracle {

struct Family {
  std::string_view name;
  activity::State privilege_state;
  activity::State gate_state;  ///< the other state that decides whether a counter runs
  Privilege (*privilege)(std::uint64_t privilege_state, std::uint64_t gate_state, std::uint64_t thread);
  Privilege privileges;  ///< number of privileges
  bool (*admits)(const Request&, Privilege, const Choices&);
  /// Smallest number of occurrences that counts; 0: no comparison.
  std::uint32_t (*bound)(const Request&) = [](const Request&) { return std::uint32_t{0}; };
  const std::vector<Event>& (*events)();
  Choices (*choices)(const ParameterLookup&);
  bool stops_in_halt = true;
  bool flat_names = false;  ///< a row is named EVENT_UMASK, not EVENT:UMASK
  void (*check)(const Request&);
  std::size_t trace_entries = 0;                          ///< of the branch buffer
  activity::State third_state = activity::State::thread;  ///< the third argument of privilege()
  std::span<const std::string_view> undefined = {};       ///< names in a list of events that no document defines
};

/// The family of each target; its events_*.cpp or family_*.cpp defines the function.
#define TARGET(NAME, FAMILY)            \
  namespace FAMILY {                    \
  [[nodiscard]] const Family& family(); \
  }
#include "testbench/oracle/families.def"

/// Throws std::invalid_argument for an unknown target.
[[nodiscard]] const Family& family_of(std::string_view target);
/// Finds an event by its name or by the name of one of its rows. Throws std::invalid_argument if there is none.
[[nodiscard]] const Event& event_of(const Family& family, std::string_view name);

/// Adds a family to those of families.def, for a program that has one of its own. Call it before the first use of the
/// oracle. `target` must outlive the program.
void add_family(std::string_view target, const Family& (*family)());

}  // namespace pmusim::oracle
