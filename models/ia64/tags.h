// Qualification of IA-64 PMUs: opcode matchers, instruction and data address ranges, and the four tag channels that
// combine them. A family's registers are decoded into this form when they are written.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/activity/activity.h"

namespace pmusim::pmu::ia64 {

// The origin of an occurrence: its instruction and request, with their IA-64 parts.

using activity::Cycle;

/// Owner of occurrences that belong to no thread.
inline constexpr unsigned no_thread = 2;

/// The records that an occurrence refers to; null if it does not refer to one.
struct Origin {
  const activity::InstructionRecord* instruction = nullptr;  ///< the instruction itself, or the owner of the request
  const activity::ia64::Syllable* syllable = nullptr;        ///< the IA-64 part of `instruction`
  const activity::RequestRecord* request = nullptr;          ///< the request
  const activity::ia64::Request* access = nullptr;           ///< the IA-64 part of `request`
  std::uint32_t index = activity::no_ref;                    ///< index of the instruction in its block

  /// The hardware thread, or `no_thread`.
  [[nodiscard]] unsigned owner() const {
    return instruction != nullptr ? instruction->thread & 1u : request != nullptr ? request->thread & 1u : no_thread;
  }
  /// The address that instruction ranges compare: that of the bundle or of the fetch. Empty: none.
  [[nodiscard]] std::optional<std::uint64_t> code_address() const {
    if (instruction != nullptr) return instruction->ip;
    if (request == nullptr || access == nullptr || !fetches(access->requester)) return std::nullopt;
    return request->address;
  }
  /// True if the requester fetches instructions.
  [[nodiscard]] static bool fetches(activity::ia64::Requester requester) {
    return requester == activity::ia64::Requester::demand_fetch ||
           requester == activity::ia64::Requester::prefetch_fetch;
  }
};

/// Sets the instruction of an origin to that with this index in the block. Does nothing for an invalid index.
inline void add_instruction(const activity::Block& block, std::uint32_t index, Origin& origin) {
  if (index >= block.instructions.size()) return;
  origin.index = index;
  origin.instruction = &block.instructions[index];
  if (index < block.syllables.size()) origin.syllable = &block.syllables[index];
}

/// The records that an occurrence of `signal` refers to. For a request, its instruction is included.
[[nodiscard]] Origin origin_of(const activity::Block& block, activity::Signal signal,
                               const activity::Occurrence& occurrence);

/// The signal that contains the access of an instruction in the cycle of an occurrence that refers to the instruction.
[[nodiscard]] constexpr activity::Signal accesses_beside(activity::Signal signal) {
  return signal == activity::Signal::retire ? activity::Signal::access_retire : activity::Signal::data_reference;
}

/// The data address of an occurrence: that of its request. For the retirement of an instruction or a displaced ALAT
/// entry, that of the instruction's own access in the same cycle. Empty: none.
[[nodiscard]] std::optional<std::uint64_t> data_address_of(const activity::Block& block, activity::Signal signal,
                                                           const activity::Occurrence& occurrence,
                                                           const Origin& origin);

inline constexpr unsigned channels = 4;  ///< number of tag channels, and of pairs of breakpoint registers

/// An opcode matcher. A syllable matches if its type is selected and all its bits that are not ignored are equal.
struct OpcodeMatcher {
  std::uint64_t match = 0;                    ///< value to compare with, 41 bits
  std::uint64_t ignored = ~std::uint64_t{0};  ///< 1 for bits that are not compared
  unsigned types = 0xf;                       ///< selected slot types: m, i, f, b

  static constexpr std::uint64_t syllable = (std::uint64_t{1} << 41) - 1;  ///< bits of a syllable
  static constexpr unsigned m = 8;                                         ///< slot type M in `types`
  static constexpr unsigned i = 4;                                         ///< I
  static constexpr unsigned f = 2;                                         ///< F
  static constexpr unsigned b = 1;                                         ///< B
  /// True if the syllable matches in a slot of this type.
  [[nodiscard]] bool matches(std::uint64_t encoding, unsigned slot_bit) const {
    return (types & slot_bit) != 0 && ((encoding ^ match) & ~ignored & syllable) == 0;
  }
  /// True if every syllable matches.
  [[nodiscard]] bool accepts_all() const { return types == 0xf && (~ignored & syllable) == 0; }
};

/// A pair of breakpoint registers: SDM volume 2, 7.1.1.
struct AddressPair {
  std::uint64_t address = 0;  ///< address to compare with
  std::uint64_t control = 0;  ///< 55:0 mask (1: compare), 59:56 plm, 62 w or ignored, 63 x or r

