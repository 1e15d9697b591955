// The works whose times are compared. Each returns a digest of its result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "testbench/driver/activity_source.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// A target with all its counters programmed, on a trace. Each hardware thread runs the trace and has its own PMU.
struct Workload {
  /// Throws std::invalid_argument for a target without a counter setting here.
  Workload(std::string_view target, std::filesystem::path trace);

  /// Decode, core, PMU; reads the registers at the end.
  [[nodiscard]] std::uint64_t run(Engine engine) const;
  /// The same from memory, for a trace of one instruction: the fixed cost of a run.
  [[nodiscard]] std::uint64_t run_nothing() const;
  /// Runs only the PMU, on recorded activity.
  [[nodiscard]] std::uint64_t replay(const ActivityLog& log, Engine engine) const;
  [[nodiscard]] ActivityLog record() const;
  /// Decodes every instruction of the trace with its class and its accesses.
  [[nodiscard]] std::uint64_t decode() const;
  [[nodiscard]] std::uint64_t instructions() const;

 private:
  [[nodiscard]] std::vector<std::unique_ptr<trace::Reader>> readers() const;
  void program(Session& session) const;
  [[nodiscard]] std::uint64_t run(std::vector<std::unique_ptr<trace::Reader>> readers, Engine engine) const;

  const models::Target* target_;
  std::filesystem::path trace_;
};

}  // namespace pmusim::testbench
