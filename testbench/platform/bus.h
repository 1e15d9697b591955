// The platform's bus: any number of initiators, and targets at addresses. Each transfer takes the bus latency.
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

namespace platform {

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

  sc_core::sc_time latency_;
  std::vector<Region> regions_;
};

}  // namespace platform
