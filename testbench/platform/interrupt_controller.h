// An interrupt controller for lines that are high until they are acknowledged. Three registers of 4 bytes:
//   0x0  PENDING      bit n: line n is high. Read only
//   0x4  ENABLE       bit n: line n reaches the processor. 0 after reset
//   0x8  ACKNOWLEDGE  writing bit n pulses the wire back to the device of line n. Reads as 0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

namespace platform {

class InterruptController : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t pending = 0x0, enable = 0x4, acknowledge = 0x8, size = 0xc;
  tlm_utils::simple_target_socket<InterruptController> socket;
  sc_core::sc_vector<sc_core::sc_in<bool>> lines;
  sc_core::sc_vector<sc_core::sc_out<bool>> acknowledged;
  sc_core::sc_in<bool> reset;
  sc_core::sc_out<bool> interrupt;  ///< to the processor

  InterruptController(const sc_core::sc_module_name& name, unsigned line_count, sc_core::sc_time period);

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);
  void update();
  void drive_acknowledged();
  [[nodiscard]] std::uint32_t levels() const;

  sc_core::sc_time period_;
  std::uint32_t enabled_ = 0, acknowledging_ = 0;
  sc_core::sc_time pulse_end_;
  sc_core::sc_event written_{"written"}, pulse_{"pulse"};
};

}  // namespace platform
