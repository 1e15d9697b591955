// The lower half of the timeline: every counter clocked one cycle at a time, as in waveforms (CounterProbe).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/pmu/follower.h"
#include "testbench/lab/bindings/programme.h"

namespace pmusim::lab {

/// The state of a counter from `cycle` to its next step. The layout is known to page/model.js.
struct Step {
  std::uint32_t cycle;      ///< relative to the first of the activity
  std::uint32_t n;          ///< the value of the selected event line
  std::uint32_t flags;      ///< 1: the condition (after threshold, invert and gates) holds, 2: the edge flop
  std::uint32_t low, high;  ///< halves of the value after the cycle
};

/// A level from `cycle` on: of an indicator of the PMU (frozen, overflow, a register written), or of a pin. The layout
/// is known to page/model.js.
struct Level {
  std::uint32_t cycle;
  std::uint32_t value;
};

/// Another event of a cycle. The layout is known to page/model.js.
struct Mark {
  enum Kind : std::uint32_t { request = 0, withdrawn = 1, taken = 2, access = 3 };
  std::uint32_t cycle;
  std::uint32_t kind;
  std::uint32_t thread;
  std::uint32_t low, high;  ///< taken: address of the next instruction
};

/// An occurrence that a counter's event counts, as the model reported it to its probe. The layout is known to
/// page/model.js.
struct Cause {
  std::uint32_t cycle;
  std::uint32_t what;  ///< bits 0..7 counter, 8 thread, 9 a request (else an instruction), 10..11 slot
  std::uint32_t id;
  std::uint32_t amount;  ///< 0: the instruction that made the request of the previous row
};

class Stepper {
 public:
  Stepper(const Json& request, const std::vector<activity::Block>& blocks, unsigned threads);
  ~Stepper();
  /// Advances by about `cycles`. False at the end.
  bool step(activity::Cycle cycles);
  [[nodiscard]] activity::Cycle reached() const;
  [[nodiscard]] unsigned counters() const;
  /// The counter's value before the first cycle.
  [[nodiscard]] std::uint64_t initial(unsigned thread, unsigned counter) const;
  [[nodiscard]] const std::vector<Step>& steps(unsigned thread, unsigned counter) const;
  /// The names of the levels, the same for every thread: the PMU's indicators, then its pins.
  [[nodiscard]] std::vector<std::string> level_names() const;
  /// All levels start at 0.
  [[nodiscard]] const std::vector<Level>& levels(unsigned thread, std::size_t i) const;
  [[nodiscard]] const std::vector<Mark>& marks() const { return marks_; }
  [[nodiscard]] const std::vector<Cause>& causes() const { return causes_; }

 private:
  class Pmu;
  void clock(Pmu& pmu, const activity::Block& block, activity::Cycle to);
  const std::vector<activity::Block>& blocks_;
  Programme programme_;
  std::vector<std::unique_ptr<Pmu>> pmus_;
  std::size_t block_ = 0;
  std::vector<Mark> marks_;
  std::vector<Cause> causes_;
};

}  // namespace pmusim::lab
