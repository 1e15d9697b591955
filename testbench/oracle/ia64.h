// The IA-64 part of a request besides the event's name, in the user's terms: levels, code and data ranges, opcodes, the
// setup of an event address register, and the filter of the branch trace buffer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pmusim::oracle::ia64 {

enum class InstructionSet : std::uint8_t { both, ia64, ia32 };

/// Code from `start` up to but not including `end`, bundle addresses, at the levels of a mask.
struct CodeRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  unsigned levels = 15;  ///< bit n: the range applies at level n
  friend bool operator==(const CodeRange&, const CodeRange&) = default;
};

/// Data whose first byte lies from `start` up to but not including `end`.
struct DataRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  friend bool operator==(const DataRange&, const DataRange&) = default;
};

/// Addresses watched by a data breakpoint.
struct DataBreakpoint {
  DataRange range;
  bool read = true;
  bool write = true;
  unsigned levels = 15;
  friend bool operator==(const DataBreakpoint&, const DataBreakpoint&) = default;
};

inline constexpr std::uint64_t every_bit = 0x1ffffffffff;
/// Instructions by their encoding. Itanium 2: 27 bits are compared, bits 12:0 are the syllable's 12:0, bits 26:13 its
/// 40:27. Montecito: the 41 bits of the syllable; there `every_bit` ignores all of them.
struct OpcodeMatch {
  std::uint64_t match = 0;
  std::uint64_t ignore = 0x7ffffff;             ///< 1: the bit does not matter
  bool m = true, i = true, f = true, b = true;  ///< slots in which the instruction matches
  friend bool operator==(const OpcodeMatch&, const OpcodeMatch&) = default;
};

/// L3 lines by the state in which they are found, installed or replaced (Montecito).
struct LineStates {
  bool modified = true, exclusive = true, shared = true, invalid = true;
  friend bool operator==(const LineStates&, const LineStates&) = default;
};

/// Filter of the branch trace buffer. A branch that is not taken counts as having a right target.
struct BranchFilter {
  enum class Type : std::uint8_t { all, ip_relative, returns, indirect };
  bool taken = true, not_taken = true;
  bool path_right = true, path_wrong = true;
  bool target_right = true, target_wrong = true;
  Type type = Type::all;
  friend bool operator==(const BranchFilter&, const BranchFilter&) = default;
};

/// The Itanium part of a request.
struct Qualifiers {
  unsigned levels = 0;              ///< bit n: count at level n; 0: as `user` (level 3) and `kernel` (level 0) select
  bool privileged_monitor = false;  ///< run by PSR.pp instead of PSR.up
  InstructionSet instruction_set = InstructionSet::both;
  /// Ordinary events: the first range, or the second one for prefetches if there are two.
  /// IA64_TAGGED_INST_RETIRED_IBRPn: range n. A range that is not given does not restrict.
  std::vector<CodeRange> code;
  bool outside = false;              ///< the complement of the first range
  bool fine_mode = false;            ///< at most two ranges by bounds, not by masks: pairs 0 and 2 share the first
  bool short_page = false;           ///< pmu.fine_mask=register compares bits 31:12 and 63:56 of a page only
  std::vector<OpcodeMatch> opcodes;  ///< first and second matcher; IBRP1 and IBRP3 use the second
  std::vector<DataRange> data;       ///< any of them
  std::vector<DataBreakpoint> breakpoints;  ///< DATA_DEBUG_REGISTER_*
  std::string armed;              ///< DATA_EAR_EVENTS, L1I_EAR_EVENTS: the row that describes the setup of the register
  BranchFilter branches;          ///< BRANCH_EVENT
  bool branch_buffer_on = false;  ///< data EAR: the branch trace buffer records at the same time
  // Montecito
  bool all_threads = false;       ///< counts events of both threads, not only the monitor's own
  LineStates line_states;         ///< for L3 events with line states
  bool traces_addresses = false;  ///< the trace buffer records retiring instructions (IP-EAR) instead of branches
  unsigned trace_delay = 0;       ///< cycles that it continues after a freeze, 0 to 255
  friend bool operator==(const Qualifiers&, const Qualifiers&) = default;
  /// Whether both restrict to the same occurrences, apart from the levels at which they count.
  [[nodiscard]] bool same_place(const Qualifiers& o) const {
    return code == o.code && outside == o.outside && fine_mode == o.fine_mode && short_page == o.short_page &&
           opcodes == o.opcodes && data == o.data && breakpoints == o.breakpoints && line_states == o.line_states;
  }
};

}  // namespace pmusim::oracle::ia64
