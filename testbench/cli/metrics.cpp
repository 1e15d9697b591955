#include "testbench/cli/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "testbench/cli/command_facts.h"

namespace pmusim::testbench {
namespace {

/// An event as the tables of ratios know it.
struct PlainEvent {
  std::string_view name;
  std::string levels;  ///< attributes that say at which privilege levels it is counted
};

/// True for an attribute that does not change what one occurrence of the event is.
bool says_when(std::string_view key) {
  constexpr std::array<std::string_view, 7> keys = {"u", "k", "plm", "ism", "pm", "me", "freq"};
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Empty for an event with a unit mask, a threshold, an edge, an inversion or a filter.
std::optional<PlainEvent> plain(std::string_view event) {
  const std::size_t target = event.find("::");
  if (target != event.npos) event.remove_prefix(target + 2);
  PlainEvent found{event.substr(0, event.find(':')), ""};
  event.remove_prefix(found.name.size());
  while (!event.empty()) {
    const std::size_t end = std::min(event.find(':', 1), event.size());
    const std::string_view attribute = event.substr(1, end - 1);
    event.remove_prefix(end);
    const std::size_t equals = std::min(attribute.find('='), attribute.size());
    const std::string_view key = attribute.substr(0, equals);
    if (says_when(key)) {
      if (key != "freq") found.levels += fmt::format(":{}", attribute);
    } else if (attribute.substr(equals) != "=0") {
      return std::nullopt;
    }
  }
  return found;
}

}  // namespace

Json metrics_of(const models::Target& target, const std::vector<Counted>& counts) {
  Json metrics = Json::array();
  const bool threads = std::any_of(counts.begin(), counts.end(), [](const Counted& one) { return one.thread > 0; });
  for (const Counted& over : counts) {
    const auto upper = plain(over.event);
    for (const Counted& under : counts) {
      const auto lower = plain(under.event);
      if (!upper || !lower || upper->levels != lower->levels || over.thread != under.thread || under.value == 0)
        continue;
      for (const Ratio& ratio : ratios_of(target.name)) {
        if (ratio.over != upper->name || ratio.under != lower->name) continue;
        metrics.push_back(
            {{"name", ratio.name}, {"over", ratio.over}, {"under", ratio.under}, {"value", over.value / under.value}});
        if (threads) metrics.back()["thread"] = over.thread;
      }
    }
  }
  return metrics;
}

std::string metric_in_words(const models::Target& target, const Json& metric) {
  const auto name = metric.at("name").get<std::string>();
  const std::span<const Ratio> all = ratios_of(target.name);
  const auto ratio = std::find_if(all.begin(), all.end(), [&](const Ratio& one) { return one.name == name; });
  const auto value = metric.at("value").get<double>();
  std::string text = fmt::format("{:.2f} {}", value, name);
  if (ratio->shown == Ratio::Shown::percent) text = fmt::format("{:.2f} % {}", value * 100, name);
  if (ratio->shown == Ratio::Shown::per_thousand) text = fmt::format("{:.2f} {}", value * 1000, name);
  const std::string thread =
      metric.contains("thread") ? fmt::format("thread {}: ", metric.at("thread").get<unsigned>()) : "";
  if (!ratio->inverse.empty() && value > 0) text += fmt::format(", {:.2f} {}", 1 / value, ratio->inverse);
  return thread + text;
}

}  // namespace pmusim::testbench
