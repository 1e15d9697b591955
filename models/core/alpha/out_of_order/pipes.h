// The queue, pipes and latency of each class of operation on the 21264. 21264/EV67 Hardware Reference Manual 2.1 and
// 2.3, GCC's scheduling description of the ev6.
#pragma once

#include <array>
#include <cstdint>

#include "pmusim/trace/alpha.h"

namespace pmusim::core::alpha::out_of_order {

/// The integer unit has two clusters, each with an upper and a lower pipe.
inline constexpr unsigned clusters = 2;
inline constexpr std::uint8_t both_clusters = 2;  ///< results that reach both clusters at the same time

enum class Side : std::uint8_t { upper, lower };
enum class Queue : std::uint8_t { none, integer, fp };

/// Pipes of the integer queue (by side and cluster) and of the floating-point queue.
namespace pipe {
inline constexpr std::uint8_t u0 = 1, u1 = 2, l0 = 4, l1 = 8;
inline constexpr std::uint8_t upper = u0 | u1, lower = l0 | l1, any = upper | lower;
inline constexpr std::uint8_t fp_add = 1, fp_multiply = 2, fp_store = 4;
/// First bit of the pipes of a side.
constexpr unsigned side_shift(Side side) { return side == Side::upper ? 0 : 2; }
constexpr std::uint8_t of(Side side, unsigned cluster) {
  return static_cast<std::uint8_t>(1u << side_shift(side) << cluster);
}
}  // namespace pipe

struct PipeRule {
  Queue queue = Queue::none;
  std::uint8_t pipes = 0;
  std::uint8_t latency = 1;  ///< cycles from its issue to that of a consumer; loads: for a hit
  std::uint8_t busy = 1;     ///< cycles until its unit can start the next operation
  bool crosses = false;      ///< its result reaches the other cluster later, as that of any operation of latency 1
};

inline constexpr std::size_t work_kinds = static_cast<std::size_t>(trace::alpha::Kind::illegal) + 1;
extern const std::array<PipeRule, work_kinds> pipe_rules;

/// The rule for a kind of work.
[[nodiscard]] inline const PipeRule& pipe_rule(trace::alpha::Kind kind) {
  return pipe_rules[static_cast<std::size_t>(kind)];
}

// Upper or lower pipes for the instructions of an aligned block that fit on either side.

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
