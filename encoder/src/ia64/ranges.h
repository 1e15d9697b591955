// Address ranges in pairs of debug registers: IBRs for code, DBRs for data.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "blocks.h"
#include "quirks.h"

namespace pmusim::encoder::ia64 {

inline constexpr unsigned kRanges = 4;
inline constexpr unsigned kPairs = 4;

/// The requested ranges. The list ends before the first entry with start 0 and end 0.
struct RangeRequest {
  bool used = false;
  bool used_is_one = true;  ///< the C API's flag is exactly 1
  bool inverse = false;
  bool no_fine = false;
  bool demand_fetches = false;  ///< Montecito: the range restricts demand fetches, for events of both fetch kinds
  bool prefetches = false;      ///< Montecito: the range restricts prefetches
  std::array<Interval, kRanges> limits{};
};

/// Number of bytes covered before a range and after it.
struct Offsets {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  friend bool operator==(const Offsets&, const Offsets&) = default;
};

/// A debug register to write: even numbers hold addresses, odd ones masks and levels.
struct DebugRegister {
  unsigned number = 0;
  std::uint64_t value = 0;
  friend bool operator==(const DebugRegister&, const DebugRegister&) = default;
};

struct RangeRegisters {
  std::vector<DebugRegister> registers;  ///< in libpfm's order
  std::array<Offsets, kRanges> offsets{};
  unsigned address_shift = 0;  ///< difference between reg_addr of the C API and the number
  [[nodiscard]] bool uses_pair(unsigned pair) const;
};

/// Selects messages and error codes: code or data.
enum class Space { code, data };

/// Checks a request and returns its intervals, with `default_levels` for intervals without levels.
[[nodiscard]] Result<std::vector<Interval>> intervals_of(const RangeRequest& request, Space space,
                                                         std::uint32_t default_levels);

/// Fine mode: the page of a model and the mask that libpfm writes for it.
struct FinePage {
  unsigned order;      ///< log2 of the page size
  std::uint64_t mask;  ///< value of the odd registers; the hardware ignores it
};

/// True if each interval, including its end, is inside one page.
[[nodiscard]] bool fits_fine(const std::vector<Interval>& intervals, const FinePage& page, Quirks quirks);

/// Fine mode: puts the bounds of an interval into pairs `first_pair` and `first_pair` + 2, those of the next one into
/// the following pairs. There may be two intervals from pair 0 on, or one from pair 1 on.
[[nodiscard]] RangeRegisters fine_ranges(const std::vector<Interval>& intervals, const FinePage& page,
                                         unsigned first_pair, Quirks quirks);

/// Covers one interval with one pair.
[[nodiscard]] Result<RangeRegisters> single_range(const Interval& interval, unsigned pair, Quirks quirks);

/// Appends the registers of `more` to `to`.
void append(const RangeRegisters& more, RangeRegisters& to);

/// Covers all intervals with the pairs from 0 on, the first intervals as precisely as possible.
[[nodiscard]] Result<RangeRegisters> pair_ranges(const std::vector<Interval>& intervals, Space space, Quirks quirks);

}  // namespace pmusim::encoder::ia64
