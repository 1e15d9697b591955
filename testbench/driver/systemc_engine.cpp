// Time kept by SystemC: every PMU is a module with a bus master in front of its registers. One thread delivers the
// activity and waits for its time to pass.
#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <exception>
#include <stdexcept>

#include "models/pmu/pmu_module.h"
#include "models/pmu/signal_module.h"
#include "testbench/driver/direct_engine.h"
#include "testbench/driver/engine.h"
#include "testbench/driver/waveform.h"

// SystemC tells AddressSanitizer when it changes to a process's stack, but not the bounds of the stack that it
// comes back to; an exception thrown afterwards would be reported as an overflow.
#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <cstddef>
#endif

namespace pmusim::testbench {

/// To be called after sc_start(), on the stack of the main program. Nothing without AddressSanitizer.
inline void restore_stack_bounds() {
#if defined(__SANITIZE_ADDRESS__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* bottom = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &bottom, &size);
  pthread_attr_destroy(&attributes);
  __sanitizer_start_switch_fiber(nullptr, bottom, size);
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

}  // namespace pmusim::testbench

namespace pmusim::testbench {
namespace {

using sc_core::sc_module;
using sc_core::sc_module_name;

/// The bus driver of one PMU.
class BusMaster final : public sc_module, public RegisterBus {
 public:
  tlm_utils::simple_initiator_socket<BusMaster> socket;
  BusMaster(const sc_module_name& name, pmu::PmuShell& shell) : sc_module(name), socket("socket"), shell_(&shell) {
    socket.bind(shell.registers);
  }
  pmu::AccessResult try_read(pmu::RegisterId id) override { return result_of(pmu::bus_read(*socket.operator->(), id)); }
  pmu::AccessResult try_write(pmu::RegisterId id, std::uint64_t value) override {
    return result_of(pmu::bus_write(*socket.operator->(), id, value));
  }

 private:
  const pmu::Monitor& monitor() const override { return shell_->monitor(); }
  // The module refuses a register space that the target does not have, before the monitor could report a fault.
  static pmu::AccessResult result_of(const pmu::BusResult& bus) {
    const bool refused = bus.response != tlm::TLM_OK_RESPONSE && bus.fault == pmu::Fault::none;
    return {refused ? pmu::Fault::illegal_instruction : bus.fault, bus.value};
  }
  pmu::PmuShell* shell_;
};

/// Runs the body of the session as a SystemC thread.
class Conductor final : public sc_module {
 public:
  explicit Conductor(const sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Conductor);
    SC_THREAD(conduct);
    set_stack_size(4 << 20);  // cores and readers run on it
  }
  std::function<void()> body;
  std::exception_ptr error;

 private:
  void conduct() {
    try {
      body();
    } catch (const sc_core::sc_unwind_exception&) {
      throw;  // how SystemC ends a thread
    } catch (...) {
      error = std::current_exception();
    }
    sc_core::sc_stop();
  }
};

class SystemCEngine final : public TimeKeeper {
 public:
  SystemCEngine(std::vector<EngineMonitor> monitors, const SessionOptions& options, Cycle first_cycle)
      : period_(1, sc_core::SC_NS), conductor_("conductor"), first_cycle_(first_cycle), shown_(options.wave.cycles) {
    const pmu::ModuleOptions module_options{period_, options.counter_reads_allowed, first_cycle};
    if (options.engine == Engine::signals) {
      clock_ = std::make_unique<sc_core::sc_clock>("clock", period_);
      wires_ = std::make_unique<pmu::ActivityWires>("activity");
      wires_->clock(*clock_);
      inputs_.push_back(wires_.get());
    }
    for (std::size_t i = 0; i < monitors.size(); ++i) {
      if (monitors[i].called && wires_ == nullptr)
        add_called(std::move(monitors[i]), module_options);
      else
        add(i, std::move(monitors[i]), module_options);
    }
    if (options.vcd.empty()) return;
    waveform_ = std::make_unique<Waveform>(options.vcd, options.wave);
    for (pmu::SignalPmuModule* module : clocked_) waveform_->add(*module, *clock_);
    for (std::size_t i = 0; clocked_.empty() && i < shells_.size(); ++i) waveform_->add(*shells_[i]);
  }

  void run(const std::function<void()>& body) override {
    conductor_.body = [&] {
      body();
      if (waveform_) sc_core::wait(period_);  // shows what the last edge changed
    };
    try {
      sc_core::sc_start();
    } catch (const sc_core::sc_report& report) {  // outside of a process of the module
      restore_stack_bounds();
      if (std::string_view(report.get_msg()) == "failed to allocate stack memory") throw std::bad_alloc();
      throw std::runtime_error(report.get_msg());
    }
    restore_stack_bounds();
    if (conductor_.error) std::rethrow_exception(conductor_.error);
    if (waveform_) waveform_->close();
  }

