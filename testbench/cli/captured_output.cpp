#include "testbench/cli/captured_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

namespace pmusim::testbench {
namespace {

using Mode = CapturedAccess::Mode;
using pmu::ia64::RecordedBranch;
using pmu::ia64::RetiredGroup;

constexpr unsigned width = 64;
constexpr unsigned most_bubbles = 63;  ///< value of a full field of an IP-EAR entry
constexpr std::string_view modes[] = {"cache", "tlb", "alat"};
constexpr std::string_view outcomes[] = {"correct", "front_end_mispredicted", "back_end_mispredicted"};
constexpr std::string_view outcome_words[] = {"", "  mispredicted, found by the front end",
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

Json to_json(const CodeStretch& stretch) {
  return Json{{"first", hex(stretch.first, width)}, {"last", hex(stretch.last, width)}};
}

Json to_json(const RetiredGroup& group) {
  Json object{{"ip", hex(group.bundle, width)}, {"cycles", group.cycles}, {"flushed", group.flushed}};
  if (group.early_freeze) object["early_freeze"] = *group.early_freeze;
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

std::string branch_line(const Json& branch, const Symbols& symbols) {
  std::string text = "branch: " + place(branch, "ip", symbols);
  if (!branch.at("taken").get<bool>())
    text += "  not taken";
  else if (branch.contains("target"))
    text += "  to " + place(branch, "target", symbols);
  else
    text += "  taken, target not recorded";
  const auto outcome = std::ranges::find(outcomes, branch.at("outcome").get<std::string_view>());
  text += outcome_words[outcome - std::begin(outcomes)];
  return text;
}

std::string stretch_line(const Json& stretch, const Symbols& symbols) {
  return fmt::format("ran: {} to {}", place(stretch, "first", symbols), place(stretch, "last", symbols));
}

std::string group_line(const Json& group, const Symbols& symbols) {
  const auto cycles = group.at("cycles").get<unsigned>();
  const bool cut = group.contains("early_freeze");  // the remaining delay replaces address bits 11:4
  std::string text =
      "retired: " + (cut ? "in the 4 KiB at " + group.at("ip").get<std::string>() : place(group, "ip", symbols));
  if (cycles != 0) {
    text +=
        fmt::format("  after {}{} bubble{}", cycles, cycles == most_bubbles ? " or more" : "", cycles == 1 ? "" : "s");
  }
  if (group.at("flushed").get<bool>()) text += "  and a flush";
  if (cut) text += fmt::format("  stopped {} cycles early", group.at("early_freeze").get<unsigned>());
  return text;
}

}  // namespace

Options path_option() {
  return {{"path", po::flag(),
           "show the code executed between branches; needs a branch buffer that records all taken branches"}};
}

bool wants_path(const Arguments& arguments, const CaptureUnits& units) {
  const bool wanted = arguments.get<bool>("path");
  if (wanted && !units.records_path())
    throw UsageError("--path needs the branch buffer with all taken branches, as --btb tm=taken or --etb tm=taken");
  return wanted;
}

void add_captured(const Captured& captured, bool path, Json& object) {
  for (const CapturedAccess& access : captured.accesses)
    object[access.data ? "data_ear" : "instruction_ear"] = to_json(access);
  const auto add = [&](const char* key, const auto& values) {
    object[key] = Json::array();
    for (const auto& value : values) object[key].push_back(to_json(value));
  };
  if (captured.branches) add("branches", *captured.branches);
  if (captured.branches && path) add("path", path_of(*captured.branches));
  if (captured.retired) add("retired", *captured.retired);
}

std::vector<std::string> captured_lines(const Json& object, const Symbols& symbols) {
  std::vector<std::string> lines;
  if (object.contains("data_ear")) lines.push_back(line("data", object.at("data_ear"), symbols));
  if (object.contains("instruction_ear")) lines.push_back(line("fetch", object.at("instruction_ear"), symbols));
  const auto each = [&](const char* key, auto* text, const char* nothing) {
    if (!object.contains(key)) return;
    for (const Json& value : object.at(key)) lines.push_back(text(value, symbols));
    if (object.at(key).empty()) lines.emplace_back(nothing);
  };
  each("branches", branch_line, "branch: none recorded");
  each("path", stretch_line, "ran: nothing known");
  each("retired", group_line, "retired: none recorded");
  return lines;
}

}  // namespace pmusim::testbench
