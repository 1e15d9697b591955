#include "models/pmu/pmu_shell.h"

#include <algorithm>
#include <string>

#include "models/pmu/tlm_registers.h"

namespace pmusim::pmu {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

PmuShell::PmuShell(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor, const ModuleOptions& options)
    : sc_module(name),
      registers("registers"),
      interrupt("interrupt"),
      taken("taken"),
      reset("reset"),
      pins("pins", monitor->pin_count()),
      live_(std::move(monitor), options.counter_reads_allowed),
      options_(options),
      anchor_cycle_(options.first_cycle) {
  live_.start_at(options.first_cycle);
  registers.register_b_transport(this, &PmuShell::transport);
  registers.register_transport_dbg(this, &PmuShell::debug);
  SC_HAS_PROCESS(PmuShell);
  SC_METHOD(drive_interrupt);
  sensitive << line_event_;
  SC_METHOD(drive_pins);
  sensitive << pin_event_;
  dont_initialize();
  SC_METHOD(accept_interrupt);
  sensitive << taken.pos();
  dont_initialize();
  SC_METHOD(reset_registers);
  sensitive << reset;
  dont_initialize();
}

// Pins are computed only if they are observed. Each unbound port is bound to a new signal.
void PmuShell::before_end_of_elaboration() {
  if (pin_watcher_) pins_wanted_ = true;
  if (taken.bind_count() != 0) live_.leave_taking_outside();
  const auto stub = [this](auto& port) {
    unbound_.push_back(std::make_unique<sc_core::sc_signal<bool>>(sc_core::sc_gen_unique_name("unbound")));
    port.bind(*unbound_.back());
  };
  if (interrupt.bind_count() == 0) stub(interrupt);
  if (taken.bind_count() == 0) stub(taken);
  if (reset.bind_count() == 0) stub(reset);
  for (auto& pin : pins) {
    if (pin.bind_count() == 0) {
      stub(pin);
    } else {
      pins_wanted_ = true;
    }
  }
  live_.monitor().record_pins(pins_wanted_);
}

void PmuShell::trace(sc_core::sc_trace_file* file) const {
  const std::string prefix = std::string(name()) + ".";
  sc_core::sc_trace(file, interrupt, prefix + "interrupt");
  for (std::size_t i = 0; i < pins.size(); ++i) sc_core::sc_trace(file, pins[i], prefix + "pin" + std::to_string(i));
}

sc_time PmuShell::time_of(Cycle cycle) const {
  return anchor_time_ + sc_time::from_value((cycle - anchor_cycle_) * options_.clock_period.value());
}

void PmuShell::anchor(Cycle cycle) {
  anchor_cycle_ = cycle;
  anchor_time_ = sc_time_stamp();
}

Cycle PmuShell::boundary_now() const {
  const auto period = options_.clock_period.value();
  return anchor_cycle_ + ((sc_time_stamp() - anchor_time_).value() + period - 1) / period;
}

void PmuShell::react(const Stop& stop, const Block& block) {
  // A request that is taken at once would produce no edge. The line stays high for half a clock, so that it is low
  // again when the next request can occur.
  if (stop.line_changed && live_.line()) pulse_end_ = time_of(stop.at) + options_.clock_period / 2;
  line_event_.notify(sc_core::SC_ZERO_TIME);
  if (!stop.taking) return;
  const EntryState entry = live_.take(block);
  if (!handler_) return;
  in_handler_ = true;
  handler_(entry);
  in_handler_ = false;
}

void PmuShell::log_accesses() {
  for (const AccessReport& report : live_.take_reports()) {
    if (access_log_) access_log_(report);
  }
}

void PmuShell::drive_pins_until(Cycle now) {
  schedule_.take_due(now, due_);
  if (!due_.empty()) pin_event_.notify(sc_core::SC_ZERO_TIME);
}

void PmuShell::drive_interrupt() {
  const sc_time now = sc_time_stamp();
  interrupt.write(live_.line() || now < pulse_end_);
  if (now < pulse_end_) line_event_.notify(pulse_end_ - now);
}

void PmuShell::drive_pins() {
  for (const PinEdge& edge : due_) {
    pins[edge.pin].write(edge.level);
    if (pin_watcher_) pin_watcher_(edge);
  }
  due_.clear();
}

// An initiator that runs ahead of time must wait; if it cannot wait, the access is made now.
void PmuShell::transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
  const auto process = sc_core::sc_get_current_process_handle();
  if (delay != sc_core::SC_ZERO_TIME && process.valid() && process.proc_kind() == sc_core::SC_THREAD_PROC_) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  payload.set_response_status(access(payload, payload.get_extension<PrivilegeExtension>()));
}

/// Checks the form of a transfer, before the register's own rules. 8 bytes are legal for every register, 4 bytes for
/// registers of at most 32 bits.
tlm::tlm_response_status PmuShell::legal(const tlm::tlm_generic_payload& payload) const {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned length = payload.get_data_length();
  if ((length != 8 && length != 4) || payload.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
  const RegisterId id = RegisterId::from_address(payload.get_address());
  bool space = false;
  for (const RegisterInfo& info : live_.monitor().registers()) {
    space = space || info.id.space == id.space;
    if (info.id == id && info.width > 8 * length) return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  return space ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

tlm::tlm_response_status PmuShell::access(tlm::tlm_generic_payload& payload, PrivilegeExtension* privilege) {
  if (const auto response = legal(payload); response != tlm::TLM_OK_RESPONSE) return response;
  const RegisterId id = RegisterId::from_address(payload.get_address());
  const Accessor who = privilege != nullptr ? privilege->who : Accessor{};
  settle();
  AccessResult result;
  if (payload.is_read()) {
    result = live_.monitor().read(id, who);
    put_bytes(payload.get_data_ptr(), payload.get_data_length(), result.value);
  } else {
    result = live_.monitor().write(id, get_bytes(payload.get_data_ptr(), payload.get_data_length()), who);
    live_.written();
    changed_from_outside();
  }
  if (privilege != nullptr) privilege->fault = result.fault;
  if (result.fault == Fault::none) return tlm::TLM_OK_RESPONSE;
  const auto infos = live_.monitor().registers();
  const bool known = std::any_of(infos.begin(), infos.end(), [&](const RegisterInfo& info) { return info.id == id; });
  return known ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

// A debugger's access, at the most privileged level: it takes no time, and a read has no side effects.
unsigned PmuShell::debug(tlm::tlm_generic_payload& payload) {
  if (legal(payload) != tlm::TLM_OK_RESPONSE) return 0;
  if (payload.is_write()) return access(payload, nullptr) == tlm::TLM_OK_RESPONSE ? payload.get_data_length() : 0;
  Follower now = settled_copy();
  const AccessResult result = now.monitor().read(RegisterId::from_address(payload.get_address()), {});
  if (result.fault != Fault::none) return 0;
  put_bytes(payload.get_data_ptr(), payload.get_data_length(), result.value);
  return payload.get_data_length();
}

void PmuShell::accept_interrupt() {
  settle();
  live_.accepted();
  changed_from_outside();
}

void PmuShell::reset_registers() {
  settle();
  live_.reset();
  changed_from_outside();
}

void PmuShell::changed_from_outside() {
  line_event_.notify(sc_core::SC_ZERO_TIME);
  if (!in_handler_) register_written();
}

}  // namespace pmusim::pmu
