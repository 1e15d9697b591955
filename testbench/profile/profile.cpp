#include "testbench/profile/profile.h"

#include <memory>
#include <optional>
#include <tuple>

#include "testbench/profile/waiting.h"

namespace pmusim::testbench {

namespace {

using RowKey = std::pair<unsigned, Culprit>;

RowKey key_of(const ProfileRow& row) { return {row.thread, {row.ip, row.slot, row.instruction}}; }

/// Rows by thread and culprit, created at the first use.
class Rows {
 public:
  explicit Rows(std::size_t events) : events_(events) {}
  ProfileRow& at(unsigned thread, const Culprit& culprit) {
    const auto [entry, fresh] = rows_.try_emplace({thread, culprit});
    ProfileRow& row = entry->second;
    if (fresh) {
      row.thread = thread;
      row.instruction = culprit.instruction;
      row.ip = culprit.ip;
      row.slot = culprit.slot;
      row.events.resize(events_);
    }
    return row;
  }
  std::vector<ProfileRow> take() {
    std::vector<ProfileRow> all;
    for (auto& [key, row] : rows_) all.push_back(std::move(row));
    return all;
  }

 private:
  std::size_t events_;
  std::map<RowKey, ProfileRow> rows_;
};

/// Also tells the costs of calls what the counter adds.
class EventRecorder final : public WaitingRecorder {
 public:
  EventRecorder(unsigned counters, unsigned counter, std::size_t event, CallCosts* calls)
      : WaitingRecorder(counters, counter), counter_(counter), event_(event), calls_(calls) {}
  void left(unsigned counter, pmu::Step step, const pmu::Run& run) override {
    if (calls_ != nullptr && counter == counter_ && step == pmu::Step::added && run.n != 0) calls_->add(event_, run);
    WaitingRecorder::left(counter, step, run);
  }

 private:
  unsigned counter_;
  std::size_t event_;
  CallCosts* calls_;
};

/// The PMU that counts an event of a thread exactly.
struct Watched {
  std::size_t event;
  unsigned thread;
  std::size_t monitor;
  std::unique_ptr<WaitingRecorder> recorder;
};

void add(ProfileRow& sum, const ProfileRow& row) {
  sum.cycles += row.cycles;
  sum.instructions += row.instructions;
  for (std::size_t i = 0; i < row.events.size(); ++i) {
    sum.events[i].exact += row.events[i].exact;
    sum.events[i].samples += row.events[i].samples;
    sum.events[i].estimated += row.events[i].estimated;
  }
}

using GroupKey = std::tuple<unsigned, bool, std::string, std::string, unsigned, std::uint64_t, unsigned>;

GroupKey group_of(const ProfileRow& row, Grouping grouping) {
  if (!row.instruction) return {row.thread, false, "", "", 0, 0, 0};
  const Location& at = row.location;
  switch (grouping) {
    case Grouping::function:
      return {row.thread, true, at.function, "", 0, 0, 0};
    case Grouping::line:
      return {row.thread, true, at.file.empty() ? at.function : "", at.file, at.line, 0, 0};
    case Grouping::instruction:
      break;
  }
  return {row.thread, true, "", "", 0, row.ip, row.slot};
}

}  // namespace

std::size_t Profile::asked() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(events, [](const ProfiledEvent& event) { return event.stall.empty(); }));
}

