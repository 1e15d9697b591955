// The session set-up of a request: the register writes for each hardware thread's PMU, and the handlers of its
// interrupts.
#pragma once

#include <memory>
#include <vector>

#include "testbench/driver/firmware.h"
#include "testbench/driver/sampling.h"
#include "testbench/lab/bindings/answers.h"

namespace pmusim::lab {

/// The samples and ticks that the handler of one thread collects.
struct Collected {
  std::vector<testbench::Sample> samples;
  testbench::TickCounter ticks;

  explicit Collected(const testbench::Firmware* firmware) : ticks(firmware) {}
};

class Programme {
 public:
  /// `registers` are written in their order; `sampling` has `counters` (`name`, `period`) and, for random periods,
  /// `seed`. Throws std::invalid_argument with a sentence for an impossible request.
  Programme(const Json& request, unsigned threads);

  [[nodiscard]] const models::Target& target() const { return *target_; }
  [[nodiscard]] const models::Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<encoder::RegisterValue>& registers() const { return registers_; }
  /// One for each thread. Handlers write to collected() and must not outlive the programme.
  [[nodiscard]] const std::vector<testbench::MonitorSetup>& setups() const { return setups_; }
  [[nodiscard]] const Collected& collected(unsigned thread) const { return *collected_[thread]; }

 private:
  [[nodiscard]] testbench::MonitorSetup plain(Collected& collected) const;
  [[nodiscard]] testbench::MonitorSetup sampled(const Json& sampling, Collected& collected) const;

  const models::Target* target_;
  models::Parameters parameters_;
  std::vector<encoder::RegisterValue> registers_;
  std::vector<std::unique_ptr<Collected>> collected_;
  std::vector<testbench::MonitorSetup> setups_;
};

}  // namespace pmusim::lab
