// Lets libpfm4's amd64_k7 table answer the encoder protocol: JSON lines on stdin and stdout. libpfm4 sets INT (bit 20)
// in every register value; if no interrupt is requested, the answer marks that bit as "dont_care".
#include <perfmon/pfmlib.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scripts/adapters/adapter.h"

namespace {

using pmusim::adapter::json;
using pmusim::adapter::Refusal;
using pmusim::adapter::register_value;

constexpr unsigned kCounters = 4;
constexpr const char* kInterruptBit = "0x0000000000100000";

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
  for (const char* candidate : words)
    if (word == candidate) return true;
  return false;
}

/// The request's event in libpfm4's syntax.
std::string libpfm4_string(const json& event) {
  if (event.contains("raw")) throw Refusal("unsupported", "libpfm4's table has no raw events");
  std::string text = "amd64_k7::" + event.at("name").get<std::string>();
  for (const json& mask : event.value("umasks", json::array())) text.append(":").append(mask.get<std::string>());
  const json attributes = event.value("attrs", json::object());
  for (const auto& [name, value] : attributes.items()) {
    const auto number = value.is_boolean() ? static_cast<long long>(value.get<bool>()) : value.get<long long>();
    if (is_one_of(name, {"u", "k", "e", "i", "c"}))
      text.append(":").append(name).append("=").append(std::to_string(number));
    else if (name == "plm" && !attributes.contains("u") && !attributes.contains("k"))
      text.append(number & 1 ? ":k=1" : ":k=0").append(number & 0xe ? ":u=1" : ":u=0");
    else if (name == "pc" && number == 0)
      continue;
    else if (name != "intr")
      throw Refusal("unsupported", "libpfm4 has no modifier for " + name + "=" + std::to_string(number));
  }
  return text;
}

std::uint64_t encode(const std::string& text) {
  pfm_pmu_encode_arg_t arg{};
  arg.size = sizeof arg;
  const int code = pfm_get_os_event_encoding(text.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);
  if (code == PFM_ERR_NOTFOUND) throw Refusal("unsupported", text + ": " + pfm_strerror(code));
  if (code != PFM_SUCCESS) throw Refusal("invalid", text + ": " + pfm_strerror(code));
  const std::uint64_t value = arg.count > 0 ? arg.codes[0] : 0;
  std::free(arg.codes);
  return value;
}

/// The counters that the request leaves available; any event may use any of them.
std::vector<unsigned> free_counters(const json& qualifiers) {
  std::array<bool, kCounters> taken{};
  for (const auto& [name, value] : qualifiers.items()) {
    if (name != "unavailable_counters") throw Refusal("unsupported", "no qualifier " + name + " on this target");
    for (const json& counter : value)
      if (const auto number = counter.get<unsigned>(); number < kCounters) taken[number] = true;
  }
  std::vector<unsigned> free;
  for (unsigned counter = 0; counter < kCounters; ++counter)
    if (!taken[counter]) free.push_back(counter);
  return free;
}

json answer(const json& request) {
  if (request.at("target") != "athlon") throw Refusal("unsupported", "libpfm4's amd64_k7 is target athlon");
  const std::vector<unsigned> free = free_counters(request.value("qualifiers", json::object()));
  const json& events = request.at("events");
  if (events.size() > free.size()) throw Refusal("invalid", "more events than counters");
  const bool sampling = request.value("sampling", false);
  json registers = json::array();
  for (unsigned i = 0; i < kCounters; ++i)
    registers.push_back({{"name", "PerfEvtSel" + std::to_string(i)}, {"value", register_value(0)}});
  json counters = json::array();
  for (std::size_t i = 0; i < events.size(); ++i) {
    const json& event = events[i];
    json& reg = registers[free[i]];
    reg["value"] = register_value(encode(libpfm4_string(event)));
    // An event's own interrupt attribute has priority over that of the request.
    const bool interrupts = event.value("attrs", json::object()).value("intr", sampling ? 1 : 0) != 0;
    if (!interrupts) reg["dont_care"] = kInterruptBit;
    counters.push_back("PerfCtr" + std::to_string(free[i]));
  }
  return {{"registers", std::move(registers)}, {"counters", std::move(counters)}};
}

}  // namespace

int main() {
  setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
  if (const int code = pfm_initialize(); code != PFM_SUCCESS) {
    std::cerr << "libpfm4-k7-adapter: libpfm4 does not start: " << pfm_strerror(code) << '\n';
    return 2;
  }
  pmusim::adapter::serve(answer);
  return 0;
}
