#include "registers.h"

#include "backend.h"

namespace pmusim::encoder::athlon {
namespace field {

std::string event_meaning(std::uint64_t value) {
  for (const Row& row : table())
    if (row.code == value) return std::string(row.name);
  return "no event of this processor";
}

constexpr Field count{"COUNT", "47:0", 0, kCounterWidth, Meaning("{} counted")};

}  // namespace field

std::span<const Register> registers() {
  static constexpr std::array selector{
      field::reserved_high, field::cnt_mask, field::inv,  field::en, field::reserved_low,
      field::interrupt,     field::pc,       field::edge, field::os, field::usr,
      field::unit_mask,     field::event};
  static constexpr std::array counter{field::count};
  static constexpr std::array<Register, 2 * kCounters> all{{
      {"msr", kPerfEvtSel0 + 0, "PerfEvtSel0", 64, selector},
      {"msr", kPerfEvtSel0 + 1, "PerfEvtSel1", 64, selector},
      {"msr", kPerfEvtSel0 + 2, "PerfEvtSel2", 64, selector},
      {"msr", kPerfEvtSel0 + 3, "PerfEvtSel3", 64, selector},
      {"msr", kPerfCtr0 + 0, "PerfCtr0", kCounterWidth, counter},
      {"msr", kPerfCtr0 + 1, "PerfCtr1", kCounterWidth, counter},
      {"msr", kPerfCtr0 + 2, "PerfCtr2", kCounterWidth, counter},
      {"msr", kPerfCtr0 + 3, "PerfCtr3", kCounterWidth, counter},
  }};
  return all;
}

}  // namespace pmusim::encoder::athlon
