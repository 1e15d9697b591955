// Checks that the target accepts the values of an answer: apart from the protocol, whose fuzzer needs no models.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/support/arguments.h"
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

std::vector<std::string> counters_of(const models::Target& target, const Firmware* firmware) {
  std::vector<std::string> names;
  if (firmware != nullptr) {
    for (const FirmwareCounter& counter : firmware->counters) names.emplace_back(counter.name);
    return names;
  }
  for (const pmu::RegisterInfo& info : fresh_monitor(target).registers()) {
    if (info.kind == pmu::RegisterKind::counter) names.emplace_back(info.name);
  }
  return names;
}

/// Gives counters the manual's names, which an encoder may write in other case. Throws ProtocolError if the target has
/// no such counter, or if its registers do not accept the values.
void make_usable(Answer& answer, std::uint64_t id, const std::string& target) {
  const models::Target& model = *models::find_target(target);
  const pmu::Monitor& fresh = fresh_monitor(model);
  const std::vector<std::string> counters = counters_of(model, find_firmware(target));
  const auto fail = [&](const std::string& what) {
    throw ProtocolError(printable(fmt::format("answer {}: {}", id, what)));
  };
  const auto check = [&](const std::string& name, const auto& is_it) {
    const auto found = std::find_if(counters.begin(), counters.end(), is_it);
    if (found != counters.end()) return *found;
    const std::vector<std::string_view> known(counters.begin(), counters.end());
    fail(fmt::format("target {} has no counter '{}'{}", target, name, did_you_mean(name, known)));
    return std::string();
  };
  for (std::string& name : answer.counters)
    name = check(name, [&](const std::string& counter) { return same_word(counter, name); });
  for (std::string& name : answer.reads) {
    const auto reg = pmu::find_register(fresh, name);
    if (reg) name = reg->name;
    const std::string counter =
        check(name, [&](const std::string& c) { return same_word(c, name) || shows_counter(fresh, name, c); });
    if (!reg) name = counter;
  }
  Programming programming(model, fresh.clone());
  try {
    for (const encoder::RegisterValue& reg : answer.registers) programming.write(reg.name, reg.value);
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
}

}  // namespace

Answer parse_usable_answer(const std::string& line, std::uint64_t id, const std::string& target, std::size_t events) {
  Answer answer = parse_answer(line, id, target, events);
  make_usable(answer, id, target);
  return answer;
}

}  // namespace pmusim::testbench
