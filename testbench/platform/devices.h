// Devices on the bus: memory, and an interrupt controller.
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

namespace platform {

/// Memory with a latency. Initiators that run ahead of time may access it directly.
class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket;

  Memory(const sc_core::sc_module_name& name, std::size_t size, sc_core::sc_time latency)
      : sc_module(name), socket("socket"), bytes_(size), latency_(latency) {
    socket.register_b_transport(this, &Memory::transport);
    socket.register_transport_dbg(this, &Memory::debug);
    socket.register_get_direct_mem_ptr(this, &Memory::direct);
  }
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    delay += latency_;
    if (payload.get_byte_enable_ptr() != nullptr) {
      payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    } else if (payload.get_streaming_width() < payload.get_data_length()) {
      payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    } else {
      payload.set_response_status(debug(payload) == payload.get_data_length() ? tlm::TLM_OK_RESPONSE
                                                                              : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
  }
  unsigned debug(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address(), length = payload.get_data_length();
    if (address > bytes_.size() || length > bytes_.size() - address) return 0;
    const auto place = bytes_.begin() + static_cast<std::ptrdiff_t>(address);
    if (payload.is_read()) std::copy_n(place, length, payload.get_data_ptr());
    if (payload.is_write()) std::copy_n(payload.get_data_ptr(), length, place);
    return static_cast<unsigned>(length);
  }
  bool direct(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.set_dmi_ptr(bytes_.data());
    dmi.set_start_address(0);
    dmi.set_end_address(bytes_.size() - 1);
    dmi.set_read_latency(latency_);
    dmi.set_write_latency(latency_);
    dmi.allow_read_write();
    return true;
  }

  std::vector<unsigned char> bytes_;
  sc_core::sc_time latency_;
};

/// An interrupt controller for lines that are high until they are acknowledged. Three registers of 4 bytes:
///   0x0  PENDING      bit n: line n is high. Read only
///   0x4  ENABLE       bit n: line n reaches the processor. 0 after reset
///   0x8  ACKNOWLEDGE  writing bit n pulses the wire back to the device of line n. Reads as 0
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

// The platform's bus: any number of initiators, and targets at addresses. Each transfer takes the bus latency.

/// Sets command, address and data of a payload; its other fields are left as constructed.
inline void set_transfer(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
                         unsigned char* data, unsigned bytes) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
}

class Bus : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<Bus> initiators;
  tlm_utils::multi_passthrough_initiator_socket<Bus> targets;

  Bus(const sc_core::sc_module_name& name, sc_core::sc_time latency);
  /// Sets the address range of the next target to be bound.
  void map(std::uint64_t base, std::uint64_t size) { regions_.push_back({base, size}); }

 private:
  struct Region {
    std::uint64_t base, size;
  };
  void transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(int initiator, tlm::tlm_generic_payload& payload);
  bool direct(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  /// Number of the target that contains the whole transfer, or -1.
  [[nodiscard]] int target_of(const tlm::tlm_generic_payload& payload) const;
  /// Calls the target and restores the address. False if there is none.
  template <class Call>
  bool pass(tlm::tlm_generic_payload& payload, const Call& call);

  sc_core::sc_time latency_;
  std::vector<Region> regions_;
};

}  // namespace platform
