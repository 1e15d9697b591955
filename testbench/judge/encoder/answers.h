// The answers of a candidate. It is asked once for each distinct group.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "testbench/driver/programming.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/plan.h"
#include "testbench/support/progress.h"

namespace pmusim::testbench {

class Answers {
 public:
  /// `progress` advances with every answer; its total grows by the groups that are requested.
  explicit Answers(EncoderUnderTest& candidate, Progress* progress = nullptr)
      : candidate_(candidate), progress_(progress) {}
  /// One answer per group. All unknown ones are requested together; a missing one is requested again.
  [[nodiscard]] std::vector<Answer> of(const std::string& target, const std::vector<const Group*>& groups);

  /// Keeps further answers apart from those known now. Call it before child processes start: a child that writes
  /// between the known ones copies page after page.
  void keep_apart() { settled_.merge(known_); }

 private:
  EncoderUnderTest& candidate_;
  Progress* progress_;
  std::unordered_map<std::string, Answer> known_, settled_;
};

/// A candidate failed to answer one of them.
[[nodiscard]] bool any_missing(const std::vector<Answer>& answers);

// Writes an encoder's answer to a monitor.

/// Writes one register of an answer. Start values are those of the trial: a counter that the answer writes, as drivers
/// do with WRPERFMON_WRITE or PMCTR, gets its former value back. Returns the names of these counters.
std::vector<std::string> write_keeping_counters(Programming& programming, const std::string& reg, std::uint64_t value);
/// Writes the registers of an answer in their order, in this way.
void write_answer(Programming& programming, const Answer& answer);

/// True if a read of the register of that name gives the value of the counter: it has the counter's name, or is
/// another view of it, like UPMC1 of the 750's PMC1. `fresh`: a monitor in its reset state.
[[nodiscard]] bool shows_counter(const pmu::Monitor& fresh, std::string_view reg, std::string_view counter);

/// The values of a target's registers after a reset, by name.
[[nodiscard]] const std::map<std::string, std::uint64_t>& reset_values(const std::string& target);

/// The start values that an answer gives by writing counters, by the counters' names.
[[nodiscard]] std::map<std::string, std::uint64_t> written_starts(const models::Target& target,
                                                                  const pmu::Monitor& fresh, const Answer& answer);

}  // namespace pmusim::testbench
