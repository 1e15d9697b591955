// Faults as real encoders have them, applied to our own encoder's answers wherever they fit. Faulty encoders answer
// through the protocol, as a foreign encoder does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/faults/fault.h"
#include "testbench/judge/encoder/encoder_under_test.h"

namespace pmusim::testbench::faults {

/// The context of an answer that a fault changes.
struct Spoilt {
  const std::string& target;
  const Group& group;    ///< as requested
  const Answer& before;  ///< the right answer to the previous request
};

struct EncoderFault : Fault {
  std::function<void(const std::string& target, Group& group)> ask = {};  ///< changes the question before it is encoded
  std::function<void(const Spoilt&, Answer& answer)> spoil = {};          ///< changes the right answer
  /// The answer where the right answer is a refusal.
  std::function<Answer(const std::string& target, const Group& group)> instead_of_refusal = {};
  bool remembers = false;  ///< mixes the answer to the previous request into this one
};

/// All faults that can be applied to the encoder of a target. Some may change no answer.
[[nodiscard]] std::vector<EncoderFault> encoder_faults_of(const std::string& target);

// The faults by what they change: the question, the answer, one event of several, ranges, and fields of registers.
void add_asking_faults(const std::string& target, std::vector<EncoderFault>& faults);
void add_answering_faults(const std::string& target, std::vector<EncoderFault>& faults);
void add_several_events_faults(const std::string& target, std::vector<EncoderFault>& faults);
void add_range_faults(const std::string& target, std::vector<EncoderFault>& faults);
void add_field_faults(const std::string& target, std::vector<EncoderFault>& faults);

/// The register that selects the event of a counter; empty if the family has no such register for each counter.
[[nodiscard]] std::string selector_of(const std::string& counter);

/// The reason, from the manual, why no answer that the fault changes counts differently; empty: there is none.
[[nodiscard]] std::string_view excuse_for(const std::string& target, std::string_view fault);

}  // namespace pmusim::testbench::faults
