// A session runs one target on one trace, with any number of programmed PMUs that all receive the same activity. It
// builds the core, the modules and the bus, programs the registers, runs, handles interrupts and reads everything back.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "models/core/core.h"
#include "models/pmu/follower.h"
#include "models/targets.h"
#include "testbench/driver/activity_source.h"
#include "testbench/driver/waveform_plan.h"

namespace pmusim::testbench {

// Limits of the time in which nothing happens. A trace of two lines can last for 2^53 cycles, and what follows the
// activity cycle by cycle, or block by block, must end.

/// The most cycles without activity that one run goes through, in all.
struct SilenceLimit {
  activity::Cycle cycles;
  std::string_view of;  ///< what has the limit
};
/// PMUs take such cycles in blocks of up to 2^31.
inline constexpr SilenceLimit silence_of_run{activity::Cycle{1} << 49, "of a run"};
/// Some thousand PMUs or recorders at once.
inline constexpr SilenceLimit silence_of_validation{activity::Cycle{1} << 40, "of a validation"};
inline constexpr SilenceLimit silence_of_explanation{activity::Cycle{1} << 40, "of an explanation"};
/// The processor could take an interrupt after any of them, so that blocks stay short.
inline constexpr SilenceLimit silence_of_perturbation{activity::Cycle{1} << 30, "with --perturb"};
/// Each edge of the clock is simulated.
inline constexpr SilenceLimit silence_of_waveform{activity::Cycle{1} << 20, "of a waveform"};

/// Adds up the cycles of blocks in which nothing happens.
class Silence {
 public:
  explicit Silence(SilenceLimit limit) : limit_(limit) {}
  /// Throws core::CoreError as soon as there are too many.
  void add(const activity::Block& block) {
    const auto is_empty = [](const auto& column) { return column.empty(); };
    if (!block.accesses.empty() || !std::all_of(block.columns.begin(), block.columns.end(), is_empty)) return;
    cycles_ += block.end - block.begin;
    if (cycles_ <= limit_.cycles) return;
    throw core::CoreError(fmt::format(
        "cycle {}: nothing happens in more than {} cycles, the limit {}; shorten the idle time of the trace",
        block.begin, limit_.cycles, limit_.of));
  }

 private:
  SilenceLimit limit_;
  activity::Cycle cycles_ = 0;
};

/// What keeps the time.
enum class Engine : std::uint8_t {
  blocks,   ///< SystemC; PMUs consume blocks and sleep until something must react
  signals,  ///< SystemC, clock by clock over signals, which a waveform shows
  direct    ///< without SystemC: the same model is called directly. A process may run any number of such sessions
};

struct RegisterWrite {
  pmu::RegisterId id;
  std::uint64_t value = 0;
};

/// The registers of one PMU, as its bus has them. Accesses are made by the most privileged level.
class RegisterBus {
 public:
  virtual ~RegisterBus() = default;
  virtual pmu::AccessResult try_read(pmu::RegisterId id) = 0;
  virtual pmu::AccessResult try_write(pmu::RegisterId id, std::uint64_t value) = 0;
  /// The same for accesses that have to succeed: throw std::runtime_error that names register and fault.
  std::uint64_t read(pmu::RegisterId id);
  void write(pmu::RegisterId id, std::uint64_t value);
  /// The model that holds the registers, in its state between two cycles.
  [[nodiscard]] virtual const pmu::Monitor& monitor() const = 0;
};

/// Called between two cycles when the processor takes the PMU's interrupt. It takes no model time.
using InterruptHandler = std::function<void(RegisterBus&, const pmu::EntryState&)>;

/// One programmed PMU.
struct MonitorSetup {
  std::vector<RegisterWrite> writes;    ///< made in this order before the first cycle
  InterruptHandler handler;             ///< may be empty: the interrupt is taken and nothing happens
  std::optional<unsigned> thread = {};  ///< hardware thread whose registers it is; empty: what `pmu.thread` says
  pmu::Probe* probe = nullptr;          ///< records it from its writes on (not Engine::blocks), or null
  bool called = false;  ///< Engine::blocks: no SystemC module of its own; the same model is called after each block
  std::function<void(const pmu::EntryState&)> taken = {};  ///< sees each interrupt as it is taken, before the handler
  std::vector<std::uint64_t*> tallies = {};  ///< all that the handler changes, if it only counts and writes no
                                             ///< register: it need not be called for each interrupt of a stretch in
                                             ///< which nothing else happens
};

struct SessionOptions {
  Engine engine = Engine::blocks;
  Cycle block_cycles = 1024;            ///< cycles of a block at a time; no result depends on it
  std::uint64_t warmup = 0;             ///< instructions that warm up caches and predictors and are not counted
  Region region;                        ///< instructions counted, as far as they come after the warm-up
  bool perturb = false;                 ///< the core executes the interrupt entry; one PMU a hardware thread
  unsigned handler_instructions = 100;  ///< perturbing mode: length of the handler
  bool counter_reads_allowed = true;    ///< x86 CR4.PCE, for accesses of the program itself
  std::filesystem::path vcd;            ///< waveform; in blocks of the wires alone, by signals of all that `wave` says
  WaveformPlan wave;                    ///< what it shows
  bool keep_monitors = true;            ///< false: MonitorResult::monitor stays null
  SilenceLimit silence = silence_of_run;  ///< further limits apply to a waveform and to the perturbing mode
  bool watch_wraps = false;               ///< counts the wraps of counters that no handler writes

