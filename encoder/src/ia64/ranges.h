// Address ranges as debug register pairs: IBR for code, DBR for data.
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

/// Ranges as the user gives them; entries after the first one that is 0 to 0 are not there.
struct RangeRequest {
  bool used = false;
  bool used_is_one = true;  ///< the C API's flag is exactly 1
  bool inverse = false;
  bool no_fine = false;
  bool demand_fetches = false;  ///< Montecito: events about both kinds of fetches follow the range for this kind ...
  bool prefetches = false;      ///< ... or this one, or either
  std::array<Interval, kRanges> limits{};
};

/// Bytes covered in front of a range and after it.
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
  unsigned address_shift = 0;  ///< what the C API's reg_addr has more than the number
  [[nodiscard]] bool uses_pair(unsigned pair) const;
};

/// What the messages and error codes say: code or data.
enum class Space { code, data };

/// The intervals of a request, checked, with `default_levels` where none are given.
[[nodiscard]] Result<std::vector<Interval>> intervals_of(const RangeRequest& request, Space space,
                                                         std::uint32_t default_levels);

/// Fine mode: a model's page and the mask that libpfm writes for it.
struct FinePage {
  unsigned order;      ///< log2 of its size
  std::uint64_t mask;  ///< of the odd registers; the hardware does not use it
};

/// Is each interval inside one page, its end included?
[[nodiscard]] bool fits_fine(const std::vector<Interval>& intervals, const FinePage& page, Quirks quirks);

/// Bounds in pairs `first_pair` and `first_pair` + 2, the next interval one pair further: at most two intervals from
/// pair 0, one from pair 1.
[[nodiscard]] RangeRegisters fine_ranges(const std::vector<Interval>& intervals, const FinePage& page,
                                         unsigned first_pair, Quirks quirks);

/// One interval in one pair.
[[nodiscard]] Result<RangeRegisters> single_range(const Interval& interval, unsigned pair, Quirks quirks);

/// Adds the registers of `more` after those of `to`.
void append(const RangeRegisters& more, RangeRegisters& to);

/// All intervals in the pairs from 0 on, the first ones as precisely as they can be.
[[nodiscard]] Result<RangeRegisters> pair_ranges(const std::vector<Interval>& intervals, Space space, Quirks quirks);

}  // namespace pmusim::encoder::ia64
