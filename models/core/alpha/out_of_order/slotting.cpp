#include "models/core/alpha/out_of_order/slotting.h"

#include <array>
#include <string_view>

namespace pmusim::core::alpha::out_of_order {
namespace {

constexpr unsigned blocks = 81;

// The instruction of the highest address first, as in the manual. E: either, L: lower, U: upper.
struct SlotRow {
  std::string_view classes, sides;
};
// clang-format off
constexpr SlotRow slot_rows[] = {
    {"EEEE", "ULUL"}, {"EEEL", "ULUL"}, {"EEEU", "ULLU"}, {"EELE", "ULLU"}, {"EELL", "UULL"}, {"EELU", "ULLU"},
    {"EEUE", "ULUL"}, {"EEUL", "ULUL"}, {"EEUU", "LLUU"}, {"ELEE", "ULUL"}, {"ELEL", "ULUL"}, {"ELEU", "ULLU"},
    {"ELLE", "ULLU"}, {"ELLL", "ULLL"}, {"ELLU", "ULLU"}, {"ELUE", "ULUL"}, {"ELUL", "ULUL"}, {"ELUU", "LLUU"},
    {"EUEE", "LULU"}, {"EUEL", "LUUL"}, {"EUEU", "LULU"}, {"EULE", "LULU"}, {"EULL", "UULL"}, {"EULU", "LULU"},
    {"EUUE", "LUUL"}, {"EUUL", "LUUL"}, {"EUUU", "LUUU"}, {"LEEE", "LULU"}, {"LEEL", "LUUL"}, {"LEEU", "LULU"},
    {"LELE", "LULU"}, {"LELL", "LULL"}, {"LELU", "LULU"}, {"LEUE", "LUUL"}, {"LEUL", "LUUL"}, {"LEUU", "LLUU"},
    {"LLEE", "LLUU"}, {"LLEL", "LLUL"}, {"LLEU", "LLUU"}, {"LLLE", "LLLU"}, {"LLLL", "LLLL"}, {"LLLU", "LLLU"},
    {"LLUE", "LLUU"}, {"LLUL", "LLUL"}, {"LLUU", "LLUU"}, {"LUEE", "LULU"}, {"LUEL", "LUUL"}, {"LUEU", "LULU"},
    {"LULE", "LULU"}, {"LULL", "LULL"}, {"LULU", "LULU"}, {"LUUE", "LUUL"}, {"LUUL", "LUUL"}, {"LUUU", "LUUU"},
    {"UEEE", "ULUL"}, {"UEEL", "ULUL"}, {"UEEU", "ULLU"}, {"UELE", "ULLU"}, {"UELL", "UULL"}, {"UELU", "ULLU"},
    {"UEUE", "ULUL"}, {"UEUL", "ULUL"}, {"UEUU", "ULUU"}, {"ULEE", "ULUL"}, {"ULEL", "ULUL"}, {"ULEU", "ULLU"},
    {"ULLE", "ULLU"}, {"ULLL", "ULLL"}, {"ULLU", "ULLU"}, {"ULUE", "ULUL"}, {"ULUL", "ULUL"}, {"ULUU", "ULUU"},
    {"UUEE", "UULL"}, {"UUEL", "UULL"}, {"UUEU", "UULU"}, {"UULE", "UULL"}, {"UULL", "UULL"}, {"UULU", "UULU"},
    {"UUUE", "UUUL"}, {"UUUL", "UUUL"}, {"UUUU", "UUUU"},
};
// clang-format on

constexpr unsigned class_of(char letter) { return letter == 'E' ? 0 : letter == 'L' ? 1 : 2; }

/// For each combination of classes one bit for each place: upper.
constexpr std::array<std::uint8_t, blocks> upper_places = [] {
  std::array<std::uint8_t, blocks> table{};
  for (const SlotRow& row : slot_rows) {
    unsigned number = 0, upper = 0;
    for (unsigned i = 0; i < slots_in_block; ++i) {
      number = number * 3 + class_of(row.classes[i]);
      upper = upper * 2 + (row.sides[i] == 'U' ? 1 : 0);
    }
    table[number] = static_cast<std::uint8_t>(upper);
  }
  return table;
}();

}  // namespace

Side side_of(Classes classes, std::uint64_t place) {
  return (upper_places[classes.number()] >> place & 1) != 0 ? Side::upper : Side::lower;
}

}  // namespace pmusim::core::alpha::out_of_order
