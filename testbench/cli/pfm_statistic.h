// pmusim record --statistic: prints the output of Tru64 UNIX's uprofile and kprofile, using the pfm device.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testbench/cli/session_options.h"
#include "testbench/cli/symbols.h"
#include "testbench/pfm/processor.h"
#include "testbench/pfm/profile_me.h"
#include "testbench/pfm/profiler.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// Adds --statistic, --by, --stride, --range and --kernel.
[[nodiscard]] Options statistic_options();
/// Throws UsageError if one of them is given that requires --statistic.
void refuse_statistic_options(const Arguments& arguments);
/// Returns an exit code. Throws UsageError for a target that is not an Alpha, and for contradicting options.
int record_statistic(const SessionSetup& setup, const Arguments& arguments);

inline constexpr std::uint64_t instruction_bytes = 4;  ///< of an Alpha

/// The code of a profiled Alpha program, as far as its trace contains it.
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

/// A statistic of uprofile or kprofile: its collection and its result.
struct Statistic {
  /// A count that is collected beside the statistic, on the other counter of a 21064.
  struct Beside {
    std::string name;  ///< canonical
    unsigned counter = 0;
    std::uint64_t period = 0;
  };
  std::string name;  ///< canonical
  pfm::ProfileRequest request;
  unsigned counter = 0;
  std::uint64_t period = 0;                 ///< as requested
  std::uint64_t shortest = 0, longest = 0;  ///< between two samples; both `period` if it is not drawn
  std::optional<std::uint64_t> seed = {};   ///< seed of the periods, if they are drawn
  std::optional<Beside> beside = {};
  [[nodiscard]] bool profiles() const { return request.statistic != 0; }
  [[nodiscard]] bool per_retired() const { return pfm::is_per_retired(request.statistic); }
};

/// The device's result: the buckets of all ranges, and the counts of one run.
struct Collected {
  Statistic statistic;
  std::vector<pfm::Range> ranges;
  pfm::Profile profile;
  std::uint64_t instructions = 0;  ///< retired
};

/// Prints in the requested form. If there are no samples, the reason goes to standard error.
void print_statistic(const SessionSetup& setup, const Collected& collected, const ProfiledCode& code,
                     const Symbols& symbols, bool by_function, Format format);

}  // namespace pmusim::testbench
