#include "testbench/cli/no_sample.h"

#include <fmt/format.h>

#include "testbench/driver/firmware.h"
#include "testbench/driver/wraps.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {

std::vector<std::string> why_no_sample(const models::Target& target, const MonitorResult& result,
                                       const std::vector<Awaited>& counters) {
  std::vector<std::string> sentences;
  const bool waits = result.monitor->interrupt_pending();
  for (const Awaited& awaited : counters) {
    const CounterReading reading = read_counter(target, result, awaited.counter.name);
    const unsigned bits =
        find_firmware(target.name) ? reading.bits : counter_bits(target, result.reading(awaited.counter.name).info);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const std::uint64_t events = ((reading.value - awaited.start) & mask) / reading.per_event;
    const bool reached = waits || events >= awaited.counter.period;
    sentences.push_back(
        reached
            ? fmt::format("no sample: {} overflowed, but the processor took no interrupt before the end: masked, or "
                          "the program was over",
                          awaited.event)
            : fmt::format("no sample: {} counted {} events, fewer than the period of {}", awaited.event,
                          grouped(events), grouped(awaited.counter.period)));
  }
  return sentences;
}

}  // namespace pmusim::testbench
