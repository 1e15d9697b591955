#include "registers.h"

namespace pmusim::encoder::ppc750gx {
namespace field {

template <unsigned Counter>
std::string select_meaning(std::uint64_t value) {
  for (const Row& row : tables()[Counter].rows)
    if (row.select == value) return std::string(row.name);
  return "reserved: the counter stands still";
}

constexpr Field reserved{"reserved", "10:31", 0, 22, Meaning("reserved", "reserved: writes are dropped")};
constexpr Field overflow{"OV", "0", 31, 1, Meaning("not negative", "negative: overflow")};
constexpr Field count{"COUNT", "1:31", 0, 31, Meaning("{} counted")};
constexpr Field address{"ADDRESS", "0:31", 0, 32, Meaning("address of the sampled instruction: {:#010x}")};

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
