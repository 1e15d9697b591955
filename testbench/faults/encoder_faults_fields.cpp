// Faults of single fields: cut, shifted, inverted, exchanged.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "pmusim/encoder/encoder.h"
#include "testbench/faults/encoder_faults.h"
#include "testbench/faults/fields.h"

namespace pmusim::testbench::faults {
namespace {

/// A field of a register.
struct Place {
  std::string reg;
  Field field;
};

/// Registers of one kind, such as PMC4 to PMC7: they have the same fields, apart from those that the manual reserves
/// and the bit by which one of them enables all counters.
struct Alike {
  std::vector<std::string> registers;
  std::vector<Field> fields;
  [[nodiscard]] std::string name() const {
    if (registers.size() == 1) return registers.front();
    const std::string& last = registers.back();
    const auto digits = std::find_if(last.begin(), last.end(), [](char c) { return c >= '0' && c <= '9'; });
    return registers.front() + '-' + std::string(digits, last.end());
  }
};

bool is_spare(const Field& field) {
  return field.name.starts_with("reserved") || field.name.starts_with("fixed") || field.name == "unnamed";
}

std::vector<Alike> registers_by_fields(const std::string& target) {
  std::vector<Alike> kinds;
  const auto registers = encoder::registers(target);
  if (!registers) return kinds;
  std::map<std::string, std::size_t> known;
  for (const encoder::RegisterValue& reg : *registers) {
    std::vector<Field> fields = fields_of(target, reg.name, reg.width);
    std::erase_if(fields, is_spare);
    std::string layout = stem(reg.name);
    for (const Field& field : fields) {
      if (field.name != "enable") layout += fmt::format(" {}:{}:{}", field.name, field.low, field.width);
    }
    const auto [place, is_new] = known.try_emplace(layout, kinds.size());
    if (is_new) kinds.emplace_back();
    Alike& kind = kinds[place->second];
    kind.registers.push_back(reg.name);
    if (fields.size() > kind.fields.size()) kind.fields = std::move(fields);
  }
  return kinds;
}

/// The fields that decode() names and the manual does not reserve, by name, with the registers that have them: one
/// entry for all of PerfEvtSel0 to PerfEvtSel3.
std::map<std::string, std::vector<Place>> fields_by_name(const std::string& target) {
  std::map<std::string, std::vector<Place>> by_name;
  for (const Alike& kind : registers_by_fields(target)) {
    for (const Field& field : kind.fields) {
      std::vector<Place>& places = by_name[kind.name() + '.' + field.name];
      for (const std::string& reg : kind.registers) {
        // The bit that enables all counters is in the first register.
        if (field.name == "enable" && reg != kind.registers.front()) continue;
        places.push_back({reg, field});
      }
    }
  }
  return by_name;
}

/// Changes one field in all registers of an answer that have it.
template <class Change>
void change_fields(const std::vector<Place>& places, Answer& answer, Change change) {
  for (encoder::RegisterValue& reg : answer.registers) {
    for (const Place& place : places) {
      if (place.reg == reg.name)
        reg.value = place.field.with(reg.value, change(place.field.of(reg.value), place.field));
    }
  }
}

/// Swaps two neighbouring fields of the same width.
void add_swaps(const std::string& target, std::vector<EncoderFault>& faults) {
  for (const Alike& kind : registers_by_fields(target)) {
    for (std::size_t i = 0; i + 1 < kind.fields.size(); ++i) {
      const Field first = kind.fields[i], second = kind.fields[i + 1];
      if (first.width != second.width) continue;
      faults.push_back({fmt::format("swaps-{}.{}-{}", kind.name(), first.name, second.name),
                        fmt::format("{} and {} of {} change places", first.name, second.name, kind.name()),
                        {},
                        [registers = kind.registers, first, second](const Spoilt&, Answer& answer) {
                          for (encoder::RegisterValue& reg : answer.registers) {
                            if (std::find(registers.begin(), registers.end(), reg.name) == registers.end()) continue;
                            const std::uint64_t one = first.of(reg.value), other = second.of(reg.value);
                            reg.value = second.with(first.with(reg.value, other), one);
                          }
                        }});
    }
  }
}

std::uint64_t reversed(std::uint64_t value, const Field& field) {
  std::uint64_t result = 0;
  for (unsigned bit = 0; bit < field.width; ++bit) result |= (value >> bit & 1) << (field.width - 1 - bit);
  return result;
}

}  // namespace

void add_field_faults(const std::string& target, std::vector<EncoderFault>& faults) {
  add_swaps(target, faults);
  for (const auto& [name, places] : fields_by_name(target)) {
    const auto add = [&, &name = name, places = places](const char* verb, const std::string& about, auto change) {
      faults.push_back({verb + name, about, {}, [places, change](const Spoilt&, Answer& answer) {
                          change_fields(places, answer, change);
                        }});
    };
    // Registers that are 0 are unused and stay 0.
    const auto add_in_use = [&, &name = name, places = places](const char* verb, const std::string& about,
                                                               auto change) {
      faults.push_back({verb + name, about, {}, [places, change](const Spoilt&, Answer& answer) {
                          const Answer before = answer;
                          change_fields(places, answer, change);
                          for (std::size_t i = 0; i < answer.registers.size(); ++i) {
                            if (before.registers[i].value == 0) answer.registers[i].value = 0;
                          }
                        }});
    };
    add("cuts-", "the highest bit of " + name + " is lost",
        [](std::uint64_t value, const Field& field) { return value & ~(std::uint64_t{1} << (field.width - 1)); });
    if (places.front().field.width == 1) {
      add_in_use("inverts-", name + " is inverted where its register is used",
                 [](std::uint64_t value, const Field&) { return value ^ 1; });
      add_in_use("sets-", name + " is always set where its register is used",
                 [](std::uint64_t, const Field&) { return std::uint64_t{1}; });
      continue;
    }
    add("shifts-", name + " is shifted by one bit",
        [](std::uint64_t value, const Field& field) { return value << 1 & field.limit(); });
    add("cuts-low-", "the lowest bit of " + name + " is lost",
        [](std::uint64_t value, const Field&) { return value & ~std::uint64_t{1}; });
    add("reverses-", "the bits of " + name + " are in the opposite order", reversed);
    add_in_use("adds-one-to-", name + " is one more where its register is used",
               [](std::uint64_t value, const Field& field) { return (value + 1) & field.limit(); });
    add_in_use("complements-", name + " is complemented where its register is used",
               [](std::uint64_t value, const Field& field) { return ~value & field.limit(); });
  }
}

}  // namespace pmusim::testbench::faults
