// Upper or lower pipes for the instructions of an aligned block that fit on either side.
#pragma once

#include <cstdint>

#include "models/core/alpha/out_of_order/pipes.h"

namespace pmusim::core::alpha::out_of_order {

inline constexpr unsigned slots_in_block = 4;

/// What an instruction allows; `either` also for those that take no integer pipe.
enum class SlotClass : std::uint8_t { either, lower, upper };

/// The classes of the four instructions of a block: three to the power of the place for each.
class Classes {
 public:
  void set(std::uint64_t place, SlotClass value) {
    constexpr unsigned weights[slots_in_block] = {1, 3, 9, 27};
    number_ += static_cast<unsigned>(value) * weights[place];
  }
  [[nodiscard]] unsigned number() const { return number_; }

 private:
  unsigned number_ = 0;
};

/// The side of the instruction at a place of the block. 21264/EV67 manual 2.3.2, Ebox slotting.
[[nodiscard]] Side side_of(Classes classes, std::uint64_t place);

}  // namespace pmusim::core::alpha::out_of_order
