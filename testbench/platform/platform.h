// A whole platform: core, memory, interrupt controller and a PMU behind a window, on one bus.
//
//   0x00000  memory, 32 KiB              core.interrupt <- controller.interrupt
//   0x10000  registers of the PMU        controller.lines[0] <- pmu.interrupt
//   0x20000  interrupt controller        pmu.taken <- controller.acknowledged[0]
#pragma once

#include <models/pmu/pmu_module.h>
#include <models/pmu/register_window.h>
#include <models/pmu/signal_module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "activity_feed.h"
#include "core.h"
#include "devices.h"
#include "programming.h"

namespace platform {

struct Options {
  std::string target = "athlon";
  std::vector<std::string> events = {"RETIRED_INSTRUCTIONS:u"};
  std::uint64_t period = 0;     ///< events of the first counter between two interrupts; 0: no interrupts
  std::uint64_t turns = 1000;   ///< iterations of the program's loop
  bool cycle_accurate = false;  ///< PMU clocked over wires; the core synchronises in every cycle
  std::uint64_t quantum = 200;  ///< otherwise: cycles that the core runs ahead
  unsigned bus_bytes = 8;       ///< size of the driver's accesses to the PMU: 8, or 4
  Detail detail = Detail::instructions;
};

class Platform : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t pmu_base = 0x10000, controller_base = 0x20000;

  Platform(const sc_core::sc_module_name& name, const Options& options);

  /// The handler's record of one interrupt.
  struct Entry {
    std::uint64_t pc = 0;
    std::vector<std::uint64_t> counters;
  };
  [[nodiscard]] std::uint64_t interrupts();
  [[nodiscard]] std::vector<Entry> log();
  /// Counters at the end, in the order of the events.
  [[nodiscard]] std::vector<std::uint64_t> results();
  /// Times at which the PMU's wire rose.
  [[nodiscard]] const std::vector<sc_core::sc_time>& requests() const { return requests_; }
  [[nodiscard]] const Programming& programming() const { return programming_; }
  [[nodiscard]] const std::string& failure() const { return core.failure(); }
  /// A debugger's access, which takes no time. Returns the number of bytes transferred.
  unsigned peek(std::uint64_t address, unsigned char* data, unsigned bytes) {
    return debug(tlm::TLM_READ_COMMAND, address, data, bytes);
  }
  unsigned poke(std::uint64_t address, unsigned char* data, unsigned bytes) {
    return debug(tlm::TLM_WRITE_COMMAND, address, data, bytes);
  }
  [[nodiscard]] std::uint64_t quad(std::uint64_t address);

 private:
  Options options_;
  const pmusim::models::Target& target_;
  ActivityFeed feed_;
  Programming programming_;
  std::unique_ptr<pmusim::pmu::ActivityWires> wires_;
  sc_core::sc_clock clock_;

 public:
  Core core;
  Bus bus;
  Memory memory;
  InterruptController controller;
  std::unique_ptr<pmusim::pmu::PmuShell> pmu;
  std::unique_ptr<pmusim::pmu::RegisterWindow> window;
  tlm_utils::simple_initiator_socket<Platform> debugger;  ///< a second master of the bus
  sc_core::sc_signal<bool> reset{"reset"}, halted{"halted"};
  bool stops_at_halt = true;

 private:
  [[nodiscard]] std::unique_ptr<pmusim::pmu::PmuShell> make_pmu();
  void load_software();
  unsigned debug(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned bytes);
  void note_request();
  void halt_reached();

  sc_core::sc_signal<bool> line_{"line"}, acknowledged_{"acknowledged"}, to_core_{"to_core"};
  std::vector<sc_core::sc_time> requests_;
};

}  // namespace platform
