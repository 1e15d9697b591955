// The timeline's lower half: every counter clocked one cycle at a time, as waveforms have it (CounterProbe).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/pmu/follower.h"
#include "testbench/lab/bindings/programme.h"

namespace pmusim::lab {

/// What a counter shows from `cycle` on, until its next step. Layout known to page/model.js.
struct Step {
  std::uint32_t cycle;      ///< after the first of the activity
  std::uint32_t n;          ///< what the selected event line carries
  std::uint32_t flags;      ///< 1: the condition (after threshold, invert and gates) holds, 2: the edge flop
  std::uint32_t low, high;  ///< halves of the value after the cycle
};

/// A level from `cycle` on: of an indicator of the PMU (frozen, overflow, a register written), or of a pin. Layout
/// known to page/model.js.
struct Level {
  std::uint32_t cycle;
  std::uint32_t value;
};

/// Something else of a cycle. Layout known to page/model.js.
struct Mark {
  enum Kind : std::uint32_t { request = 0, withdrawn = 1, taken = 2, access = 3 };
  std::uint32_t cycle;
  std::uint32_t kind;
  std::uint32_t thread;
  std::uint32_t low, high;  ///< taken: address of the next instruction
};

/// An occurrence that a counter's event counts: what the model told its probe. Layout known to page/model.js.
struct Cause {
  std::uint32_t cycle;
  std::uint32_t what;  ///< bits 0..7 counter, 8 thread, 9 a request (else an instruction), 10..11 slot
  std::uint32_t id;
  std::uint32_t amount;  ///< 0: the instruction that made the request just named
};

class Stepper {
 public:
  Stepper(const Json& request, const std::vector<activity::Block>& blocks, unsigned threads);
  ~Stepper();
  /// Goes on by about `cycles`. False: the end is reached.
  bool step(activity::Cycle cycles);
  [[nodiscard]] activity::Cycle reached() const;
  [[nodiscard]] unsigned counters() const;
  /// What the counter held before the first cycle.
  [[nodiscard]] std::uint64_t initial(unsigned thread, unsigned counter) const;
  [[nodiscard]] const std::vector<Step>& steps(unsigned thread, unsigned counter) const;
  /// What there are levels of, of every thread alike: the PMU's indicators, then its pins.
  [[nodiscard]] std::vector<std::string> level_names() const;
  /// All start at 0.
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
