#include "ranges.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmusim::encoder::ia64 {
namespace {

/// The hardware compares fine bounds in units of two bundles.
constexpr std::uint64_t kFineGranule = 32;
constexpr std::uint64_t kBundle = 16;

std::string_view name(Space space) { return space == Space::code ? "code" : "data"; }
std::string words(const Interval& interval) { return fmt::format("{:#x}-{:#x}", interval.start, interval.end); }

std::uint64_t mask_register(std::uint64_t mask, std::uint32_t levels) {
  return mask | std::uint64_t{levels & 0xf} << 56;
}

void add_pair(RangeRegisters& to, unsigned pair, std::uint64_t address, std::uint64_t mask, std::uint32_t levels) {
  to.registers.push_back({2 * pair, address});
  to.registers.push_back({2 * pair + 1, mask_register(mask, levels)});
}

/// libpfm's rule: the offsets are those of the block that begins at or before the start of the interval and of the
/// block that reaches its end. `size` returns the size of a block.
Offsets offsets_of(const std::vector<Block>& blocks, const Interval& interval, Quirks quirks,
                   std::uint64_t (Block::*size)() const = &Block::size) {
  Offsets offsets;
  for (const Block& block : blocks) {
    const std::uint64_t end = block.address + (block.*size)();  // 0 after the last address
    if (block.address <= interval.start) offsets.start = interval.start - block.address;
    if (end >= interval.end || (end == 0 && !quirks.has(Quirk::top_offset))) offsets.end = end - interval.end;
  }
  return offsets;
}

Error too_many(Space space, const Interval& interval) {
  return {space == Space::code ? ErrorCode::too_many_code_ranges : ErrorCode::too_many_data_ranges,
          fmt::format("no debug register pair is left for {} range {}; give fewer or better aligned ranges",
                      name(space), words(interval))};
}

Error too_wide(Space space, const Interval& interval) {
  return {space == Space::code ? ErrorCode::code_range_too_big : ErrorCode::too_many_data_ranges,
          fmt::format("{} range {}: a debug register pair covers at most 2^56 bytes, and too few are left", name(space),
                      words(interval))};
}

}  // namespace

bool RangeRegisters::uses_pair(unsigned pair) const {
  for (const DebugRegister& reg : registers)
    if (reg.number == 2 * pair) return true;
  return false;
}

Result<std::vector<Interval>> intervals_of(const RangeRequest& request, Space space, std::uint32_t default_levels) {
  std::vector<Interval> intervals;
  for (Interval interval : request.limits) {
    if (interval.start == 0 && interval.end == 0) break;
    if (interval.start >= interval.end)
      return Error{ErrorCode::bad_code_range,  // for data, too, as in libpfm
                   fmt::format("{} range {}: the start must lie below the end", name(space), words(interval))};
    if (space == Space::code && (interval.start % kBundle != 0 || interval.end % kBundle != 0))
      return Error{ErrorCode::unaligned_code_range,
                   fmt::format("code range {}: both ends must be multiples of {}, the size of a bundle",
                               words(interval), kBundle)};
    if (interval.levels == 0) interval.levels = default_levels;
    intervals.push_back(interval);
  }
  if (intervals.empty())
    return Error{space == Space::code ? ErrorCode::bad_code_range : ErrorCode::bad_data_range,
                 fmt::format("a {} range is asked for, but none is given", name(space))};
  return intervals;
}

bool fits_fine(const std::vector<Interval>& intervals, const FinePage& page, Quirks quirks) {
  std::uint64_t compared = ~((std::uint64_t{1} << page.order) - 1);
  if (quirks.has(Quirk::fine_page_32_bits)) compared &= 0xffffffff;
  for (const Interval& interval : intervals)
    if ((interval.start & compared) != (interval.end & compared)) return false;
  return true;
}

RangeRegisters fine_ranges(const std::vector<Interval>& intervals, const FinePage& page, unsigned first_pair,
                           Quirks quirks) {
  RangeRegisters found;
  unsigned pair = first_pair;
  for (std::size_t i = 0; i < intervals.size(); ++i, ++pair) {
    const Interval& interval = intervals[i];
    std::uint64_t lower = interval.start;
    std::uint64_t upper = interval.end - kBundle;  // the last bundle
    if (!quirks.has(Quirk::unrounded_fine)) {
      lower -= lower % kFineGranule;
      if (upper % kFineGranule == 0) upper += kBundle;
    }
    add_pair(found, pair, lower, page.mask, interval.levels);
    add_pair(found, pair + 2, upper, page.mask, interval.levels);
    found.offsets[quirks.has(Quirk::fine_offsets) ? 0 : i] = {interval.start - lower, upper + kBundle - interval.end};
  }
  return found;
}

Result<RangeRegisters> single_range(const Interval& interval, unsigned pair, Quirks quirks) {
  const SingleBlock found = single_block(interval);
  if (found.too_big) return too_wide(Space::code, interval);
  if (!found.block)
    return Error{ErrorCode::bad_code_range,
                 fmt::format("code range {}: no aligned block of addresses around it ends above it", words(interval))};
  if (!quirks.has(Quirk::wide_block) && !covers({*found.block}, interval)) return too_wide(Space::code, interval);
  RangeRegisters registers;
  add_pair(registers, pair, found.block->address, found.block->mask(), interval.levels);
  registers.offsets[0] = offsets_of({*found.block}, interval, quirks);
  return registers;
}

void append(const RangeRegisters& more, RangeRegisters& to) {
  to.registers.insert(to.registers.end(), more.registers.begin(), more.registers.end());
}

Result<RangeRegisters> pair_ranges(const std::vector<Interval>& intervals, Space space, Quirks quirks) {
  RangeRegisters found;
  unsigned pair = 0;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const Interval& interval = intervals[i];
    if (pair == kPairs) return too_many(space, interval);
    std::vector<Block> blocks = split_cover(interval, kPairs - pair);
    if (!covers(blocks, interval)) {
      const bool wide = interval.end - interval.start > Block{0, kLargestOrder}.size();
      if (!quirks.has(wide ? Quirk::wide_block : Quirk::short_cover)) {
        blocks = tightest_cover(interval, kPairs - pair);
        if (blocks.empty()) return too_wide(space, interval);
      }
    } else if (!quirks.has(Quirk::wide_block) && std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
                 return block.order > kLargestOrder || !touches(block, interval);
               })) {
      // libpfm's sums wrapped: some pairs pass addresses outside the request, and the offsets would not show it.
      blocks = tightest_cover(interval, kPairs - pair);
      if (blocks.empty()) return too_wide(space, interval);
    }
    for (const Block& block : blocks) add_pair(found, pair++, block.address, block.mask(), interval.levels);
    found.offsets[i] =
        offsets_of(blocks, interval, quirks, quirks.has(Quirk::wide_block) ? &Block::size_by_mask : &Block::size);
  }
  return found;
}

}  // namespace pmusim::encoder::ia64
