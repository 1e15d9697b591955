#include "registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "encoder/src/text.h"

namespace pmusim::encoder::ia64 {

constexpr unsigned kRegisterWidth = 64;

Registers::Registers(std::span<const Field> pmc0, std::span<const RegisterRun> own) {
  add({"pmc", 0, 0, pmc0});
  add({"pmc", 1, 3, kReservedFields});
  for (const RegisterRun& run : own) add(run);
  const auto add_pairs = [&](std::string_view space, std::span<const Field> masks) {
    for (unsigned number = 0; number < 8; number += 2) {
      add({space, number, number, kDebugAddressFields});
      add({space, number + 1, number + 1, masks});
    }
  };
  add_pairs("ibr", kCodeMaskFields);
  add_pairs("dbr", kDataMaskFields);
}

void Registers::add(const RegisterRun& run) {
  for (unsigned number = run.first; number <= run.last; ++number)
    all_.push_back({run.space, number, names_.emplace_back(fmt::format("{}{}", upper(run.space), number)),
                    kRegisterWidth, run.fields});
}

const Register& find_register(std::span<const Register> registers, std::string_view space, unsigned number) {
  const auto found = std::find_if(registers.begin(), registers.end(),
                                  [&](const Register& reg) { return reg.space == space && reg.number == number; });
  if (found == registers.end()) throw std::out_of_range(fmt::format("no register {} {}", space, number));
  return *found;
}

}  // namespace pmusim::encoder::ia64

namespace pmusim::encoder::ia64::meaning {

std::string levels(std::uint64_t value) {
  if (value == 0) return "off at every privilege level";
  std::string text;
  for (unsigned level = 0; level < 4; ++level)
    if (value >> level & 1) text += fmt::format("{}{}", text.empty() ? "on at privilege levels " : ", ", level);
  return text;
}
std::string branch_extension(std::uint64_t value) {
  std::string text = value & 1 ? "branch in the second bundle" : "branch in the first bundle";
  if (value & 2) text += ", flush by the branch unit";
  return text;
}

}  // namespace pmusim::encoder::ia64::meaning
