// What `run` and `explain` program: by event names or by raw register values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbench/cli/session_options.h"

namespace pmusim::testbench {

struct ProgrammedCounter {
  std::string event;  ///< canonical
  std::string counter;
  unsigned index = 0;
  std::vector<std::string> notes;
};

/// Registers of one pass and the counters that they make count.
struct Programmed {
  std::vector<encoder::RegisterValue> registers;
  std::vector<ProgrammedCounter> counters;
  Json notes = Json::object();
  bool raw = false;  ///< by --write: the program may enable counters, too
};

/// How events are encoded that are to be counted: without filters of the whole run, and with those that were asked for.
[[nodiscard]] encoder::EncodeOptions plain_options(const SessionSetup& setup);
[[nodiscard]] encoder::EncodeOptions counting_options(const Arguments& arguments, const SessionSetup& setup);

/// Both throw UsageError for what cannot be programmed.
[[nodiscard]] Programmed programmed_events(const SessionSetup& setup, const std::vector<std::string>& events,
                                           const encoder::EncodeOptions& options);
[[nodiscard]] Programmed programmed_writes(SessionSetup& setup, const std::vector<std::string>& texts);

/// What a trace of the target consists of.
[[nodiscard]] std::string_view instruction_word(const SessionSetup& setup);

}  // namespace pmusim::testbench
