#include "testbench/cli/event_formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "models/targets.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {
namespace {

using encoder::EventInfo;
using encoder::UnitMaskInfo;

/// The counters of each code.
std::map<std::uint64_t, std::vector<unsigned>> counters_by_code(const EventInfo& event) {
  std::map<std::uint64_t, std::vector<unsigned>> counters;
  for (const auto& [counter, code] : event.counter_codes) counters[code].push_back(counter);
  return counters;
}

/// The unit mask of an event without one in its request: 0 unless the target says otherwise; -1: it needs one.
std::int64_t default_mask(const EventInfo& event) {
  if (event.mask_is_fixed) return static_cast<std::int64_t>(event.fixed_mask);
  std::uint64_t mask = 0;
  bool any = event.unit_masks.empty();
  for (const UnitMaskInfo& one : event.unit_masks) {
    if (one.is_default) mask |= one.code;
    any = any || one.is_default;
  }
  return any ? static_cast<std::int64_t>(mask) : -1;
}

/// The events of a code. Perf identifies an event by its name alone, so an event with a different code for each counter
/// becomes several events.
void add_perf_events(const EventInfo& event, std::uint64_t code, const std::vector<unsigned>& counters, Json& all) {
  std::string name = event.name;
  if (event.counter_codes.size() != counters.size()) name += fmt::format("_ON_{}", fmt::join(counters, "_"));
  const auto add = [&, &base = name](const std::string& mask_name, std::int64_t mask, const std::string& words) {
    Json object{{"EventName", mask_name.empty() ? base : base + '.' + mask_name},
                {"EventCode", fmt::format("0x{:02x}", code)}};
    if (mask > 0) object["UMask"] = fmt::format("0x{:02x}", mask);
    object["BriefDescription"] = words;
    object["Counter"] = fmt::format("{}", fmt::join(counters, ","));
    all.push_back(std::move(object));
  };
  if (const std::int64_t mask = default_mask(event); mask >= 0) add("", mask, event.description);
  for (const UnitMaskInfo& mask : event.unit_masks)
    add(mask.name, static_cast<std::int64_t>(mask.code), event.description + ": " + mask.description);
}

void print_modifiers(const std::string& target, const EventInfo& event, std::ostream& out) {
  const auto known = encoder::attributes(target);
  unsigned number = 0;
  for (const std::string& name : event.attributes) {
    const auto info = std::find_if(known->begin(), known->end(), [&](const auto& one) { return one.name == name; });
    if (info == known->end()) continue;
    const auto code = info - known->begin();
    out << fmt::format("Modif-{:02} : 0x{:02x} : PMU : [{}] : {}", number++, code, name, info->meaning);
    out << (info->minimum == 0 && info->maximum == 1
                ? " (boolean)\n"
                : fmt::format(" in range [{}-{}] (integer)\n", info->minimum, info->maximum));
  }
}

}  // namespace

void print_perf_json(const ListedEvents& events, std::ostream& out) {
  Json all = Json::array();
  for (const auto& [target, event] : events) {
    for (const auto& [code, counters] : counters_by_code(event)) add_perf_events(event, code, counters, all);
  }
  out << all.dump(2) << '\n';
}

void print_showevtinfo(const ListedEvents& events, std::ostream& out) {
  std::size_t index = 0;
  for (const auto& [target, event] : events) {
    const models::Target* const model = models::find_target(target);
    out << fmt::format(
        "#-----------------------------\nIDX\t : {}\nPMU name : {} ({})\nName     : {}\nEquiv\t : {}\nFlags    : None\n"
        "Desc     : {}\nCode     : 0x{:x}\n",
        index++, target, model == nullptr ? target : model->description, event.name,
        event.same_as.empty() ? "None" : event.same_as, event.description, event.code);
    unsigned number = 0;
    for (const UnitMaskInfo& mask : event.unit_masks)
      out << fmt::format("Umask-{:02} : 0x{:02x} : PMU : [{}] : {} : {}\n", number++, mask.code, mask.name,
                         mask.is_default ? "[default]" : "None", mask.description);
    print_modifiers(target, event, out);
  }
}

}  // namespace pmusim::testbench
