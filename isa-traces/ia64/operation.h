// A decoded slot in the form that the simulator executes: the unpacked fields of the encoding.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "opcodes.h"

namespace pmusim::trace::ia64 {

/// Register fields have the same position in every format: 1 at bit 6, 2 at 13, 3 at 20, 4 at 27.
struct Operation {
  Op op = Op::unsupported;
  std::uint16_t argument = 0;
  std::uint8_t predicate = 0;
  std::uint8_t r1 = 0, r2 = 0, r3 = 0, r4 = 0;
  std::uint8_t p1 = 0, p2 = 0;
  std::uint8_t count = 0;      ///< position of a bit field, shift count, status field of floating point
  std::uint8_t length = 0;     ///< length of a bit field
  bool has_immediate = false;  ///< the immediate replaces the operand that is r2 in the register form
  std::int64_t immediate = 0;
  std::uint64_t target = 0;
  const Row* row = nullptr;
};

/// Rotates the registers of a frame by one: each rename base goes down.
void rotate(Frame& frame);

/// Decodes a slot. `upper` is the encoding of slot 1 for slot 2 of an MLX bundle. No row if reserved.
[[nodiscard]] Operation decode_slot(Unit unit, std::uint64_t encoding, std::uint64_t upper, std::uint64_t pc);

/// Units and stops of a template.
struct Template {
  bool legal = false;
  std::array<Unit, 3> units{};
  std::array<bool, 3> stop_after{};
};
[[nodiscard]] const Template& template_of(unsigned number);
/// The three 41-bit slots of a bundle.
[[nodiscard]] std::array<std::uint64_t, 3> slots_of(std::span<const std::uint8_t, 16> bytes);

constexpr std::uint64_t field(std::uint64_t encoding, unsigned high, unsigned low) {
  return encoding >> low & ((std::uint64_t{1} << (high - low + 1)) - 1);
}
constexpr std::int64_t sign_extend(std::uint64_t value, unsigned bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

/// Reads the immediate with a name of a row's operand list. False if `name` is not the name of an immediate.
bool read_immediate(std::string_view name, std::uint64_t encoding, std::uint64_t upper, std::uint64_t pc,
                    Operation& operation);

}  // namespace pmusim::trace::ia64
