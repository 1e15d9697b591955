// Modelled processors for the pfm device: a core on a trace, its performance monitor, and PALcode between them. The
// interrupts of the monitors are the device's ticks.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "models/alpha/wrperfmon.h"
#include "models/pmu/follower.h"
#include "models/targets.h"
#include "testbench/driver/activity_source.h"
#include "testbench/driver/call_stack.h"
#include "testbench/pfm/code_map.h"
#include "testbench/pfm/device.h"

namespace pmusim::testbench::pfm {

/// Marks of processes by their numbers in the trace, set or cleared by the driver; other processes keep the trace's
/// marks.
using Marks = std::map<std::uint64_t, bool>;

class ModelledProcessor final : public Processor {
 public:
  /// Throws std::invalid_argument for a target that is not an Alpha.
  ModelledProcessor(const models::Target& target, const models::Parameters& parameters,
                    std::unique_ptr<trace::Reader> trace);
  [[nodiscard]] Family family() const override { return static_cast<Family>(chip_); }
  std::uint64_t wrperfmon(Function function, std::uint64_t argument) override;
  void mark(int process, bool marked) override { marks_[static_cast<std::uint64_t>(process)] = marked; }
  [[nodiscard]] std::uint64_t cycles() const override { return follower_.consumed(); }

  /// Runs at least to cycle `limit`, or to the end of the trace and then returns false. Ticks are delivered to the
  /// device as those of processor `cpu`.
  bool run(Cycle limit, Device& device, unsigned cpu);
  /// The number of instructions retired.
  [[nodiscard]] std::uint64_t instructions() const { return source_.instructions(); }
  [[nodiscard]] const pmu::Monitor& monitor() const { return follower_.monitor(); }

 private:
  void consume(const Block& block, Device& device, unsigned cpu);
  [[nodiscard]] std::optional<ProfileMe> profile_sample();
  [[nodiscard]] std::uint64_t read(std::string_view name);

  pmu::AlphaChip chip_;
  bool only_mispredicts_retire_;
  bool squashed_aborts_;
  CoreSource source_;
  pmu::Follower follower_;
  pmu::Wrperfmon palcode_;
  CodeMap code_;
  CallStack calls_{0};
  Marks marks_;
  Block marked_;  ///< the current block with the marks of processes applied
};

/// Processors of one kind with the device. They run side by side in time slices.
class Machine {
 public:
  /// Creates one processor per trace.
  Machine(const models::Target& target, const models::Parameters& parameters,
          std::vector<std::unique_ptr<trace::Reader>> traces, Setup setup = {});
  [[nodiscard]] Device& device() { return *device_; }
  [[nodiscard]] ModelledProcessor& processor(unsigned cpu) { return *processors_.at(cpu); }
  /// The profile-me period of the set-up.
  [[nodiscard]] std::uint64_t profile_me_period() const { return profile_me_period_; }
  /// Runs all processors for `cycles` or to the end of their traces; false when all are at the end.
  bool run(Cycle cycles);
  void run_to_end() {
    while (run(slice)) {
    }
  }

 private:
  static constexpr Cycle slice = 8192;
  std::vector<std::unique_ptr<ModelledProcessor>> processors_;
  std::unique_ptr<Device> device_;
  std::uint64_t profile_me_period_;
  Cycle now_ = 0;
};

}  // namespace pmusim::testbench::pfm
