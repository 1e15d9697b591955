// What a profiled Alpha program consists of, as far as its trace shows it, and the ranges of addresses that a histogram
// is made of.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "testbench/cli/session_options.h"
#include "testbench/pfm/kernel.h"

namespace pmusim::testbench {

struct ProfiledCode {
  struct Word {
    std::uint32_t encoding = 0;
    bool user = false;  ///< executed in user mode
    bool kernel = false;
  };
  std::map<std::uint64_t, Word> words;  ///< by address
  std::set<std::uint64_t> targets;      ///< of taken branches
};

/// Reads the trace. Throws UsageError for one without instructions.
[[nodiscard]] ProfiledCode read_code(const SessionSetup& setup);

/// A range for each image of code that runs in the mode: where more than this many bytes hold no code, or the samples
/// would take more memory than the device has, the next one begins.
inline constexpr std::uint64_t between_images = 16u << 20;
[[nodiscard]] std::vector<pfm::Range> images(const ProfiledCode& code, bool kernel, std::uint64_t most_bytes);

/// `BEGIN:END` texts. Throws UsageError for what is no range of instructions, or longer than `most_bytes`.
[[nodiscard]] std::vector<pfm::Range> parse_ranges(const std::vector<std::string>& texts, std::uint64_t most_bytes);

}  // namespace pmusim::testbench
