// Registers on a TLM-2.0 bus: the extension with the privilege and fault of an access, and functions for bus masters.
// Address: (space << 32) | number. Data: 8 bytes, little endian, for every register; 4 bytes are also legal if the
// register has no more. register_window.h gives registers plain addresses, for buses on which software accesses memory.
#pragma once

#include <cstdint>
#include <tlm>

#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// The originator of an access (in), and the exception that it takes (out). An access without this extension is made at
/// the most privileged level.
struct PrivilegeExtension : tlm::tlm_extension<PrivilegeExtension> {
  Accessor who;               ///< set by the initiator
  Fault fault = Fault::none;  ///< set by the target
  /// For TLM's memory management.
  [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new PrivilegeExtension(*this); }
  /// For TLM's memory management.
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const PrivilegeExtension&>(other);
  }
};

/// Result of an access over the bus.
struct BusResult {
  tlm::tlm_response_status response = tlm::TLM_INCOMPLETE_RESPONSE;  ///< response of the transport
  Fault fault = Fault::none;                                         ///< exception reported by the register
  std::uint64_t value = 0;                                           ///< the value read
  /// True if the access was made.
  [[nodiscard]] bool ok() const { return response == tlm::TLM_OK_RESPONSE && fault == Fault::none; }
};

/// Makes one blocking read through anything with b_transport (an initiator socket's interface).
BusResult bus_read(tlm::tlm_fw_transport_if<>& bus, RegisterId id, const Accessor& who = {});
/// Makes one blocking write through anything with b_transport (an initiator socket's interface).
BusResult bus_write(tlm::tlm_fw_transport_if<>& bus, RegisterId id, std::uint64_t value, const Accessor& who = {});

/// The register value of the first `count` bytes of a transfer, at most 8, least significant byte first.
[[nodiscard]] inline std::uint64_t get_bytes(const unsigned char* data, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= static_cast<std::uint64_t>(data[i]) << (8 * i);
  return value;
}

/// Writes the low `count` bytes of a register value, at most 8, least significant byte first.
inline void put_bytes(unsigned char* data, unsigned count, std::uint64_t value) {
  for (unsigned i = 0; i < count; ++i) data[i] = static_cast<unsigned char>(value >> (8 * i));
}

}  // namespace pmusim::pmu
