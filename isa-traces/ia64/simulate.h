// The functional simulator of IA-64 user programs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "address_space.h"
#include "pmusim/trace/ia64.h"

namespace pmusim::trace::ia64 {

struct SimulationOptions {
  std::uint64_t most_slots = 1'000'000'000;  ///< a program that executes more is stopped with an error
  /// Gets the output of the program to descriptors 1 and 2. If not set, the output is discarded.
  std::function<void(int descriptor, std::string_view bytes)> output;
  /// Called after each bundle with its line of the trace. The data that the line refers to is valid during the call.
  std::function<void(const Instruction& line)> on_bundle;
};

struct SimulationResult {
  int exit_status = 0;
  std::uint64_t slots = 0;    ///< executed slots, including predicated-off ones, but not those after a taken branch
  std::uint64_t bundles = 0;  ///< lines of the trace
};

/// Runs the program to its exit. Throws SimulationError with a message of one line that begins with `name`: the error
/// in the program, or the bundle address, slot, instruction and illegal action.
[[nodiscard]] SimulationResult simulate(std::span<const std::uint8_t> elf, const std::string& name,
                                        const SimulationOptions& options = {});

}  // namespace pmusim::trace::ia64
