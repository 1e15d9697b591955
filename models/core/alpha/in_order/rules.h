// The issue rules of the in-order chips as tables: bus or pipe, unit, latency.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/core/alpha/in_order/settings.h"
#include "models/core/alpha/static_code.h"

namespace pmusim::core::alpha {

/// Issue ports: the two buses of the 21064, the four pipes of the 21164.
namespace port {
inline constexpr std::uint8_t ib0 = 1, ib1 = 2;
inline constexpr std::uint8_t e0 = 1, e1 = 2, fa = 4, fm = 8;
}  // namespace port

/// Units that accept one instruction per cycle; on the 21164 the unit is the pipe itself.
enum class ExecutionUnit : std::uint8_t { none, abox, branch, ebox, multiplier, fbox, divider };

/// Consumers that receive a result early.
namespace user {
inline constexpr std::uint8_t integer = 1;  ///< operates, load addresses
inline constexpr std::uint8_t multiply = 2;
inline constexpr std::uint8_t branch = 4;  ///< integer branches
inline constexpr std::uint8_t conditional_move = 8;
inline constexpr std::uint8_t fp = 16;  ///< floating-point operates
inline constexpr std::uint8_t store_data = 32;
}  // namespace user

/// The rule for a kind of work.
struct Rule {
  std::uint8_t ports = 0;  ///< any one of them; 0: none is needed
  ExecutionUnit unit = ExecutionUnit::none;
  std::uint8_t latency = 0;  ///< cycles from issue to the issue of a consumer
  std::uint8_t early = 0;    ///< the same for the consumers in `early_for`
  std::uint8_t early_for = 0;
  std::uint8_t interval = 0;  ///< multiplies: cycles from issue to the issue of the next one
  /// Its unit may be busy for more than the cycle of issue.
  [[nodiscard]] bool reserves() const {
    return unit == ExecutionUnit::branch || unit == ExecutionUnit::multiplier || unit == ExecutionUnit::divider;
  }
};

/// An instruction that waits for issue: its rule, and the port that group() gives it.
struct Slotted {
  const Rule* rule = nullptr;
  std::uint8_t port = 0;
};

/// The rules of one chip.
struct RuleSet {
  std::array<Rule, 64> rules{};  ///< by StaticCode::Work
  Rule unop;                     ///< a no-operation of the form UNOP needs no port
  std::uint8_t width = 2;        ///< instructions of an aligned block
  bool slots = false;  ///< blocks are slotted into pipes (21164); otherwise pairs need two buses and two units
  std::uint8_t branch_busy = 1;    ///< cycles from branch to branch
  std::uint8_t multiply_hole = 0;  ///< cycles before the end of a multiply in which its port accepts nothing
  std::uint8_t divide_hole = 0, divide_hole_2 = 0;  ///< the same for divides
  std::uint8_t integer_port = 0, divide_port = 0;   ///< the ports of these holes
  bool jump_delays_branch = false;                  ///< no conditional branch in the cycle after a jump
  bool full_buffer_freezes = false;                 ///< a store waits for the write buffer; otherwise it replays
  bool assumes_hits = false;                        ///< consumers of a load issue as if it hit, and replay otherwise
  [[nodiscard]] const Rule& of(const StaticCode& code) const {
    return code.nop && code.any_align ? unop : rules[static_cast<std::size_t>(code.work)];
  }
};

/// The rules of a chip; latencies of multiplies are pipeline.
[[nodiscard]] RuleSet rules_of(Chip chip, const InOrderSettings& pipeline);

/// The kind of an instruction as a consumer of results.
[[nodiscard]] std::uint8_t user_of(const StaticCode& code);

/// The number of instructions at the head of `block` that are sent to issue together; sets the port of each.
[[nodiscard]] unsigned group(const RuleSet& set, std::span<Slotted> block);

}  // namespace pmusim::core::alpha
