// What the pfm device runs on: a processor, by the PALcode call that programs its counters, and its cycle counter; it
// is a modelled one or a test stand-in. And the parts of an operating system that the device uses: processes, their
// memory, and the set-up of the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "models/alpha/alpha.h"

namespace pmusim::testbench::pfm {

using Family = pmu::AlphaChip;

/// Function codes of WRPERFMON in R16 (Alpha Architecture Handbook, appendix E; sys/pfcntr.h).
enum class Function : std::uint8_t {
  disable = 0,
  enable = 1,
  select = 2,
  options = 3,
  frequency = 4,
  read = 5,
  write = 6,
  enable_write = 7,
  read_istat = 8,
  read_pmpc = 9
};

class Processor {
 public:
  virtual ~Processor() = default;
  [[nodiscard]] virtual Family family() const = 0;
  /// CALL_PAL WRPERFMON: function in R16, argument in R17; returns R0.
  virtual std::uint64_t wrperfmon(Function function, std::uint64_t argument) = 0;
  /// The kernel sets or clears PCB_PME_BIT of a process. While the process runs on this processor, PALcode keeps its
  /// mark in the processor's PME bit.
  virtual void mark(int /*process*/, bool /*marked*/) {}
  /// Processor cycle counter, 64 bits.
  [[nodiscard]] virtual std::uint64_t cycles() const = 0;
};

/// The kernel's data at entInt of a performance counter interrupt (R16 = 4), which the driver calls a tick.
struct Tick {
  unsigned counter = 0;      ///< R18: the counter that overflowed
  std::uint64_t pc = 0;      ///< PC in the interrupt frame
  std::uint64_t caller = 0;  ///< return address of the interrupted routine
  unsigned ipl = 0;          ///< of the interrupted code
  bool user = false;         ///< ... ran in user mode
  bool idle = false;         ///< ... was the idle thread
};

/// The registers of a profile-me sample (21264A manual, chapter 5), in addition to its tick.
struct ProfileMe {
  std::uint64_t i_stat = 0;
  std::uint64_t pctr_ctl = 0;
  std::uint64_t pmpc = 0;
  bool conditional_branch = false;       ///< the instruction at pmpc is one
  bool unconditional = false;            ///< ... is BR, BSR, JMP, JSR, RET or JSR_COROUTINE
  bool squashed = false;                 ///< ... leaves without executing
  bool squashed_aborts = false;          ///< ... and then counts as an abort (pmu.squashed_aborts)
  bool only_mispredicts_retire = false;  ///< of the instructions that trap only mispredicted branches retire
                                         ///< (pmu.retiring_traps)
};

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
