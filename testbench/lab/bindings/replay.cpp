#include <algorithm>
#include <nlohmann/json.hpp>

#include "testbench/driver/captured.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/wraps.h"
#include "testbench/explain/raw_counters.h"
#include "testbench/lab/bindings/answers.h"
#include "testbench/lab/bindings/programme.h"

namespace pmusim::lab {
namespace {

using testbench::MonitorResult;

constexpr std::size_t most_samples = 20'000;  ///< sent to the page; the samples beyond are only counted

/// Cycles are relative to the first replayed one.
Json to_json(const testbench::Sample& sample, activity::Cycle first) {
  Json object{{"cycle", sample.cycle - first},
              {"requested", sample.requested - first},
              {"ip", hex(sample.ip)},
              {"counter", sample.counter},
              {"period", sample.period}};
  for (const auto& [name, value] : sample.latched) object["latched"][name] = hex(value);
  return object;
}

Json to_json(const testbench::CapturedAccess& access) {
  constexpr const char* modes[] = {"cache", "tlb", "alat"};
  Json object{{"mode", modes[static_cast<unsigned>(access.mode)]}, {"data", access.data}, {"valid", access.valid}};
  if (!access.valid) return object;
  object["address"] = hex(access.address);
  if (access.bundle) object["ip"] = hex(*access.bundle);
  object["slot"] = access.slot;
  object["latency"] = access.latency;
  object["latency_overflow"] = access.latency_overflow;
  object["served_by"] = access.served_by;
  return object;
}

Json to_json(const pmu::ia64::RecordedBranch& branch) {
  constexpr const char* outcomes[] = {"correct", "mispredicted, found by the front end",
                                      "mispredicted, found by the back end"};
  Json object{{"ip", hex(branch.bundle)}, {"taken", branch.taken}, {"slot", branch.slot}};
  if (branch.target) object["target"] = hex(*branch.target);
  object["outcome"] = outcomes[static_cast<unsigned>(branch.outcome)];
  return object;
}

Json to_json(const testbench::Captured& captured, bool records_path) {
  Json object{{"accesses", Json::array()}};
  for (const auto& access : captured.accesses) object["accesses"].push_back(to_json(access));
  if (captured.branches) {
    object["branches"] = Json::array();
    for (const auto& branch : *captured.branches) object["branches"].push_back(to_json(branch));
    if (records_path) {
      object["path"] = Json::array();
      for (const testbench::CodeStretch& stretch : testbench::path_of(*captured.branches))
        object["path"].push_back({{"first", hex(stretch.first)}, {"last", hex(stretch.last)}});
    }
  }
  if (captured.retired) {
    object["retired"] = Json::array();
    for (const pmu::ia64::RetiredGroup& group : *captured.retired)
      object["retired"].push_back({{"ip", hex(group.bundle)}, {"cycles", group.cycles}, {"flushed", group.flushed}});
  }
  return object;
}

/// A counter as if it had no limit, in whole events if it counts halves, unless the event itself counts halves.
Json count_of(const Programme& programme, const MonitorResult& result, const Collected& collected,
              const std::string& counter, const std::vector<encoder::Selection>& selections) {
  const auto selection = std::find_if(selections.begin(), selections.end(),
                                      [&](const encoder::Selection& one) { return one.counter == counter; });
  const std::string event = selection == selections.end() ? "" : selection->canonical;
  Json count{{"counter", counter}, {"event", event}};
  if (testbench::find_firmware(programme.target().name) == nullptr) {
    const testbench::RegisterReading& reading = result.reading(counter);
    count["value"] = testbench::counter_value(programme.target(), reading.info, reading.value);
    if (const auto wraps = result.wraps.find(counter); wraps != result.wraps.end()) count["wraps"] = wraps->second;
  } else {
    const auto extended = testbench::extended_count(programme.target(), result, counter, collected.ticks);
    const bool in_halves = extended.halves && (event.find("::PF_ISSUES") != std::string::npos ||
                                               event.find("::PF_NONISSUES") != std::string::npos);
    const unsigned steps = extended.halves && !in_halves ? 2 : 1;
    count["value"] = extended.value / steps;
    count["steps_per_event"] = steps;
    if (in_halves) count["unit"] = "1/2";
  }
  const std::vector<std::string> notes = testbench::interrupt_notes(result, counter);
  if (!notes.empty()) count["notes"] = notes;
  return count;
}

Json thread_of(const Programme& programme, const MonitorResult& result, const Collected& collected,
               const std::vector<testbench::RegisterWrite>& writes, activity::Cycle first) {
  const auto selections = testbench::raw_selections(programme.target().name, programme.registers());
  Json counts = Json::array();
  for (const std::string& counter : testbench::counter_names(programme.target(), *result.monitor))
    counts.push_back(
        count_of(programme, result, collected, counter, selections ? *selections : std::vector<encoder::Selection>{}));
  Json registers = Json::array();
  for (const testbench::RegisterReading& reading : result.registers) {
    registers.push_back({{"name", reading.info.name}, {"width", reading.info.width}, {"value", hex(reading.value)}});
  }
  Json samples = Json::array();
  for (std::size_t i = 0; i < std::min(most_samples, collected.samples.size()); ++i)
    samples.push_back(to_json(collected.samples[i], first));
  const testbench::CaptureUnits units(programme.target().name, writes);
  return {{"counts", counts},
          {"registers", registers},
          {"interrupts", result.interrupts},
          {"samples", samples},
          {"sample_count", collected.samples.size()},
          {"captured",
           to_json(units.decode([&](std::string_view name) { return result.value(name); }), units.records_path())},
          {"not_modelled", result.not_modelled}};
}

}  // namespace

Json replay(const Json& request, const testbench::ActivityLog& activity, unsigned threads) {
  const Programme programme(request, threads);
  testbench::SessionOptions options;
  options.engine = testbench::Engine::direct;
  options.watch_wraps = true;
  testbench::Session session(programme.target(), programme.parameters(), options);
  for (const testbench::MonitorSetup& setup : programme.setups()) session.add_monitor(setup);
  testbench::LogSource source(activity);
  const testbench::SessionResult result = session.run(source);
  Json answer{{"cycles", result.end_cycle - result.first_cycle},
              {"instructions", result.instructions},
              {"threads", Json::array()}};
  for (unsigned thread = 0; thread < threads; ++thread)
    answer["threads"].push_back(thread_of(programme, result.monitors[thread], programme.collected(thread),
                                          programme.setups()[thread].writes, result.first_cycle));
  testbench::Programming programming(programme.target(), programme.parameters());
  for (const testbench::RegisterWrite& write : programme.setups()[0].writes) programming.write(write);
  answer["broken_rules"] = programming.broken_rules();
  return answer;
}

}  // namespace pmusim::lab
