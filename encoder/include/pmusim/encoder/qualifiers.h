// Filters and address registers of a whole run on an IA-64 PMU: what event strings cannot say. Targets that have none
// of this refuse it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pmusim::encoder {

/// Addresses from `start` up to and without `end`. Code ranges end on bundles (multiples of 16).
struct AddressRange {
  std::uint64_t start = 0;  ///< first address
  std::uint64_t end = 0;    ///< first address after the range
  unsigned levels = 0;      ///< privilege level mask; 0: the levels of the events. Data ranges do not look at it
};

/// Instructions that pass: those in slots of the given types whose bits equal `match` wherever `mask` is 0. On the
/// Itanium 2 bits 26 to 13 cannot be compared and must be 1 in the mask; Montecito compares all 41.
struct OpcodeFilter {
  std::uint64_t match = 0;  ///< 41 bits
  std::uint64_t mask = 0;   ///< 41 bits, 1 for those that do not matter: the hardware's sense
  bool m = true;            ///< slots of type M, as the ones that follow
  bool i = true;            ///< I
  bool f = true;            ///< F
  bool b = true;            ///< B
};

/// An event address register: what it takes in. Without one of these an EAR event sets the register up by its name.
struct EarFilter {
  /// Kinds of events; alat is for the data EAR only.
  enum class Mode : std::uint8_t { cache, tlb, alat };
  bool data = true;              ///< data EAR, else instruction EAR
  Mode mode = Mode::cache;       ///< what is taken in
  std::uint32_t umask = 0;       ///< of PMC10 or PMC11 (Montecito: PMC37 or PMC40)
  unsigned levels = 0;           ///< 0: the levels of the events
  unsigned instruction_set = 0;  ///< 0 both, 1 IA-32, 2 IA-64; Montecito runs IA-64 code only
};

/// The branch (Montecito: execution) trace buffer: which branches it records. The defaults record all.
struct BranchFilter {
  unsigned ds = 0;      ///< 1: details of the prediction instead of the target; not on Montecito
  unsigned tm = 3;      ///< bit 0 not taken, bit 1 taken
  unsigned ptm = 3;     ///< target prediction: bit 0 wrong, bit 1 right
  unsigned ppm = 3;     ///< path prediction: bit 0 wrong, bit 1 right
  unsigned brt = 0;     ///< 0 all, 1 IP-relative, 2 returns, 3 other indirect branches
  unsigned levels = 0;  ///< 0: the levels of the events
};

/// Montecito's IP-EAR: the trace buffer takes in the addresses of retiring instructions instead of branches.
struct IpFilter {
  unsigned delay = 0;   ///< cycles by which the buffer freezes later than the counters, up to 255
  unsigned levels = 0;  ///< 0: the levels of the events
};

/// All filters of a run. Those that are not set restrict nothing.
struct Qualifiers {
  std::vector<AddressRange> code;     ///< up to four
  std::vector<AddressRange> data;     ///< up to four
  bool inverse = false;               ///< code outside of the range; honoured on tag channel 0
  bool no_fine = false;               ///< no fine mode for code ranges
  bool demand_fetches = false;        ///< Montecito: events about fetches of both kinds follow the range for this ...
  bool prefetches = false;            ///< ... or this kind, or either
  std::vector<OpcodeFilter> opcodes;  ///< first matcher (PMC8; Montecito PMC32-33), second (PMC9; PMC34-35)
  std::vector<EarFilter> ears;        ///< at most one of each kind
  std::optional<BranchFilter> branches;  ///< set: the buffer records branches
  std::optional<IpFilter> instructions;  ///< not together with branches

  /// Nothing is set.
  [[nodiscard]] bool empty() const {
    return code.empty() && data.empty() && !inverse && !no_fine && !demand_fetches && !prefetches && opcodes.empty() &&
           ears.empty() && !branches && !instructions;
  }
};

/// The same as texts, one for each option on a command line.
struct QualifierTexts {
  std::vector<std::string> irange = {};  ///< START-END[:plm]
  std::vector<std::string> drange = {};  ///< START-END[:plm]
  std::vector<std::string> opcode = {};  ///< MATCH/MASK[:mifb]
  std::vector<std::string> ear = {};     ///< unit=data|instruction,mode=cache|tlb|alat,...
  std::vector<std::string> btb = {};     ///< tm=taken,brt=return,...; at most one, of this or
  std::vector<std::string> etb = {};     ///< its name on Montecito
  std::vector<std::string> ipear = {};   ///< delay=N,plm=N; at most one
  std::vector<std::string> fetch = {};   ///< demand, prefetch or both; at most one
  bool no_fine = false;                  ///< as Qualifiers::no_fine
  bool inverse = false;                  ///< as Qualifiers::inverse

  /// Nothing is said.
  [[nodiscard]] bool empty() const {
    return irange.empty() && drange.empty() && opcode.empty() && ear.empty() && btb.empty() && etb.empty() &&
           ipear.empty() && fetch.empty() && !no_fine && !inverse;
  }
};

}  // namespace pmusim::encoder
