#include "bus.h"

namespace platform {

Bus::Bus(const sc_core::sc_module_name& name, sc_core::sc_time latency)
    : sc_module(name), initiators("initiators"), targets("targets"), latency_(latency) {
  initiators.register_b_transport(this, &Bus::transport);
  initiators.register_transport_dbg(this, &Bus::debug);
  initiators.register_get_direct_mem_ptr(this, &Bus::direct);
}

int Bus::target_of(const tlm::tlm_generic_payload& payload) const {
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const std::uint64_t offset = payload.get_address() - regions_[i].base;
    if (offset < regions_[i].size && payload.get_data_length() <= regions_[i].size - offset) return static_cast<int>(i);
  }
  return -1;
}

void Bus::transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const int target = target_of(payload);
  if (target < 0) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const std::uint64_t address = payload.get_address();
  payload.set_address(address - regions_[static_cast<std::size_t>(target)].base);
  targets[target]->b_transport(payload, delay);
  payload.set_address(address);
  delay += latency_;  // after the access: the time of the response
}

unsigned Bus::debug(int, tlm::tlm_generic_payload& payload) {
  const int target = target_of(payload);
  if (target < 0) return 0;
  const std::uint64_t address = payload.get_address();
  payload.set_address(address - regions_[static_cast<std::size_t>(target)].base);
  const unsigned done = targets[target]->transport_dbg(payload);
  payload.set_address(address);
  return done;
}

bool Bus::direct(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const int target = target_of(payload);
  if (target < 0) return false;
  const std::uint64_t address = payload.get_address(), base = regions_[static_cast<std::size_t>(target)].base;
  payload.set_address(address - base);
  const bool granted = targets[target]->get_direct_mem_ptr(payload, dmi);
  payload.set_address(address);
  dmi.set_start_address(dmi.get_start_address() + base);
  dmi.set_end_address(dmi.get_end_address() + base);
  dmi.set_read_latency(dmi.get_read_latency() + latency_);
  dmi.set_write_latency(dmi.get_write_latency() + latency_);
  return granted;
}

}  // namespace platform
