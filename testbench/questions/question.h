// What an encoder is asked: every event on every counter with every attribute, sets of events, and what is illegal.
// Rows and unit masks are the oracle's; counters, fields and limits are the manuals'. No encoder has a say in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/validate/plan.h"

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
  /// Values that an encoder may take one for, beside the one left out; none: all others.
  std::function<std::vector<std::size_t>(std::size_t)> near = {};
  /// Whether another value is one's without (a part of) the attribute; none: the first one is.
  std::function<bool(std::size_t own, std::size_t other)> leaves_out = {};
};

/// Events and their attributes.
struct Form {
  Group group;  ///< without any attribute
  std::vector<Dimension> dimensions;
  std::string trace = {};  ///< the only trace that is looked at; empty: all are
};

struct Question {
  Group group;
  bool interrupts = false;   ///< an overflow has to interrupt
  std::vector<bool> silent;  ///< events that are not to, though others are; empty: none
  std::string illegal;       ///< why it has to be refused; empty: it is legal
  std::shared_ptr<const Form> form;
  std::vector<std::size_t> values;  ///< of each dimension of the form
  /// What no counter tells and a handler reads is judged as the plans of traces are: captures, interrupts, profiles.
  [[nodiscard]] bool handled() const { return group.captures || group.sampled; }
  [[nodiscard]] bool is_silent(std::size_t event) const { return event < silent.size() && silent[event]; }
};

/// The question of a form with these values.
[[nodiscard]] Question make(const std::shared_ptr<const Form>& form, const std::vector<std::size_t>& values);
/// The same on one counter alone.
[[nodiscard]] Question on_counter(Question question, unsigned counter, std::size_t counters);

/// What two answers that differ in one thing count: `other` is the question with an attribute left out, or with
/// another value.
struct Neighbour {
  std::string attribute;
  bool left_out = false;
  Question other;
};
[[nodiscard]] std::vector<Neighbour> neighbours_of(const Question& question);
/// They ask for the same in other words.
[[nodiscard]] bool same_meaning(const Question& a, const Question& b);

/// How much is asked.
enum class Extent : std::uint8_t {
  quick,  ///< every event, and every value of every attribute on every counter, each with some event
  full    ///< every event on every counter with every pair of attributes, and all that the quick ones ask
};

/// Which overflows interrupt.
enum class Interrupts : std::uint8_t {
  asked,    ///< those that are asked to
  unjudged  ///< all of them, or none that start values bring about: plans of traces judge when
};

namespace ia64 {
struct Rules;
}

/// Why a defect of an encoder shows in no answer that counts differently (defects.h).
struct DefectExcuse {
  std::string_view defects;  ///< names, with commas between
  std::string_view why;
};

/// What a family of processors says.
struct Family {
  std::string_view target;
  std::vector<std::string> counters;  ///< names, by number
  unsigned count_bits = 0;            ///< a counter overflows with this many events
  bool started_at_once = false;       ///< the last write starts all counters together
  /// What stops all counters; written before start values and answer.
  struct Stop {
    std::string reg;
    std::uint64_t value = 0;
  } stop = {};
  bool has_pins = false;         ///< each counter has a pin
  bool always_counting = false;  ///< counters that nothing is asked of count something
  /// Periods of a counter that always runs, the one that it has without a word first; null: none has any.
  std::vector<std::uint32_t> (*periods)(const Check& check) = nullptr;
  bool freezes = false;  ///< an overflow that interrupts stops all counters
  Interrupts interrupts = Interrupts::asked;
  std::uint64_t most_to_overflow = ~std::uint64_t{0};  ///< events that a start value leaves to the overflow
  std::vector<Question> (*questions)(const Family& family, Extent extent);
  /// Why the manual has two questions count the same on any activity; empty: it does not.
  std::string_view (*equal)(const Question& question, const Question& other);
  /// The attribute that asks for a threshold, and its largest value.
  struct Threshold {
    std::string_view attribute = "t";
    std::uint32_t most = 0;
  } threshold = {};
  std::string_view taken_for = {};             ///< the model with which this one is confused
  std::span<const DefectExcuse> excuses = {};  ///< defects that cannot be told
  const ia64::Rules* ia64 = nullptr;           ///< of IA-64 processors
  /// Of a family that freezes: an event whose capture unit takes something in while it is counted.
  bool (*captures)(const oracle::Request& request) = [](const oracle::Request&) { return false; };
};
/// Null for a target without questions.
[[nodiscard]] const Family* family_of(std::string_view target);
/// All questions of a target, always in the same order, none twice.
[[nodiscard]] std::vector<Question> questions_of(const std::string& target, Extent extent);

/// Rows of the oracle as checks without attributes: events with each of their unit masks.
[[nodiscard]] std::vector<Check> rows_of(std::string_view target);
/// Adds the plain question and one for each row of a covering array of the form's attributes and the counters; of
/// `quick` ones a few, others for each `number`.
void add_covered(const std::shared_ptr<const Form>& form, const std::vector<unsigned>& counters,
                 std::size_t all_counters, Extent extent, std::size_t number, std::vector<Question>& questions);
/// Adds questions until every value of every attribute, and every counter, is asked; over many events all pairs meet.
void add_each_value(const std::shared_ptr<const Form>& form, const std::vector<unsigned>& counters,
                    std::size_t all_counters, std::size_t number, std::vector<Question>& questions);

/// PMD4, PMD5, ...
[[nodiscard]] std::vector<std::string> numbered(const std::string& name, unsigned first, unsigned last);

}  // namespace pmusim::testbench::questions
