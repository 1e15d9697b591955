#include "testbench/judge/trial/expectations.h"

#include <map>
#include <memory>
#include <string>

namespace pmusim::testbench {

models::Parameters parameters_of(const Task& task, unsigned thread) {
  models::Parameters parameters = task.parameters;
  if (!task.second_trace.empty()) parameters.set("pmu.thread", std::int64_t{thread});
  return parameters;
}

Expectations::Expectations(const Task& task, const std::vector<Further>& further) {
  struct Asked {
    std::size_t check;
    Pass pass;
    std::size_t request;
  };
  std::map<Pass, std::vector<oracle::Request>> by_event;
  std::vector<Asked> places;
  std::size_t number = 0;
  for (const Group& group : task.plan) {
    for (const Check& check : group.checks) {
      ++number;
      if (group.captures || profiles(group)) continue;  // counted by a separate list
      const Pass pass{group.thread, oracle::pass_of(task.target, check.request.event)};
      auto& requests = by_event[pass];
      places.push_back({number - 1, pass, requests.size()});
      requests.push_back(check.request);
    }
  }
  for (const Further& more : further) {
    const Pass pass{more.thread, oracle::pass_of(task.target, more.request.event)};
    auto& requests = by_event[pass];
    places.push_back({number++, pass, requests.size()});
    requests.push_back(more.request);
  }
  list_.resize(number);
  std::map<Pass, oracle::Counter*> counters;
  std::map<unsigned, std::shared_ptr<const models::Parameters>> parameters_of_thread;
  for (const auto& [pass, requests] : by_event) {
    std::shared_ptr<const models::Parameters>& parameters = parameters_of_thread[pass.first];
    if (parameters == nullptr) parameters = std::make_shared<models::Parameters>(parameters_of(task, pass.first));
    const auto lookup = [known = parameters](std::string_view name) { return known->get(name); };
    counters_.push_back(task.make_counter ? task.make_counter(requests, lookup)
                                          : oracle::make_counter(task.target, requests, lookup));
    counters[pass] = counters_.back().get();
  }
  for (const Asked& place : places) list_[place.check] = {counters.at(place.pass), place.request};
  watch_sampled(task);
}

void Expectations::watch_sampled(const Task& task) {
  std::size_t number = 0;
  for (const Group& group : task.plan) {
    if (group.sampled && !profiles(group)) {
      list_[number].counter->watch(list_[number].request, group.sampled->grain(), group.sampled->grain());
    }
    number += group.checks.size();
  }
}

}  // namespace pmusim::testbench
