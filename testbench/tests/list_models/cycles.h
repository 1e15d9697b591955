// The activity of a core cycle by cycle: what each signal of interest has in the cycles in which one of them occurs.
#pragma once

#include <functional>
#include <span>

#include "models/core/core.h"

namespace pmusim::testbench::core_cycles {

using activity::Block;
using activity::Cycle;
using activity::Occurrence;
using activity::Signal;

constexpr std::uint64_t page_bytes = 4096;

inline std::size_t number(const models::Parameters& p, const char* name) {
  return static_cast<std::size_t>(p.get(name));
}
/// The detail of Signal::line_evict.
inline std::uint16_t left(std::uint16_t cache, activity::LineState state, std::uint16_t why) {
  return static_cast<std::uint16_t>(cache | static_cast<unsigned>(state) << activity::detail::evict_state_shift | why);
}

struct CycleView {
  Cycle cycle = 0;
  const Block* block = nullptr;
  std::array<std::span<const Occurrence>, activity::signal_count> columns;
  [[nodiscard]] std::span<const Occurrence> of(Signal signal) const {
    return columns[static_cast<std::size_t>(signal)];
  }
  /// The request or instruction that an occurrence names; an empty one if it names none.
  [[nodiscard]] const activity::RequestRecord& request(const Occurrence& o) const {
    static const activity::RequestRecord nothing;
    return o.ref == activity::no_ref ? nothing : block->requests[o.ref];
  }
  [[nodiscard]] const activity::InstructionRecord& instruction(const Occurrence& o) const {
    return block->instructions[o.ref];
  }
};

/// Runs a core to its end. `each` gets every cycle with one of the signals, in order, until it returns false.
inline void each_cycle(core::Core& core, std::span<const Signal> signals,
                       const std::function<bool(const CycleView&)>& each) {
  Block block;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + 20000, block);
    CycleView view;
    view.block = &block;
    std::array<std::size_t, activity::signal_count> begins{};
    while (true) {
      std::uint32_t next = ~std::uint32_t{0};
      for (const Signal signal : signals) {
        const auto& column = block.column(signal);
        const std::size_t begin = begins[static_cast<std::size_t>(signal)];
        if (begin < column.size()) next = std::min(next, column[begin].at);
      }
      if (next == ~std::uint32_t{0}) break;
      view.cycle = block.begin + next;
      for (const Signal signal : signals) {
        const auto& column = block.column(signal);
        std::size_t& begin = begins[static_cast<std::size_t>(signal)];
        std::size_t end = begin;
        while (end < column.size() && column[end].at == next) ++end;
        view.columns[static_cast<std::size_t>(signal)] = std::span(column).subspan(begin, end - begin);
        begin = end;
      }
      if (!each(view)) return;
    }
  }
}

}  // namespace pmusim::testbench::core_cycles
