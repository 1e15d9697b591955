#include "devices.h"

namespace platform {

InterruptController::InterruptController(const sc_core::sc_module_name& name, unsigned line_count,
                                         sc_core::sc_time period)
    : sc_module(name),
      socket("socket"),
      lines("lines", line_count),
      acknowledged("acknowledged", line_count),
      reset("reset"),
      interrupt("interrupt"),
      period_(period) {
  socket.register_b_transport(this, &InterruptController::transport);
  socket.register_transport_dbg(this, &InterruptController::debug);
  SC_HAS_PROCESS(InterruptController);
  SC_METHOD(update);
  sensitive << written_ << reset;
  for (auto& line : lines) sensitive << line;
  SC_METHOD(drive_acknowledged);
  sensitive << pulse_;
  dont_initialize();
}

std::uint32_t InterruptController::levels() const {
  std::uint32_t high = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) high |= static_cast<std::uint32_t>(lines[i].read()) << i;
  return high;
}

void InterruptController::update() {
  if (reset.read()) enabled_ = 0;
  interrupt.write((levels() & enabled_) != 0);
}

// The acknowledge wire is high for half a clock.
void InterruptController::drive_acknowledged() {
  const bool high = sc_core::sc_time_stamp() < pulse_end_;
  for (std::size_t i = 0; i < lines.size(); ++i) acknowledged[i].write(high && (acknowledging_ >> i & 1) != 0);
  if (high) pulse_.notify(pulse_end_ - sc_core::sc_time_stamp());
}

// The levels of the lines depend on time, so an initiator that runs ahead must wait.
void InterruptController::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  const bool readable = payload.is_read(), writable = payload.is_write() && payload.get_address() != pending;
  if (!readable && !writable) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  } else if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (payload.get_data_length() != 4 || payload.get_streaming_width() < 4) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else {
    payload.set_response_status(debug(payload) == 4 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
}

unsigned InterruptController::debug(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (payload.get_data_length() != 4 || address % 4 != 0 || address >= size) return 0;
  unsigned char* const data = payload.get_data_ptr();
  if (payload.is_read()) {
    const std::uint32_t value = address == pending ? levels() : address == enable ? enabled_ : 0;
    for (unsigned i = 0; i < 4; ++i) data[i] = static_cast<unsigned char>(value >> (8 * i));
  } else if (payload.is_write()) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(data[i]) << (8 * i);
    if (address == enable) enabled_ = value;
    if (address == acknowledge) {
      acknowledging_ = value;
      pulse_end_ = sc_core::sc_time_stamp() + period_ / 2;
      pulse_.notify(sc_core::SC_ZERO_TIME);
    }
    written_.notify(sc_core::SC_ZERO_TIME);
  }
  return 4;
}

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

template <class Call>
bool Bus::pass(tlm::tlm_generic_payload& payload, const Call& call) {
  const int target = target_of(payload);
  if (target < 0) return false;
  const std::uint64_t address = payload.get_address(), base = regions_[static_cast<std::size_t>(target)].base;
  payload.set_address(address - base);
  call(*targets[target], base);
  payload.set_address(address);
  return true;
}

void Bus::transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (pass(payload, [&](auto& target, std::uint64_t) { target.b_transport(payload, delay); }))
    delay += latency_;  // after the access: the time of the response
  else
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

unsigned Bus::debug(int, tlm::tlm_generic_payload& payload) {
  unsigned done = 0;
  pass(payload, [&](auto& target, std::uint64_t) { done = target.transport_dbg(payload); });
  return done;
}

bool Bus::direct(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  bool granted = false;
  pass(payload, [&](auto& target, std::uint64_t base) {
    granted = target.get_direct_mem_ptr(payload, dmi);
    dmi.set_start_address(dmi.get_start_address() + base);
    dmi.set_end_address(dmi.get_end_address() + base);
    dmi.set_read_latency(dmi.get_read_latency() + latency_);
    dmi.set_write_latency(dmi.get_write_latency() + latency_);
  });
  return granted;
}

}  // namespace platform
