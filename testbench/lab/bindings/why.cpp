#include <algorithm>
#include <nlohmann/json.hpp>

#include "testbench/explain/explanation.h"
#include "testbench/explain/raw_counters.h"
#include "testbench/explain/recorder.h"
#include "testbench/lab/bindings/answers.h"
#include "testbench/lab/bindings/programme.h"

namespace pmusim::lab {
namespace {

using testbench::CounterRecord;
using testbench::Culprit;

constexpr std::size_t most_rows = 12;  ///< rows of a table on the page

template <class Key>
std::vector<std::pair<Key, std::uint64_t>> most_first(const std::map<Key, std::uint64_t>& amounts) {
  std::vector<std::pair<Key, std::uint64_t>> sorted(amounts.begin(), amounts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  sorted.resize(std::min(sorted.size(), most_rows));
  return sorted;
}

Json to_json(const CounterRecord& record) {
  Json steps = Json::array(), instructions = Json::array(), addresses = Json::array();
  for (std::size_t i = 0; i < pmu::step_count; ++i) {
    if (!record.left[i]) continue;
    const auto step = static_cast<pmu::Step>(i);
    steps.push_back(
        {{"name", testbench::name_of(step)}, {"meaning", testbench::meaning_of(step)}, {"left", *record.left[i]}});
  }
  for (const auto& [culprit, amount] : most_first<Culprit>(record.by_culprit))
    instructions.push_back(
        {{"ip", culprit.instruction ? hex(culprit.ip) : ""}, {"slot", culprit.slot}, {"amount", amount}});
  for (const auto& [address, amount] : most_first<std::uint64_t>(record.by_address))
    addresses.push_back({{"address", hex(address)}, {"amount", amount}});
  return {{"steps", steps},
          {"base", hex(record.base)},
          {"added", record.since + record.overwritten},
          {"instructions", instructions},
          {"instruction_count", record.by_culprit.size()},
          {"addresses", addresses},
          {"unnamed", record.unnamed}};
}

std::vector<encoder::Selection> selected(const Programme& programme) {
  const auto selections = testbench::raw_selections(programme.target().name, programme.registers());
  return selections ? *selections : std::vector<encoder::Selection>{};
}

}  // namespace

Json explain(const Json& request, const testbench::ActivityLog& activity, unsigned threads) {
  const Programme programme(request, threads);
  testbench::SessionOptions options;
  options.engine = testbench::Engine::direct;
  testbench::Session session(programme.target(), programme.parameters(), options);
  const unsigned counters = programme.target().make_monitor(programme.parameters())->counter_count();
  std::vector<std::unique_ptr<testbench::Recorder>> recorders;
  for (testbench::MonitorSetup setup : programme.setups()) {
    setup.probe = recorders.emplace_back(std::make_unique<testbench::Recorder>(counters)).get();
    session.add_monitor(setup);
  }
  testbench::LogSource source(activity);
  (void)session.run(source);
  Json answer = Json::array();
  for (unsigned thread = 0; thread < threads; ++thread) {
    for (const encoder::Selection& selection : selected(programme)) {
      Json one = to_json(recorders[thread]->counter(selection.counter_index));
      one["thread"] = thread;
      one["counter"] = selection.counter;
      one["event"] = selection.canonical;
      answer.push_back(one);
    }
  }
  return {{"counters", answer}};
}

Json neighbours(const Json& request, const testbench::ActivityLog& activity, unsigned threads) {
  const Programme programme(request, threads);
  testbench::ExplainRequest asked;
  asked.target = &programme.target();
  asked.parameters = programme.parameters();
  asked.threads = threads;
  asked.run = [&](testbench::Session& session) {
    testbench::LogSource source(activity);
    return session.run(source);
  };
  asked.registers = programme.registers();
  for (const encoder::Selection& selection : selected(programme)) {
    if (selection.counter == request.at("counter").get<std::string>())
      asked.counters.push_back({selection.counter, selection.canonical, selection.counter_index});
  }
  Json rows = Json::array();
  for (const testbench::Explanation& explanation : testbench::explain(asked).explanations) {
    if (explanation.thread != request.value("thread", 0u)) continue;
    for (const testbench::Neighbour& neighbour : explanation.neighbours) {
      rows.push_back({{"register", neighbour.reg},
                      {"field", neighbour.field},
                      {"from", neighbour.from},
                      {"to", neighbour.to},
                      {"meaning", neighbour.meaning},
                      {"event", neighbour.event.value_or("")},
                      {"counted", neighbour.counted}});
    }
  }
  return {{"neighbours", rows}};
}

}  // namespace pmusim::lab