  static constexpr std::uint64_t mask_bits = (std::uint64_t{1} << 56) - 1;  ///< mask in `control`
  /// Mask of the address bits that are compared; bits 63:56 always are.
  [[nodiscard]] std::uint64_t compared() const { return (control & mask_bits) | ~mask_bits; }
  /// True if the pair is enabled at this privilege level (plm).
  [[nodiscard]] bool active_at(unsigned cpl) const { return (control >> 56 >> cpl & 1) != 0; }
  /// Data pair: w, stores match.
  [[nodiscard]] bool writes() const { return (control >> 62 & 1) != 0; }
  /// Data pair: r, loads match.
  [[nodiscard]] bool reads() const { return (control >> 63 & 1) != 0; }
  /// Code pair: x, instructions match.
  [[nodiscard]] bool executes() const { return (control >> 63 & 1) != 0; }
};

/// The qualification of memory events by a channel: cfg fields of PMC13 (Itanium 2) and PMC41 (Montecito).
enum class DataRule : std::uint8_t { tag_and_range = 0, tag = 1, range = 2, none = 3 };

/// The decoded registers on which qualification depends.
struct TagRegisters {
  std::array<AddressPair, channels> code{};                         ///< IBR pairs
  std::array<AddressPair, channels> data{};                         ///< DBR pairs
  std::array<bool, channels> code_ignored{true, true, true, true};  ///< ibrp bits of PMC14 (Itanium 2), PMC38
  bool channel0_ignored = true;                                     ///< ig_ad: channel 0 passes any address
  bool inverted = false;                                            ///< inv: the instruction range is inverted
  bool fine = false;                        ///< fine mode: two pairs contain the limits of an instruction range
  unsigned page_bits = 12;                  ///< a fine range is within one page of 2^page_bits bytes
  unsigned granule_bits = 5;                ///< the limits of a fine range have a resolution of 2^granule_bits bytes
  std::array<OpcodeMatcher, 2> matchers{};  ///< index 0: channels 0 and 2; index 1: channels 1 and 3
  std::array<bool, channels> opcode_ignored{};  ///< the channel passes any opcode (PMC15; Montecito PMC36)
  /// The cfg fields of PMC13 (Itanium 2), PMC41 (Montecito).
  std::array<DataRule, channels> data_rules{DataRule::none, DataRule::none, DataRule::none, DataRule::none};
  /// The channel qualifies memory events (ena fields).
  std::array<bool, channels> data_enabled{true, false, false, false};
};

/// Behaviours of the qualification that the documents do not specify.
struct TagChoices {
  /// The page of a fine range is compared under the mask of the lower pair; else all address bits above the page are
  /// compared.
  bool fine_uses_mask = false;
  bool fine_both_levels = false;        ///< both pairs of a fine range must be active at the level; else the lower one
  bool breakpoints_withheld = false;    ///< pairs that are armed as breakpoints match nothing
  bool fine_union = false;              ///< in fine mode channel 0 passes both ranges if channel 1 is constrained
  bool invert_all = false;              ///< inv applies to all channels with a range; else to channel 0
  bool all_data_channels = false;       ///< every enabled data channel must pass; else one is sufficient
  bool no_data_channel_blocks = false;  ///< without an enabled data channel nothing passes; else everything
  /// Memory events must pass the tag of channel 0 in addition to the enabled data channels.
  bool memory_needs_channel_0 = false;
};

/// Privilege level and PSR in a cycle.
struct Mode {
  unsigned cpl = 0;       ///< 0 most privileged .. 3
  std::uint64_t psr = 0;  ///< processor status register
};

/// Determines whether occurrences pass the tag channels. An occurrence without an address (or opcode, or data address)
/// passes only if the channel does not constrain it.
class Tagger {
 public:
  /// Starts with channels that pass everything.
  explicit Tagger(const TagChoices& choices) : choices_(choices) { set({}); }
  /// Sets the registers. Called after software wrote them.
  void set(const TagRegisters& registers);
  /// The decoded registers.
  [[nodiscard]] const TagRegisters& registers() const { return r_; }

  /// True if the address part of a channel passes everything.
  [[nodiscard]] bool address_free(unsigned channel) const { return address_free_[channel]; }
  /// True if the address and opcode parts of a channel pass everything.
  [[nodiscard]] bool tag_free(unsigned channel) const { return tag_free_[channel]; }
  /// True if the data qualification passes everything.
  [[nodiscard]] bool data_free() const { return data_free_; }

  /// True if the occurrence passes the address part of a channel.
  [[nodiscard]] bool address_ok(unsigned channel, const Origin& origin, const Mode& mode) const;
  /// True if the occurrence passes the opcode part of a channel.
  [[nodiscard]] bool opcode_ok(unsigned channel, const Origin& origin) const;
  /// True if the occurrence passes the address and opcode parts of a channel.
  [[nodiscard]] bool tag(unsigned channel, const Origin& origin, const Mode& mode) const {
    return tag_free_[channel] || (address_ok(channel, origin, mode) && opcode_ok(channel, origin));
  }
  /// True if the occurrence passes the data qualification of memory events. `address`: empty if it has none.
  [[nodiscard]] bool data_ok(const Origin& origin, const std::optional<std::uint64_t>& address, const Mode& mode,
                             bool looks_at_opcodes = true) const;
  /// True if the access matches a data breakpoint that is enabled for its kind and level.
  [[nodiscard]] bool breakpoint(std::uint64_t address, bool load, bool store, const Mode& mode) const;

 private:
  [[nodiscard]] bool coarse(unsigned pair, std::uint64_t ip, const Mode& mode) const;
  [[nodiscard]] bool fine(unsigned lower, std::uint64_t ip, const Mode& mode) const;
  [[nodiscard]] bool in_range(unsigned channel, std::uint64_t ip, const Mode& mode) const;
  /// True if a pair can qualify events. `armed`: it is armed as a breakpoint.
  [[nodiscard]] bool serves(bool armed) const { return !armed || !choices_.breakpoints_withheld; }
  [[nodiscard]] bool data_match(unsigned pair, std::uint64_t address) const;

  TagChoices choices_;
  TagRegisters r_;
  std::array<bool, channels> address_free_{};
  std::array<bool, channels> tag_free_{};
  bool data_free_ = true;
};

// A capture of an IA-64 PMU's own registers: event address registers and the branch buffer.

/// The occurrence that a register captured, and its cycle.
struct Capture {
  activity::Cycle at;         ///< cycle of the capture
  activity::Signal signal;    ///< signal of the captured occurrence
  activity::Occurrence what;  ///< the captured occurrence
};

}  // namespace pmusim::pmu::ia64
