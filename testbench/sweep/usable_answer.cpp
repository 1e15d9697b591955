// Checks that the target accepts the values of an answer: apart from the protocol, whose fuzzer needs no models.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"
#include "testbench/support/words.h"
#include "testbench/sweep/protocol.h"

namespace pmusim::testbench {
namespace {

/// A PMU in its reset state, copied for each answer.
const pmu::Monitor& fresh_monitor(const models::Target& target) {
  thread_local std::map<std::string_view, std::unique_ptr<pmu::Monitor>> made;
  std::unique_ptr<pmu::Monitor>& monitor = made[target.name];
  if (monitor == nullptr) monitor = target.make_monitor(target.parameters());
  return *monitor;
}

/// Throws ProtocolError if the target's registers do not accept the values, or if a counter does not exist.
void check_usable(const Answer& answer, std::uint64_t id, const std::string& target) {
  const models::Target& model = *models::find_target(target);
  const Firmware* const firmware = find_firmware(target);
  Programming programming(model, fresh_monitor(model).clone());
  const auto fail = [&](const std::string& what) {
    throw ProtocolError(printable(fmt::format("answer {}: {}", id, what)));
  };
  for (const auto* const list : {&answer.counters, &answer.reads}) {
    for (const std::string& counter : *list) {
      const bool known = firmware ? find_counter(*firmware, counter) != nullptr : programming.knows(counter);
      if (!known) fail(fmt::format("target {} has no counter '{}'", target, counter));
    }
  }
  try {
    for (const encoder::RegisterValue& reg : answer.registers) programming.write(reg.name, reg.value);
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
}

}  // namespace

Answer parse_usable_answer(const std::string& line, std::uint64_t id, const std::string& target, std::size_t events) {
  Answer answer = parse_answer(line, id, target, events);
  check_usable(answer, id, target);
  return answer;
}

}  // namespace pmusim::testbench
