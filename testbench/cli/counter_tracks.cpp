#include "testbench/cli/counter_tracks.h"

#include <algorithm>

namespace pmusim::testbench {
namespace {

constexpr pmu::Cycle steps_of_a_ramp = 16, least_apart = 1000;

}  // namespace

void CounterTracks::left(unsigned counter, pmu::Step step, const pmu::Run& run) {
  now_ = std::max(now_, run.end);
  if (step != pmu::Step::added || run.n == 0 || counter >= labels_.size() || labels_[counter].empty()) return;
  counters_[counter].changes.push_back({run.begin, run.end, run.n, false});
}

void CounterTracks::written(unsigned counter, std::uint64_t /*value*/) {
  if (counter < labels_.size() && !labels_[counter].empty())
    counters_[counter].changes.push_back({now_, now_, 0, true});
}

void CounterTracks::show(std::size_t i) {
  Counter& counter = counters_[i];
  if (counter.value == counter.shown) return;
  out_->counter(process_, labels_[i], counter.at, counter.value);
  counter.shown = counter.value;
  counter.shown_at = counter.at;
}

// Stretches of the same cycles that belong to different hardware threads are reported one after the other.
void CounterTracks::flush(bool coarse) {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    Counter& counter = counters_[i];
    const auto due = [&] { return !coarse || counter.at >= counter.shown_at + least_apart; };
    std::stable_sort(counter.changes.begin(), counter.changes.end(),
                     [](const Change& a, const Change& b) { return a.begin < b.begin; });
    for (const Change& change : counter.changes) {
      if (change.written) {
        show(i);  // the peak
        counter.value = 0;
        counter.at = change.begin;
        show(i);
        continue;
      }
      const pmu::Cycle step = std::max<pmu::Cycle>(1, (change.end - change.begin) / steps_of_a_ramp);
      for (pmu::Cycle at = change.begin; at < change.end; at += step) {
        const pmu::Cycle end = std::min(at + step, change.end);
        counter.value += (end - at) * change.n;
        counter.at = std::max(counter.at, end);
        if (due()) show(i);
      }
    }
    counter.changes.clear();
  }
}

void CounterTracks::finish() {
  flush(true);
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    if (!labels_[i].empty()) show(i);
  }
}

}  // namespace pmusim::testbench
