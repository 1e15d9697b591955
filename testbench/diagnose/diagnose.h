// Why a counter did not count what was asked for, in the words of the registers' fields: the registers that some
// encoder gave are compared with those of this project's encoder for the same question.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench::diagnose {

/// What the encoder was asked.
struct Question {
  std::string target;
  std::vector<std::string> events;  ///< event strings, counted together
  encoder::EncodeOptions options = {};
};

/// What it answered.
struct Given {
  std::vector<encoder::RegisterValue> registers;        ///< in the order of writing
  std::vector<std::string> counters;                    ///< of each event
  std::map<std::string, std::uint64_t> dont_care = {};  ///< bits by register that it does not stand for
};

/// What came of it. `problem` is what is wrong where that is no count; empty otherwise.
struct Observed {
  std::uint64_t counted = 0;
  std::uint64_t expected = 0;
  std::string problem = {};
};

enum class Kind : std::uint8_t {
  wrong_field,  ///< a field holds something else
  not_written,  ///< a register that the question needs is not written
  not_asked,    ///< a register is written that the question does not need
};

/// One field that differs from what this project's encoder gives; of whole registers `field` is empty.
struct Difference {
  Kind kind = Kind::wrong_field;
  std::string reg;    ///< the manual's name
  std::string field;  ///< as `pmusim decode` calls it
  std::string bits;
  std::uint64_t given = 0;
  std::uint64_t right = 0;
  std::string given_meaning;
  std::string right_meaning;
  std::string text;  ///< what is wrong in words: "PerfEvtSel0 unit mask 0x1e does not select L2_INVALID"
};

struct Diagnosis {
  std::vector<Difference> differences;  ///< those that can matter to the event, what matters most first
  /// One sentence without a full stop: the differences, and what became of the event's occurrences. Without a
  /// difference it says that the registers are right, and to look at what stands behind them.
  std::string sentence;
};

/// Diagnoses event number `event` of the question.
[[nodiscard]] Diagnosis diagnose(const Question& question, const Given& given, std::size_t event,
                                 const Observed& observed);

/// A question that was refused as illegal: why, and what its registers are.
[[nodiscard]] std::string refusal(const Question& question, const std::string& message);

/// What became of the occurrences alone: "4,211 of 9,873 DATA_CACHE_REFILLS:ALL not counted".
[[nodiscard]] std::string loss(const std::string& event, const Observed& observed);

}  // namespace pmusim::testbench::diagnose
