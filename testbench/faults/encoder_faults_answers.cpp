// Faults of the answer: counters, the order of registers, remains of the previous request, another model's codes.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pmusim/encoder/encoder.h"
#include "testbench/faults/encoder_faults.h"
#include "testbench/faults/fields.h"
#include "testbench/judge/question/question.h"

namespace pmusim::testbench::faults {

namespace {

using diagnose::find_register;
using questions::Family, questions::family_of;

/// Uses the register values of the other model if it encodes the events on the same counters.
void take_codes(const Spoilt& spoilt, Answer& answer) {
  const Family& family = *family_of(spoilt.target);
  const Answer other = own_encoder()->encode(std::string(family.taken_for), spoilt.group);
  if (other.status != Answer::Status::encoded || other.counters != answer.counters) return;
  for (encoder::RegisterValue& reg : answer.registers) {
    const auto its = std::find_if(other.registers.begin(), other.registers.end(),
                                  [&](const auto& r) { return r.name == reg.name && r.width == reg.width; });
    if (its != other.registers.end()) reg.value = its->value;
  }
}

/// The same for models with different counters: event by event, codes and unit masks only.
void take_codes_of_each(const Spoilt& spoilt, Answer& answer) {
  for (std::size_t i = 0; i < answer.counters.size(); ++i) {
    Group alone;
    alone.checks = {spoilt.group.checks[i]};
    Answer other = own_encoder()->encode(std::string(family_of(spoilt.target)->taken_for), alone);
    if (other.status != Answer::Status::encoded) continue;
    const encoder::RegisterValue* const its = find_register(other.registers, selector_of(other.counters.front()));
    encoder::RegisterValue* const own = find_register(answer.registers, selector_of(answer.counters[i]));
    if (its == nullptr || own == nullptr) continue;
    for (const Field& field : fields_of(spoilt.target, own->name, own->width)) {
      if (field.name == "es" || field.name == "umask") own->value = field.with(own->value, field.of(its->value));
    }
  }
}

/// Encodes each event as if it were alone, and merges the registers.
Answer placed_one_by_one(const std::string& target, const Group& group) {
  const std::unique_ptr<EncoderUnderTest> right = own_encoder();
  Answer answer;
  Group alone = group;
  for (const Check& check : group.checks) {
    alone.checks = {check};
    Answer one = right->encode(target, alone);
    if (one.status != Answer::Status::encoded) {
      // No counter is left: use one twice.
      alone.unavailable_counters = group.unavailable_counters;
      one = right->encode(target, alone);
    }
    if (one.status != Answer::Status::encoded) return one;
    for (const encoder::RegisterValue& reg : one.registers) {
      if (encoder::RegisterValue* const known = find_register(answer.registers, reg.name))
        known->value |= reg.value;
      else
        answer.registers.push_back(reg);
    }
    answer.counters.push_back(one.counters.front());
    const auto& counters = family_of(target)->counters;
    const auto used = std::find(counters.begin(), counters.end(), one.counters.front());
    alone.unavailable_counters.push_back(static_cast<unsigned>(used - counters.begin()));
  }
  return answer;
}

}  // namespace

void add_answering_faults(const std::string& target, std::vector<EncoderFault>& list) {
  const auto spoils = [&](std::string name, std::string about, std::function<void(const Spoilt&, Answer&)> spoil) {
    list.push_back({std::move(name), std::move(about), {}, std::move(spoil)});
  };
  list.push_back(
      {"constraints-ignored", "it is not checked which events can be counted together", {}, {}, placed_one_by_one});
  spoils("next-counter-named", "the counter after an event's is named", [](const Spoilt& spoilt, Answer& answer) {
    const auto& counters = family_of(spoilt.target)->counters;
    const auto own = std::find(counters.begin(), counters.end(), answer.counters.front());
    if (own != counters.end())
      answer.counters.front() = counters[static_cast<std::size_t>(own - counters.begin() + 1) % counters.size()];
  });
  spoils("no-default-mask", "an event that is named without a unit mask has none",
         [](const Spoilt& spoilt, Answer& answer) {
           for (const Check& check : spoilt.group.checks) {
             const auto& masks = check.request.umasks;
             if (!masks.empty() && masks != std::vector<std::string>{"ALL"}) return;
           }
           for (encoder::RegisterValue& reg : answer.registers) {
             for (const Field& field : fields_of(spoilt.target, reg.name, reg.width)) {
               if (field.name == "UNIT_MASK") reg.value = field.with(reg.value, 0);
             }
           }
         });
  spoils("preset-off-by-one", "start values are one too high", [](const Spoilt&, Answer& answer) {
    for (std::uint64_t& preset : answer.presets) ++preset;
  });
  spoils("preset-not-extended", "start values have 32 bits, and zeros above them", [](const Spoilt&, Answer& answer) {
    for (std::uint64_t& preset : answer.presets) preset &= 0xffff'ffff;
  });
  if (const Family& family = *family_of(target); !family.taken_for.empty())
    spoils("codes-of-" + std::string(family.taken_for), "events have the codes of the neighbouring model",
           family.ia64 != nullptr ? take_codes_of_each : take_codes);
  spoils("counters-exchanged", "the counters of the events are named in another order",
         [](const Spoilt&, Answer& answer) {
           if (answer.counters.size() > 1)
             std::rotate(answer.counters.begin(), answer.counters.begin() + 1, answer.counters.end());
         });
  spoils("last-written-first", "the register that starts the counting is written first",
         [](const Spoilt&, Answer& answer) {
           if (answer.registers.size() > 1)
             std::rotate(answer.registers.rbegin(), answer.registers.rbegin() + 1, answer.registers.rend());
         });
  spoils("last-left-out", "the last register is not written",
         [](const Spoilt&, Answer& answer) { answer.registers.pop_back(); });
  spoils("first-left-out", "the first register that is not 0 is not written", [](const Spoilt&, Answer& answer) {
    const auto first =
        std::find_if(answer.registers.begin(), answer.registers.end(), [](const auto& reg) { return reg.value != 0; });
    if (first != answer.registers.end()) answer.registers.erase(first);
  });
  spoils("stale", "the registers are those of the request before", [](const Spoilt& spoilt, Answer& answer) {
    if (!spoilt.before.registers.empty()) answer.registers = spoilt.before.registers;
  });
  list.back().remembers = true;
  spoils("others-left-on", "registers of counters that were not asked for keep the request before",
         [](const Spoilt& spoilt, Answer& answer) {
           for (encoder::RegisterValue& reg : answer.registers) {
             const encoder::RegisterValue* const stale = find_register(spoilt.before.registers, reg.name);
             if (reg.value == 0 && stale != nullptr) reg.value = stale->value;
           }
         });
  list.back().remembers = true;
  spoils("reversed", "the registers are written from the last to the first",
         [](const Spoilt&, Answer& answer) { std::reverse(answer.registers.begin(), answer.registers.end()); });
}

// Faults of single fields: cut, shifted, inverted, exchanged.

namespace {

/// A field of a register.
struct PlacedField {
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
std::map<std::string, std::vector<PlacedField>> fields_by_name(const std::string& target) {
  std::map<std::string, std::vector<PlacedField>> by_name;
  for (const Alike& kind : registers_by_fields(target)) {
    for (const Field& field : kind.fields) {
      std::vector<PlacedField>& places = by_name[kind.name() + '.' + field.name];
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
void change_fields(const std::vector<PlacedField>& places, Answer& answer, Change change) {
  for (encoder::RegisterValue& reg : answer.registers) {
    for (const PlacedField& place : places) {
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
