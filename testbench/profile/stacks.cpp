// Common parts of the exports, and the exports of stacks: folded, perf script, speedscope (shared frames, and for each
// event and thread a profile of weighted stacks).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "testbench/explain/raw_counters.h"
#include "testbench/profile/exports.h"

namespace pmusim::testbench {
namespace {

std::string name_of(const StackFrame& frame) { return frame_name(frame.location.function); }

}  // namespace

std::string frame_name(std::string function) {
  std::ranges::replace(function, ';', ':');
  return function;
}

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats{
      {"callgrind", "exact counts of each instruction, for KCachegrind and callgrind_annotate", false, false,
       write_callgrind},
      {"pprof", "profile.proto, for pprof", false, true, write_pprof},
      {"speedscope", "JSON, for speedscope", false, false, write_speedscope},
      {"folded", "stacks with counts, for flame graphs", false, false, write_folded},
      {"perf-script", "text as perf script prints it; needs --period", true, false, write_perf_script}};
  return formats;
}

std::vector<std::string> event_names(const Profile& profile) {
  std::vector<std::string> whole, names;
  for (const ProfiledEvent& event : profile.events) {
    whole.push_back(without_target(event.counter.event));
    names.push_back(without_attributes(event.counter.event));
  }
  const std::set<std::string> different(names.begin(), names.end());
  return different.size() == names.size() ? names : whole;
}

std::vector<WeightedStack> weighted_stacks(const Profile& profile) {
  std::vector<WeightedStack> all;
  if (!sampled(profile)) {
    for (const ProfileRow& row : profile.rows) {
      WeightedStack one{row.thread, {{row.ip + row.slot, row.location}}, {}};
      if (!row.instruction) one.stack[0].location.function = "[no instruction]";
      for (const EventAmounts& amounts : row.events) one.amounts.push_back(amounts.exact);
      all.push_back(std::move(one));
    }
    return all;
  }
  std::map<std::pair<unsigned, std::vector<std::uint64_t>>, WeightedStack> merged;
  for (const ProfileSample& sample : profile.samples) {
    std::vector<std::uint64_t> addresses;
    for (const StackFrame& frame : sample.stack) addresses.push_back(frame.address);
    WeightedStack& one = merged[{sample.thread, std::move(addresses)}];
    one.thread = sample.thread;
    if (one.amounts.empty()) one.stack = sample.stack;
    one.amounts.resize(profile.events.size());
    one.amounts[sample.event] += sample.period;
  }
  for (auto& [key, stack] : merged) all.push_back(std::move(stack));
  return all;
}

void write_folded(const ExportSubject& subject, std::ostream& out) {
  std::map<std::string, std::uint64_t> folds;
  const std::vector<std::string> names = event_names(subject.profile);
  for (const WeightedStack& one : weighted_stacks(subject.profile)) {
    for (std::size_t event = 0; event < one.amounts.size(); ++event) {
      if (one.amounts[event] == 0) continue;
      std::string line = names.size() > 1 ? names[event] + ';' : "";
      if (subject.traces.size() > 1) line += fmt::format("thread {};", one.thread);
      for (const StackFrame& frame : one.stack) line += name_of(frame) + (&frame == &one.stack.back() ? "" : ";");
      folds[line] += one.amounts[event];
    }
  }
  for (const auto& [stack, amount] : folds) out << stack << ' ' << amount << '\n';
}

/// Readers of the text end a command or file name at a blank.
std::string without_blanks(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return std::isspace(c) != 0; }, '_');
  return text;
}

// One cycle is written as one nanosecond, because the text has no unit for cycles.
void write_perf_script(const ExportSubject& subject, std::ostream& out) {
  constexpr std::uint64_t per_second = 1'000'000'000;
  const std::string program = subject.traces.size() == 1 ? subject.traces[0] : "pmusim";
  const std::string command = without_blanks(program.substr(program.find_last_of('/') + 1));
  std::vector<const ProfileSample*> samples;
  for (const ProfileSample& sample : subject.profile.samples) samples.push_back(&sample);
  std::ranges::stable_sort(samples, [](const ProfileSample* a, const ProfileSample* b) { return a->cycle < b->cycle; });
  const std::vector<std::string> names = event_names(subject.profile);
  for (const ProfileSample* sample : samples) {
    out << fmt::format("{} {}/{} [{:03}] {}.{:09}: {:>10} {}: \n", command, 1, sample->thread + 1, sample->thread,
                       sample->cycle / per_second, sample->cycle % per_second, sample->period, names[sample->event]);
    for (auto frame = sample->stack.rbegin(); frame != sample->stack.rend(); ++frame)
      out << fmt::format("\t{:16x} {} ({})\n", frame->address, name_of(*frame),
                         without_blanks(subject.traces[sample->thread]));
    out << '\n';
  }
}

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
