#include "alpha_inputs.h"

#include <fmt/format.h>

#include <cstdint>

#include "models/activity/alpha.h"

namespace pmusim::perturbation {
namespace {

using activity::Signal;
using activity::State;
using pmu::alpha::Event;
using pmu::alpha::Input;
using pmu::alpha::Rule;

template <class Enum>
Enum next_of(Enum value) {
  return static_cast<Enum>((static_cast<unsigned>(value) + 1) % static_cast<unsigned>(Enum::count_));
}

/// Bits of a signal's detail that form a number.
unsigned number_in(Signal signal) {
  namespace d = activity::detail;
  switch (signal) {
    case Signal::pin_assert:
    case Signal::replay_trap:
    case Signal::pal_entry:
    case Signal::read_miss:
      return 0xffff;
    case Signal::system_command:
      return activity::alpha::detail::system_command_mask;
    case Signal::line_evict:
      return d::cache_mask | 7u << d::evict_state_shift;
    default:
      return 0;
  }
}

class Changes {
 public:
  explicit Changes(const Event& row) : row_(row) {}

  template <class Change>
  void add(std::string name, Change change) {
    OtherRow& other = list.emplace_back(OtherRow{std::move(name), row_});
    change(other.row);
  }
  template <class Change>
  void for_each_bit(const std::string& name, std::uint64_t set, Change change) {
    for (std::uint64_t bit = 1; bit != 0 && bit <= set; bit <<= 1) {
      if ((set & bit) != 0) add(fmt::format("{} {:#x}", name, bit), [&](Event& e) { change(e, bit); });
    }
  }
  std::vector<OtherRow> list;

 private:
  const Event& row_;
};

void change_rule(const Event& row, Changes& changes) {
  changes.add("one more for each", [](Event& e) { ++e.weight; });
  const bool occurs = row.inputs[0].signal != Signal::count_;
  switch (row.rule) {
    case Rule::sum:
      if (!occurs) return;
      changes.add("without bound", [](Event& e) { e.high = 0; });
      if (row.high > 1) changes.add("one less at most", [](Event& e) { --e.high; });
      return;
    case Rule::within:
      changes.add("all of a cycle", [](Event& e) {
        e.rule = Rule::sum;
        e.high = 0;
      });
      changes.add("one less too", [](Event& e) { --e.low; });
      changes.add("one more too", [](Event& e) { ++e.high; });
      return;
    case Rule::complement:
      changes.add("what is there", [](Event& e) { e.rule = Rule::sum; });
      changes.add("of one more", [](Event& e) { ++e.high; });
      return;
    case Rule::carried:
      changes.add("what is above the bound lost", [](Event& e) { e.rule = Rule::sum; });
      return;
    case Rule::long_run:
      changes.add("every cycle", [](Event& e) { e.rule = Rule::sum; });
      return;
    case Rule::sampled:  // no effect by default (pmu.pin_clock)
    case Rule::nothing:
      return;
  }
}

void change_detail(const Input& input, std::size_t i, const std::string& which, Changes& changes) {
  const unsigned number = input.mask & number_in(input.signal);
  if (number != 0) {
    const unsigned one = number & (~number + 1);
    changes.add(which + "the next number", [=](Event& e) {
      Input& in = e.inputs[i];
      in.value = static_cast<std::uint16_t>((in.value & ~number) | ((in.value + one) & number));
    });
    changes.add(which + "any number", [=](Event& e) {
      Input& in = e.inputs[i];
      in.mask = static_cast<std::uint16_t>(in.mask & ~number);
      in.value = static_cast<std::uint16_t>(in.value & ~number);
    });
  }
  changes.for_each_bit(which + "detail turned round", input.mask & ~number, [i](Event& e, std::uint64_t bit) {
    e.inputs[i].value = static_cast<std::uint16_t>(e.inputs[i].value ^ bit);
  });
  changes.for_each_bit(which + "detail ignored", input.mask & ~number, [i](Event& e, std::uint64_t bit) {
    e.inputs[i].mask = static_cast<std::uint16_t>(e.inputs[i].mask & ~bit);
    e.inputs[i].value = static_cast<std::uint16_t>(e.inputs[i].value & ~bit);
  });
  changes.for_each_bit(which + "alternative dropped", input.any, [i](Event& e, std::uint64_t bit) {
    e.inputs[i].any = static_cast<std::uint16_t>(e.inputs[i].any & ~bit);
  });
}

void change_input(const Event& row, std::size_t i, Changes& changes) {
  const Input& input = row.inputs[i];
  const std::string which = row.input_count == 1 ? "" : fmt::format("input {}: ", i + 1);
  if (row.input_count > 1) {
    changes.add(which + "dropped", [i](Event& e) {
      e.inputs[i] = e.inputs[1 - i];
      e.input_count = 1;
    });
  }
  if (input.signal != Signal::count_) {
    changes.add(which + "the next signal", [i](Event& e) { e.inputs[i].signal = next_of(e.inputs[i].signal); });
    change_detail(input, i, which, changes);
    changes.for_each_bit(which + "kind dropped", input.kinds,
                         [i](Event& e, std::uint64_t bit) { e.inputs[i].kinds &= ~static_cast<std::uint32_t>(bit); });
    if (input.kinds != 0) changes.add(which + "any kind", [i](Event& e) { e.inputs[i].kinds = 0; });
    if (input.mispredicted)
      changes.add(which + "however predicted", [i](Event& e) { e.inputs[i].mispredicted = false; });
  } else if (input.state != State::count_) {
    changes.add(which + "the next state", [i](Event& e) { e.inputs[i].state = next_of(e.inputs[i].state); });
    const std::uint64_t values = input.state == State::issue_stall ? 0x1ff : 3;  // possible values; of pins the first
    changes.for_each_bit(which + "value turned round", values,
                         [i](Event& e, std::uint64_t bit) { e.inputs[i].values ^= bit; });
  } else {
    changes.add(which + "connected to issue", [i](Event& e) { e.inputs[i].signal = Signal::issue; });
  }
}

}  // namespace

std::vector<OtherRow> other_rows(const Event& row) {
  Changes changes(row);
  change_rule(row, changes);
  for (std::size_t i = 0; i < row.input_count; ++i) change_input(row, i, changes);
  return changes.list;
}

}  // namespace pmusim::perturbation
