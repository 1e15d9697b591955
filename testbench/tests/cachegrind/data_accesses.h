// The data-cache accesses of the Athlon core on a recorded program, instruction by instruction.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

#include "pmusim/trace/x86.h"

namespace pmusim::testbench::cachegrind_lines {

/// Accesses and misses of one instruction or line.
struct Counts {
  std::int64_t reads = 0, read_misses = 0, writes = 0, write_misses = 0;
  Counts& operator+=(const Counts& other);
  friend Counts operator+(Counts a, const Counts& b) { return a += b; }
  friend Counts operator-(const Counts& a) { return {-a.reads, -a.read_misses, -a.writes, -a.write_misses}; }
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// One static instruction. Every probe of the cache's tags counts as an access in `probes`.
struct Instruction {
  std::uint64_t length = 0;
  trace::x86::Operation operation;
  Counts probes;
  Counts second_halves;  ///< part of `probes`: the second of a split operand; its miss only if the first missed too
  Counts modifies;       ///< part of `probes`: stores to the operand that the same execution has loaded
  Counts replays;        ///< part of `probes`: of executions that were killed and repeated
  Counts lost_to_code;   ///< misses among `probes` of lines that an instruction fetch has taken from the data cache
};

/// The shape of an L1 data cache with lines of 64 bytes.
struct Shape {
  int bytes = 0, ways = 0;
};

struct DataAccesses {
  std::uint64_t stack = 0;  ///< stack pointer at the first instruction, which is a call
  std::map<std::uint64_t, Instruction> instructions;
};

/// Runs the core without wrong path and prefetch, probing in program order, with an L1 data cache of this shape.
[[nodiscard]] DataAccesses data_accesses(const std::filesystem::path& trace, const Shape& l1d);

}  // namespace pmusim::testbench::cachegrind_lines
