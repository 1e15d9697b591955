// Running an IA-64 user program: the functional simulator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "pmusim/trace/ia64.h"
#include "program_loader.h"

namespace pmusim::trace::ia64 {

struct SimulationOptions {
  std::uint64_t most_slots = 1'000'000'000;  ///< a program that executes more is cut off with an error
  /// What the program writes to its descriptors 1 and 2; nothing if not set.
  std::function<void(int descriptor, std::string_view bytes)> output;
  /// Called after each bundle with the line of the trace that says it; what it points to is valid during the call.
  std::function<void(const Instruction& line)> on_bundle;
};

struct SimulationResult {
  int exit_status = 0;
  std::uint64_t slots = 0;    ///< of executed bundles, predicated-off ones included, those after a taken branch not
  std::uint64_t bundles = 0;  ///< lines of the trace
};

/// Runs the program to its exit. `name` begins the message of a SimulationError, which is one line: what is wrong with
/// the program, or address of the bundle, slot, instruction, and what it may not do.
[[nodiscard]] SimulationResult simulate(std::span<const std::uint8_t> elf, const std::string& name,
                                        const SimulationOptions& options = {});
/// The same for a file; messages call it `name`, or by its path if that is empty.
[[nodiscard]] SimulationResult simulate_file(const std::filesystem::path& program,
                                             const SimulationOptions& options = {}, std::string name = {});

}  // namespace pmusim::trace::ia64
