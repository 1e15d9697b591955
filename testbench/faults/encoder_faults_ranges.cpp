// Faults of the IA-64 breakpoint registers that hold ranges: masks too wide or too narrow, the wrong block, the wrong
// pair.
#include <algorithm>
#include <charconv>
#include <optional>

#include "testbench/faults/encoder_faults.h"
#include "testbench/judge/question/question.h"

namespace pmusim::testbench::faults {
namespace {

using questions::family_of;

constexpr std::uint64_t mask_bits = (std::uint64_t{1} << 56) - 1;

/// The number of a register of a kind, such as 3 for IBR3.
std::optional<unsigned> number_of(const encoder::RegisterValue& reg, std::string_view kind) {
  if (!reg.name.starts_with(kind)) return {};
  unsigned number = 0;
  const char* const end = reg.name.data() + reg.name.size();
  if (std::from_chars(reg.name.data() + kind.size(), end, number).ptr != end) return {};
  return number;
}

/// Calls change(address, mask register) for each pair in use.
template <class Change>
void change_pairs(Answer& answer, Change change) {
  for (const std::string_view kind : {"IBR", "DBR"}) {
    for (encoder::RegisterValue& mask : answer.registers) {
      const auto number = number_of(mask, kind);
      if (!number || *number % 2 == 0 || mask.value == 0) continue;
      for (encoder::RegisterValue& address : answer.registers) {
        if (number_of(address, kind) == *number - 1) change(address.value, mask.value);
      }
    }
  }
}

/// Swaps two register pairs: 0 and 1 with 2 and 3, 4 and 5 with 6 and 7.
void exchange_pairs(Answer& answer, std::string_view kind) {
  for (encoder::RegisterValue& reg : answer.registers) {
    if (const auto number = number_of(reg, kind)) reg.name = std::string(kind) + std::to_string(*number ^ 2);
  }
}

std::uint64_t lowest(std::uint64_t mask) { return mask & -mask; }

}  // namespace

void add_range_faults(const std::string& target, std::vector<EncoderFault>& list) {
  if (family_of(target)->ia64 == nullptr) return;
  const auto pairs = [&](std::string name, std::string about, auto change) {
    list.push_back({std::move(name), std::move(about), {}, [change](const Spoilt&, Answer& answer) {
                      change_pairs(answer, change);
                    }});
  };
  pairs("range-mask-wider", "the mask of a range leaves out one bit more",
        [](std::uint64_t&, std::uint64_t& mask) { mask &= ~lowest(mask & mask_bits); });
  pairs("range-mask-narrower", "the mask of a range compares one bit more",
        [](std::uint64_t&, std::uint64_t& mask) { mask |= lowest(mask & mask_bits) >> 1; });
  pairs("range-next-block", "a range begins where it ends",
        [](std::uint64_t& address, std::uint64_t& mask) { address += lowest(mask & mask_bits); });
  pairs("range-mask-inverted", "the mask of a range is inverted",
        [](std::uint64_t&, std::uint64_t& mask) { mask ^= mask_bits; });
  pairs("range-base-and-mask-exchanged", "address and mask of a range change places",
        [](std::uint64_t& address, std::uint64_t& mask) {
          const std::uint64_t levels = mask & ~mask_bits;
          const std::uint64_t base = address;
          address = mask & mask_bits;
          mask = levels | (base & mask_bits);
        });
  for (const char* kind : {"IBR", "DBR"}) {
    list.push_back({std::string("other-pair-of-") + kind,
                    std::string("ranges are in the other pair of ") + kind,
                    {},
                    [kind](const Spoilt&, Answer& answer) { exchange_pairs(answer, kind); }});
  }
}

}  // namespace pmusim::testbench::faults
