// Runs one programmed monitor on a stimulus and records the results: counts, interrupts, pins, captures.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/pmu/follower.h"
#include "models/targets.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/session.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/stimulus/stimuli.h"

namespace pmusim::testbench::questions {

/// The results of a run.
struct Seen {
  std::vector<std::vector<std::uint64_t>> counts;  ///< at the end of each block, by counter
  std::vector<std::uint64_t> at_start;             ///< after the last write, if cycles passed between the writes
  std::vector<Cycle> requests;                     ///< cycles in which the interrupt was requested
  std::vector<pmu::PinEdge> edges;
  std::string captured = {};  ///< IA-64: a data register that changed although no event captures data there
  std::uint64_t status = 0;   ///< IA-64: PMC0 at the end, with a bit for each counter that overflowed
};

class Bench {
 public:
  Bench(const Family& family, const models::Parameters& parameters);

  /// Runs an encoder's answer; `starts`: start values by counter number. With `in_steps`, on a processor whose last
  /// write starts the counters, it also runs the answer with time between the writes. Throws std::invalid_argument for
  /// a register that the model does not have.
  [[nodiscard]] Seen run(const Question& question, const Answer& answer, const std::vector<std::uint64_t>& starts,
                         const Stimulus& stimulus, bool in_steps = true);
  /// The number of a counter with this name; the number of counters if there is none.
  [[nodiscard]] std::size_t number_of(const std::string& counter) const;
  /// The start value with which a counter overflows at its `events`-th event. With a `period` of the hardware the
  /// interrupt comes before the counter wraps.
  [[nodiscard]] std::uint64_t start_for(std::size_t counter, std::uint64_t events, std::uint64_t period) const;
  /// Start value of a counter that the question does not use: it must keep this value.
  [[nodiscard]] std::uint64_t resting(std::size_t counter) const;
  /// True if a counter that starts from `start` overflows within `events` events.
  [[nodiscard]] bool overflows(std::size_t counter, std::uint64_t events, std::uint64_t start) const {
    return events > mask(counter) - start;
  }
  /// The start values that an answer writes into counters, by counter number; empty for a counter that it leaves alone.
  [[nodiscard]] std::vector<std::optional<std::uint64_t>> starts_in(const Answer& answer) const;
  /// The call of an answer that does nothing but load start values; empty if there is none.
  [[nodiscard]] std::string load_in(const Answer& answer) const;
  /// True if a read of the register of that name gives the value of the counter.
  [[nodiscard]] bool shows(const std::string& reg, std::size_t counter) const {
    return shows_counter(fresh_.monitor(), reg, family_.counters[counter]);
  }
  /// The value that a counter shows for a count.
  [[nodiscard]] std::uint64_t shown(std::size_t counter, const oracle::Tally& tally) const;
  /// The number of events that a counter counted from `start` to `value`.
  [[nodiscard]] std::uint64_t counted(std::size_t counter, std::uint64_t value, std::uint64_t start) const {
    return (value - start) & mask(counter);
  }

 private:
  using Writes = std::vector<RegisterWrite>;
  /// Position of a counter's value in a register.
  struct CounterField {
    std::optional<pmu::RegisterId> reg = {};  ///< none: no register shows the counter
    unsigned shift = 0, bits = 64;
    std::uint64_t per_event = 1;
  };
  /// The writes before the answer, followed by those of each register of the answer.
  [[nodiscard]] std::vector<Writes> writes_of(const Question& question, const Answer& answer,
                                              const std::vector<std::uint64_t>& starts) const;
  [[nodiscard]] RegisterWrite write_of(const std::string& reg, std::uint64_t value) const;
  /// The write that makes a counter start from a value.
  [[nodiscard]] RegisterWrite start_of(std::size_t counter, std::uint64_t start) const;
  [[nodiscard]] std::uint64_t mask(std::size_t counter) const;
  static void make(pmu::Follower& follower, const Writes& writes);
  /// Makes the writes in the order given, with time between those of the answer.
  void follow_in_steps(const Answer& answer, const std::vector<Writes>& writes,
                       const std::vector<std::uint64_t>& starts, const Stimulus& stimulus);
  /// Makes the write of an answer on the running monitor; `calls` is null without firmware. A counter that it changes
  /// gets its start value again.
  void write_now(const encoder::RegisterValue& reg, std::uint64_t value, FirmwareCalls* calls,
                 const std::vector<std::uint64_t>& starts);
  void start_again(const CounterField& place, std::uint64_t start);
  [[nodiscard]] std::vector<std::uint64_t> counts(pmu::Follower& follower) const;

  const Family& family_;
  const models::Target& target_;
  bool has_firmware_ = false;
  pmu::Follower fresh_, follower_;
  std::map<std::string, pmu::RegisterId> registers_;
  std::vector<CounterField> counters_;
};

}  // namespace pmusim::testbench::questions
