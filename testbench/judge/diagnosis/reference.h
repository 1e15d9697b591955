// The registers that this project's encoder gives for a question, with each event on the counter that another encoder
// chose for it.
#pragma once

#include <string>
#include <vector>

#include "testbench/judge/diagnosis/diagnose.h"

namespace pmusim::testbench::diagnose {

struct Reference {
  /// In write order, each once with its last value; includes processor registers written by calls.
  std::vector<encoder::RegisterValue> registers;
  std::vector<std::string> order;  ///< names in write order, without processor registers written by calls
  std::string elsewhere;           ///< the counter that this encoder chooses for the event, if it is another one
  std::string problem;  ///< why there are no registers: the question is refused, or a counter cannot count its event
};

/// Reference registers for all events. Problems with counters of events other than `event` are ignored.
[[nodiscard]] Reference reference_for(const Request& question, const std::vector<std::string>& counters,
                                      std::size_t event);

/// Adds a register, or changes its value.
void put(std::vector<encoder::RegisterValue>& registers, const encoder::RegisterValue& value);
[[nodiscard]] const encoder::RegisterValue* find(const std::vector<encoder::RegisterValue>& registers,
                                                 const std::string& name);

}  // namespace pmusim::testbench::diagnose
