// The registers that this project's encoder gives for a question, with each event on the counter that another encoder
// chose for it.
#pragma once

#include <string>
#include <vector>

#include "testbench/diagnose/diagnose.h"

namespace pmusim::testbench::diagnose {

struct Reference {
  /// In the order of writing, each once with its last value; processor registers behind the calls that write them.
  std::vector<encoder::RegisterValue> registers;
  std::vector<std::string> order;  ///< names as they are written, without those of processor registers behind calls
  std::string elsewhere;           ///< the counter on which this encoder puts the event, where that is another one
  std::string problem;             ///< why there is none: the question is refused, or a counter cannot have its event
};

/// Reference for all events; a problem with the counter of another event than `event` is passed over.
[[nodiscard]] Reference reference_for(const Question& question, const std::vector<std::string>& counters,
                                      std::size_t event);

/// Adds a register, or gives it another value.
void put(std::vector<encoder::RegisterValue>& registers, const encoder::RegisterValue& value);
[[nodiscard]] const encoder::RegisterValue* find(const std::vector<encoder::RegisterValue>& registers,
                                                 const std::string& name);

}  // namespace pmusim::testbench::diagnose
