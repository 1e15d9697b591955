// The parts of an operating system that the pfm device uses: processes, their memory, and the set-up of the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace pmusim::testbench::pfm {

/// The memory of a process, for copies as the kernel's copyin and copyout make them: false for an address that the
/// process may not read or write.
class AddressSpace {
 public:
  /// A copy between the kernel and a process that does not fault.
  using Copy = bool (*)(void* to, const void* from, std::size_t size);

  /// Without regions, a process may use all addresses but the null pointer.
  void add(const void* begin, std::size_t size) {
    regions_.emplace_back(reinterpret_cast<std::uintptr_t>(begin), size);
  }
  /// Copies by these functions, for a real process.
  void copy_by(Copy in, Copy out) {
    in_ = in;
    out_ = out;
  }
  [[nodiscard]] bool copy_in(void* to, const void* from, std::size_t size) const {
    return holds(from, size) && in_(to, from, size);
  }
  [[nodiscard]] bool copy_out(void* to, const void* from, std::size_t size) const {
    return holds(to, size) && out_(to, from, size);
  }

 private:
  static bool plain(void* to, const void* from, std::size_t size) {
    std::memcpy(to, from, size);
    return true;
  }
  [[nodiscard]] bool holds(const void* begin, std::size_t size) const {
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    if (begin == nullptr) return false;
    if (regions_.empty()) return true;
    for (const auto& [region, length] : regions_) {
      if (first >= region && size <= length && first - region <= length - size) return true;
    }
    return false;
  }

  std::vector<std::pair<std::uintptr_t, std::size_t>> regions_;
  Copy in_ = plain, out_ = plain;
};

struct Process {
  static constexpr int not_bound = -1;
  int id = 0;
  bool superuser = false;
  int cpu = not_bound;  ///< the CPU that it is bound to
  bool marked = false;  ///< PCB_PME_BIT of its process control block
  AddressSpace memory;
  /// Creates a child: it inherits the mark (R39). exec also keeps it, since it changes nothing here.
  [[nodiscard]] Process fork(int child) const {
    Process process = *this;
    process.id = child;
    return process;
  }
};

struct Range {
  std::uint64_t start = 0, end = 0;  ///< [start, end)
  [[nodiscard]] bool holds(std::uint64_t pc) const { return pc >= start && pc < end; }
};

/// The spacing of ticks. Counters of a 21064 cannot be written: its ticks are always spaced by the hardware.
enum class Spacing : std::uint8_t {
  hardware,  ///< as in pfm(7): the driver writes counters only for profile-me samples
  constant,  ///< the driver writes counters at every tick: periods are exactly as requested
  drawn      ///< ... and drawn at random around the request
};

struct Setup {
  bool configured = true;  ///< `pseudo-device pfm` is in the kernel (R1)
  Range kernel_text{0xfffffc0000230000, 0xfffffc0000630000};
  std::vector<Range> utility_routines;          ///< PCNTCALLER charges their samples to the callers (R65)
  std::uint64_t most_sample_bytes = 64u << 20;  ///< memory for the samples of one CPU (R63)
  std::uint64_t profile_me_period = 65536;      ///< fetched instructions between profile-me samples
  Spacing spacing = Spacing::hardware;
  std::uint64_t count_period = 1u << 20;  ///< 21264, unless the hardware spaces ticks: events between two ticks of a
                                          ///< counter
  std::uint64_t seed = 1;                 ///< of the random periods
};

}  // namespace pmusim::testbench::pfm