Profile profile(const ProfileRequest& request) {
  SessionOptions options = request.options;
  options.engine = Engine::direct;
  Session session(*request.target, request.parameters, options);
  const unsigned counters = request.target->make_monitor(request.parameters)->counter_count();
  std::vector<std::unique_ptr<CallCosts>> calls(request.threads);
  for (unsigned thread = 0; request.calls && thread < request.threads; ++thread)
    calls[thread] = std::make_unique<CallCosts>(thread, request.events.size());
  std::vector<Watched> all;
  for (std::size_t event = 0; event < request.events.size(); ++event) {
    for (unsigned thread = 0; thread < request.threads; ++thread) {
      auto recorder =
          std::make_unique<EventRecorder>(counters, request.events[event].counter.index, event, calls[thread].get());
      const auto of_thread = request.threads == 1 ? std::nullopt : std::optional{thread};
      const std::size_t monitor = session.add_monitor({request.events[event].writes, {}, of_thread, recorder.get()});
      all.push_back({event, thread, monitor, std::move(recorder)});
    }
  }
  std::vector<Retirements> retirements;
  for (unsigned thread = 0; thread < request.threads; ++thread) retirements.emplace_back(thread);
  const auto settle = [&] {
    for (const Watched& watched : all) watched.recorder->settle(retirements[watched.thread]);
  };
  session.add_observer([&](const activity::Block& block) {
    for (Retirements& one : retirements) one.consume(block);
    settle();
    for (const auto& one : calls) {
      if (one != nullptr) one->consume(block);
    }
  });
  if (request.add_samplers) request.add_samplers(session);
  Profile result;
  result.session = request.run(session);
  settle();
  for (const auto& one : calls) {
    if (one != nullptr) result.calls.push_back(one->finish());
  }

  Rows rows(request.events.size());
  for (unsigned thread = 0; thread < request.threads; ++thread) {
    for (const auto& [culprit, n] : retirements[thread].cycles()) rows.at(thread, culprit).cycles += n;
    for (const auto& [culprit, n] : retirements[thread].instructions()) rows.at(thread, culprit).instructions += n;
    if (retirements[thread].rest() != 0) rows.at(thread, {}).cycles += retirements[thread].rest();
  }
  for (const ProfileRequestEvent& event : request.events) {
    result.events.push_back({event.counter});
    result.events.back().stall = event.stall;
  }
  for (const Watched& watched : all) {
    const MonitorResult& monitor = result.session.monitors[watched.monitor];
    refuse_without_count(*request.target, monitor);
    Explanation explanation;
    explanation.counter = request.events[watched.event].counter;
    explanation.thread = watched.thread;
    explanation.record = watched.recorder->counter(explanation.counter.index);
    add_up(*request.target, monitor, explanation);
    ProfiledEvent& event = result.events[watched.event];
    event.unit = explanation.unit;
    event.counted += explanation.record.left_after(pmu::Step::added);
    std::uint64_t unnamed = explanation.record.unnamed;
    for (const auto& [culprit, n] : watched.recorder->waited()) {
      rows.at(watched.thread, culprit).events[watched.event].exact += n;
      unnamed -= n;
    }
    for (const auto& [culprit, n] : explanation.record.by_culprit)
      rows.at(watched.thread, culprit).events[watched.event].exact += n;
    if (unnamed != 0) rows.at(watched.thread, {}).events[watched.event].exact += unnamed;
  }
  result.rows = rows.take();
  return result;
}

void add_sample(Profile& profile, ProfileSample sample) {
  ProfileRow fresh;
  fresh.thread = sample.thread;
  fresh.ip = sample.stack.back().address;
  const auto before = [](const ProfileRow& a, const ProfileRow& b) { return key_of(a) < key_of(b); };
  auto row = std::ranges::lower_bound(profile.rows, fresh, before);
  if (row == profile.rows.end() || row->thread != fresh.thread || row->ip != fresh.ip) {
    fresh.events.resize(profile.events.size());
    row = profile.rows.insert(row, std::move(fresh));
  }
  EventAmounts& amounts = row->events.at(sample.event);
  ++amounts.samples;
  amounts.estimated += sample.period;
  ProfiledEvent& event = profile.events[sample.event];
  ++event.samples;
  event.estimated += sample.period;
  profile.samples.push_back(std::move(sample));
}

void add_locations(Profile& profile, const std::function<Location(unsigned, std::uint64_t)>& location) {
  for (ProfileRow& row : profile.rows) {
    if (row.instruction) row.location = location(row.thread, row.ip + row.slot);
  }
}

