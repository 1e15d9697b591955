// The encoder that is judged: our own library, or a program (sweep/conformance.h).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/judge/diagnosis/diagnose.h"
#include "testbench/judge/question/plan.h"
#include "testbench/judge/verdict/verdict.h"

namespace pmusim::testbench {

/// The key `policy` of an answer (docs/foreign-encoders.md). The answer is judged by what the tool decided in place of
/// what was asked.
struct Policy {
  bool both_levels = false;                  ///< counts in user and kernel mode
  bool interrupts = false;                   ///< every counter that is used interrupts
  bool stops = false;                        ///< an interrupt stops all counters
  bool no_filters = false;                   ///< ignores the filters of a run
  bool unmarked_only = false;                ///< counts while the process is not marked
  std::optional<std::uint64_t> period = {};  ///< the only period
  [[nodiscard]] bool operator==(const Policy&) const = default;
};

/// The names of the policies in force, as they are reported: "interrupts", "period 4096".
[[nodiscard]] std::vector<std::string> names_of(const Policy& policy);
/// What a policy of that name costs its users, in one sentence.
[[nodiscard]] std::string_view cost_of(std::string_view name);

/// Changes what a group asks for to what a tool with this policy does.
void apply(const Policy& policy, Group& group);

/// A candidate's answer to one group.
struct Answer {
  enum class Status {
    encoded,
    unsupported,
    invalid,
    missing,  ///< it failed to answer
  };
  Status status = Status::encoded;
  std::string message;                                  ///< the reason if it is not encoded
  std::vector<encoder::RegisterValue> registers;        ///< in write order
  std::vector<std::string> counters;                    ///< counter register of each event, in order
  std::vector<std::uint64_t> presets = {};              ///< start value of each counter; empty if none was requested
  std::map<std::string, std::uint64_t> dont_care = {};  ///< bits by register whose value does not matter to the encoder
  std::vector<std::string> reads = {};  ///< the counter that the tool reads for each event; empty: that of `counters`
  Policy policy = {};                   ///< what the tool decides by itself
  /// The same answer, with all bits that do not matter to the encoder as 0 or all as 1.
  [[nodiscard]] Answer with_ignored_bits(bool ones) const;
  /// The counter from which the tool takes the count of an event.
  [[nodiscard]] const std::string& read_counter(std::size_t event) const {
    return reads.empty() ? counters[event] : reads[event];
  }
};

/// The form in which a group is passed to the own library; an error if its filters cannot be read.
[[nodiscard]] encoder::Result<diagnose::Request> question_of(const std::string& target, const Group& group);

/// Converts the result of the own library, with start values if there is a period.
[[nodiscard]] Answer answer_of(const encoder::Result<encoder::Encoding>& encoding, const std::string& target = {},
                               std::uint64_t period = 0);

class EncoderUnderTest {
 public:
  virtual ~EncoderUnderTest() = default;
  virtual Answer encode(const std::string& target, const Group& group) = 0;
  /// The same for several groups; answers are in the order of the groups. `answered` is called after each one.
  [[nodiscard]] virtual std::vector<Answer> encode_all(const std::string& target,
                                                       const std::vector<const Group*>& groups,
                                                       const std::function<void()>& answered) {
    std::vector<Answer> answers;
    answers.reserve(groups.size());
    for (const Group* const group : groups) {
      answers.push_back(encode(target, *group));
      answered();
    }
    return answers;
  }
  /// The candidate's first failure to answer, in one line; empty if it always answered.
  [[nodiscard]] virtual std::string failure() const { return {}; }
};

/// The library of this project, called in this process.
[[nodiscard]] std::unique_ptr<EncoderUnderTest> own_encoder();

}  // namespace pmusim::testbench
