#include "models/pmu/register_window.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/pmu/tlm_registers.h"

namespace pmusim::pmu {
namespace {

constexpr std::uint64_t low = 0xffffffff;

std::uint64_t half_of(std::uint64_t value, bool upper) { return upper ? value >> 32 : value & low; }

std::size_t index_of(const tlm::tlm_generic_payload& payload) {
  return static_cast<std::size_t>(payload.get_address() / 8);
}
bool is_upper(const tlm::tlm_generic_payload& payload) { return (payload.get_address() & 4) != 0; }

/// A transfer of a whole register.
struct Transfer {
  std::array<unsigned char, 8> data{};
  tlm::tlm_generic_payload payload;
  Transfer(tlm::tlm_command command, RegisterId id, std::uint64_t value) {
    put_bytes(data.data(), 8, value);
    payload.set_command(command);
    payload.set_address(id.address());
    payload.set_data_ptr(data.data());
    payload.set_data_length(8);
    payload.set_streaming_width(8);
  }
  [[nodiscard]] std::uint64_t value() const { return get_bytes(data.data(), 8); }
};

}  // namespace

RegisterWindow::RegisterWindow(const sc_core::sc_module_name& name, const Monitor& monitor)
    : sc_module(name),
      bus("bus"),
      pmu("pmu"),
      registers_(monitor.registers().begin(), monitor.registers().end()),
      halves_(registers_.size()) {
  bus.register_b_transport(this, &RegisterWindow::transport);
  bus.register_transport_dbg(this, &RegisterWindow::debug);
}

std::optional<std::uint64_t> RegisterWindow::offset_of(std::string_view name) const {
  const auto same = [](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(a) == lower(b);
  };
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    const std::string_view known = registers_[i].name;
    if (std::equal(known.begin(), known.end(), name.begin(), name.end(), same)) return 8 * i;
  }
  return std::nullopt;
}

tlm::tlm_response_status RegisterWindow::legal(const tlm::tlm_generic_payload& payload) const {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned length = payload.get_data_length();
  if ((length != 8 && length != 4) || payload.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
  const std::uint64_t address = payload.get_address();
  if (address % length != 0 || address >= size()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const bool beyond = is_upper(payload) && registers_[index_of(payload)].width <= 32;
  return beyond ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

void RegisterWindow::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (const auto response = legal(payload); response != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(response);
  } else if (payload.get_data_length() == 8 || registers_[index_of(payload)].width <= 32) {
    pass_on(payload, delay);
  } else if (payload.is_read()) {
    read_half(payload, delay);
  } else {
    write_half(payload, delay);
  }
}

/// Forwards the transfer unchanged, except for the register's address.
void RegisterWindow::pass_on(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  if (payload.is_write()) halves_[index_of(payload)] = {};
  payload.set_address(registers_[index_of(payload)].id.address());
  pmu->b_transport(payload, delay);
  payload.set_address(address);
}

void RegisterWindow::read_half(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const bool upper = is_upper(payload);
  std::optional<std::uint64_t>& saved = halves_[index_of(payload)].read;
  const std::optional<std::uint64_t> kept = std::exchange(saved, std::nullopt);
  if (upper && kept) {
    put_bytes(payload.get_data_ptr(), 4, *kept);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  std::uint64_t value = 0;
  payload.set_response_status(whole(payload, tlm::TLM_READ_COMMAND, value, delay));
  if (!payload.is_response_ok()) return;
  put_bytes(payload.get_data_ptr(), 4, half_of(value, upper));
  if (!upper) saved = half_of(value, true);
}

void RegisterWindow::write_half(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  Halves& halves = halves_[index_of(payload)];
  const std::uint64_t half = get_bytes(payload.get_data_ptr(), 4);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (!is_upper(payload)) {
    halves.written = half;
    return;
  }
  const std::optional<std::uint64_t> kept = std::exchange(halves, {}).written;
  std::uint64_t value = kept.value_or(0);
  if (!kept) payload.set_response_status(whole(payload, tlm::TLM_READ_COMMAND, value, delay));
  if (!payload.is_response_ok()) return;
  value = half << 32 | (value & low);
  payload.set_response_status(whole(payload, tlm::TLM_WRITE_COMMAND, value, delay));
}

/// Accesses the whole register that the transfer addresses, with the privileges of the transfer.
tlm::tlm_response_status RegisterWindow::whole(tlm::tlm_generic_payload& asked, tlm::tlm_command command,
                                               std::uint64_t& value, sc_core::sc_time& delay) {
  Transfer transfer(command, registers_[index_of(asked)].id, value);
  auto* const privilege = asked.get_extension<PrivilegeExtension>();
  if (privilege != nullptr) transfer.payload.set_extension(privilege);
  pmu->b_transport(transfer.payload, delay);
  if (privilege != nullptr) transfer.payload.clear_extension(privilege);
  value = transfer.value();
  return transfer.payload.get_response_status();
}

unsigned RegisterWindow::debug(tlm::tlm_generic_payload& payload) {
  if (legal(payload) != tlm::TLM_OK_RESPONSE) return 0;
  const std::size_t index = index_of(payload);
  const unsigned length = payload.get_data_length();
  unsigned char* const data = payload.get_data_ptr();
  unsigned done = 0;
  const bool half = length == 4 && registers_[index].width > 32, upper = is_upper(payload);
  if (payload.is_read()) {
    const std::uint64_t value = debug_whole(tlm::TLM_READ_COMMAND, index, 0, done);
    if (done != 0) put_bytes(data, length, half ? half_of(value, upper) : value);
  } else {
    std::uint64_t value = get_bytes(data, length);
    if (half) {
      const std::uint64_t before = debug_whole(tlm::TLM_READ_COMMAND, index, 0, done);
      value = upper ? value << 32 | (before & low) : (before & ~low) | value;
    }
    halves_[index] = {};
    (void)debug_whole(tlm::TLM_WRITE_COMMAND, index, value, done);
  }
  return done != 0 ? length : 0;
}

std::uint64_t RegisterWindow::debug_whole(tlm::tlm_command command, std::size_t index, std::uint64_t value,
                                          unsigned& done) {
  Transfer transfer(command, registers_[index].id, value);
  done = pmu->transport_dbg(transfer.payload);
  return transfer.value();
}

}  // namespace pmusim::pmu
