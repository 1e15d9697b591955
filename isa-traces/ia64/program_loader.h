// Loads statically linked IA-64 programs.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "address_space.h"

namespace pmusim::trace::ia64 {

/// An error in the program or in its execution. what() is one line; an error of the execution has the address, bundle
/// and slot.
struct SimulationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Addresses of executable code.
struct CodeRange {
  std::uint64_t begin = 0, end = 0;  ///< multiples of 16
  bool writable = false;
};

struct Program {
  std::uint64_t entry = 0;
  std::vector<CodeRange> code;
};

/// Maps the segments of an ELF64 little-endian executable into memory. The message of a SimulationError begins with
/// `name`.
[[nodiscard]] Program load_elf(std::span<const std::uint8_t> file, const std::string& name, Memory& memory);

}  // namespace pmusim::trace::ia64
