// Filters and address registers of a whole run on an IA-64 PMU, which event strings cannot express. Targets without
// these refuse them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pmusim::encoder {

/// Addresses from `start` up to, not including, `end`. Code ranges begin and end on bundles (multiples of 16).
struct AddressRange {
  std::uint64_t start = 0;  ///< first address
  std::uint64_t end = 0;    ///< first address after the range
  unsigned levels = 0;      ///< privilege level mask; 0: the levels of the events. Ignored for data ranges
};

/// Passes instructions in slots of the given types whose bits equal `match` in every position in which `mask` is 0. On
/// the Itanium 2 bits 26 to 13 cannot be compared and must be 1 in the mask; Montecito compares all 41 bits.
struct OpcodeFilter {
  std::uint64_t match = 0;  ///< 41 bits
  std::uint64_t mask = 0;   ///< 41 bits, 1 for bits that are not compared, as in the hardware
  bool m = true;            ///< slots of type M pass
  bool i = true;            ///< slots of type I pass
  bool f = true;            ///< slots of type F pass
  bool b = true;            ///< slots of type B pass
};

/// Configuration of an event address register. Without it the name of an EAR event configures the register.
struct EarFilter {
  /// Kinds of captured events; alat exists for the data EAR only.
  enum class Mode : std::uint8_t { cache, tlb, alat };
  bool data = true;              ///< true: data EAR; false: instruction EAR
  Mode mode = Mode::cache;       ///< kind of captured events
  std::uint32_t umask = 0;       ///< unit mask of PMC10 or PMC11 (Montecito: PMC37 or PMC40)
  unsigned levels = 0;           ///< 0: the levels of the events
  unsigned instruction_set = 0;  ///< 0 both, 1 IA-32, 2 IA-64; Montecito runs IA-64 code only
};

/// The branches that the branch trace buffer (Montecito: execution trace buffer) records; by default all.
struct BranchFilter {
  unsigned ds = 0;      ///< 1: record prediction details instead of the target; not on Montecito
  unsigned tm = 3;      ///< bit 0: not taken, bit 1: taken
  unsigned ptm = 3;     ///< target prediction: bit 0: wrong, bit 1: right
  unsigned ppm = 3;     ///< path prediction: bit 0: wrong, bit 1: right
  unsigned brt = 0;     ///< 0 all, 1 IP-relative, 2 returns, 3 other indirect branches
  unsigned levels = 0;  ///< 0: the levels of the events
};

/// Montecito's IP-EAR: the trace buffer records the addresses of retiring instructions instead of branches.
struct IpFilter {
  unsigned delay = 0;   ///< cycles from the freeze of the counters to the freeze of the buffer, up to 255
  unsigned levels = 0;  ///< 0: the levels of the events
};

/// All filters of a run. Filters that are not set restrict nothing.
struct Qualifiers {
  std::vector<AddressRange> code;  ///< up to four
  std::vector<AddressRange> data;  ///< up to four
  bool inverse = false;            ///< count code outside the range; applies to tag channel 0
  bool no_fine = false;            ///< do not use fine mode for code ranges
  bool demand_fetches = false;     ///< Montecito: the range restricts demand fetches, for events of both fetch kinds
  bool prefetches = false;         ///< Montecito: the range restricts prefetches; may be combined with demand_fetches
  std::vector<OpcodeFilter> opcodes;     ///< first matcher (PMC8; Montecito PMC32-33), second (PMC9; PMC34-35)
  std::vector<EarFilter> ears;           ///< at most one of each kind
  std::optional<BranchFilter> branches;  ///< set: the trace buffer records branches
  std::optional<IpFilter> instructions;  ///< set: the trace buffer records instructions; not together with branches

  /// True if no filter is set.
  [[nodiscard]] bool empty() const {
    return code.empty() && data.empty() && !inverse && !no_fine && !demand_fetches && !prefetches && opcodes.empty() &&
           ears.empty() && !branches && !instructions;
  }
};

/// The filters of a run as texts, one for each option of the command line.
struct QualifierTexts {
  std::vector<std::string> irange = {};  ///< START-END[:plm]
  std::vector<std::string> drange = {};  ///< START-END[:plm]
  std::vector<std::string> opcode = {};  ///< MATCH/MASK[:mifb]
  std::vector<std::string> ear = {};     ///< unit=data|instruction,mode=cache|tlb|alat,...
  std::vector<std::string> btb = {};     ///< tm=taken,brt=return,...; at most one entry of btb and etb
  std::vector<std::string> etb = {};     ///< the same option under its name on Montecito
  std::vector<std::string> ipear = {};   ///< delay=N,plm=N; at most one
  std::vector<std::string> fetch = {};   ///< demand, prefetch or both; at most one
  bool no_fine = false;                  ///< as Qualifiers::no_fine
  bool inverse = false;                  ///< as Qualifiers::inverse

  /// True if no option is given.
  [[nodiscard]] bool empty() const {
    return irange.empty() && drange.empty() && opcode.empty() && ear.empty() && btb.empty() && etb.empty() &&
           ipear.empty() && fetch.empty() && !no_fine && !inverse;
  }
};

}  // namespace pmusim::encoder
