// Look-up of a row by unit and major opcode.
#include "opcodes.h"

#include <array>
#include <iterator>

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

}  // namespace pmusim::trace::ia64
