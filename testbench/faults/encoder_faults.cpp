#include "testbench/faults/encoder_faults.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "pmusim/encoder/encoder.h"
#include "testbench/faults/fields.h"
#include "testbench/judge/question/question.h"
#include "testbench/support/only.h"

namespace pmusim::testbench::faults {

std::vector<EncoderFault> encoder_faults_of(const std::string& target) {
  std::vector<EncoderFault> faults;
  add_asking_faults(target, faults);
  add_answering_faults(target, faults);
  add_several_events_faults(target, faults);
  add_range_faults(target, faults);
  add_field_faults(target, faults);
  return faults;
}

std::string_view excuse_for(const std::string& target, std::string_view fault) {
  const questions::Family* const family = questions::family_of(target);
  if (family == nullptr) return {};
  const auto found = std::find_if(family->excuses.begin(), family->excuses.end(), [&](const questions::Excuse& excuse) {
    return Only(std::string(excuse.faults)).admits(std::string(fault));
  });
  return found == family->excuses.end() ? std::string_view{} : found->why;
}

// Faults visible only with several events or counters: settings of one event reach another one, or a register belongs
// to another counter.

namespace {

using diagnose::find_register;
using questions::family_of;

encoder::RegisterValue* selector(Answer& answer, std::size_t event) {
  return find_register(answer.registers, selector_of(answer.counters[event]));
}

void exchange_selectors(const Spoilt&, Answer& answer) {
  if (answer.counters.size() < 2) return;
  encoder::RegisterValue *const first = selector(answer, 0), *const second = selector(answer, 1);
  if (first != nullptr && second != nullptr) std::swap(first->value, second->value);
}

/// Swaps the selector of an event's counter with that of the next counter.
void take_next_selector(const Spoilt& spoilt, Answer& answer) {
  const auto& counters = family_of(spoilt.target)->counters;
  const auto own = std::find(counters.begin(), counters.end(), answer.counters.front());
  if (own == counters.end()) return;
  const auto next = own + 1 == counters.end() ? counters.begin() : own + 1;
  encoder::RegisterValue* const first = find_register(answer.registers, selector_of(*own));
  encoder::RegisterValue* const second = find_register(answer.registers, selector_of(*next));
  if (first != nullptr && second != nullptr) {
    std::swap(first->value, second->value);
  } else if (first != nullptr) {
    first->name = selector_of(*next);
  }
}

/// True for the bit that enables the overflow interrupt of one counter.
bool enables_interrupt(const Field& field) { return field.name == "INT" || field.name == "oi"; }

/// Keeps interrupts enabled only for the events that `kept` selects.
template <class Kept>
void keep_interrupts(const Spoilt& spoilt, Answer& answer, Kept kept) {
  const std::size_t events = answer.counters.size();
  for (std::size_t event = 0; event < events && events > 1; ++event) {
    encoder::RegisterValue* const reg = selector(answer, event);
    if (reg == nullptr || kept(event, events)) continue;
    for (const Field& field : fields_of(spoilt.target, reg->name, reg->width)) {
      if (enables_interrupt(field)) reg->value = field.with(reg->value, 0);
    }
  }
}

/// One interrupt enables those of all events.
void spread_interrupts(const Spoilt& spoilt, Answer& answer) {
  const std::size_t events = answer.counters.size();
  const auto each = [&](auto change) {
    for (std::size_t event = 0; event < events; ++event) {
      encoder::RegisterValue* const reg = selector(answer, event);
      if (reg == nullptr) continue;
      for (const Field& field : fields_of(spoilt.target, reg->name, reg->width)) {
        if (enables_interrupt(field)) change(*reg, field);
      }
    }
  };
  bool any = false;
  each([&](const encoder::RegisterValue& reg, const Field& field) { any |= field.of(reg.value) != 0; });
  if (any) each([](encoder::RegisterValue& reg, const Field& field) { reg.value = field.with(reg.value, 1); });
}

/// Several unit masks are combined by AND instead of OR.
void and_masks(const Spoilt& spoilt, Answer& answer) {
  const std::unique_ptr<EncoderUnderTest> right = own_encoder();
  for (std::size_t event = 0; event < spoilt.group.checks.size(); ++event) {
    encoder::RegisterValue* const reg = selector(answer, event);
    Group alone = spoilt.group;
    alone.checks = {spoilt.group.checks[event]};
    const auto& masks = spoilt.group.checks[event].request.umasks;
    if (reg == nullptr || masks.size() < 2) continue;
    for (const Field& field : fields_of(spoilt.target, reg->name, reg->width)) {
      if (field.name != "UNIT_MASK") continue;
      for (const std::string& mask : masks) {
        alone.checks[0].request.umasks = {mask};
        Answer one = right->encode(spoilt.target, alone);
        const encoder::RegisterValue* const its = one.status == Answer::Status::encoded ? selector(one, 0) : nullptr;
        if (its != nullptr) reg->value = field.with(reg->value, field.of(reg->value) & field.of(its->value));
      }
    }
  }
}

}  // namespace

std::string selector_of(const std::string& counter) {
  if (counter.starts_with("PerfCtr")) return "PerfEvtSel" + counter.substr(7);
  if (counter.starts_with("PMD")) return "PMC" + counter.substr(3);
  return {};
}

void add_several_events_faults(const std::string&, std::vector<EncoderFault>& list) {
  const auto asks = [&](std::string name, std::string about, std::function<void(const std::string&, Group&)> ask) {
    list.push_back({std::move(name), std::move(about), std::move(ask), {}});
  };
  const auto spoils = [&](std::string name, std::string about, std::function<void(const Spoilt&, Answer&)> spoil) {
    list.push_back({std::move(name), std::move(about), {}, std::move(spoil)});
  };
  asks("attributes-of-first-for-all", "every event of a set has the attributes of the first",
       [](const std::string&, Group& group) {
         for (Check& check : group.checks) check.attributes = group.checks.front().attributes;
       });
  asks("attributes-of-first-alone", "only the first event of a set keeps its attributes",
       [](const std::string&, Group& group) {
         for (std::size_t i = 1; i < group.checks.size(); ++i) group.checks[i].attributes.clear();
       });
  asks("attributes-of-last-alone", "only the last event of a set keeps its attributes",
       [](const std::string&, Group& group) {
         for (std::size_t i = 0; i + 1 < group.checks.size(); ++i) group.checks[i].attributes.clear();
       });
  asks("attributes-of-next", "each event of a set has the attributes of the next one",
       [](const std::string&, Group& group) {
         std::vector<std::vector<Attribute>> all;
         for (const Check& check : group.checks) all.push_back(check.attributes);
         for (std::size_t i = 0; i < all.size(); ++i) group.checks[i].attributes = all[(i + 1) % all.size()];
       });
  spoils("selectors-exchanged", "the selectors of the first two events change places", exchange_selectors);
  spoils("next-selector", "an event is selected for the counter after its own", take_next_selector);
  spoils("masks-anded", "several unit masks are AND-ed", and_masks);
  spoils("interrupt-of-first-alone", "of several events the interrupt of the first alone is enabled",
         [](const Spoilt& spoilt, Answer& answer) {
           keep_interrupts(spoilt, answer, [](std::size_t event, std::size_t) { return event == 0; });
         });
  spoils("interrupt-of-last-alone", "of several events the interrupt of the last alone is enabled",
         [](const Spoilt& spoilt, Answer& answer) {
           keep_interrupts(spoilt, answer, [](std::size_t event, std::size_t events) { return event + 1 == events; });
         });
  spoils("interrupt-of-all", "an interrupt that one event asks for is enabled for all of them", spread_interrupts);
}

// Faults of the IA-64 breakpoint registers that hold ranges: masks too wide or too narrow, the wrong block, the wrong
// pair.

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
