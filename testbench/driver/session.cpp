#include "testbench/driver/session.h"

#include <set>
#include <stdexcept>

#include "testbench/driver/engine.h"
#include "testbench/driver/wraps.h"

namespace pmusim::testbench {

namespace {

/// Perturbing mode: a handler whose own events overflow the counter again leaves the program no time.
class ProgressGuard {
 public:
  void interrupted(std::uint64_t instructions) {
    without_ = instructions == instructions_ ? without_ + 1 : 0;
    instructions_ = instructions;
    if (without_ < most) return;
    throw std::runtime_error(fmt::format(
        "perturbing mode: {} interrupts in a row without an instruction of the program between them, after its "
        "instruction {}: the handler's own events overflow the counter; use a longer period or a shorter handler",
        most, instructions));
  }

 private:
  static constexpr std::uint64_t most = 1000;
  std::uint64_t instructions_ = 0, without_ = 0;
};

/// The strictest limit that the options imply.
SilenceLimit silence_of(const SessionOptions& options) {
  SilenceLimit limit = options.silence;
  if (options.perturb && silence_of_perturbation.cycles < limit.cycles) limit = silence_of_perturbation;
  if (options.engine == Engine::signals && silence_of_waveform.cycles < limit.cycles) limit = silence_of_waveform;
  return limit;
}

/// What a waveform shows of the activity, besides what its PMUs read.
activity::Subscription shown_by(const WaveformPlan& plan) {
  if (plan.has(WaveGroup::signals)) return activity::Subscription::everything();
  activity::Subscription shown;
  if (plan.has(WaveGroup::core) || plan.has(WaveGroup::states)) shown.states.set();
  if (plan.has(WaveGroup::core)) {  // the pc
    shown.add_named(activity::Signal::retire);
    shown.each_retired = true;
  }
  return shown;
}

}  // namespace

Session::Session(const models::Target& target, const models::Parameters& parameters, const SessionOptions& options)
    : target_(target), parameters_(parameters), options_(options) {
  if (options.block_cycles == 0) throw std::invalid_argument("a block must have at least 1 cycle");
  if (options.region.begin >= options.region.end) {
    throw std::invalid_argument("the region of interest is empty: its begin must be below its end");
  }
  if (!options.vcd.empty() && options.engine == Engine::direct) {
    throw std::invalid_argument("a waveform needs an engine on SystemC");
  }
}

Session::~Session() = default;

std::size_t Session::add_monitor(MonitorSetup setup) {
  if (setup.probe != nullptr && options_.engine == Engine::blocks)
    throw std::invalid_argument(
        "a probe needs an engine in which a PMU sees each cycle once: the signal engine or the direct one");
  setups_.push_back(std::move(setup));
  return setups_.size() - 1;
}

void Session::add_observer(std::function<void(const Block&)> observer) { observers_.push_back(std::move(observer)); }

void Session::on_progress(std::function<void(std::uint64_t instructions)> progress) { progress_ = std::move(progress); }

SessionResult Session::run(std::unique_ptr<trace::Reader> trace) {
  return run_core(target_.make_core(std::move(trace), parameters_));
}

SessionResult Session::run(std::vector<std::unique_ptr<trace::Reader>> traces) {
  if (traces.empty() || traces.size() > target_.threads()) {
    throw std::invalid_argument(fmt::format(
        "target {} runs {}; {} are given", target_.name,
        target_.threads() == 1 ? "one trace" : fmt::format("one to {} traces", target_.threads()), traces.size()));
  }
  return run_core(core_of(target_, parameters_, std::move(traces)));
}

SessionResult Session::run_core(std::unique_ptr<core::Core> core) {
  core->subscribe(subscription());
  CoreSource source(std::move(core), options_.counted(), options_.perturb);
  SessionResult result = run(source);
  result.first_instruction = source.first();
  for (unsigned thread = 0; thread < result.instructions_of.size(); ++thread)
    result.instructions_of[thread] = source.instructions_of(thread);
  return result;
}

SessionResult Session::run(ActivitySource& source) {
  if (std::exchange(used_, true)) throw std::logic_error("a session runs once; make another one");
  if (options_.perturb) check_perturbation();
  SessionResult result;
  result.first_cycle = source.now();
  result.monitors.resize(setups_.size());
  std::vector<EngineMonitor> monitors;
  for (std::size_t i = 0; i < setups_.size(); ++i) {
    const MonitorSetup& setup = setups_[i];
    std::unique_ptr<pmu::Monitor> monitor = monitor_of(setup);
    monitor->watch(setup.probe);
    std::vector<std::uint64_t*> tallies;
    if (!setup.taken && setup.probe == nullptr && !options_.perturb && (!setup.handler || !setup.tallies.empty())) {
      tallies = setup.tallies;
      tallies.push_back(&result.monitors[i].interrupts);
    }
    monitors.push_back(
        {std::move(monitor),
         [this, i, &result](const pmu::EntryState& entry) {
           ++result.monitors[i].interrupts;
           taken_ = true;
           if (setups_[i].taken) setups_[i].taken(entry);
           if (setups_[i].handler) setups_[i].handler(engine_->bus(i), entry);
         },
         [i, &result](const pmu::AccessReport& report) { result.monitors[i].accesses.push_back(report); }, setup.called,
         std::move(tallies)});
  }
  options_.wave.target = &target_;
  const auto make = options_.engine == Engine::direct ? make_direct : make_systemc;
  engine_ = make(std::move(monitors), options_, result.first_cycle);
  engine_->run([&] { drive(source, result); });
  return result;
}

std::unique_ptr<pmu::Monitor> Session::monitor_of(const MonitorSetup& setup) const {
  std::unique_ptr<pmu::Monitor>& fresh = fresh_[setup.thread];
  if (fresh == nullptr) {
    models::Parameters parameters = parameters_;
    if (setup.thread) parameters.set("pmu.thread", std::int64_t{*setup.thread});
    fresh = target_.make_monitor(parameters);
  }
  return fresh->clone();
}

// Observers read all activity. A handler may write any register, unless it only counts. The core knows in advance which
// registers the program itself writes.
activity::Subscription Session::subscription() const {
  if (!observers_.empty()) return activity::Subscription::everything();
  activity::Subscription all;
  if (options_.engine == Engine::signals) all = shown_by(options_.wave);
  all.add(activity::Signal::retire);  // after an instruction an interrupt can be taken
  for (const MonitorSetup& setup : setups_) {
    const bool may_write = setup.handler && setup.tallies.empty();
    if (may_write || setup.probe != nullptr) return activity::Subscription::everything();
    const std::unique_ptr<pmu::Monitor> monitor = monitor_of(setup);
    for (const RegisterWrite& write : setup.writes) (void)monitor->write(write.id, write.value, {});
    all |= monitor->subscription();
  }
  return all;
}

void Session::check_perturbation() const {
  std::set<std::optional<unsigned>> threads;
  for (const MonitorSetup& setup : setups_) threads.insert(setup.thread);
  if (threads.size() == setups_.size() && !threads.empty()) return;
  throw std::invalid_argument(
      "perturbing mode is for one PMU a hardware thread: the interrupts of several would change each other's activity");
}

// 1. program, 2. make a block, 3. show it to observers and PMUs, 4. perturb, again from 2; 5. read back.
void Session::drive(ActivitySource& source, SessionResult& result) {
  TimeKeeper& engine = *engine_;
  const SessionOptions& options = options_;
  for (std::size_t i = 0; i < setups_.size(); ++i) {
    for (const RegisterWrite& write : setups_[i].writes) engine.bus(i).write(write.id, write.value);
  }
  std::vector<std::unique_ptr<WrapWatch>> watches(setups_.size());
  for (std::size_t i = 0; options.watch_wraps && i < watches.size(); ++i) {
    if (!setups_[i].handler) watches[i] = std::make_unique<WrapWatch>(target_, engine.bus(i));
  }
  std::vector<std::size_t> seen(watches.size());  // accesses of the program
  Cycle cycles = options.block_cycles;
  ProgressGuard guard;
  Silence silence(silence_of(options));
  while (true) {
    if (options.perturb) {  // the first cycle after which an interrupt can be taken is the last of a block
      Cycle quiet = activity::never;
      for (std::size_t i = 0; i < setups_.size(); ++i) {
        quiet = std::min(quiet, engine.follower(i).quiet_cycles());
      }
      cycles = quiet < options.block_cycles ? quiet + 1 : options.block_cycles;
    }
    const Block* const block = source.next(cycles);
    if (block == nullptr) break;
    silence.add(*block);
    for (const auto& observer : observers_) observer(*block);
    if (options.perturb) engine.hold_until(block->end - 1);
    for (const auto& watch : watches) {
      if (watch != nullptr) watch->before(*block);
    }
    engine.consume(*block);
    for (std::size_t i = 0; i < watches.size(); ++i) {
      if (watches[i] == nullptr) continue;
      const std::span accesses(result.monitors[i].accesses);
      watches[i]->after(*block, accesses.subspan(seen[i]));
      seen[i] = accesses.size();
    }
    if (progress_) progress_(source.instructions());
    if (std::exchange(taken_, false) && options.perturb) {
      guard.interrupted(source.instructions());
      source.take_interrupt(options.handler_instructions);
    }
  }
  result.end_cycle = source.now();
  result.instructions = source.instructions();
  read_back(result);
  for (std::size_t i = 0; i < watches.size(); ++i) {
    if (watches[i] == nullptr) continue;
    for (const RegisterReading& reading : result.monitors[i].registers) {
      const std::uint64_t wraps = watches[i]->wraps(reading.info.name);
      if (wraps != 0) result.monitors[i].wraps.emplace(reading.info.name, wraps);
    }
  }
}

void Session::read_back(SessionResult& result) {
  for (std::size_t i = 0; i < result.monitors.size(); ++i) {
    const pmu::Monitor& monitor = engine_->follower(i).monitor();
    MonitorResult& reading = result.monitors[i];
    for (const pmu::RegisterInfo& info : monitor.registers()) {
      const pmu::AccessResult got = engine_->bus(i).try_read(info.id);
      if (got.fault == pmu::Fault::none) reading.registers.push_back({info, got.value});
    }
    reading.not_modelled = monitor.not_modelled();
    for (unsigned c = 0; c < monitor.counter_count(); ++c) reading.counters.push_back(monitor.probe(c).value);
    if (options_.keep_monitors) reading.monitor = monitor.clone();
  }
}

}  // namespace pmusim::testbench
