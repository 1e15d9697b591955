#include "ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace pmusim::encoder::ia64 {

namespace {

enum class Side { left, right };

/// Sums and differences wrap, as in libpfm.
void split(std::uint64_t start, std::uint64_t end, unsigned pairs, Side side, std::vector<Block>& blocks) {
  if (pairs < 1 || end <= start) return;
  Block block{0, floor_log2(end - start)};
  const std::uint64_t highest = end & ~(block.size() - 1);
  if (highest - block.size() >= start) {
    block.address = highest - block.size();
  } else {
    --block.order;
    block.address = highest + block.size() <= end ? highest : highest - block.size();
  }
  const auto before = [&] { return block.address - start; };
  const auto after = [&] { return end - (block.address + block.size()); };
  // The last pair also covers the remaining part on the side that no other pair will cover.
  if (pairs == 1 && side == Side::left && before() != 0) {
    ++block.order;
    block.address = end - block.size();
  } else if (pairs == 1 && side == Side::right && after() != 0) {
    ++block.order;
    block.address = start;
  }
  blocks.push_back(block);
  const unsigned remaining = pairs - 1;
  if (remaining == 0) return;
  unsigned left = remaining / 2;
  unsigned right = remaining / 2;
  if (remaining % 2 != 0) ++(before() > after() ? left : right);
  split(start, block.address, left, Side::left, blocks);
  split(block.address + block.size(), end, right, Side::right, blocks);
}

constexpr std::uint64_t kNoCover = ~std::uint64_t{0};

/// Blocks, and the number of bytes that they cover beyond the interval; kNoCover if there are no blocks.
struct Cover {
  std::vector<Block> blocks;
  std::uint64_t beyond = kNoCover;
};

/// `last` is the last address of the interval. Two aligned blocks are either nested or disjoint, therefore the best
/// cover is the smallest block around the interval or consists of the best covers of its two halves.
Cover best(std::uint64_t start, std::uint64_t last, unsigned pairs) {
  const auto order = static_cast<unsigned>(std::bit_width(start ^ last));
  Cover found;
  if (order <= kLargestOrder) {
    const Block around{start & ~((std::uint64_t{1} << order) - 1), order};
    found = {{around}, around.size() - 1 - (last - start)};
    if (found.beyond == 0) return found;
  }
  if (pairs < 2 || order == 0) return found;
  const std::uint64_t middle = last & ~((std::uint64_t{1} << (order - 1)) - 1);
  for (unsigned left = 1; left < pairs; ++left) {
    Cover low = best(start, middle - 1, left);
    Cover high = best(middle, last, pairs - left);
    if (low.beyond == kNoCover || high.beyond == kNoCover || low.beyond + high.beyond >= found.beyond) continue;
    low.blocks.insert(low.blocks.end(), high.blocks.begin(), high.blocks.end());
    found = {std::move(low.blocks), low.beyond + high.beyond};
  }
  return found;
}

}  // namespace

unsigned floor_log2(std::uint64_t value) {
  return std::min(63u, static_cast<unsigned>(std::ilogb(static_cast<double>(value))));
}

std::vector<Block> split_cover(const Interval& interval, unsigned pairs) {
  std::vector<Block> blocks;
  split(interval.start, interval.end, pairs, Side::left, blocks);
  return blocks;
}

std::vector<Block> tightest_cover(const Interval& interval, unsigned pairs) {
  return best(interval.start, interval.end - 1, pairs).blocks;
}

bool covers(const std::vector<Block>& blocks, const Interval& interval) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;  // first and last address
  for (const Block& block : blocks) {
    const std::uint64_t size = std::uint64_t{1} << std::min(block.order, kLargestOrder);
    const std::uint64_t first = block.address & ~(size - 1);
    spans.emplace_back(first, first + (size - 1));
  }
  std::sort(spans.begin(), spans.end());
  std::uint64_t next = interval.start;
  for (const auto& [first, last] : spans) {
    if (first > next) return false;
    if (last >= interval.end - 1) return true;
    next = std::max(next, last + 1);
  }
  return false;
}

bool touches(const Block& block, const Interval& interval) {
  return block.address < interval.end && block.address + (block.size() - 1) >= interval.start;
}

SingleBlock single_block(const Interval& interval) {
  const std::uint64_t size = interval.end - interval.start;
  unsigned order = floor_log2(size);
  if (!std::has_single_bit(size)) ++order;
  if (order > 63) return {std::nullopt, true};
  for (; order < 64; ++order) {
    const Block block{interval.start & ~((std::uint64_t{1} << order) - 1), order};
    if (block.address + block.size() >= interval.end) return {block, false};
  }
  return {};
}

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
