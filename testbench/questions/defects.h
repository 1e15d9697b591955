// Defects that encoders really suffer from, each done to our own encoder's answers wherever it fits. They answer
// through the protocol, as a foreign encoder does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/validate/candidate.h"

namespace pmusim::testbench::questions {

/// What an answer is spoilt with.
struct Spoilt {
  const std::string& target;
  const Group& group;    ///< as it was asked
  const Answer& before;  ///< the right answer to the request before
};

struct Defect {
  std::string name;
  std::string about;
  std::function<void(const std::string& target, Group& group)> ask = {};  ///< what it takes for the question
  std::function<void(const Spoilt&, Answer& answer)> spoil = {};          ///< what it makes of the right answer
  /// What it answers where the right answer is a refusal.
  std::function<Answer(const std::string& target, const Group& group)> instead_of_refusal = {};
  bool remembers = false;  ///< the request before, whose answer it mixes up with this one's
};

/// All that can be done to the encoder of a target; which of them change anything shows when it is asked.
[[nodiscard]] std::vector<Defect> defects_of(const std::string& target);

// By what they do: to the question, to the answer, to one event of several, to ranges, and to fields of registers.
void add_asking_defects(const std::string& target, std::vector<Defect>& defects);
void add_answering_defects(const std::string& target, std::vector<Defect>& defects);
void add_several_events_defects(const std::string& target, std::vector<Defect>& defects);
void add_range_defects(const std::string& target, std::vector<Defect>& defects);
void add_field_defects(const std::string& target, std::vector<Defect>& defects);

/// The register that selects what a counter counts, where each counter has one; empty: none.
[[nodiscard]] std::string selector_of(const std::string& counter);

/// Why no answer that the defect changes counts differently, by the manual; empty: one has to.
[[nodiscard]] std::string_view excuse_for(const std::string& target, std::string_view defect);

}  // namespace pmusim::testbench::questions