  void consume(const Block& block) override {
    if (clock_ != nullptr && past_window_) {
      for (pmu::SignalPmuModule* module : clocked_) module->consume_at_once(block);
      return;
    }
    for (pmu::ActivityIf* input : inputs_) input->consume(block);
    pass(block.begin, block.end);
    for (pmu::ActivityIf* input : inputs_) input->settle_block();
    for (pmu::SignalPmuModule* module : clocked_) module->settle_now();
    for (const auto& monitor : called_) monitor->consume(block);
  }

  RegisterBus& bus(std::size_t monitor) override { return *pmus_[monitor].bus; }
  const pmu::Follower& follower(std::size_t monitor) const override { return *pmus_[monitor].follower; }
  void hold_until(Cycle cycle) override {
    for (auto& shell : shells_) shell->hold_until(cycle);
    for (auto& monitor : called_) monitor->follower().hold_until(cycle);
  }

 private:
  void wait_cycles(Cycle cycles) { sc_core::wait(sc_core::sc_time::from_value(cycles * period_.value())); }
  /// The time of these cycles. The waveform is closed a cycle after its last one, which shows what the edge between
  /// them changed.
  void pass(Cycle begin, Cycle end) {
    if (waveform_ && end - first_cycle_ > shown_) {
      const Cycle closed = first_cycle_ + shown_ + 1;
      wait_cycles(closed - begin);
      begin = closed;
      waveform_->close();
      for (pmu::SignalPmuModule* module : clocked_) module->on_cycle({});
      waveform_.reset();
      past_window_ = true;
    }
    if (begin != end) wait_cycles(end - begin);
  }
  void add(std::size_t index, EngineMonitor parts, const pmu::ModuleOptions& options) {
    const std::string name = fmt::format("pmu{}", index);
    std::unique_ptr<pmu::PmuShell> shell;
    if (wires_ != nullptr) {
      auto module = std::make_unique<pmu::SignalPmuModule>(name.c_str(), std::move(parts.monitor), options);
      module->bind(*wires_, *clock_);
      clocked_.push_back(module.get());
      shell = std::move(module);
    } else {
      auto module = std::make_unique<pmu::PmuModule>(name.c_str(), std::move(parts.monitor), options);
      inputs_.push_back(module.get());
      shell = std::move(module);
    }
    shell->on_interrupt(std::move(parts.taken));
    shell->on_access(std::move(parts.accessed));
    masters_.push_back(std::make_unique<BusMaster>(fmt::format("bus{}", index).c_str(), *shell));
    shells_.push_back(std::move(shell));
    pmus_.push_back({masters_.back().get(), &shells_.back()->follower()});
  }
  void add_called(EngineMonitor parts, const pmu::ModuleOptions& options) {
    called_.push_back(
        std::make_unique<DirectMonitor>(std::move(parts), options.counter_reads_allowed, options.first_cycle));
    pmus_.push_back({&called_.back()->bus(), &called_.back()->follower()});
  }

  /// The parts of one PMU that every engine has.
  struct PmuParts {
    RegisterBus* bus;
    const pmu::Follower* follower;
  };
  sc_core::sc_time period_;
  Conductor conductor_;
  Cycle first_cycle_;
  Cycle shown_;  ///< cycles of the waveform
  std::unique_ptr<sc_core::sc_clock> clock_;
  std::unique_ptr<pmu::ActivityWires> wires_;
  std::vector<std::unique_ptr<pmu::PmuShell>> shells_;
  std::vector<std::unique_ptr<BusMaster>> masters_;
  std::vector<std::unique_ptr<DirectMonitor>> called_;
  std::vector<PmuParts> pmus_;
  std::vector<pmu::ActivityIf*> inputs_;
  std::vector<pmu::SignalPmuModule*> clocked_;
  std::unique_ptr<Waveform> waveform_;
  bool past_window_ = false;  ///< the waveform is written
};

}  // namespace

std::unique_ptr<TimeKeeper> make_systemc(std::vector<EngineMonitor> monitors, const SessionOptions& options,
                                         Cycle first_cycle) {
  static bool made = false;
  if (std::exchange(made, true)) {
    throw std::logic_error("SystemC allows one simulation per process; use another process or the direct engine");
  }
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  return std::make_unique<SystemCEngine>(std::move(monitors), options, first_cycle);
}

}  // namespace pmusim::testbench

// SystemC's library has a main() that calls this function. The programs here have a main() of their own and start the
// simulation from it, so the function is never called. It must exist for the linker, and it is weak so that a program
// can define its own.
[[gnu::weak]] int sc_main(int, char*[]) { return 0; }
