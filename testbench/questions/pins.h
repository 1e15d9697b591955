// What tells of overflows: pins and interrupts, when the oracle has them and when they come.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "testbench/questions/bench.h"
#include "testbench/questions/candidate.h"
#include "testbench/questions/needs.h"

namespace pmusim::testbench::questions {

/// All events of a run overflow, not one of them.
inline constexpr std::size_t every_event = ~std::size_t{0};

/// The cycle whose event asserts a counter's pin: with pin control its overflow, without its first event; `overflows`
/// is the event that does. activity::never if none is due.
[[nodiscard]] Cycle pin_cause(const Candidate& candidate, std::size_t counter, std::size_t overflows,
                              const Counts& counts, const std::map<std::size_t, Counts::Crossings>& crossings);
/// The first cycle in which it was asserted.
[[nodiscard]] Cycle pin_edge(const Seen& seen, std::size_t counter);
/// What is wrong with a pin, of activity that ends in cycle `end`; empty: nothing.
[[nodiscard]] std::string wrong_pin(const std::string& counter, Cycle cause, Cycle got, Cycle end);

/// What is wrong with the request of an interrupt; the overflow was `delay` cycles before `due`.
[[nodiscard]] std::string wrong_request(Cycle due, Cycle got, Cycle delay);
/// Events from one interrupt to the next, where the hardware has a period shorter than the counter; else 0.
[[nodiscard]] std::uint64_t short_period(const Check& check);

}  // namespace pmusim::testbench::questions
