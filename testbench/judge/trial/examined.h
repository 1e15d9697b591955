// A question and its answer under examination: counts, start values, pins, interrupts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/stimulus/stimuli.h"
#include "testbench/judge/trial/bench.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/judge/trial/needs.h"

namespace pmusim::testbench::questions {

/// A question under examination.
struct Examined {
  const Question* question = nullptr;
  const Answer* answer = nullptr;
  std::vector<std::size_t> asked;     ///< numbers in NeededCounts, one per check
  std::vector<std::size_t> counters;  ///< number of each check's counter
  std::vector<Need> needs;            ///< note_needs() follows each change
  QuestionVerdict verdict;
  bool counted = false;              ///< a count was not 0 on some stimulus
  std::filesystem::path trace = {};  ///< see note_trace()
  bool trace_counts = false;         ///< its events count there
  bool paired = false;               ///< its event occurs on two programs that run together
  unsigned in_vain = 0;              ///< stimuli with the event that met no need
  std::size_t pass = 0;              ///< the pass of the last such stimulus
  unsigned in_pass = 0;              ///< number of such stimuli in this pass
  std::vector<bool> absent = {};     ///< by trace: true if its events do not occur there
  bool given_up = false;
  /// Of the needs that are not met.
  struct Unmet {
    bool any = false, event = false, required = false;
    bool only_counts = true;  ///< they only ask that an event counts, where a trace happens to show it
  } unmet = {};
  std::size_t part = 0;             ///< the part to whose verdict it belongs
  std::size_t encoder = 0;          ///< the encoder that gave the answer, if there are several
  std::string excused = {};         ///< attributes without a visible effect, each with the reason
  std::vector<bool> failed = {};    ///< by event of the question
  std::string answers_before = {};  ///< the earlier question whose registers the answer has; see Exam::stale
  void note_needs();
  [[nodiscard]] bool open() const { return !given_up && unmet.any; }
  /// True if it is open and may use this trace: a form can be limited to a single trace.
  [[nodiscard]] bool open_for(const std::filesystem::path& file) const {
    const bool any = !question->form || question->form->trace.empty();
    return (any || file.native().ends_with('/' + question->form->trace)) && open();
  }
  /// True if it is open for a transformed trace: its events occur on the trace, some unmet attribute can show in the
  /// context of the stimulus, and the pass has not shown nothing too often.
  [[nodiscard]] bool open_for(const Stimulus& stimulus) const;
  void show_nothing(const Stimulus& stimulus);
  /// Notes an unchanged trace without its events.
  void note_absence(const Counts& counts, const Stimulus& stimulus);
  /// Notes a trace for everything_of(): the first one with its events, and then the first one on which they count.
  void note_trace(const Counts& counts, const std::filesystem::path& file);
  /// True if the search should stop: the event did not occur on any unmodified trace, or too many stimuli with the
  /// event have met no need.
  [[nodiscard]] bool hopeless(const Family& family, std::size_t stimulus_pass) const;
  /// Marks the needs that the stimulus meets; true if there is one. Without `overflows` only needs that counts alone
  /// meet.
  bool shows(const Counts& counts, bool overflows = true);
  [[nodiscard]] bool only_handled() const { return asked.empty(); }
};

/// Describes an error in the start values for a period; empty if there is none.
[[nodiscard]] std::string wrong_presets(const Family& family, const Bench& bench, const Examined& candidate);

/// Describes an error in the counters that an answer names; empty if there is none.
[[nodiscard]] std::string wrong_counters(const Family& family, const Bench& bench, const Examined& candidate);

/// The registers of an answer that are not 0, as text.
[[nodiscard]] std::string shown(const Answer& answer);

/// The part of a question's identity that a form adds: its values, which determine its neighbours.
[[nodiscard]] std::string identity_of(const Form& form, const std::vector<std::size_t>& values);

/// Events between two interrupts if the hardware has a period shorter than the counter; else 0.
[[nodiscard]] std::uint64_t short_period(const Check& check);

// Judges answers to questions on one stimulus after the other, until the needs of each question are met.

/// Number of mismatches listed per cause.
inline constexpr std::uint64_t examples_of_cause = 3;

/// Position of a question's verdict.
struct VerdictPosition {
  std::size_t part = 0;
  std::size_t number = 0;  ///< in the part
};

/// Judges the answers of an exam; `places` has one entry per question.
void examine(const Exam& exam, std::vector<JobVerdict>& parts, const std::vector<VerdictPosition>& places);

}  // namespace pmusim::testbench::questions
