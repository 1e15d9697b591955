#include "testbench/cli/captured_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace pmusim::testbench {
namespace {

using Mode = CapturedAccess::Mode;
using pmu::ia64::RecordedBranch;

constexpr unsigned width = 64;
constexpr std::string_view modes[] = {"cache", "tlb", "alat"};
constexpr std::string_view outcomes[] = {"correct", "front_end_mispredicted", "back_end_mispredicted"};
constexpr std::string_view told[] = {"", "  mispredicted, found by the front end",
                                     "  mispredicted, found by the back end"};

Json to_json(const CapturedAccess& access) {
  Json object{{"mode", modes[static_cast<unsigned>(access.mode)]}, {"valid", access.valid}};
  if (!access.valid) return object;
  object["address"] = hex(access.address, width);
  if (access.mode == Mode::cache) {
    object["latency"] = access.latency;
    if (access.latency_overflow) object["latency_overflow"] = true;
  }
  if (access.mode == Mode::tlb) object["served_by"] = access.served_by;
  if (access.bundle) {
    object["ip"] = hex(*access.bundle, width);
    object["slot"] = access.slot;
  }
  return object;
}

Json to_json(const RecordedBranch& branch) {
  Json object{{"ip", hex(branch.bundle, width)}, {"taken", branch.taken}};
  if (branch.taken) object["slot"] = branch.slot;
  if (branch.target) object["target"] = hex(*branch.target, width);
  object["outcome"] = outcomes[static_cast<unsigned>(branch.outcome)];
  return object;
}

/// `0x... main+0x10`, `0x....2 main+0x10` with a slot.
std::string place(const Json& object, const char* key, const Symbols& symbols) {
  const auto text = object.at(key).get<std::string>();
  const std::string slot = key == std::string_view("ip") && object.contains("slot")
                               ? fmt::format(".{}", object.at("slot").get<unsigned>())
                               : "";
  if (symbols.empty()) return text + slot;
  return fmt::format("{}{} {}", text, slot, symbols.of(std::stoull(text, nullptr, 16)));
}

std::string line(std::string_view what, const Json& access, const Symbols& symbols) {
  if (!access.at("valid").get<bool>()) return fmt::format("{}: nothing taken in", what);
  std::string text = fmt::format("{}: {}", what, access.at("address").get<std::string>());
  if (access.contains("latency"))
    text += fmt::format("  {} cycles{}", access.at("latency").get<std::uint64_t>(),
                        access.contains("latency_overflow") ? " and more" : "");
  if (access.contains("served_by")) text += fmt::format("  served by {}", access.at("served_by").get<std::string>());
  if (access.contains("ip")) text += "  by " + place(access, "ip", symbols);
  return text;
}

std::string line(const Json& branch, const Symbols& symbols) {
  std::string text = "branch: " + place(branch, "ip", symbols);
  if (!branch.at("taken").get<bool>())
    text += "  not taken";
  else if (branch.contains("target"))
    text += "  to " + place(branch, "target", symbols);
  else
    text += "  taken, target not recorded";
  const auto outcome =
      std::find(std::begin(outcomes), std::end(outcomes), branch.at("outcome").get<std::string_view>());
  text += told[outcome - std::begin(outcomes)];
  return text;
}

}  // namespace

void add_captured(const Captured& captured, Json& object) {
  for (const CapturedAccess& access : captured.accesses)
    object[access.data ? "data_ear" : "instruction_ear"] = to_json(access);
  if (!captured.branches) return;
  object["branches"] = Json::array();
  for (const RecordedBranch& branch : *captured.branches) object["branches"].push_back(to_json(branch));
}

std::vector<std::string> captured_lines(const Json& object, const Symbols& symbols) {
  std::vector<std::string> lines;
  if (object.contains("data_ear")) lines.push_back(line("data", object.at("data_ear"), symbols));
  if (object.contains("instruction_ear")) lines.push_back(line("fetch", object.at("instruction_ear"), symbols));
  if (object.contains("branches")) {
    for (const Json& branch : object.at("branches")) lines.push_back(line(branch, symbols));
    if (object.at("branches").empty()) lines.emplace_back("branch: none recorded");
  }
  return lines;
}

}  // namespace pmusim::testbench
