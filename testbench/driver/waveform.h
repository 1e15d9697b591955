// The waveform of a session on SystemC: the wires of each PMU and, clocked cycle by cycle, what it and the core hold.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "models/pmu/signal_module.h"
#include "testbench/driver/waveform_file.h"
#include "testbench/driver/waveform_plan.h"

namespace pmusim::testbench {

/// Every signal shows the cycle that ended with the clock edge at which it changes. A cycle without a change writes
/// nothing, unless WaveGroup::clock is on.
class Waveform {
 public:
  /// Throws as WaveformFile and WaveformLayout do. `plan` must outlive it.
  Waveform(const std::filesystem::path& file, const WaveformPlan& plan);
  ~Waveform();
  /// The wires of a PMU in block mode: interrupt and pins.
  void add(pmu::PmuShell& shell);
  /// A PMU in signal mode with its wires. The first such PMU also shows the core.
  void add(pmu::SignalPmuModule& module, sc_core::sc_signal_in_if<bool>& clock);
  /// Writes the file and, beside a regular one, its layout. Throws trace::TraceError.
  void close();

 private:
  class Core;
  class Pmu;
  using Look = WaveformLayout::Look;
  /// The variable of a value that is shown under this name.
  std::uint64_t& place(const std::string& name, unsigned width, Look look, bool in_layout = true);

  const WaveformPlan& plan_;
  WaveformFile file_;
  WaveformLayout layout_;
  std::deque<std::uint64_t> places_;
  std::unique_ptr<Core> core_;
  std::vector<std::unique_ptr<Pmu>> pmus_;
};

}  // namespace pmusim::testbench
