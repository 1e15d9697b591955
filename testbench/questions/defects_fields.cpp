// Defects of single fields: cut, shifted, inverted, exchanged.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "pmusim/encoder/encoder.h"
#include "testbench/questions/defects.h"
#include "testbench/questions/fields.h"

namespace pmusim::testbench::questions {
namespace {

/// A field of a register.
struct Place {
  std::string reg;
  Field field;
};

/// The fields that decode() names and the manual does not reserve, by name, with the registers that have them: one
/// entry for all of PerfEvtSel0 to PerfEvtSel3.
std::map<std::string, std::vector<Place>> fields_by_name(const std::string& target) {
  std::map<std::string, std::vector<Place>> by_name;
  const auto registers = encoder::registers(target);
  if (!registers) return by_name;
  const bool alike = !target.starts_with("ppc");  // MMCR0 and MMCR1 have nothing in common
  for (const encoder::RegisterValue& reg : *registers) {
    for (const Field& field : fields_of(target, reg.name, reg.width)) {
      if (field.name.starts_with("reserved")) continue;
      std::string kind = alike ? stem(reg.name) : reg.name;
      std::erase(kind, '#');
      by_name[kind + '.' + field.name].push_back({reg.name, field});
    }
  }
  return by_name;
}

/// Changes one field wherever an answer has it.
template <class Change>
void change_fields(const std::vector<Place>& places, Answer& answer, Change change) {
  for (encoder::RegisterValue& reg : answer.registers) {
    for (const Place& place : places) {
      if (place.reg == reg.name)
        reg.value = place.field.with(reg.value, change(place.field.of(reg.value), place.field));
    }
  }
}

/// Two fields of the same width change places: neighbours, as a user takes one for the other.
void add_swaps(const std::string& target, std::vector<Defect>& defects) {
  const auto registers = encoder::registers(target);
  if (!registers) return;
  struct Swap {
    std::string reg;
    Field first, second;
  };
  std::map<std::string, std::vector<Swap>> swaps;
  const bool alike = !target.starts_with("ppc");
  for (const encoder::RegisterValue& reg : *registers) {
    std::vector<Field> fields = fields_of(target, reg.name, reg.width);
    std::erase_if(fields, [](const Field& field) {
      return field.name.starts_with("reserved") || field.name.starts_with("fixed") || field.name == "unnamed";
    });
    for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
      if (fields[i].width != fields[i + 1].width) continue;
      std::string kind = alike ? stem(reg.name) : reg.name;
      std::erase(kind, '#');
      const std::string name = fmt::format("{}.{}-{}", kind, fields[i].name, fields[i + 1].name);
      swaps[name].push_back({reg.name, fields[i], fields[i + 1]});
    }
  }
  for (const auto& [name, places] : swaps) {
    const std::string about =
        fmt::format("{} and {} change places", places.front().first.name, places.front().second.name);
    defects.push_back({"swaps-" + name, about, {}, [places = places](const Spoilt&, Answer& answer) {
                         for (encoder::RegisterValue& reg : answer.registers) {
                           for (const Swap& swap : places) {
                             if (swap.reg != reg.name) continue;
                             const std::uint64_t first = swap.first.of(reg.value), second = swap.second.of(reg.value);
                             reg.value = swap.second.with(swap.first.with(reg.value, second), first);
                           }
                         }
                       }});
  }
}

}  // namespace

void add_field_defects(const std::string& target, std::vector<Defect>& defects) {
  add_swaps(target, defects);
  for (const auto& [name, places] : fields_by_name(target)) {
    const auto add = [&, places = places](const char* verb, const std::string& about, auto change) {
      defects.push_back({verb + name, about, {}, [places, change](const Spoilt&, Answer& answer) {
                           change_fields(places, answer, change);
                         }});
    };
    add("cuts-", "the highest bit of " + name + " is lost",
        [](std::uint64_t value, const Field& field) { return value & ~(std::uint64_t{1} << (field.width - 1)); });
    if (places.front().field.width > 1) {
      add("shifts-", name + " is shifted by one bit",
          [](std::uint64_t value, const Field& field) { return value << 1 & field.limit(); });
      continue;
    }
    defects.push_back({"inverts-" + name,
                       name + " is inverted where its register is used",
                       {},
                       [places = places](const Spoilt&, Answer& answer) {
                         const Answer before = answer;
                         change_fields(places, answer, [](std::uint64_t value, const Field&) { return value ^ 1; });
                         for (std::size_t i = 0; i < answer.registers.size(); ++i) {
                           if (before.registers[i].value == 0) answer.registers[i].value = 0;
                         }
                       }});
  }
}

}  // namespace pmusim::testbench::questions
