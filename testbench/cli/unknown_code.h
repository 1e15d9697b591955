// Instructions of a trace for which the target's core has no row. It gives them a default time, and says so here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/cli/session_options.h"

namespace pmusim::testbench {

/// Counts them while a session reads its traces.
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
