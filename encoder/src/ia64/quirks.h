// Cases in which the answers of the IA-64 back ends differ from libpfm 3.10, because libpfm's answer contradicts its
// manual page. docs/libpfm3.md has a row for each. With a quirk enabled, the back ends answer like libpfm.
#pragma once

#include <cstdint>
#include <string_view>

#include "encoder/src/backend.h"

namespace pmusim::encoder::ia64 {

/// Their names in PFMLIB_QUIRKS have hyphens.
enum class Quirk : unsigned {
  short_cover,        ///< an interval with fewer pairs than it needs is covered only partly
  wide_block,         ///< uses blocks above 2^56 bytes, which a mask of 56 bits cannot express
  fine_page_32_bits,  ///< fine mode is selected by bits 31 to 0 of the addresses
  fine_offsets,       ///< with two fine ranges the offsets of the last are in the entry of the first
  used_exactly_one,   ///< a range or EAR whose used flag is neither 0 nor 1 is configured only partly
  top_offset,         ///< a block that ends at the last address is taken to end at address 0, before the interval
  unrounded_fine,     ///< fine bounds are not rounded, as in libpfm if the PMU was forced, not detected
  cancel_anywhere,    ///< Itanium 2: L2_L3ACCESS_CANCEL_IFETCH gets any counter
  second_fine,        ///< a second fine range is accepted for events that follow the first alone
  coarse_refused,     ///< Montecito: outside fine mode a code range requires retired and prefetch events only
  coarse_pair_twice,  ///< Montecito: outside fine mode demand fetches and prefetches get the same pair
  shifted_address,    ///< Montecito: reg_addr of code range registers is the number of the next one
  set_eight,          ///< Montecito: L2D set 8 is treated as set 0
  ungrouped_seven,    ///< Montecito: events without a group are in group 7
  foreign_set,  ///< Montecito: the fourth and later L2D events of a set get counters for which another set is selected
  reject_on_chooser,  ///< Montecito: ER_REJECT_ALL_L1_REQ gets a counter on which its code is L2D_OZQ_FULL_THIS
};

/// A set of quirks. The empty set gives answers that conform to the manual pages.
class Quirks {
 public:
  constexpr Quirks() = default;
  [[nodiscard]] constexpr bool has(Quirk quirk) const { return (bits_ >> static_cast<unsigned>(quirk) & 1) != 0; }
  constexpr void add(Quirk quirk) { bits_ |= 1u << static_cast<unsigned>(quirk); }
  constexpr void remove(Quirk quirk) { bits_ &= ~(1u << static_cast<unsigned>(quirk)); }

  /// Parses a comma-separated list: `libpfm-3.10` for the quirks of libpfm 3.10 on a detected processor, which are all
  /// except unrounded_fine, or single names. An empty list gives no quirks.
  [[nodiscard]] static Result<Quirks> parse(std::string_view words);

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace pmusim::encoder::ia64
