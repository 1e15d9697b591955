// A statistic of uprofile or kprofile: its collection and its result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cli/profiled_code.h"
#include "testbench/cli/symbols.h"
#include "testbench/pfm/profile_me.h"
#include "testbench/pfm/profiler.h"

namespace pmusim::testbench {

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
