// Explains in terms of register fields why a counter did not count the requested event: compares an encoder's registers
// with those of this project's encoder for the same question.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench::diagnose {

/// The question to the encoder.
struct Request {
  std::string target;
  std::vector<std::string> events;  ///< event strings, counted together
  encoder::EncodeOptions options = {};
};

/// The encoder's answer.
struct Given {
  std::vector<encoder::RegisterValue> registers;        ///< in the order of writing
  std::vector<std::string> counters;                    ///< of each event
  std::map<std::string, std::uint64_t> dont_care = {};  ///< bits by register whose value does not matter to the encoder
  std::map<std::string, std::uint64_t> reset = {};      ///< values of registers that are not written; 0 for others
  std::vector<std::string> policies = {};               ///< what the encoder decides by itself, as it is reported
};

/// The result. `problem` describes an error other than a wrong count; empty otherwise.
struct Observed {
  std::uint64_t counted = 0;
  std::uint64_t expected = 0;
  std::string problem = {};
  bool by_itself = false;  ///< the problem names the fault, such as a wrong start value; no register is compared
};

enum class Kind : std::uint8_t {
  wrong_field,  ///< a field has another value
  not_written,  ///< a register that the question needs is not written
  not_asked,    ///< a register is written that the question does not need
};

/// A field that differs from this project's encoder; `field` is empty for a whole register.
struct Difference {
  Kind kind = Kind::wrong_field;
  std::string reg;         ///< the manual's name
  std::string field = {};  ///< the name that `pmusim decode` uses
  std::string bits = {};
  std::uint64_t given = 0;
  std::uint64_t right = 0;
  std::string given_meaning = {};
  std::string right_meaning = {};
  std::string text;  ///< the difference in words: "PerfEvtSel0 unit mask 0x1e does not select L2_INVALID"
};

struct Diagnosis {
  /// Differences that can affect the event, the most relevant first; if there are none, those of other events, which it
  /// may meet through a shared interrupt or a freeze; if there are none either, those in bits that do not matter.
  std::vector<Difference> differences;
  /// One sentence without a full stop: the differences, and their effect on the event's occurrences. Only if there is
  /// no difference does it state that the reason may be pmusim's.
  std::string sentence;
  /// The cause in the words of causes.h, where the differences do not show it; empty otherwise.
  std::string cause = {};
};

/// Diagnoses event number `event` of the question.
[[nodiscard]] Diagnosis diagnose(const Request& question, const Given& given, std::size_t event,
                                 const Observed& observed);

/// Explains a question that was refused as illegal: the reason, and its registers.
[[nodiscard]] std::string refusal(const Request& question, const std::string& message);

/// The effect on the occurrences: "4,211 of 9,873 DATA_CACHE_REFILLS:ALL not counted".
[[nodiscard]] std::string loss(const std::string& event, const Observed& observed);

/// The register of that name; null if there is none.
template <class Registers>
[[nodiscard]] auto* find_register(Registers& registers, std::string_view name) {
  const auto found =
      std::find_if(registers.begin(), registers.end(), [&](const auto& reg) { return reg.name == name; });
  return found == registers.end() ? nullptr : &*found;
}

}  // namespace pmusim::testbench::diagnose
