// Registers on a TLM-2.0 bus: what travels with an access besides address and data, and a bus master's
// side of it. Address: (space << 32) | number. Data: 8 bytes, little endian, whatever the register's width; 4 bytes
// where the register has no more. register_window.h gives registers plain addresses, for buses whose software sees
// memory.
#pragma once

#include <tlm>

#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// The originator of the access (in), and the exception that it takes (out). An access without it is made by the most
/// privileged level.
struct PrivilegeExtension : tlm::tlm_extension<PrivilegeExtension> {
  Accessor who;               ///< the initiator sets it
  Fault fault = Fault::none;  ///< the target sets it
  /// For TLM's memory management.
  [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new PrivilegeExtension(*this); }
  /// For TLM's memory management.
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const PrivilegeExtension&>(other);
  }
};

/// Result of an access over the bus: the response of the transport, and the target's own.
struct BusResult {
  tlm::tlm_response_status response = tlm::TLM_INCOMPLETE_RESPONSE;  ///< of the transport
  Fault fault = Fault::none;                                         ///< of the register
  std::uint64_t value = 0;                                           ///< of a read that was made
  /// Whether the access was made.
  [[nodiscard]] bool ok() const { return response == tlm::TLM_OK_RESPONSE && fault == Fault::none; }
};

/// Makes one blocking read or write through anything that has b_transport (an initiator socket's interface).
BusResult bus_read(tlm::tlm_fw_transport_if<>& bus, RegisterId id, const Accessor& who = {});
/// The same for a write.
BusResult bus_write(tlm::tlm_fw_transport_if<>& bus, RegisterId id, std::uint64_t value, const Accessor& who = {});

}  // namespace pmusim::pmu
