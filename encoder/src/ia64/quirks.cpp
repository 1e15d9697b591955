#include "quirks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "encoder/src/text.h"

namespace pmusim::encoder::ia64 {
namespace {

constexpr std::string_view kAll = "libpfm-3.10";

constexpr std::array<QuirkInfo, 16> kQuirks{{
    {Quirk::short_cover, "short-cover", "covers a part of the interval when one or two pairs are left for it",
     "covers the whole interval with the pairs that are left, by larger blocks"},
    {Quirk::wide_block, "wide-block", "writes a block above 2^56 bytes, of which the mask keeps 2^56",
     "refuses a code range (IRRTOOBIG) or data range (DRRTOOMANY) that no pairs can cover"},
    {Quirk::fine_page_32_bits, "fine-page-32-bits", "compares pages by bits 31 and below", "compares whole addresses"},
    {Quirk::fine_offsets, "fine-offsets", "stores the offsets of the last fine range in entry 0",
     "stores the offsets of each range in its entry"},
    {Quirk::used_exactly_one, "used-exactly-one",
     "leaves PMC13 or PMC12 (Montecito: 41, 39) out when a used flag is neither 0 nor 1",
     "takes every used flag but 0 for 1"},
    {Quirk::top_offset, "top-offset", "says 0 for the offset after a range whose last block ends at the last address",
     "says how far the block goes beyond the range"},
    {Quirk::unrounded_fine, "unrounded-fine", "does not round fine bounds to 32 bytes when the PMU was forced",
     "always rounds, as the hardware does"},
    {Quirk::cancel_anywhere, "cancel-anywhere", "Itanium 2: places L2_L3ACCESS_CANCEL_IFETCH on any counter",
     "places it on PMC4, as its other unit masks"},
    {Quirk::second_fine, "second-fine", "takes two fine ranges for events that follow the first of them alone",
     "refuses them (IRRTOOMANY), as outside of fine mode"},
    {Quirk::coarse_refused, "coarse-refused",
     "Montecito: refuses a code range outside of fine mode unless all events are of retired instructions or prefetches",
     "covers it with one register pair for the other events, too"},
    {Quirk::coarse_pair_twice, "coarse-pair-twice",
     "Montecito: outside of fine mode writes one pair twice when demand fetches and prefetches are asked for",
     "writes a pair for either"},
    {Quirk::shifted_address, "shifted-address",
     "Montecito: reg_addr of code range registers is one more than their number, but for retired-instruction ranges",
     "reg_addr is the number of the register"},
    {Quirk::set_eight, "set-eight", "Montecito: takes L2D events of set 8 for events of set 0",
     "places them as a set of their own"},
    {Quirk::ungrouped_seven, "ungrouped-seven", "Montecito: says 7 for the group of an event without one",
     "says PFMLIB_MONT_EVT_NO_GRP"},
    {Quirk::foreign_set, "foreign-set",
     "Montecito: places L2D events beyond three of a set on the lowest counters left, whose set may be another one",
     "places them where their set is chosen, or on PMC10 to PMC15, which have either"},
    {Quirk::reject_on_chooser, "reject-on-chooser",
     "Montecito: places ER_REJECT_ALL_L1_REQ on PMC4 or PMC6, where its code is that of L2D_OZQ_FULL_THIS",
     "places it where that one's L2D set is not chosen"},
}};

}  // namespace

std::span<const QuirkInfo> quirk_infos() { return kQuirks; }

Quirks Quirks::libpfm_3_10() {
  Quirks all;
  for (const QuirkInfo& info : kQuirks)
    if (info.quirk != Quirk::unrounded_fine) all.add(info.quirk);
  return all;
}

Result<Quirks> Quirks::parse(std::string_view words) {
  Quirks found;
  while (!words.empty()) {
    const std::size_t comma = std::min(words.find(','), words.size());
    const std::string_view word = words.substr(0, comma);
    words.remove_prefix(std::min(comma + 1, words.size()));
    if (same_word(word, kAll)) {
      found.bits_ |= libpfm_3_10().bits_;
      continue;
    }
    const auto known =
        std::find_if(kQuirks.begin(), kQuirks.end(), [&](const QuirkInfo& info) { return same_word(info.name, word); });
    if (known == kQuirks.end()) {
      std::vector<std::string_view> names{kAll};
      for (const QuirkInfo& info : kQuirks) names.push_back(info.name);
      return Error{ErrorCode::bad_value, fmt::format("quirk {} is unknown{}; there are {}", quoted(word),
                                                     did_you_mean(word, names), fmt::join(names, ", "))};
    }
    found.add(known->quirk);
  }
  return found;
}

}  // namespace pmusim::encoder::ia64
