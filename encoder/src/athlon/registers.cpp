#include "registers.h"

#include <fmt/format.h>

#include "table.h"

namespace pmusim::encoder::athlon {
namespace field {

std::string event_meaning(std::uint64_t value) {
  for (const Row& row : table())
    if (row.code == value) return std::string(row.name);
  return "no event of this processor";
}
std::string unit_mask_meaning(std::uint64_t value) {
  return value == 0 ? "no sub-event selected (events without unit masks ignore this field)"
                    : "sub-events of EVENT that are counted, one a bit";
}
std::string usr_meaning(std::uint64_t value) {
  return value ? "count at privilege levels 1, 2 and 3" : "do not count at privilege levels 1, 2 and 3";
}
std::string os_meaning(std::uint64_t value) {
  return value ? "count at privilege level 0" : "do not count at privilege level 0";
}
std::string edge_meaning(std::uint64_t value) {
  return value ? "count the beginnings of the condition" : "count without edge detection";
}
std::string pin_meaning(std::uint64_t value) {
  return value ? "toggle the PM pin when the counter overflows" : "toggle the PM pin when events are counted";
}
std::string interrupt_meaning(std::uint64_t value) {
  return value ? "APIC interrupt when the counter overflows" : "no interrupt when the counter overflows";
}
std::string reserved_meaning(std::uint64_t value) {
  return value ? "reserved: to be written 0, and ignored" : "reserved";
}
std::string enable_meaning(std::uint64_t value) { return value ? "counter enabled" : "counter disabled"; }
std::string invert_meaning(std::uint64_t value) {
  return value ? "compare with fewer than CNT_MASK occurrences" : "compare with at least CNT_MASK occurrences";
}
std::string counter_mask_meaning(std::uint64_t value) {
  return value == 0 ? "add up all occurrences"
                    : fmt::format("add 1 in cycles that the comparison with {} lets pass", value);
}

std::string count_meaning(std::uint64_t value) { return fmt::format("{} counted", value); }

constexpr Field count{"COUNT", "47:0", 0, kCounterWidth, count_meaning};

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
