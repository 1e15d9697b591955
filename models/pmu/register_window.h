// A PMU's registers at plain addresses, for a bus on which software accesses memory: register i of Monitor::registers()
// is at offset 8 * i, little endian.
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

/// Connects a platform's bus to PmuShell::registers.
///
/// A transfer of 8 bytes accesses a whole register, a transfer of 4 bytes one half; a register of at most 32 bits has
/// no upper half. Software with 32-bit accesses gets a consistent value of a running counter: a read of the lower half
/// saves the upper half for the next read of it, and a write of the lower half is delayed until the upper half is
/// written, which writes both. Each register has its own saved and delayed halves, so that accesses to other registers
/// may come between. If the upper half is read without a preceding read of the lower half, the current value is
/// returned. If it is written without a preceding write of the lower half, the lower half does not change.
///
/// Responses in addition to the register's own: TLM_BYTE_ENABLE_ERROR_RESPONSE for byte enables,
/// TLM_BURST_ERROR_RESPONSE for other lengths, TLM_ADDRESS_ERROR_RESPONSE for addresses without a register and for
/// unaligned addresses.
class RegisterWindow : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<RegisterWindow> bus;     ///< the platform's side
  tlm_utils::simple_initiator_socket<RegisterWindow> pmu;  ///< must be bound to PmuShell::registers

  /// Copies the list of registers from the monitor, which is not used afterwards.
  RegisterWindow(const sc_core::sc_module_name& name, const Monitor& monitor);
  /// Number of bytes in the address space.
  [[nodiscard]] std::uint64_t size() const { return 8 * registers_.size(); }
  /// Offset of a register by its name in the manual, ignoring case; empty if there is none.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::string_view name) const;

 private:
  struct Halves {
    std::optional<std::uint64_t> read;     ///< upper half that belongs to the last read of the lower one
    std::optional<std::uint64_t> written;  ///< lower half that waits for the upper one
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
  std::vector<Halves> halves_;  ///< of each register
};

}  // namespace pmusim::pmu
