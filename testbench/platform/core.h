// The platform's processor: integer instructions of the Alpha, one per cycle, and a few PALcode calls. It runs the
// software and is the source of the PMU's activity.
//
// Time: the core runs ahead of SystemC's time by up to `quantum` cycles, then passes their activity to the PMU as a
// block and waits. It also does so before every access to a device. With a quantum of 1 each cycle is synchronised. An
// instruction takes one cycle, plus the cycles of its data accesses before it.
//
// Interrupts: taken at the first instruction after a synchronisation at which the wire was already high, at levels
// below 6. PC and PS are pushed on the stack ($30), execution continues at 0x100, at kernel level, level 7. PS is 8 at
// user level; its low bits are the interrupt level.
//
// PALcode: 0x00 halt; 0x35 swpipl: sets the level to $16; 0x3f rti: pops PC and PS from the stack; 0x83 callsys: enters
// 0x180.
// 0x180.
#pragma once

#include <models/pmu/activity_if.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "activity_feed.h"

namespace platform {

struct CoreOptions {
  sc_core::sc_time period{1, sc_core::SC_NS};
  pmusim::activity::Cycle quantum = 1;
  bool direct_memory = true;  ///< uses pointers to memory that grants them
};

class Core : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Core> bus;
  sc_core::sc_port<pmusim::pmu::ActivityIf> activity;
  sc_core::sc_in<bool> interrupt, reset;
  sc_core::sc_out<bool> halted;

  Core(const sc_core::sc_module_name& name, const CoreOptions& options, ActivityFeed& feed);
  [[nodiscard]] std::uint64_t retired() const { return retired_; }
  /// The reason of a halt in one line; empty if PALcode's halt was executed.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  struct Failure {
    std::string text;
  };
  void run();
  void run_program();
  void step();
  void execute(std::uint32_t word, Retired& done);
  void operate(std::uint32_t word);
  void call_pal(std::uint32_t function, Retired& done);
  void take_interrupt();
  void set_status(std::uint64_t status);
  std::uint64_t load(std::uint64_t address, unsigned bytes);
  void store(std::uint64_t address, std::uint64_t value, unsigned bytes);
  void transfer(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned bytes);
  unsigned char* direct(std::uint64_t address, unsigned bytes);
  void hand_over();
  void synchronise();
  [[nodiscard]] bool user() const { return (status_ & 8) != 0; }
  [[nodiscard]] sc_core::sc_time time_of(pmusim::activity::Cycle cycle) const { return cycle * options_.period; }
  void set(unsigned number, std::uint64_t value) {
    if (number != 31) registers_[number] = value;
  }

  CoreOptions options_;
  ActivityFeed& feed_;
  tlm::tlm_dmi memory_;
  bool memory_granted_ = false;
  pmusim::activity::Cycle handed_ = 0;  ///< end of the latest block
  std::array<std::uint64_t, 32> registers_{};
  std::uint64_t pc_ = 0, status_ = 7, retired_ = 0;
  std::vector<Access> accesses_;
  bool running_ = false;
  std::string failure_;
};

}  // namespace platform
