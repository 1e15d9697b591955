// Look-up of a row by unit and major opcode.
#include "opcodes.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "operation.h"

namespace pmusim::trace::ia64 {

namespace {

struct UnitTable {
  std::vector<Row> rows;
  std::array<std::vector<const Row*>, 16> by_major;

  explicit UnitTable(std::vector<std::vector<Row>> parts) {
    for (auto& part : parts)
      rows.insert(rows.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    for (const Row& row : rows) by_major[row.pattern.match >> 37].push_back(&row);
  }
};

const UnitTable& table_of(Unit unit) {
  static const UnitTable m({integer_rows(), memory_rows(), system_rows()}), i({integer_rows(), shift_rows()}),
      f({float_rows()}), b({branch_rows()}), x({long_rows()}), none({});
  switch (unit) {
    case Unit::M:
      return m;
    case Unit::I:
      return i;
    case Unit::F:
      return f;
    case Unit::B:
      return b;
    case Unit::X:
      return x;
    case Unit::L:
      break;
  }
  return none;
}

}  // namespace

const Row* find_row(Unit unit, std::uint64_t encoding) {
  for (const Row* row : table_of(unit).by_major[encoding >> 37 & 15]) {
    if (row->pattern.accepts(encoding)) return row;
  }
  return nullptr;
}

std::span<const Row> rows_of(Unit unit) { return table_of(unit).rows; }

// Composes each kind of immediate from the fields of the encoding.

namespace {

/// Makes the value of an immediate from that of its bits, of which there are `width`.
using Make = std::uint64_t (*)(std::uint64_t bits, unsigned width);

std::uint64_t plain(std::uint64_t bits, unsigned) { return bits; }
std::uint64_t plus_1(std::uint64_t bits, unsigned) { return bits + 1; }
std::uint64_t plus_32(std::uint64_t bits, unsigned) { return bits + 32; }
std::uint64_t inverted(std::uint64_t bits, unsigned width) { return bits ^ ((std::uint64_t{1} << width) - 1); }
std::uint64_t with_sign(std::uint64_t bits, unsigned width) {
  return static_cast<std::uint64_t>(sign_extend(bits, width));
}
/// The same with zeros in the low bits.
template <unsigned shift>
std::uint64_t shifted(std::uint64_t bits, unsigned width) {
  return with_sign(bits, width) << shift;
}
constexpr Make bundles = shifted<4>;

std::uint64_t increment(std::uint64_t bits, unsigned) {
  constexpr std::uint64_t steps[] = {16, 8, 4, 1};
  return (bits & 4) != 0 ? std::uint64_t{0} - steps[bits & 3] : steps[bits & 3];
}
/// Size of both elements; those of ldfps have 4 bytes.
std::uint64_t pair_step(std::uint64_t bits, unsigned) { return bits == 2 ? 8 : 16; }
std::uint64_t multiply_shift(std::uint64_t bits, unsigned) {
  constexpr std::uint64_t counts[] = {0, 7, 15, 16};
  return counts[bits];
}

/// What an immediate sets. Displacements are from the address of the bundle.
enum class To : std::uint8_t { immediate, displaced_immediate, target, count, length };

/// Bits of the encoding; from `slot_1` on those of the slot before it in an MLX bundle.
struct Bits {
  std::uint8_t high, low;
};
constexpr std::uint8_t slot_1 = 64;

struct Immediate {
  std::string_view name;
  To to;
  Make make;
  std::initializer_list<Bits> bits;  ///< from the most significant
};

// Sorted by name.
const Immediate immediates[] = {
    {"count2", To::count, plus_1, {{28, 27}}},
    {"count5b", To::immediate, plain, {{18, 14}}},
    {"count5c", To::immediate, inverted, {{24, 20}}},
    {"count6", To::count, plain, {{32, 27}}},
    {"cpos6b", To::count, inverted, {{19, 14}}},
    {"cpos6c", To::count, inverted, {{25, 20}}},
    {"cpos6d", To::count, inverted, {{36, 31}}},
    {"fclass9", To::immediate, plain, {{26, 20}, {34, 33}}},
    {"fsetc_masks", To::immediate, plain, {{26, 20}, {19, 13}}},  // or-mask, and-mask
    {"imm1", To::immediate, with_sign, {{36, 36}}},
    {"imm14", To::immediate, with_sign, {{36, 36}, {32, 27}, {19, 13}}},
    {"imm2", To::immediate, plain, {{14, 13}}},
    {"imm21", To::immediate, plain, {{36, 36}, {25, 6}}},
    {"imm22", To::immediate, with_sign, {{36, 36}, {26, 22}, {35, 27}, {19, 13}}},
    {"imm24", To::immediate, plain, {{36, 36}, {32, 31}, {26, 6}}},
    {"imm44", To::immediate, shifted<16>, {{36, 36}, {32, 6}}},
    {"imm5", To::immediate, plus_32, {{18, 14}}},
    {"imm62", To::immediate, plain, {{slot_1 + 40, slot_1}, {36, 36}, {25, 6}}},
    {"imm64", To::immediate, plain, {{36, 36}, {slot_1 + 40, slot_1}, {21, 21}, {26, 22}, {35, 27}, {19, 13}}},
    {"imm8", To::immediate, with_sign, {{36, 36}, {19, 13}}},
    {"imm9a", To::immediate, with_sign, {{36, 36}, {27, 27}, {12, 6}}},
    {"imm9b", To::immediate, with_sign, {{36, 36}, {27, 27}, {19, 13}}},
    {"inc3", To::immediate, increment, {{15, 13}}},
    {"len4", To::length, plus_1, {{30, 27}}},
    {"len6", To::length, plus_1, {{32, 27}}},
    {"mask17", To::immediate, shifted<1>, {{36, 36}, {31, 24}, {12, 6}}},
    {"mbtype4", To::immediate, plain, {{23, 20}}},
    {"mhtype8", To::immediate, plain, {{27, 20}}},
    {"pair_step", To::immediate, pair_step, {{31, 30}}},
    {"pmpyshr_count", To::count, multiply_shift, {{31, 30}}},
    {"pos6", To::count, plain, {{19, 14}}},
    {"tag13", To::displaced_immediate, bundles, {{34, 33}, {12, 6}}},
    {"target25", To::target, bundles, {{36, 36}, {32, 13}}},
    {"target25a", To::target, bundles, {{36, 36}, {25, 6}}},
    {"target25b", To::target, bundles, {{36, 36}, {32, 13}}},
    {"target25c", To::target, bundles, {{36, 36}, {32, 20}, {12, 6}}},
    {"target64", To::target, bundles, {{36, 36}, {slot_1 + 40, slot_1 + 2}, {32, 13}}},
};

}  // namespace

bool read_immediate(std::string_view name, std::uint64_t encoding, std::uint64_t upper, std::uint64_t pc,
                    Operation& operation) {
  const auto* const found = std::ranges::lower_bound(immediates, name, {}, &Immediate::name);
  if (found == std::end(immediates) || found->name != name) return false;
  std::uint64_t bits = 0;
  unsigned width = 0;
  for (const auto [high, low] : found->bits) {
    const unsigned size = high - low + 1u;
    bits = bits << size | (high < slot_1 ? field(encoding, high, low) : field(upper, high - slot_1, low - slot_1));
    width += size;
  }
  const std::uint64_t value = found->make(bits, width);
  switch (found->to) {
    case To::immediate:
    case To::displaced_immediate:
      operation.immediate = static_cast<std::int64_t>(found->to == To::immediate ? value : pc + value);
      operation.has_immediate = true;
      break;
    case To::target:
      operation.target = pc + value;
      break;
    case To::count:
      operation.count = static_cast<std::uint8_t>(value);
      break;
    case To::length:
      operation.length = static_cast<std::uint8_t>(value);
      break;
  }
  return true;
}

}  // namespace pmusim::trace::ia64
