// Checks of overflow pins and interrupts: when the oracle expects them, and when they come.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "testbench/judge/trial/bench.h"
#include "testbench/judge/trial/examined.h"
#include "testbench/judge/trial/needs.h"

namespace pmusim::testbench::questions {

/// All events of a run overflow.
inline constexpr std::size_t every_event = ~std::size_t{0};

/// The cycle whose event asserts a counter's pin: with pin control its overflow, without pin control its first event.
/// `overflows` is the event that overflows. `reversed`: pin control means the other one of the two
/// (pmu.pin_polarity=p6). activity::never if the pin must stay low.
[[nodiscard]] Cycle pin_cause(const Examined& candidate, std::size_t counter, std::size_t overflows, bool reversed,
                              const Counts& counts, const std::map<std::size_t, Counts::Crossings>& crossings);
/// The first cycle in which the pin was asserted.
[[nodiscard]] Cycle pin_edge(const Seen& seen, std::size_t counter);
/// The most core clocks from an event to the next bus clock, with which its pulse comes.
[[nodiscard]] Cycle longest_bus_clock(const ActivityLog& log);
/// Describes an error of a pin whose pulse comes at most `delay` cycles after its cause, for activity that ends in
/// cycle `end`; empty if there is none.
[[nodiscard]] std::string wrong_pin(const std::string& counter, Cycle cause, Cycle got, Cycle delay, Cycle end);

/// Describes an error of an interrupt request; the overflow was `delay` cycles before `due`.
[[nodiscard]] std::string wrong_request(Cycle due, Cycle got, Cycle delay);
/// Events between two interrupts if the hardware has a period shorter than the counter; else 0.
[[nodiscard]] std::uint64_t short_period(const Check& check);

}  // namespace pmusim::testbench::questions
