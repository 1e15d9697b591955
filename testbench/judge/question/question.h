// Questions to an encoder: every event on every counter with every attribute, sets of events, and illegal requests.
// Rows and unit masks come from the oracle; counters, fields and limits from the manuals. No encoder's table is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/judge/encoder/answers.h"
#include "testbench/judge/question/plan.h"

namespace pmusim::testbench::questions {

struct Question;

/// A value of an attribute and what it adds to a question.
struct Value {
  std::string name;
  std::function<void(Question&)> apply;
};

/// An attribute. The first value leaves it out.
struct Dimension {
  std::string name;
  std::vector<Value> values;
  /// Values that an encoder may confuse with this one, beside the omitted one; none: all others.
  std::function<std::vector<std::size_t>(std::size_t)> near = {};
  /// True if value `other` is value `own` without (a part of) the attribute; none: value 0 is.
  std::function<bool(std::size_t own, std::size_t other)> leaves_out = {};
};

/// Events and their attributes.
struct Form {
  Group group;  ///< without any attribute
  std::vector<Dimension> dimensions;
  std::string trace = {};  ///< the only trace used; empty: all are
};

struct Question {
  Group group;
  bool interrupts = false;   ///< an overflow must interrupt
  std::vector<bool> silent;  ///< events whose overflow must not interrupt although others do; empty: none
  std::string illegal;       ///< why it must be refused; empty: it is legal
  std::shared_ptr<const Form> form;
  std::vector<std::size_t> values;  ///< of each dimension of the form
  Policy policy = {};               ///< under which the answer is judged
  /// True if it is judged by the registers that a handler reads, as the plans of traces are: captures, interrupts,
  /// profiles.
  [[nodiscard]] bool handled() const { return group.captures || group.sampled; }
  [[nodiscard]] bool is_silent(std::size_t event) const { return event < silent.size() && silent[event]; }
};

/// The question of a form with these values.
[[nodiscard]] Question make(const std::shared_ptr<const Form>& form, const std::vector<std::size_t>& values);
/// Changes a question to what a tool with this policy does.
void apply(const Policy& policy, Question& question);
/// The same question limited to one counter.
[[nodiscard]] Question on_counter(Question question, unsigned counter, std::size_t counters);

/// A question that must count differently: `other` is the question with one attribute left out, or with another value.
struct Neighbour {
  std::string attribute;
  bool left_out = false;
  Question other;
};
[[nodiscard]] std::vector<Neighbour> neighbours_of(const Question& question);
/// True if both have the same meaning in different words.
[[nodiscard]] bool same_meaning(const Question& a, const Question& b);

/// The number of questions.
enum class Extent : std::uint8_t {
  quick,  ///< every event; every value of every attribute on every counter, each with some event
  full    ///< every event on every counter with every pair of attributes, and all quick questions
};

/// The overflows that must interrupt.
enum class Interrupts : std::uint8_t {
  asked,    ///< those that are requested
  unjudged  ///< all, or none caused by start values: the plans of traces judge them
};

namespace ia64 {
struct Rules;
}

/// The reason why no answer changed by a fault of an encoder counts differently (faults/encoder_faults.h).
struct Excuse {
  std::string_view faults;  ///< names, separated by commas
  std::string_view why;
};

/// The facts about a family of processors.
struct Family {
  std::string_view target;
  std::vector<std::string> counters;  ///< names, by number
  unsigned count_bits = 0;            ///< a counter overflows after 2^count_bits events
  std::uint64_t longest_period = 0;   ///< for which a counter has a start value; 0: half of its range
  bool started_at_once = false;       ///< the last write starts all counters together
  /// The register value that stops all counters; written before start values and answer.
  struct Stop {
    std::string reg;
    std::uint64_t value = 0;
  } stop = {};
  bool signed_starts = false;    ///< the bits above a counter take copies of its highest bit when it is written
  bool has_pins = false;         ///< each counter has a pin
  bool always_counting = false;  ///< unused counters count some event
  /// Periods of a free-running counter, its default first; null: no counter has any.
  std::vector<std::uint32_t> (*periods)(const Check& check) = nullptr;
  bool freezes = false;   ///< an overflow that interrupts stops all counters
  bool may_stop = false;  ///< a control field decides whether an interrupt stops counters
  Interrupts interrupts = Interrupts::asked;
  std::uint64_t most_to_overflow = ~std::uint64_t{0};  ///< largest number of events from a start value to the overflow
  std::vector<Question> (*questions)(const Family& family, Extent extent);
  /// The reason, from the manual, why two questions count the same on any activity; empty: there is none.
  std::string_view (*equal)(const Question& question, const Question& other);
  /// The attribute that sets a threshold, and its largest value.
  struct Threshold {
    std::string_view attribute = "t";
    std::uint32_t most = 0;
  } threshold = {};
  std::string_view taken_for = {};       ///< the model with which this one may be confused
  std::span<const Excuse> excuses = {};  ///< faults that cannot be noticed
  const ia64::Rules* ia64 = nullptr;     ///< of IA-64 processors
  /// For a family that freezes: the unit that captures data while the event is counted.
  std::optional<Captures::Unit> (*unit_of)(const oracle::Request& request) = nullptr;
};
/// The facts about a target; null if it has no questions.
[[nodiscard]] const Family* family_of(std::string_view target);
/// All questions of a target, in a fixed order, without duplicates.
[[nodiscard]] std::vector<Question> questions_of(const std::string& target, Extent extent);

/// Rows of the oracle as checks without attributes: events with each of their unit masks.
[[nodiscard]] const std::vector<Check>& rows_of(std::string_view target);
/// Adds the plain question and one for each row of a covering array of the form's attributes and the counters. `quick`
/// selects a few rows, different ones for each `number`.
void add_covered(const std::shared_ptr<const Form>& form, const std::vector<unsigned>& counters,
                 std::size_t all_counters, Extent extent, std::size_t number, std::vector<Question>& questions);
/// Adds questions until every value of every attribute, and every counter, is used; over many events all pairs occur.
void add_each_value(const std::shared_ptr<const Form>& form, const std::vector<unsigned>& counters,
                    std::size_t all_counters, std::size_t number, std::vector<Question>& questions);

/// Register names: PMD4, PMD5, ...
[[nodiscard]] std::vector<std::string> numbered(const std::string& name, unsigned first, unsigned last);

// The questions of a target as groups of a plan.

/// The legal questions, with breakpoints at these landmarks; without those about start values.
[[nodiscard]] inline std::vector<Group> groups_of(const std::string& target, Extent extent,
                                                  const Landmarks& landmarks) {
  std::vector<Group> groups;
  for (Question& question : questions_of(target, extent)) {
    if (!question.illegal.empty() || question.group.period != 0) continue;
    move_to(target, landmarks, question.group);
    groups.push_back(std::move(question.group));
  }
  return groups;
}

}  // namespace pmusim::testbench::questions

#define FACTS questions::Family
#define MEMBER questions
#include "testbench/targets/declare_facts.inc"
