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

struct Context {
  std::uint64_t encoding, upper, pc;
  [[nodiscard]] std::uint64_t at(unsigned high, unsigned low) const { return field(encoding, high, low); }
  [[nodiscard]] std::uint64_t at(unsigned number) const { return encoding >> number & 1; }
};

struct Reader {
  std::string_view name;
  void (*read)(const Context&, Operation&);
};

void set(Operation& o, std::int64_t value) {
  o.immediate = value;
  o.has_immediate = true;
}
void relative(Operation& o, const Context& c, std::uint64_t bundles) {
  o.target = c.pc + (static_cast<std::uint64_t>(sign_extend(bundles, 21)) << 4);
}

// Sorted by name.
constexpr Reader readers[] = {
    {"count2", [](const Context& c, Operation& o) { o.count = static_cast<std::uint8_t>(c.at(28, 27) + 1); }},
    {"count5b", [](const Context& c, Operation& o) { set(o, static_cast<std::int64_t>(c.at(18, 14))); }},
    {"count5c", [](const Context& c, Operation& o) { set(o, static_cast<std::int64_t>(31 - c.at(24, 20))); }},
    {"count6", [](const Context& c, Operation& o) { o.count = static_cast<std::uint8_t>(c.at(32, 27)); }},
    {"cpos6b", [](const Context& c, Operation& o) { o.count = static_cast<std::uint8_t>(63 - c.at(19, 14)); }},
    {"cpos6c", [](const Context& c, Operation& o) { o.count = static_cast<std::uint8_t>(63 - c.at(25, 20)); }},
    {"cpos6d", [](const Context& c, Operation& o) { o.count = static_cast<std::uint8_t>(63 - c.at(36, 31)); }},
    {"fclass9",
     [](const Context& c, Operation& o) { set(o, static_cast<std::int64_t>(c.at(26, 20) << 2 | c.at(34, 33))); }},
    {"fsetc_masks",
     [](const Context& c, Operation& o) {  // and-mask in 6:0, or-mask in 13:7
       set(o, static_cast<std::int64_t>(c.at(19, 13) | c.at(26, 20) << 7));
     }},
    {"imm1", [](const Context& c, Operation& o) { set(o, sign_extend(c.at(36), 1)); }},
    {"imm14", [](const Context& c,
                 Operation& o) { set(o, sign_extend(c.at(36) << 13 | c.at(32, 27) << 7 | c.at(19, 13), 14)); }},
    {"imm2", [](const Context& c, Operation& o) { set(o, static_cast<std::int64_t>(c.at(14, 13))); }},
    {"imm21", [](const Context& c, Operation& o) { set(o, static_cast<std::int64_t>(c.at(36) << 20 | c.at(25, 6))); }},
    {"imm22",
     [](const Context& c, Operation& o) {
       set(o, sign_extend(c.at(36) << 21 | c.at(26, 22) << 16 | c.at(35, 27) << 7 | c.at(19, 13), 22));
     }},
    {"imm24",
     [](const Context& c, Operation& o) {
       set(o, static_cast<std::int64_t>(c.at(36) << 23 | c.at(32, 31) << 21 | c.at(26, 6)));
     }},
    {"imm44",
     [](const Context& c, Operation& o) {
       set(o,
           static_cast<std::int64_t>(static_cast<std::uint64_t>(sign_extend(c.at(36) << 27 | c.at(32, 6), 28)) << 16));
     }},
    {"imm5", [](const Context& c, Operation& o) { set(o, static_cast<std::int64_t>(c.at(18, 14) + 32)); }},
    {"imm62", [](const Context& c,
                 Operation& o) { set(o, static_cast<std::int64_t>(c.upper << 21 | c.at(36) << 20 | c.at(25, 6))); }},
    {"imm64",
     [](const Context& c, Operation& o) {
       set(o, static_cast<std::int64_t>(c.at(36) << 63 | c.upper << 22 | c.at(21) << 21 | c.at(26, 22) << 16 |
                                        c.at(35, 27) << 7 | c.at(19, 13)));
     }},
    {"imm8", [](const Context& c, Operation& o) { set(o, sign_extend(c.at(36) << 7 | c.at(19, 13), 8)); }},
    {"imm9a",
     [](const Context& c, Operation& o) { set(o, sign_extend(c.at(36) << 8 | c.at(27) << 7 | c.at(12, 6), 9)); }},
    {"imm9b",
     [](const Context& c, Operation& o) { set(o, sign_extend(c.at(36) << 8 | c.at(27) << 7 | c.at(19, 13), 9)); }},
    {"inc3",
     [](const Context& c, Operation& o) {
       constexpr std::int64_t steps[] = {16, 8, 4, 1};
       set(o, c.at(15) != 0 ? -steps[c.at(14, 13)] : steps[c.at(14, 13)]);
     }},
    {"len4", [](const Context& c, Operation& o) { o.length = static_cast<std::uint8_t>(c.at(30, 27) + 1); }},
    {"len6", [](const Context& c, Operation& o) { o.length = static_cast<std::uint8_t>(c.at(32, 27) + 1); }},
    {"mask17", [](const Context& c,
                  Operation& o) { set(o, sign_extend(c.at(36) << 16 | c.at(31, 24) << 8 | c.at(12, 6) << 1, 17)); }},
    {"mbtype4", [](const Context& c, Operation& o) { set(o, static_cast<std::int64_t>(c.at(23, 20))); }},
    {"mhtype8", [](const Context& c, Operation& o) { set(o, static_cast<std::int64_t>(c.at(27, 20))); }},
    {"pair_step",
     [](const Context& c, Operation& o) {  // size of both elements; those of ldfps have 4 bytes
       set(o, (c.at(35, 30) & 3) == 2 ? 8 : 16);
     }},
    {"pmpyshr_count",
     [](const Context& c, Operation& o) {
       constexpr std::uint8_t counts[] = {0, 7, 15, 16};
       o.count = counts[c.at(31, 30)];
     }},
    {"pos6", [](const Context& c, Operation& o) { o.count = static_cast<std::uint8_t>(c.at(19, 14)); }},
    {"tag13",
     [](const Context& c, Operation& o) {
       set(o, static_cast<std::int64_t>(
                  c.pc + (static_cast<std::uint64_t>(sign_extend(c.at(34, 33) << 7 | c.at(12, 6), 9)) << 4)));
     }},
    {"target25", [](const Context& c, Operation& o) { relative(o, c, c.at(36) << 20 | c.at(32, 13)); }},
    {"target25a", [](const Context& c, Operation& o) { relative(o, c, c.at(36) << 20 | c.at(25, 6)); }},
    {"target25b", [](const Context& c, Operation& o) { relative(o, c, c.at(36) << 20 | c.at(32, 13)); }},
    {"target25c",
     [](const Context& c, Operation& o) { relative(o, c, c.at(36) << 20 | c.at(32, 20) << 7 | c.at(12, 6)); }},
    {"target64",
     [](const Context& c, Operation& o) {
       o.target = c.pc + ((c.at(36) << 59 | field(c.upper, 40, 2) << 20 | c.at(32, 13)) << 4);
     }},
};

}  // namespace

bool read_immediate(std::string_view name, std::uint64_t encoding, std::uint64_t upper, std::uint64_t pc,
                    Operation& operation) {
  const auto found = std::lower_bound(std::begin(readers), std::end(readers), name,
                                      [](const Reader& r, std::string_view n) { return r.name < n; });
  if (found == std::end(readers) || found->name != name) return false;
  found->read({encoding, upper, pc}, operation);
  return true;
}

}  // namespace pmusim::trace::ia64