std::vector<ProfileRow> grouped_rows(const Profile& profile, Grouping grouping) {
  std::map<GroupKey, ProfileRow> groups;
  for (const ProfileRow& row : profile.rows) {
    const auto [group, fresh] = groups.try_emplace(group_of(row, grouping), row);
    if (!fresh) add(group->second, row);
  }
  std::vector<ProfileRow> sorted;
  sorted.reserve(groups.size());
  for (auto& [key, row] : groups) sorted.push_back(std::move(row));
  const bool any = profile.asked() != 0;
  const auto weight = [any](const ProfileRow& row) { return any ? row.events[0].exact : row.cycles; };
  std::ranges::stable_sort(sorted, [&](const ProfileRow& a, const ProfileRow& b) {
    return std::tuple(weight(b), b.cycles, a.thread, a.ip, a.slot) <
           std::tuple(weight(a), a.cycles, b.thread, b.ip, b.slot);
  });
  return sorted;
}

using activity::Cycle;

CallCosts::CallCosts(unsigned thread, std::size_t events) : thread_(thread), stack_(thread), events_(events) {
  sums_.events.resize(events);
  stack_.on_change([this](Cycle at, std::size_t depth, std::uint64_t entry) { change(at, depth, entry); });
}

// The stack tells the changes of a block at the next one, when the counters have added all of it.
void CallCosts::consume(const activity::Block& block) {
  if (!begun_) summed_ = block.begin;
  begun_ = true;
  stack_.consume(block);
  sum_up_to(block.begin);
  end_ = block.end;
  for (const activity::Occurrence& occurrence : block.column(activity::Signal::retire)) {
    const activity::InstructionRecord& instruction = block.instructions[occurrence.ref];
    if (instruction.wrong_path || instruction.thread != thread_) continue;
    const Cycle at = block.begin + occurrence.at;
    if (retired_.empty() || retired_.back().first != at) retired_.emplace_back(at, 0);
    ++retired_.back().second;
  }
}

std::vector<Call> CallCosts::finish() {
  (void)stack_.at(end_ + 1);
  sum_up_to(end_);
  close(0);
  std::vector<Call> all;
  for (auto& [key, call] : calls_) all.push_back(std::move(call));
  return all;
}

void CallCosts::change(Cycle at, std::size_t depth, std::uint64_t entry) {
  sum_up_to(at + 1);
  close(depth);
  if (entry == 0) return;
  const std::pair key(stack_.returns_to(), entry);
  Call& call = calls_[key];
  call.site = key.first;
  call.callee = entry;
  call.events.resize(events_.size());
  ++call.count;
  const bool again = std::ranges::any_of(open_, [&](const Open& one) { return one.key.second == entry; });
  open_.push_back({key, sums_, again});
}

void CallCosts::sum_up_to(Cycle end) {
  if (end <= summed_) return;
  sums_.cycles += end - summed_;
  summed_ = end;
  for (; next_retired_ < retired_.size() && retired_[next_retired_].first < end; ++next_retired_)
    sums_.instructions += retired_[next_retired_].second;
  if (next_retired_ == retired_.size()) {
    retired_.clear();
    next_retired_ = 0;
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Event& event = events_[i];
    for (; event.next < event.runs.size() && event.runs[event.next].begin < end; ++event.next) {
      pmu::Run& run = event.runs[event.next];
      const Cycle to = std::min(run.end, end);
      sums_.events[i] += run.n * (to - run.begin);
      run.begin = to;
      if (run.begin != run.end) break;
    }
    if (event.next != event.runs.size()) continue;
    event.runs.clear();
    event.next = 0;
  }
}

void CallCosts::close(std::size_t depth) {
  while (open_.size() > depth) {
    const Open& last = open_.back();
    Call& call = calls_.at(last.key);
    if (!last.again) {
      call.cycles += sums_.cycles - last.before.cycles;
      call.instructions += sums_.instructions - last.before.instructions;
      for (std::size_t i = 0; i < call.events.size(); ++i) call.events[i] += sums_.events[i] - last.before.events[i];
    }
    open_.pop_back();
  }
}

}  // namespace pmusim::testbench
