#include "models/alpha/event.h"

#include <algorithm>

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::alpha {

bool Input::record_passes(const Block& block, const Occurrence& o) const {
  if (kinds != 0 &&
      (o.ref >= block.alpha_instructions.size() || (block.alpha_instructions[o.ref].kinds & kinds) == 0)) {
    return false;
  }
  if (loads && (o.ref >= block.requests.size() || block.requests[o.ref].store)) return false;
  if (!mispredicted) return true;
  const activity::InstructionRecord* const instruction = instruction_of(block, o);
  return instruction != nullptr && instruction->mispredicted;
}

std::uint32_t Event::most(bool limited) const {
  static constexpr std::uint32_t unlimited = Selection::most_occurrences_per_cycle;
  const bool levels_alone = std::all_of(inputs.begin(), inputs.begin() + input_count,
                                        [](const Input& i) { return i.signal == activity::Signal::count_; });
  switch (rule) {
    case Rule::nothing:
      return 0;
    case Rule::long_run:
      return weight;
    case Rule::sum:
      if (levels_alone) return weight;
      return weight * (high == 0 || !limited ? unlimited * input_count : high);
    case Rule::carried:
    case Rule::complement:
      return weight * high;
    case Rule::within:
    case Rule::sampled:
      return weight;
  }
  return 0;
}

activity::Subscription Event::subscription() const {
  activity::Subscription all;
  for (std::size_t i = 0; i < input_count; ++i) {
    const Input& input = inputs[i];
    all.add(input.state);
    if (input.kinds != 0) {
      all.add(input.signal);
      all.alpha_kinds |= input.kinds;
    } else if (input.mispredicted || input.loads) {
      all.add_named(input.signal);
    } else {
      all.add(input.signal);
    }
  }
  return all;
}

const Event* find_event(std::span<const Event> table, const Behaviour& behaviour, unsigned counter, unsigned select,
                        unsigned second) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Event& e) {
    return e.counter == counter && e.select == select && (e.second == Event::no_second || e.second == second) &&
           e.only_if.holds(behaviour);
  });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace pmusim::pmu::alpha
