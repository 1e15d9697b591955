#include "platform.h"

#include <cstring>
#include <map>
#include <stdexcept>

namespace platform {
namespace {

namespace pmu = pmusim::pmu;

const sc_core::sc_time period(1, sc_core::SC_NS);
constexpr std::uint64_t memory_size = 0x8000;

// Addresses of the data of software.s.
constexpr std::uint64_t turns = 0x4000, log_pointer = 0x4010, interrupt_count = 0x4018;
constexpr std::uint64_t start_table = 0x4100, stop_table = 0x5000, read_table = 0x5200, result_area = 0x5400;
constexpr std::uint64_t log_area = 0x6000;
enum Form : std::uint64_t { eight_bytes = 1, four_bytes = 2, two_halves = 3 };

const std::map<std::uint64_t, std::vector<std::uint32_t>> software = {
#include "software.inc"
};

const pmusim::models::Target& target_named(const std::string& name) {
  const pmusim::models::Target* const target = pmusim::models::find_target(name);
  if (target == nullptr) throw std::invalid_argument("unknown target '" + name + "'");
  return *target;
}

}  // namespace

// [build]
Platform::Platform(const sc_core::sc_module_name& name, const Options& options)
    : sc_module(name),
      options_(options),
      target_(target_named(options.target)),
      feed_(options.target, options.detail),
      programming_(program(target_, options.events, options.period)),
      clock_("clock", period),
      core("core", {period, options.cycle_accurate ? 1 : options.quantum, !options.cycle_accurate}, feed_),
      bus("bus", period),
      memory("memory", memory_size, period),
      controller("controller", 1, period),
      pmu(make_pmu()),
      window(std::make_unique<pmu::RegisterWindow>("window", pmu->monitor())),
      debugger("debugger") {
  core.bus.bind(bus.initiators);
  debugger.bind(bus.initiators);
  bus.map(0, memory.size());
  bus.targets.bind(memory.socket);
  bus.map(pmu_base, window->size());
  bus.targets.bind(window->bus);
  bus.map(controller_base, InterruptController::size);
  bus.targets.bind(controller.socket);
  window->pmu.bind(pmu->registers);

  pmu->interrupt(line_);
  pmu->taken(acknowledged_);
  controller.lines[0](line_);
  controller.acknowledged[0](acknowledged_);
  controller.interrupt(to_core_);
  core.interrupt(to_core_);
  core.reset(reset);
  controller.reset(reset);
  pmu->reset(reset);
  core.halted(halted);
  // [/build]
  SC_HAS_PROCESS(Platform);
  SC_METHOD(note_request);
  sensitive << line_.posedge_event();
  dont_initialize();
  SC_METHOD(halt_reached);
  sensitive << halted.posedge_event();
  dont_initialize();
  load_software();
}

// [clocks]
std::unique_ptr<pmu::PmuShell> Platform::make_pmu() {
  pmu::ModuleOptions options;
  options.clock_period = period;
  auto monitor = target_.make_monitor(target_.parameters());
  if (!options_.cycle_accurate) {
    auto module = std::make_unique<pmu::PmuModule>("pmu", std::move(monitor), options);
    core.activity(module->activity);
    return module;
  }
  wires_ = std::make_unique<pmu::ActivityWires>("wires");
  wires_->clock(clock_);
  core.activity(wires_->activity);
  auto module = std::make_unique<pmu::SignalPmuModule>("pmu", std::move(monitor), options);
  module->bind(*wires_, clock_);
  return module;
}
// [/clocks]

unsigned Platform::debug(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned bytes) {
  tlm::tlm_generic_payload payload;
  set_transfer(payload, command, address, data, bytes);
  return debugger->transport_dbg(payload);
}

std::uint64_t Platform::quad(std::uint64_t address) {
  std::uint64_t value = 0;
  peek(address, reinterpret_cast<unsigned char*>(&value), 8);
  return value;
}

// Loads code and tables into memory; directly, because the bus does not work before the start of simulation.
void Platform::load_software() {
  const auto put = [&](std::uint64_t address, auto value) {
    tlm::tlm_dmi dmi;
    tlm::tlm_generic_payload payload;
    memory.socket.get_base_interface().get_direct_mem_ptr(payload, dmi);
    std::memcpy(dmi.get_dmi_ptr() + address, &value, sizeof value);
  };
  for (const auto& [start, words] : software) {
    for (std::size_t i = 0; i < words.size(); ++i) put(start + 4 * i, words[i]);
  }
  put(turns, options_.turns);
  const auto form_of = [&](const std::string& reg) {
    if (options_.bus_bytes == 8) return eight_bytes;
    return pmu::find_register(pmu->monitor(), reg)->width <= 32 ? four_bytes : two_halves;
  };
  const auto fill = [&](std::uint64_t table, std::uint64_t end, const std::vector<RegisterWrite>& writes) {
    if (table + 24 * (writes.size() + 1) > end)
      throw std::invalid_argument("too many registers for the driver's table");
    for (const RegisterWrite& write : writes) {
      put(table, pmu_base + *window->offset_of(write.name));
      put(table + 8, write.value);
      put(table + 16, static_cast<std::uint64_t>(form_of(write.name)));
      table += 24;
    }
  };
  fill(start_table, stop_table, programming_.start);
  fill(stop_table, read_table, programming_.stop);
  std::uint64_t row = read_table;
  for (const CounterPlace& place : programming_.counters) {
    if (place.reg.empty()) continue;
    put(row, pmu_base + *window->offset_of(place.reg));
    put(row + 8, static_cast<std::uint64_t>(form_of(place.reg)));
    row += 16;
  }
}

std::uint64_t Platform::interrupts() { return quad(interrupt_count); }

std::vector<Platform::Entry> Platform::log() {
  std::vector<Entry> entries;
  const std::uint64_t end = quad(log_pointer);
  for (std::uint64_t at = log_area; at < end;) {
    Entry& entry = entries.emplace_back();
    entry.pc = quad(at);
    at += 8;
    for (const CounterPlace& place : programming_.counters) {
      if (place.reg.empty()) continue;
      entry.counters.push_back(place.of(quad(at)));
      at += 8;
    }
  }
  return entries;
}

std::vector<std::uint64_t> Platform::results() {
  std::vector<std::uint64_t> values;
  std::uint64_t at = result_area;
  for (const CounterPlace& place : programming_.counters) {
    if (place.reg.empty()) continue;
    values.push_back(place.of(quad(at)));
    at += 8;
  }
  return values;
}

void Platform::note_request() { requests_.push_back(sc_core::sc_time_stamp()); }

void Platform::halt_reached() {
  if (stops_at_halt) sc_core::sc_stop();
}

}  // namespace platform
