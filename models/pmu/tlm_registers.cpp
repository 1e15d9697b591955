#include "models/pmu/tlm_registers.h"

#include <array>

namespace pmusim::pmu {
namespace {

BusResult transfer(tlm::tlm_fw_transport_if<>& bus, tlm::tlm_command command, RegisterId id, std::uint64_t value,
                   const Accessor& who) {
  std::array<unsigned char, 8> data{};
  put_bytes(data.data(), 8, value);
  PrivilegeExtension privilege;
  privilege.who = who;
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(id.address());
  payload.set_data_ptr(data.data());
  payload.set_data_length(data.size());
  payload.set_streaming_width(data.size());
  payload.set_extension(&privilege);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  bus.b_transport(payload, delay);
  payload.clear_extension(&privilege);  // the extension is on the stack
  return {payload.get_response_status(), privilege.fault, get_bytes(data.data(), 8)};
}

}  // namespace

BusResult bus_read(tlm::tlm_fw_transport_if<>& bus, RegisterId id, const Accessor& who) {
  return transfer(bus, tlm::TLM_READ_COMMAND, id, 0, who);
}

BusResult bus_write(tlm::tlm_fw_transport_if<>& bus, RegisterId id, std::uint64_t value, const Accessor& who) {
  return transfer(bus, tlm::TLM_WRITE_COMMAND, id, value, who);
}

}  // namespace pmusim::pmu
