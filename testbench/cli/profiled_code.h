// The code of a profiled Alpha program, as far as its trace contains it, and the ranges of addresses of a histogram.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "testbench/cli/session_options.h"
#include "testbench/pfm/kernel.h"

namespace pmusim::testbench {

inline constexpr std::uint64_t instruction_bytes = 4;  ///< of an Alpha

struct ProfiledCode {
  struct Word {
    std::uint32_t encoding = 0;
    bool user = false;  ///< executed in user mode
    bool kernel = false;
  };
  std::map<std::uint64_t, Word> words;  ///< by address
  std::set<std::uint64_t> targets;      ///< of taken branches
};

/// Reads the trace. Throws UsageError if it has no instructions.
[[nodiscard]] ProfiledCode read_code(const SessionSetup& setup);

/// A range for each image of code that runs in the mode. A new range begins after a gap of more than this many bytes
/// without code, or when the samples would need more memory than the device has.
inline constexpr std::uint64_t between_images = 16u << 20;
[[nodiscard]] std::vector<pfm::Range> images(const ProfiledCode& code, bool kernel, std::uint64_t most_bytes);

/// Parses `BEGIN:END`. Throws UsageError for a text that is not a range of instructions, or longer than `most_bytes`.
[[nodiscard]] std::vector<pfm::Range> parse_ranges(const std::vector<std::string>& texts, std::uint64_t most_bytes);

}  // namespace pmusim::testbench
