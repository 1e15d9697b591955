#include "registers.h"

#include <fmt/format.h>

#include "table.h"

namespace pmusim::encoder::ppc750gx {
namespace field {

std::string dis_meaning(std::uint64_t value) { return value ? "all counters stand still" : "counting allowed"; }
std::string dp_meaning(std::uint64_t value) {
  return value ? "no counting in supervisor state" : "counting in supervisor state";
}
std::string du_meaning(std::uint64_t value) { return value ? "no counting in user state" : "counting in user state"; }
std::string dms_meaning(std::uint64_t value) {
  return value ? "no counting while MSR[PM] is 1" : "counting while MSR[PM] is 1";
}
std::string dmr_meaning(std::uint64_t value) {
  return value ? "no counting while MSR[PM] is 0" : "counting while MSR[PM] is 0";
}
std::string enint_meaning(std::uint64_t value) {
  return value ? "interrupt signalling on; hardware clears the bit when it signals" : "interrupt signalling off";
}
std::string discount_meaning(std::uint64_t value) {
  return value ? "signalling an interrupt stops the counting" : "counting goes on after an interrupt signal";
}
std::string rtcselect_meaning(std::uint64_t value) {
  static constexpr std::array bits{63, 55, 51, 47};
  return fmt::format("bit {} of the time base, {} of TBL", bits[value], bits[value] - 32);
}
std::string bittrans_meaning(std::uint64_t value) {
  return value ? "the RTCSELECT bit changing to 1 signals an interrupt" : "the time base signals no interrupt";
}
std::string threshold_meaning(std::uint64_t value) {
  return fmt::format("L1_LOAD_MISSES counts loads that take more than {} cycles", value);
}
std::string pmc1int_meaning(std::uint64_t value) {
  return value ? "PMC1 signals an interrupt while negative" : "PMC1 signals no interrupt";
}
std::string pmcint_meaning(std::uint64_t value) {
  return value ? "PMC2, PMC3 or PMC4 signals an interrupt while negative" : "PMC2, PMC3 and PMC4 signal no interrupt";
}
std::string trigger_meaning(std::uint64_t value) {
  return value ? "PMC2 to PMC4 wait until PMC1 is negative or an interrupt is signalled" : "PMC2 to PMC4 count at once";
}

template <unsigned Counter>
std::string select_meaning(std::uint64_t value) {
  for (const Row& row : tables()[Counter].rows)
    if (row.select == value) return std::string(row.name);
  return "reserved: the counter stands still";
}

std::string reserved_meaning(std::uint64_t value) { return value ? "reserved: writes are dropped" : "reserved"; }
std::string overflow_meaning(std::uint64_t value) { return value ? "negative: overflow" : "not negative"; }
std::string count_meaning(std::uint64_t value) { return fmt::format("{} counted", value); }
std::string address_meaning(std::uint64_t value) {
  return fmt::format("address of the sampled instruction: {:#010x}", value);
}

constexpr Field reserved{"reserved", "10:31", 0, 22, reserved_meaning};
constexpr Field overflow{"OV", "0", 31, 1, overflow_meaning};
constexpr Field count{"COUNT", "1:31", 0, 31, count_meaning};
constexpr Field address{"ADDRESS", "0:31", 0, 32, address_meaning};

}  // namespace field

std::span<const Register> registers() {
  static constexpr std::array mmcr0{field::dis,
                                    field::dp,
                                    field::du,
                                    field::dms,
                                    field::dmr,
                                    field::enint,
                                    field::discount,
                                    field::rtcselect,
                                    field::intonbittrans,
                                    field::threshold,
                                    field::pmc1intcontrol,
                                    field::pmcintcontrol,
                                    field::pmctrigger,
                                    field::pmc1select,
                                    field::pmc2select};
  static constexpr std::array mmcr1{field::pmc3select, field::pmc4select, field::reserved};
  static constexpr std::array counter{field::overflow, field::count};
  static constexpr std::array sia{field::address};
  static constexpr std::array<Register, 7> all{{
      {"spr", kMmcr0, "MMCR0", 32, mmcr0},
      {"spr", kMmcr1, "MMCR1", 32, mmcr1},
      {"spr", kPmc1, "PMC1", 32, counter},
      {"spr", kPmc2, "PMC2", 32, counter},
      {"spr", kPmc3, "PMC3", 32, counter},
      {"spr", kPmc4, "PMC4", 32, counter},
      {"spr", kSia, "SIA", 32, sia},
  }};
  return all;
}

const Register& register_of(std::uint32_t spr) {
  for (const Register& reg : registers())
    if (reg.number == spr) return reg;
  return registers().front();
}

}  // namespace pmusim::encoder::ppc750gx
