// What `run` says beside the counts: the ratios of counted events, from the targets' tables (`events --ratios`), and
// instructions for which the target's core has no row.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/targets.h"
#include "testbench/cli/session_options.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {

/// A count of a run.
struct Counted {
  std::string event;  ///< canonical, with attributes
  unsigned thread = 0;
  double value = 0;  ///< in whole events
};

/// The ratios whose two events were counted at the same privilege levels, without thresholds, edges and filters. JSON
/// objects with name, over, under, value and, if there are two threads, thread.
[[nodiscard]] Json metrics_of(const models::Target& target, const std::vector<Counted>& counts);
/// `1.03 cycles per instruction, 0.97 insn per cycle`, `3.54 % mispredicted branches per branch`.
[[nodiscard]] std::string metric_in_words(const models::Target& target, const Json& metric);

/// Counts the instructions without a row, which the core gives a default time, while a session reads its traces.
class UnknownCode {
 public:
  explicit UnknownCode(const SessionSetup& setup);
  using Readers = std::vector<std::unique_ptr<trace::Reader>>;
  /// The same readers, which count what they read.
  [[nodiscard]] Readers watch(Readers readers);
  /// Adds `unknown_instructions`, and a line of `warnings` if they are more than a thousandth; nothing if there are
  /// none.
  void add_to(Json& notes) const;

 private:
  friend class WatchedReader;
  enum class Known : std::uint8_t { yes, unknown, faults };
  [[nodiscard]] Known judge(const trace::Code& code) const;
  void note(Known known, const trace::Code& code);

  trace::Isa isa_;
  std::string target_;
  bool without_sse_ = false;
  std::uint64_t read_ = 0, unknown_ = 0, faulting_ = 0;
  std::map<std::string, std::uint64_t> by_name_;
};

/// A line that names them, of the key that add_to() adds; empty without the key.
[[nodiscard]] std::string unknown_line(const Json& notes);

}  // namespace pmusim::testbench
