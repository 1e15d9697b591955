// Faults of the answer: counters, the order of registers, remains of the previous request, another model's codes.
#include <algorithm>

#include "testbench/faults/encoder_faults.h"
#include "testbench/faults/fields.h"
#include "testbench/judge/question/question.h"

namespace pmusim::testbench::faults {
namespace {

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
  const auto named = [](Answer& in, const std::string& counter) {
    return std::find_if(in.registers.begin(), in.registers.end(),
                        [name = selector_of(counter)](const auto& reg) { return reg.name == name; });
  };
  for (std::size_t i = 0; i < answer.counters.size(); ++i) {
    Group alone;
    alone.checks = {spoilt.group.checks[i]};
    Answer other = own_encoder()->encode(std::string(family_of(spoilt.target)->taken_for), alone);
    if (other.status != Answer::Status::encoded) continue;
    const auto its = named(other, other.counters.front()), own = named(answer, answer.counters[i]);
    if (its == other.registers.end() || own == answer.registers.end()) continue;
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
      const auto known = std::find_if(answer.registers.begin(), answer.registers.end(),
                                      [&](const auto& r) { return r.name == reg.name; });
      if (known == answer.registers.end())
        answer.registers.push_back(reg);
      else
        known->value |= reg.value;
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
             const auto stale = std::find_if(spoilt.before.registers.begin(), spoilt.before.registers.end(),
                                             [&](const auto& other) { return other.name == reg.name; });
             if (reg.value == 0 && stale != spoilt.before.registers.end()) reg.value = stale->value;
           }
         });
  list.back().remembers = true;
  spoils("reversed", "the registers are written from the last to the first",
         [](const Spoilt&, Answer& answer) { std::reverse(answer.registers.begin(), answer.registers.end()); });
}

}  // namespace pmusim::testbench::faults
