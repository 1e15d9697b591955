// A recorder that leaves out activity without a subscriber.
#pragma once

#include "models/activity/subscription.h"
#include "models/core/parts/recorder.h"

namespace pmusim::core {

class SelectiveRecorder : public Recorder {
 public:
  /// Replaces the set of subscriptions.
  void subscribe(const activity::Subscription& subscription) { subscription_ = subscription; }
  [[nodiscard]] bool subscribes_to(Signal signal) const { return subscription_.has(signal); }
  [[nodiscard]] bool subscribes_to(State state) const { return subscription_.has(state); }
  /// For a state that is set anew in every cycle and that the core itself does not read.
  void show(State state, std::uint64_t value) {
    if (subscribes_to(state)) set(state, value);
  }
  /// True if a subscriber reads the records that its occurrences name.
  [[nodiscard]] bool names(Signal signal) const { return subscription_.has_named(signal); }

  void occur(Signal signal, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (subscribes_to(signal)) Recorder::occur(signal, detail, amount);
  }
  template <class Record>
  void occur(Signal signal, Named<Record>& named, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (subscribes_to(signal)) occur_subscribed(signal, named, detail, amount);
  }
  void occur_of(std::uint32_t place, Signal signal, std::uint16_t detail = 0, std::uint16_t amount = 1) {
    if (subscribes_to(signal)) Recorder::occur_of(place, signal, detail, amount);
  }
  /// Changes the record, and mentions it if occurrences of one of these signals have to name it. Returns its place, for
  /// occur_of().
  template <class Change, class... Signals>
  std::uint32_t revise_for(NamedInstruction& instruction, Change change, Signals... signals) {
    if (is_named(instruction) || (names(signals) || ...)) return revise(instruction, change);
    change(instruction.record);
    return activity::no_ref;
  }

 protected:
  [[nodiscard]] const activity::Subscription& subscription() const { return subscription_; }

 private:
  template <class Record>
  [[gnu::noinline]] void occur_subscribed(Signal signal, Named<Record>& named, std::uint16_t detail,
                                          std::uint16_t amount) {
    if (names(signal)) {
      Recorder::occur(signal, named, detail, amount);
    } else {
      Recorder::occur(signal, detail, amount);
    }
  }
  activity::Subscription subscription_ = activity::Subscription::everything();
};

}  // namespace pmusim::core
