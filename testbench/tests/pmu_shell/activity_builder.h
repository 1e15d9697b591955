// Hand-made activity, for tests whose numbers are computed by hand.
#pragma once

#include "models/activity/activity.h"

namespace pmusim::testing {

/// A block of `cycles` cycles from `begin` on, with the clock running and IF set, otherwise without occurrences.
class ActivityBuilder {
 public:
  explicit ActivityBuilder(activity::Cycle cycles, activity::Cycle begin = 0) {
    block_.begin = begin;
    block_.end = begin + cycles;
    state(activity::State::clock).initial = 1;
    state(activity::State::interrupt_flag).initial = 1;
  }
  activity::StateColumn& state(activity::State s) { return block_.states[static_cast<std::size_t>(s)]; }
  /// Sets state `s` to `value` from this cycle on. Calls must be in order of time.
  ActivityBuilder& change(activity::State s, std::uint32_t at, std::uint64_t value) {
    state(s).changes.push_back({at, value});
    return *this;
  }
  /// Adds the retirement of a 4-byte instruction at `ip`, `at` cycles after the begin.
  ActivityBuilder& retire(std::uint32_t at, std::uint64_t ip, std::uint16_t amount = 1) {
    activity::InstructionRecord record;
    record.ip = ip;
    record.next_ip = ip + 4;
    block_.instructions.push_back(record);
    const auto ref = static_cast<std::uint32_t>(block_.instructions.size() - 1);
    block_.columns[static_cast<std::size_t>(activity::Signal::retire)].push_back({at, ref, amount, 0});
    return *this;
  }
  ActivityBuilder& access(std::uint32_t at, std::string_view name, bool write, std::uint64_t value = 0) {
    activity::RegisterAccess a;
    a.at = at;
    a.write = write;
    a.value = value;
    name.copy(a.name.data(), a.name.size() - 1);
    block_.accesses.push_back(a);
    return *this;
  }
  [[nodiscard]] const activity::Block& block() const { return block_; }

 private:
  activity::Block block_;
};

}  // namespace pmusim::testing
