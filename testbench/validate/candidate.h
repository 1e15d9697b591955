// The encoder that is judged: our own library, or any program that speaks the JSON-lines protocol.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/diagnose/diagnose.h"
#include "testbench/validate/plan.h"
#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

/// What a candidate answers to one group.
struct Answer {
  enum class Status { encoded, unsupported, invalid };
  Status status = Status::encoded;
  std::string message;                                  ///< why not
  std::vector<encoder::RegisterValue> registers;        ///< in the order of writing
  std::vector<std::string> counters;                    ///< counter register of each event, in order
  std::map<std::string, std::uint64_t> dont_care = {};  ///< bits by register that the encoder does not stand for
};

/// A group as the own library is asked for it; an error when its filters cannot be read.
[[nodiscard]] encoder::Result<diagnose::Question> question_of(const std::string& target, const Group& group);

/// What our own library's result says.
[[nodiscard]] Answer answer_of(const encoder::Result<encoder::Encoding>& encoding);

/// Adds what an answer wants of the registers.
void note_wanted(const Answer& answer, std::map<std::string, WantedBits>& wanted);

class Candidate {
 public:
  virtual ~Candidate() = default;
  /// Throws UsageError when the candidate cannot be talked to any more.
  virtual Answer encode(const std::string& target, const Group& group) = 0;
};

/// The library of this project, in process.
[[nodiscard]] std::unique_ptr<Candidate> own_encoder();
/// `command` run by the shell; one process for the whole validation. See docs/foreign-encoders.md.
[[nodiscard]] std::unique_ptr<Candidate> foreign_encoder(const std::string& command, unsigned timeout_seconds = 10);

}  // namespace pmusim::testbench
