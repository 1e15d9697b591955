// Mutants that the manual makes equivalent to the original: few rules, each named and cited. A rule removes from
// register values the bits without an effect; two programs are equivalent if the results are equal.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/pmu/monitor.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/event_facts.h"

namespace pmusim::testbench::faults {

using Registers = std::vector<encoder::RegisterValue>;

/// What is known of an event code.
struct Selected {
  const EventFacts* facts = nullptr;
  bool has_masks = false;   ///< otherwise its unit mask is ignored
  std::uint32_t masks = 0;  ///< bits of the unit mask that can count anything
};

/// The value of a PALcode call that is not made. No argument equals it, nor differs from it by one bit or by one.
inline constexpr std::uint64_t call_not_made = 0x5555555555555555;

/// Registers by name. Those that are not in the answer, or that a mutant dropped, have their reset values.
class Programmed {
 public:
  Programmed(const Registers& reset, const Registers& written);
  /// Throws std::out_of_range for a register that is not in the answers.
  [[nodiscard]] std::uint64_t& at(std::string_view name);
  [[nodiscard]] bool has(std::string_view name) const;
  /// Calls change(name, value) for every register.
  template <class Change>
  void each(Change change) {
    for (std::size_t i = 0; i < values_.size(); ++i) change(std::string_view((*names_)[i].name), values_[i]);
  }
  friend bool operator==(const Programmed& a, const Programmed& b) { return a.values_ == b.values_; }

 private:
  [[nodiscard]] std::ptrdiff_t find(std::string_view name) const;
  const Registers* names_;
  std::vector<std::uint64_t> values_;
};

struct Rule {
  std::string_view name;
  std::string_view source;  ///< document and section
  void (*normalise)(Programmed& registers);
  /// Where documents are silent: parameters of the model whose defaults the rule assumes, "NAME=VALUE, ...".
  std::string_view choices = {};
};
/// The facts about a target that mutation needs.
struct EquivalenceFacts {
  std::span<const Rule> rules;                      ///< in the order in which they are applied
  std::uint64_t (*reserved)(std::string_view reg);  ///< bits that the manual reserves, gives no function, or fixes
  /// The rule by which two answers are equal for this event, because it does not read the register fields in which they
  /// differ; null if there is none.
  const Rule* (*not_read)(std::string_view event, const Registers& own, const Registers& mutant) = nullptr;
};
/// The facts about a target; null for a target without rules.
[[nodiscard]] const EquivalenceFacts* find_equivalence_facts(std::string_view target);

/// The rules of a target, in the order in which they are applied; none for a target without rules.
[[nodiscard]] std::span<const Rule> rules_of(std::string_view target);

/// Bits of a register that the manual reserves, gives no function, or fixes.
[[nodiscard]] std::uint64_t reserved_bits(std::string_view target, std::string_view reg);

/// Registers of an answer with the values that reset leaves, in their order.
[[nodiscard]] Registers reset_of(pmu::Monitor& monitor, const Registers& answer);

/// An answer, with the check that mutants are equivalent to it. `reset` must outlive it.
class Equivalents {
 public:
  Equivalents(std::string_view target, const Registers& reset, const Registers& original);
  /// The rule by which `mutant` is equivalent: the last one that is needed. Null if it is not equivalent.
  [[nodiscard]] const Rule* rule_for(const Registers& mutant) const;

 private:
  std::span<const Rule> rules_;
  const Registers* reset_;
  std::vector<Programmed> stages_;  ///< the answer after each rule
};

/// The name of the rule by which two answers count the same; empty: there is none, or they use different counters or
/// registers.
[[nodiscard]] std::string same_by_rule(const std::string& target, const Answer& right, const Answer& changed);

/// A target's event codes: the encoder's list has their names, and the facts about these names judge.
[[nodiscard]] const std::map<std::uint32_t, Selected>& selected_events(const std::string& target);

}  // namespace pmusim::testbench::faults

#define FACTS faults::EquivalenceFacts
#define MEMBER equivalence
#include "testbench/targets/declare_facts.inc"
