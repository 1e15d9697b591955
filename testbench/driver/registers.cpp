// Registers of a session by number and by name. This part needs no session, and therefore no engine.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>

#include "testbench/driver/session.h"

namespace pmusim::testbench {
namespace {

[[noreturn]] void refuse(const pmu::Monitor& monitor, pmu::RegisterId id, std::string_view access, pmu::Fault fault) {
  std::string names;
  for (const pmu::RegisterInfo& info : monitor.registers()) {
    if (info.id == id)
      throw std::runtime_error(fmt::format("{} of register {} refused: {}", access, info.name, name_of(fault)));
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  throw std::runtime_error(fmt::format("{} of {} register 0x{:x} refused: {}; this target has {}", access,
                                       name_of(id.space), id.number, name_of(fault), names));
}

}  // namespace

std::uint64_t RegisterBus::read(pmu::RegisterId id) {
  const pmu::AccessResult result = try_read(id);
  if (result.fault != pmu::Fault::none) refuse(monitor(), id, "read", result.fault);
  return result.value;
}

void RegisterBus::write(pmu::RegisterId id, std::uint64_t value) {
  const pmu::AccessResult result = try_write(id, value);
  if (result.fault != pmu::Fault::none) refuse(monitor(), id, "write", result.fault);
}

const RegisterReading& MonitorResult::reading(std::string_view name) const {
  const auto same = [&](const RegisterReading& reading) {
    return std::equal(name.begin(), name.end(), reading.info.name.begin(), reading.info.name.end(),
                      [](unsigned char a, unsigned char b) { return a == b || std::tolower(a) == std::tolower(b); });
  };
  const auto found = std::find_if(registers.begin(), registers.end(), same);
  if (found == registers.end()) throw std::out_of_range("no register named " + std::string(name));
  return *found;
}

}  // namespace pmusim::testbench
