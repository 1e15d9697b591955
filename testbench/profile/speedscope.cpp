// speedscope's file format: shared frames, and for each event and thread a profile of weighted stacks.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "testbench/profile/exports.h"

namespace pmusim::testbench {
namespace {

using Json = nlohmann::ordered_json;

/// The frames of functions, without duplicates.
class Frames {
 public:
  std::size_t index(const StackFrame& frame) {
    const auto [entry, fresh] = indices_.try_emplace({frame.location.function, frame.location.file}, list_.size());
    if (fresh) {
      Json one{{"name", frame.location.function}};
      if (!frame.location.file.empty()) one["file"] = frame.location.file;
      list_.push_back(std::move(one));
    }
    return entry->second;
  }
  [[nodiscard]] const Json& list() const { return list_; }

 private:
  std::map<std::pair<std::string, std::string>, std::size_t> indices_;
  Json list_ = Json::array();
};

}  // namespace

void write_speedscope(const ExportSubject& subject, std::ostream& out) {
  const Profile& profile = subject.profile;
  Frames frames;
  Json profiles = Json::array();
  const auto stacks = weighted_stacks(profile);
  const auto names = event_names(profile);
  for (std::size_t event = 0; event < profile.events.size(); ++event) {
    for (unsigned thread = 0; thread < subject.traces.size(); ++thread) {
      // Stacks of functions instead of addresses.
      std::map<std::vector<std::size_t>, std::uint64_t> weights;
      std::uint64_t sum = 0;
      for (const WeightedStack& one : stacks) {
        if (one.thread != thread || one.amounts[event] == 0) continue;
        std::vector<std::size_t> stack;
        for (const StackFrame& frame : one.stack) stack.push_back(frames.index(frame));
        weights[std::move(stack)] += one.amounts[event];
        sum += one.amounts[event];
      }
      Json samples = Json::array(), amounts = Json::array();
      for (const auto& [stack, weight] : weights) {
        samples.push_back(stack);
        amounts.push_back(weight);
      }
      profiles.push_back({{"type", "sampled"},
                          {"name", fmt::format("{}, {}", subject.traces[thread], names[event])},
                          {"unit", "none"},
                          {"startValue", 0},
                          {"endValue", sum},
                          {"samples", std::move(samples)},
                          {"weights", std::move(amounts)}});
    }
  }
  const Json file{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                  {"exporter", "pmusim"},
                  {"name", fmt::format("{} on {}", subject.traces[0], subject.target)},
                  {"activeProfileIndex", 0},
                  {"shared", {{"frames", frames.list()}}},
                  {"profiles", std::move(profiles)}};
  out << file.dump() << '\n';
}

}  // namespace pmusim::testbench
