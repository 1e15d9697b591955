// One programmed monitor on a stimulus, and all that the registers do there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/pmu/follower.h"
#include "models/targets.h"
#include "testbench/driver/session.h"
#include "testbench/questions/question.h"
#include "testbench/questions/stimuli.h"
#include "testbench/validate/candidate.h"

namespace pmusim::testbench::questions {

/// What was seen of a monitor.
struct Seen {
  std::vector<std::vector<std::uint64_t>> counts;  ///< at the end of each block, by counter
  std::vector<std::uint64_t> at_start;             ///< after the last write, when cycles passed between the writes
  std::vector<Cycle> requests;                     ///< cycles in which the interrupt was requested
  std::vector<pmu::PinEdge> edges;
  std::string captured = {};  ///< IA-64: a register that has taken something in though nothing was asked to
  std::uint64_t status = 0;   ///< IA-64: PMC0 at the end, which names the counters that have overflowed
};

class Bench {
 public:
  Bench(const Family& family, const models::Parameters& parameters);

  /// Runs what an encoder answered from `starts`, by number of the counter; if `in_steps`, where the last write starts
  /// the counters, once more with time between the writes. Throws std::invalid_argument for a register that the model
  /// has not.
  [[nodiscard]] Seen run(const Question& question, const Answer& answer, const std::vector<std::uint64_t>& starts,
                         const Stimulus& stimulus, bool in_steps = true);
  /// Number of a counter by its name; the number of counters when there is none of this name.
  [[nodiscard]] std::size_t number_of(const std::string& counter) const;
  /// What a count starts from to overflow with the `events`-th.
  /// With a `period` of the hardware the interrupt comes before the counter wraps.
  [[nodiscard]] std::uint64_t start_for(std::size_t counter, std::uint64_t events, std::uint64_t period) const;
  /// Start value of a counter that nothing is asked of: it has to stay so.
  [[nodiscard]] std::uint64_t resting(std::size_t counter) const;
  /// Whether a count from there on overflows.
  [[nodiscard]] bool overflows(std::size_t counter, std::uint64_t events, std::uint64_t start) const {
    return events > mask(counter) - start;
  }
  /// What a counter shows of a count.
  [[nodiscard]] std::uint64_t shown(std::size_t counter, const oracle::Tally& tally) const;
  /// How far a counter has come.
  [[nodiscard]] std::uint64_t counted(std::size_t counter, std::uint64_t value, std::uint64_t start) const {
    return (value - start) & mask(counter);
  }

 private:
  using Writes = std::vector<RegisterWrite>;
  /// A counter, wherever its value is.
  struct Place {
    std::optional<pmu::RegisterId> reg = {};  ///< none: no register shows it
    unsigned shift = 0, bits = 64;
    std::uint64_t per_event = 1;
  };
  /// What is written before the answer, and then for each register of it.
  [[nodiscard]] std::vector<Writes> writes_of(const Question& question, const Answer& answer,
                                              const std::vector<std::uint64_t>& starts) const;
  [[nodiscard]] RegisterWrite write_of(const std::string& reg, std::uint64_t value) const;
  [[nodiscard]] std::uint64_t mask(std::size_t counter) const;
  static void make(pmu::Follower& follower, const Writes& writes);
  [[nodiscard]] std::vector<std::uint64_t> counts(pmu::Follower& follower) const;

  const Family& family_;
  const models::Target& target_;
  bool has_firmware_ = false;
  pmu::Follower fresh_, follower_;
  std::map<std::string, pmu::RegisterId> registers_;
  std::vector<Place> counters_;
};

}  // namespace pmusim::testbench::questions
