// Uses the pfm device as uprofile(1) and kprofile(1) do: opens it, selects a statistic and a range of addresses, runs
// the machine, reads the histogram.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "testbench/pfm/machine.h"

namespace pmusim::testbench::pfm {

struct ProfileRequest {
  std::uint64_t select = 0;     ///< the events, in the format of WRPERFMON's function 2
  std::uint64_t frequency = 0;  ///< 21164: periods, in the format of function 4
  unsigned counters = 0;        ///< bit n: counter n collects samples
  unsigned statistic = 0;       ///< 21264A: PF67_PM_*, or 0
  Range range;
  bool kernel = false;       ///< profiles kernel mode; otherwise user mode
  std::uint64_t stride = 1;  ///< instructions in a bucket
};

/// A bucket of `stride` instructions with a value that is not 0.
struct Bucket {
  std::uint64_t address = 0;
  std::uint64_t value = 0;
  std::uint64_t retired = 0;  ///< of a statistic per retired instruction
};

struct Profile {
  std::vector<Bucket> buckets;        ///< by address
  std::vector<std::uint64_t> ticks;   ///< of each counter
  std::vector<std::uint64_t> counts;  ///< of each counter: ticks plus the count since the last tick; not for EV4
  std::vector<std::uint64_t> levels;  ///< ticks at IPL 0 to 5, unused, idle, in user mode
  std::uint64_t cycles = 0;
};

/// Collects from now to the end of the traces, on all processors together. Throws std::runtime_error that names the
/// call that the device refused.
[[nodiscard]] Profile profile(Machine& machine, const ProfileRequest& request);

/// The same on any processors of a family. `profile_me_period` is that of the device's set-up; `run` makes the
/// processors produce their ticks.
[[nodiscard]] Profile profile(Device& device, Family family, std::uint64_t profile_me_period,
                              const std::function<void()>& run, const ProfileRequest& request);

}  // namespace pmusim::testbench::pfm
