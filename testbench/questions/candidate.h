// A question and its answer while traces are looked for on which they are judged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "testbench/questions/bench.h"
#include "testbench/questions/needs.h"
#include "testbench/questions/question.h"
#include "testbench/questions/stimuli.h"
#include "testbench/validate/candidate.h"

namespace pmusim::testbench::questions {

/// A question on its way.
struct Candidate {
  const Question* question = nullptr;
  const Answer* answer = nullptr;
  std::vector<std::size_t> asked;     ///< of each check
  std::vector<std::size_t> counters;  ///< number of each check's counter
  std::vector<Need> needs;
  QuestionVerdict verdict;
  bool counted = false;  ///< on some trace
  bool paired = false;   ///< what it asks for happens where two programs run
  unsigned in_vain = 0;  ///< stimuli with the event that met no need
  std::size_t pass = 0;  ///< of the last of them
  unsigned in_pass = 0;  ///< of this pass
  bool given_up = false;
  std::size_t part = 0;      ///< whose verdict it has a share in
  std::size_t encoder = 0;   ///< who gave the answer, where several do
  std::string excused = {};  ///< attributes that cannot show, each with the reason
  [[nodiscard]] bool open() const {
    return !given_up && std::any_of(needs.begin(), needs.end(), [](const Need& need) { return !need.met; });
  }
  /// Open, and a trace is one of its own.
  [[nodiscard]] bool open_for(const std::filesystem::path& file) const {
    const bool any = !question->form || question->form->trace.empty();
    return (any || file.native().ends_with('/' + question->form->trace)) && open();
  }
  /// Open for what was done to a trace: an attribute that shows under other conditions does not here, and a pass that
  /// has shown nothing some times is left out.
  [[nodiscard]] bool open_for(const Stimulus& stimulus) const;
  void show_nothing(const Stimulus& stimulus);
  /// What no trace makes happen as it is, happens in no mode either; what many traces with the event have not shown is
  /// looked for no further.
  [[nodiscard]] bool hopeless(const Family& family, std::size_t stimulus_pass) const;
  /// Whether the stimulus meets a need that is not met; without overflows: one that counts alone meet.
  bool shows(const Counts& counts, bool overflows = true);
  [[nodiscard]] bool only_handled() const { return asked.empty(); }
};

/// What is wrong with the start values for a period, if it gives any; empty: nothing.
[[nodiscard]] std::string wrong_presets(const Family& family, const Bench& bench, const Candidate& candidate);

/// What is wrong with the counters that an answer names; empty: nothing.
[[nodiscard]] std::string wrong_counters(const Family& family, const Candidate& candidate);

/// The registers of an answer that are not 0.
[[nodiscard]] std::string shown(const Answer& answer);

/// What a form adds to a question's identity: which other ones it is told apart from.
[[nodiscard]] std::string identity_of(const Form& form, const std::vector<std::size_t>& values);

}  // namespace pmusim::testbench::questions
