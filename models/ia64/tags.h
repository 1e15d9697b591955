// Qualification of IA-64 PMUs: opcode matchers, instruction and data address ranges, and the four tag channels they
// make. A family's registers are decoded into this form when they are written.
#pragma once

#include <array>
#include <cstdint>

#include "models/ia64/origin.h"

namespace pmusim::pmu::ia64 {

inline constexpr unsigned channels = 4;  ///< tag channels, and pairs of breakpoint registers

/// Compares a syllable: its type bit must be set and all bits of it that are not ignored must match.
struct OpcodeMatcher {
  std::uint64_t match = 0;                    ///< bits that a syllable must have, 41 bits
  std::uint64_t ignored = ~std::uint64_t{0};  ///< 1 for bits that do not matter
  unsigned types = 0xf;                       ///< bits: slot_bit()

  static constexpr std::uint64_t syllable = (std::uint64_t{1} << 41) - 1;  ///< bits of a syllable
  static constexpr unsigned m = 8;                                         ///< slot type M in `types`
  static constexpr unsigned i = 4;                                         ///< I
  static constexpr unsigned f = 2;                                         ///< F
  static constexpr unsigned b = 1;                                         ///< B
  /// The syllable, in a slot of this type, passes.
  [[nodiscard]] bool matches(std::uint64_t encoding, unsigned slot_bit) const {
    return (types & slot_bit) != 0 && ((encoding ^ match) & ~ignored & syllable) == 0;
  }
  /// Every syllable passes.
  [[nodiscard]] bool accepts_all() const { return types == 0xf && (~ignored & syllable) == 0; }
};

/// A pair of breakpoint registers: SDM volume 2, 7.1.1.
struct AddressPair {
  std::uint64_t address = 0;  ///< that is compared with
  std::uint64_t control = 0;  ///< 55:0 mask (1: compare), 59:56 plm, 62 w or ignored, 63 x or r

  static constexpr std::uint64_t mask_bits = (std::uint64_t{1} << 56) - 1;  ///< mask in `control`
  /// Bits that take part in the comparison; 63:56 always do.
  [[nodiscard]] std::uint64_t compared() const { return (control & mask_bits) | ~mask_bits; }
  /// Enabled at this privilege level (plm).
  [[nodiscard]] bool active_at(unsigned cpl) const { return (control >> 56 >> cpl & 1) != 0; }
  /// A data pair: stores match.
  [[nodiscard]] bool writes() const { return (control >> 62 & 1) != 0; }
  /// A data pair: loads match.
  [[nodiscard]] bool reads() const { return (control >> 63 & 1) != 0; }
  /// A code pair: instructions match.
  [[nodiscard]] bool executes() const { return (control >> 63 & 1) != 0; }
};

/// How the data side of a channel qualifies memory events: cfg fields of PMC13 (Itanium 2) and PMC41 (Montecito).
enum class DataRule : std::uint8_t { tag_and_range = 0, tag = 1, range = 2, none = 3 };

/// All that qualification looks at.
struct TagRegisters {
  std::array<AddressPair, channels> code{};                         ///< IBR pairs
  std::array<AddressPair, channels> data{};                         ///< DBR pairs
  std::array<bool, channels> code_ignored{true, true, true, true};  ///< ibrp bits of PMC14 (Itanium 2), PMC38
  bool channel0_ignored = true;                                     ///< ig_ad
  bool inverted = false;                                            ///< inv
  bool fine = false;          ///< instruction ranges are in fine mode: pairs are joined to limits of a range
  unsigned page_bits = 12;    ///< fine ranges lie in one page of 2^page_bits bytes
  unsigned granule_bits = 5;  ///< and resolve 2^granule_bits bytes
  std::array<OpcodeMatcher, 2> matchers{};      ///< channels 0 and 2; channels 1 and 3
  std::array<bool, channels> opcode_ignored{};  ///< the channel takes any opcode (PMC15; Montecito PMC36)
  /// The cfg fields of PMC13 (Itanium 2), PMC41 (Montecito).
  std::array<DataRule, channels> data_rules{DataRule::none, DataRule::none, DataRule::none, DataRule::none};
  /// The channel qualifies memory events (ena fields).
  std::array<bool, channels> data_enabled{true, false, false, false};
};

/// What the documents leave open.
struct TagChoices {
  bool x_is_integer = true;        ///< the syllable of an L+X pair has type I; else no type
  bool match_needs_debug = false;  ///< instruction ranges need PSR.db
  /// Fine ranges take the page from the compared bits of the lower pair; else all bits above the page.
  bool fine_uses_mask = false;
  bool fine_both_levels = false;        ///< both pairs of a fine range must be active at the level; else the lower one
  bool breakpoints_withheld = false;    ///< pairs that are armed as breakpoints match nothing
  bool fine_union = false;              ///< in fine mode channel 0 takes both ranges where channel 1 is constrained
  bool fine_upper_free = false;         ///< channels 2 and 3 are not constrained in fine mode
  bool invert_all = false;              ///< inv acts on all channels
  bool all_data_channels = false;       ///< every enabled channel must agree; else one is enough
  bool no_data_channel_blocks = false;  ///< no enabled channel: nothing passes; else everything
  bool data_extent = false;             ///< any byte of the access; else its first
  bool memory_needs_channel_0 =
      false;  ///< memory events need the tag of channel 0 besides what an enabled channel says
};

/// Privilege level and PSR in a cycle.
struct Mode {
  unsigned cpl = 0;       ///< 0 most privileged .. 3
  std::uint64_t psr = 0;  ///< processor status register
};

/// Says of an occurrence whether it passes a tag channel.
class Tagger {
 public:
  /// With nothing constrained.
  explicit Tagger(const TagChoices& choices) : choices_(choices) { set({}); }
  /// The registers were written.
  void set(const TagRegisters& registers);
  /// What it looks at.
  [[nodiscard]] const TagRegisters& registers() const { return r_; }

