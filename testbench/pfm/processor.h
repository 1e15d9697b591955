// The interface of a processor to the pfm device: the PALcode call that programs its counters, and its cycle counter.
// It is implemented by a modelled processor or by a test stand-in.
#pragma once

#include <cstdint>

namespace pmusim::testbench::pfm {

enum class Family : std::uint8_t { ev4, ev5, pca56, ev6, ev67 };

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

}  // namespace pmusim::testbench::pfm
