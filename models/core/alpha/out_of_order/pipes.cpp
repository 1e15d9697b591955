#include "models/core/alpha/out_of_order/pipes.h"

#include <initializer_list>
#include <string_view>

namespace pmusim::core::alpha::out_of_order {

namespace {

using Kind = trace::alpha::Kind;
using enum Queue;

struct Row {
  std::initializer_list<Kind> kinds;
  PipeRule rule;
};

// The latencies of integer multiply, MVI, divide and square root are fixed here; those of loads are settings of the
// memory side.
constexpr Row rows[] = {
    {{Kind::load_address, Kind::add, Kind::compare, Kind::logical}, {integer, pipe::any, 1}},
    {{Kind::shift, Kind::call_pal}, {integer, pipe::upper, 1}},
    {{Kind::conditional_move}, {integer, pipe::any, 1}},  // each half
    {{Kind::multiply_long, Kind::multiply_quad, Kind::multiply_high}, {integer, pipe::u1, 7, 1, true}},
    {{Kind::multimedia}, {integer, pipe::u0, 3, 1, true}},
    {{Kind::fp_add, Kind::fp_copy_sign, Kind::fp_control, Kind::fp_branch}, {fp, pipe::fp_add, 4}},
    {{Kind::fp_multiply}, {fp, pipe::fp_multiply, 4}},
    {{Kind::fp_divide_single}, {fp, pipe::fp_add, 12, 9}},
    {{Kind::fp_divide_double}, {fp, pipe::fp_add, 15, 12}},
    {{Kind::fp_sqrt_single}, {fp, pipe::fp_add, 18, 15}},
    {{Kind::fp_sqrt_double}, {fp, pipe::fp_add, 33, 30}},
    {{Kind::fp_conditional_move}, {fp, pipe::fp_add, 4}},  // each half
    {{Kind::integer_to_fp, Kind::fp_load}, {integer, pipe::lower, 4}},
    {{Kind::fp_to_integer}, {fp, pipe::fp_store, 3}},
    {{Kind::load, Kind::load_locked, Kind::store_conditional, Kind::hw_load}, {integer, pipe::lower, 3}},
    {{Kind::store, Kind::fetch, Kind::write_hint, Kind::evict, Kind::hw_store}, {integer, pipe::lower, 1}},
    {{Kind::fp_store}, {fp, pipe::fp_store, 1}},
    {{Kind::memory_barrier, Kind::write_barrier, Kind::read_cycle_counter, Kind::read_and_flag},
     {integer, pipe::l1, 1}},
    {{Kind::integer_branch}, {integer, pipe::upper, 3}},  // the link of br and bsr
    {{Kind::jump, Kind::hw_mfpr}, {integer, pipe::l0, 3}},
    {{Kind::hw_mtpr, Kind::hw_return}, {integer, pipe::l0, 1}},
};

}  // namespace

constinit const std::array<PipeRule, work_kinds> pipe_rules = [] {
  std::array<PipeRule, work_kinds> table{};
  for (const Row& row : rows) {
    for (const Kind kind : row.kinds) table[static_cast<std::size_t>(kind)] = row.rule;
  }
  return table;
}();

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