  /// Can the address part, the tag, or the data qualification ever say no?
  [[nodiscard]] bool address_free(unsigned channel) const { return address_free_[channel]; }
  /// As address_free(), of address and opcode together.
  [[nodiscard]] bool tag_free(unsigned channel) const { return tag_free_[channel]; }
  /// As address_free(), of the data qualification.
  [[nodiscard]] bool data_free() const { return data_free_; }

  /// What has no address passes only where none is asked for; likewise for opcodes and data addresses.
  [[nodiscard]] bool address_ok(unsigned channel, const Origin& origin, const Mode& mode) const;
  /// The opcode part of a channel alone.
  [[nodiscard]] bool opcode_ok(unsigned channel, const Origin& origin) const;
  /// Address and opcode part of a channel.
  [[nodiscard]] bool tag(unsigned channel, const Origin& origin, const Mode& mode) const {
    return tag_free_[channel] || (address_ok(channel, origin, mode) && opcode_ok(channel, origin));
  }
  /// Qualification of memory events; `address` is empty when there is none.
  [[nodiscard]] bool data_ok(const Origin& origin, const std::optional<std::uint64_t>& address, const Mode& mode,
                             bool looks_at_opcodes = true) const;
  /// Does the access fall into a data breakpoint that is enabled for its kind and level?
  [[nodiscard]] bool breakpoint(std::uint64_t address, std::uint32_t size, bool load, bool store,
                                const Mode& mode) const;

 private:
  [[nodiscard]] bool coarse(unsigned pair, std::uint64_t ip, const Mode& mode) const;
  [[nodiscard]] bool fine(unsigned lower, std::uint64_t ip, const Mode& mode) const;
  [[nodiscard]] bool in_range(unsigned channel, std::uint64_t ip, const Mode& mode) const;
  /// May a pair qualify events though it is armed as a breakpoint?
  [[nodiscard]] bool serves(bool armed) const { return !armed || !choices_.breakpoints_withheld; }
  [[nodiscard]] bool data_match(unsigned pair, std::uint64_t address, std::uint32_t size) const;

  TagChoices choices_;
  TagRegisters r_;
  std::array<bool, channels> address_free_{};
  std::array<bool, channels> tag_free_{};
  bool data_free_ = true;
};

}  // namespace pmusim::pmu::ia64
