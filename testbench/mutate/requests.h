// The answers that are mutated: those to the questions of every run. The activity of the short traces is recorded once;
// on each trace a request has that trace's landmarks and therefore its own answer.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/mutate/mutants.h"
#include "testbench/mutate/replay.h"
#include "testbench/validate/judge.h"
#include "testbench/validate/plan.h"
#include "testbench/validate/stimuli.h"

namespace pmusim::testbench::mutate {

/// The legal questions of a target as requests to an encoder: all of them, or only the quick ones if there are very
/// many.
/// `only` has patterns of events (validate/only.h).
[[nodiscard]] std::vector<Group> requests_of(const std::string& target, const std::string& only);

/// A trace in a mode, with its activity.
struct Stimulus {
  std::filesystem::path file;
  std::filesystem::path second;  ///< of the other hardware thread, if two run together
  std::string mode;
  Landmarks landmarks;
  ActivityLog log;
  bool made_up = false;                    ///< not produced by a core: the oracle's counts are not compared
  bool late = false;                       ///< a count of 1 does not overflow; otherwise it does
  std::vector<RegisterWrite> comparators;  ///< breakpoints that mutants may select, at the landmarks
  std::unique_ptr<Replay> replay;
};

/// Registers of an answer with the values that reset leaves, in their order.
[[nodiscard]] Registers reset_of(pmu::Monitor& monitor, const Registers& answer);

class Requests {
 public:
  /// Runs the core on every short trace of the target in every mode, or on the `traces` shortest of them. `only` as for
  /// requests_of. Of requests with the same answer one is kept.
  explicit Requests(const std::string& target, const std::string& only = {}, std::size_t traces = ~std::size_t{0});

  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] const std::vector<Group>& list() const { return requests_; }
  [[nodiscard]] std::vector<Stimulus>& stimuli() { return stimuli_; }
  /// The answers on a trace that has landmarks for all of them; null if the encoder refuses.
  [[nodiscard]] const std::vector<const Registers*>& answers() const { return answers_; }
  /// Registers of the answers with their reset values, in the order of answer `request`.
  [[nodiscard]] Registers reset_of(const Registers& answer) const;
  /// The fields of an answer's registers.
  [[nodiscard]] Layout layout_of(const Registers& answer);

  /// Alpha: start values by counter. They are fields of a register that the calls change.
  using Starts = std::vector<std::pair<std::string, std::uint64_t>>;

  /// The request on another trace: its landmarks and the encoder's answer for it.
  struct Placed {
    Registers registers;
    std::vector<std::string> counters;
    Program program;  ///< without the encoder's registers
    Starts starts = {};
  };
  /// Empty if the encoder refuses the request on this trace.
  [[nodiscard]] std::optional<Placed> place(const Group& request, const Stimulus& stimulus) const;
  /// Sets the start values: counters overflow half way through their counts, or after the number of captures in the
  /// request. Runs the program to determine the counts.
  void set_starts(const Group& request, Placed& placed, const Stimulus& stimulus) const;
  /// Registers as writes to the model. Throws std::runtime_error for a register that the model does not have.
  [[nodiscard]] std::vector<RegisterWrite> writes_of(const Registers& registers, const Starts& starts = {}) const;

  /// Compares all unchanged requests with the oracle, on one trace.
  [[nodiscard]] JobVerdict verify(const Stimulus& stimulus) const;

 private:
  [[nodiscard]] Answer ask(const Group& request) const;
  void record(const std::filesystem::path& file, const std::filesystem::path& second);
  void gather();
  [[nodiscard]] const Landmarks& best_landmarks() const;
  [[nodiscard]] std::vector<RegisterWrite> comparators_of(const Stimulus& stimulus) const;
  void drop_repeated();
  [[nodiscard]] Starts field_starts(const Group& request, const Stimulus& stimulus, std::uint64_t counted) const;
  [[nodiscard]] RegisterWrite write_of(const std::string& reg, std::uint64_t value) const;

  std::string target_;
  const models::Target& model_;
  models::Parameters parameters_;
  std::unique_ptr<pmu::Monitor> monitor_;  ///< after reset
  std::vector<pmu::RegisterInfo> counters_;
  std::vector<Stimulus> stimuli_;
  std::vector<ActivityLog> gathered_;  ///< IA-64: of all traces, before they become stimuli
  std::vector<Group> breakpoints_;     ///< requests that need breakpoints
  std::vector<Group> requests_;
  std::vector<std::optional<Registers>> asked_;
  std::vector<const Registers*> answers_;
  std::map<std::string, std::vector<Field>> fields_;
};

}  // namespace pmusim::testbench::mutate
