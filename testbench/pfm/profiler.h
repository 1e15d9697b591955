// What uprofile(1) and kprofile(1) do with the pfm device: open it, choose a statistic and a range of addresses, run
// the machine, read the histogram.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "testbench/pfm/machine.h"

namespace pmusim::testbench::pfm {

struct ProfileRequest {
  std::uint64_t select = 0;     ///< what to count, as WRPERFMON's function 2 takes it
  std::uint64_t frequency = 0;  ///< 21164: periods, as function 4 takes them
  unsigned counters = 0;        ///< a bit for each one that collects
  unsigned statistic = 0;       ///< 21264A: PF67_PM_*, or 0
  Range range;
  bool kernel = false;       ///< of kernel mode, else of user mode
  std::uint64_t stride = 1;  ///< instructions in a bucket
};

/// A bucket of `stride` instructions that got something.
struct Bucket {
  std::uint64_t address = 0;
  std::uint64_t value = 0;
  std::uint64_t retired = 0;  ///< of a statistic per retired instruction
};

struct Profile {
  std::vector<Bucket> buckets;        ///< by address
  std::vector<std::uint64_t> ticks;   ///< of each counter
  std::vector<std::uint64_t> counts;  ///< of each counter: ticks and what the hardware counted since; not of an EV4
  std::vector<std::uint64_t> levels;  ///< ticks at IPL 0 to 5, none, idle, in user mode
  std::uint64_t cycles = 0;
};

/// Collects from now to the end of the traces, on all processors together. Throws std::runtime_error naming the call
/// that the device refused.
[[nodiscard]] Profile profile(Machine& machine, const ProfileRequest& request);

/// The same on any processors of a family, with the period between profile-me samples that their device was set up
/// with; `run` has them make their ticks.
[[nodiscard]] Profile profile(Device& device, Family family, std::uint64_t profile_me_period,
                              const std::function<void()>& run, const ProfileRequest& request);

}  // namespace pmusim::testbench::pfm
