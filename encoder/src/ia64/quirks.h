// Where the IA-64 back ends answer otherwise than libpfm 3.10, because its answer breaks the promise of its own
// manual page. docs/deviations.md has a row for each; the code asks for a quirk by name where the two part.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "encoder/src/backend.h"

namespace pmusim::encoder::ia64 {

enum class Quirk : unsigned {
  short_cover,        ///< an interval that gets fewer pairs than it needs is covered in part
  wide_block,         ///< blocks above 2^56 bytes, which a mask of 56 bits cannot say
  fine_page_32_bits,  ///< fine mode is chosen by bits 31 and below of the addresses
  fine_offsets,       ///< with two fine ranges the offsets of the last stand in the entry of the first
  used_exactly_one,   ///< a range or EAR whose used flag is neither 0 nor 1 is set up in part
  top_offset,         ///< a block that ends at the last address seems to end at address 0, in front of the interval
  unrounded_fine,     ///< fine bounds stay where they are: what libpfm does when the PMU was forced, not detected
  coarse_refused,     ///< Montecito: a code range outside of fine mode only with retired and prefetch events
  coarse_pair_twice,  ///< Montecito: fetches and prefetches outside of fine mode get one and the same pair
  shifted_address,    ///< Montecito: reg_addr of code range registers is the number of the next one
  set_eight,          ///< Montecito: L2D set 8 is taken for set 0
  ungrouped_seven,    ///< Montecito: events without a group are in group 7
  foreign_set,        ///< Montecito: L2D events beyond three of a set on counters for which another set is chosen
  reject_on_chooser,  ///< Montecito: ER_REJECT_ALL_L1_REQ where its code is that of L2D_OZQ_FULL_THIS
};

struct QuirkInfo {
  Quirk quirk;
  std::string_view name;  ///< in PFMLIB_QUIRKS
  std::string_view libpfm;
  std::string_view here;
};
/// Every quirk, in the order of the enumeration.
[[nodiscard]] std::span<const QuirkInfo> quirk_infos();

/// A set of quirks; empty keeps the promises.
class Quirks {
 public:
  constexpr Quirks() = default;
  [[nodiscard]] constexpr bool has(Quirk quirk) const { return (bits_ >> static_cast<unsigned>(quirk) & 1) != 0; }
  constexpr void add(Quirk quirk) { bits_ |= 1u << static_cast<unsigned>(quirk); }
  constexpr void remove(Quirk quirk) { bits_ &= ~(1u << static_cast<unsigned>(quirk)); }

  /// The answers of libpfm 3.10 on a detected processor: everything but unrounded_fine.
  [[nodiscard]] static Quirks libpfm_3_10();
  /// Words with commas between: `libpfm-3.10` for all of libpfm_3_10(), or single names. Empty gives none.
  [[nodiscard]] static Result<Quirks> parse(std::string_view words);

  friend bool operator==(const Quirks&, const Quirks&) = default;

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace pmusim::encoder::ia64
