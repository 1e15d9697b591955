// Fuzzes the answers of foreign encoders. Byte 0: target, byte 1: number of events in the request, the rest: the line
// that answers request 7.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "testbench/fuzz/input.h"
#include "testbench/sweep/protocol.h"

namespace {

using namespace pmusim::testbench;
using pmusim::fuzz::require;

void check(const Answer& answer, std::string_view target, std::size_t events) {
  require(std::all_of(answer.message.begin(), answer.message.end(), [](unsigned char c) { return c >= 0x20; }),
          "a message has control characters");
  if (answer.status != Answer::Status::encoded) {
    require(answer.registers.empty() && answer.counters.empty(), "a refusal has no registers");
    return;
  }
  const auto known = pmusim::encoder::registers(target);
  require(answer.counters.size() == events, "every event has a counter");
  require(answer.registers.size() <= 8 * known->size(), "answers are bounded");
  for (const auto& reg : answer.registers) {
    require(reg.width == 64 || reg.value >> reg.width == 0, "a value fits its register");
    require(std::any_of(known->begin(), known->end(), [&](const auto& other) { return other.name == reg.name; }),
            "a register is one of the target's");
  }
}

/// A request must be one line, whatever its event names contain.
void check_request(const std::string& target, const std::string& word, std::size_t events) {
  Group group;
  for (std::size_t i = 0; i < events; ++i) {
    Check& check = group.checks.emplace_back();
    check.request.event = word;
    check.request.umasks = {word};
    check.attributes = {{"u", 1}, {"M", 1}};
    check.raw = word.substr(0, i);
  }
  group.unavailable_counters.assign(events, 1);
  group.filters.irange = {word};
  group.filters.no_fine = group.filters.inverse = events > 1;
  const auto request = request_of(7, target, group);
  const std::string line = request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  require(line.find('\n') == line.npos, "a request is one line");
  require(nlohmann::json::parse(line).at("events").size() == events, "a request has its events");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto targets = pmusim::encoder::targets();
  const std::string target(targets[data[0] % targets.size()].name);
  const std::size_t events = data[1] % 4;
  const std::string line(reinterpret_cast<const char*>(data) + 2, size - 2);
  check_request(target, line.substr(0, 20), events);
  if (line.find('\n') != line.npos) return 0;  // a line is read up to its end
  try {
    check(parse_answer(line, 7, target, events), target, events);
  } catch (const ProtocolError& error) {
    const std::string_view said = error.what();
    pmusim::fuzz::require_one_line(said);
    require(std::all_of(said.begin(), said.end(), [](unsigned char c) { return c >= 0x20; }),
            "an error has control characters");
  }
  return 0;
}