  /// The region without the instructions that warm up.
  [[nodiscard]] Region counted() const { return {std::max(region.begin, warmup), region.end}; }
};

struct RegisterReading {
  pmu::RegisterInfo info;
  std::uint64_t value = 0;
};

struct MonitorResult {
  std::vector<RegisterReading> registers;   ///< all registers that can be read, after the last cycle
  std::vector<pmu::AccessReport> accesses;  ///< of the program itself
  std::vector<std::string> not_modelled;    ///< selected events that the model cannot count, as sentences
  std::uint64_t interrupts = 0;             ///< taken
  std::vector<std::uint64_t> counters;      ///< includes those that no register shows (Monitor::probe())
  std::map<std::string, std::uint64_t, std::less<>>
      wraps;  ///< SessionOptions::watch_wraps, by counter register; counters without a wrap are left out
  std::shared_ptr<const pmu::Monitor> monitor;  ///< a copy, for what no register shows
  /// Finds a register by the manual's name, in any case. Throws std::out_of_range for an unknown name.
  [[nodiscard]] const RegisterReading& reading(std::string_view name) const;
  [[nodiscard]] std::uint64_t value(std::string_view name) const { return reading(name).value; }
};

struct SessionResult {
  Cycle first_cycle = 0;  ///< after the warm-up
  Cycle end_cycle = 0;
  std::uint64_t first_instruction = 0;  ///< number in the trace of the first one counted; 0 for replayed activity
  std::uint64_t instructions = 0;       ///< counted: all that retired in [first_cycle, end_cycle)
  std::array<std::uint64_t, 2> instructions_of{};  ///< the same by hardware thread; 0 for replayed activity
  std::vector<MonitorResult> monitors;
};

class TimeKeeper;

class Session {
 public:
  /// Throws std::invalid_argument for options that exclude each other.
  Session(const models::Target& target, const models::Parameters& parameters, const SessionOptions& options = {});
  ~Session();
  /// Index of the PMU in the result. Before run().
  std::size_t add_monitor(MonitorSetup setup);
  /// Called with every counted block before the PMUs consume it. An observed core reports all activity, which takes
  /// longer.
  /// Before run().
  void add_observer(std::function<void(const Block&)> observer);
  /// Called after each counted block with the number of instructions counted so far. Set it before run().
  void on_progress(std::function<void(std::uint64_t instructions)> progress);

  /// Runs to the end of trace or region. Once per session. Engines on SystemC: once per process, because
  /// SystemC allows no second simulation (std::logic_error). Passes errors of trace, core and monitors on, and throws
  /// std::invalid_argument if the trace ends before the region begins.
  SessionResult run(std::unique_ptr<trace::Reader> trace);
  /// The same with a trace for each hardware thread, the first for thread 0. Throws std::invalid_argument for more
  /// traces than the target has threads.
  SessionResult run(std::vector<std::unique_ptr<trace::Reader>> traces);
  /// The same on recorded or foreign activity. options.warmup and options.region do not apply.
  SessionResult run(ActivitySource& source);

 private:
  SessionResult run_core(std::unique_ptr<core::Core> core);
  [[nodiscard]] std::unique_ptr<pmu::Monitor> monitor_of(const MonitorSetup& setup) const;
  [[nodiscard]] activity::Subscription subscription() const;
  void check_perturbation() const;
  void drive(ActivitySource& source, SessionResult& result);
  void read_back(SessionResult& result);
  const models::Target& target_;
  models::Parameters parameters_;
  SessionOptions options_;
  std::vector<MonitorSetup> setups_;
  std::vector<std::function<void(const Block&)>> observers_;
  std::function<void(std::uint64_t)> progress_;
  std::unique_ptr<TimeKeeper> engine_;
  bool taken_ = false;  ///< an interrupt was taken in the block just consumed
  bool used_ = false;
  /// Monitors by thread; each PMU gets a copy.
  mutable std::map<std::optional<unsigned>, std::unique_ptr<pmu::Monitor>> fresh_;
};

}  // namespace pmusim::testbench
