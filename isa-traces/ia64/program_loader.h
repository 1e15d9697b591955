// Loading a statically linked IA-64 program.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "address_space.h"

namespace pmusim::trace::ia64 {

/// One line: what is wrong with the program, or at which address, bundle and slot it went wrong.
struct SimulationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Executable code, decoded once.
struct CodeRange {
  std::uint64_t begin = 0, end = 0;  ///< multiples of 16
  bool writable = false;
};

struct Program {
  std::uint64_t entry = 0;
  std::vector<CodeRange> code;
};

/// Maps the segments of an ELF64 little-endian executable into memory. `name` begins the message of a SimulationError.
[[nodiscard]] Program load_elf(std::span<const std::uint8_t> file, const std::string& name, Memory& memory);

}  // namespace pmusim::trace::ia64
