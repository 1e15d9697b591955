// A PMU's registers at plain addresses, for a bus whose software sees memory: register i of Monitor::registers() is at
// offset 8 * i, little endian.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/pmu/monitor.h"
#include "models/pmu/tlm_registers.h"

namespace pmusim::pmu {

/// Stands between a platform's bus and PmuShell::registers.
///
/// 8 bytes are a whole register, 4 bytes a half of it; a register of 32 bits or fewer has no upper half. So that
/// software with 32-bit accesses sees one value of a register that counts: reading the lower half keeps the upper one
/// for the next read of it, and a write of the lower half waits for the write of the upper half, which makes both. An
/// upper half read without the lower one before it is the present one; written so, it leaves the lower half as it is.
///
/// Responses beside the register's own: byte enables TLM_BYTE_ENABLE_ERROR_RESPONSE, other lengths
/// TLM_BURST_ERROR_RESPONSE, addresses that are no register's or not aligned TLM_ADDRESS_ERROR_RESPONSE.
class RegisterWindow : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<RegisterWindow> bus;     ///< the platform's side
  tlm_utils::simple_initiator_socket<RegisterWindow> pmu;  ///< to be bound to PmuShell::registers

  /// Takes the list of registers from the monitor, and does not keep it.
  RegisterWindow(const sc_core::sc_module_name& name, const Monitor& monitor);
  /// Number of bytes in the address space.
  [[nodiscard]] std::uint64_t size() const { return 8 * registers_.size(); }
  /// Offset of a register, by the manual's name in any case; empty if there is none.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::string_view name) const;

 private:
  /// A half register transfer in progress.
  struct Half {
    std::size_t index = 0;
    std::uint64_t value = 0;
  };
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);
  [[nodiscard]] tlm::tlm_response_status legal(const tlm::tlm_generic_payload& payload) const;
  void pass_on(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void read_half(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void write_half(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_response_status whole(tlm::tlm_generic_payload& asked, tlm::tlm_command command, std::uint64_t& value,
                                 sc_core::sc_time& delay);
  [[nodiscard]] std::uint64_t debug_whole(tlm::tlm_command command, std::size_t index, std::uint64_t value,
                                          unsigned& done);

  std::vector<RegisterInfo> registers_;
  std::optional<Half> read_, written_;
};

}  // namespace pmusim::pmu
