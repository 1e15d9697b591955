// What one counter makes of the number of occurrences in a cycle: privilege, threshold, invert, edge.
// AMD Athlon Processor x86 Code Optimization Guide (22007), pp. 163-164, for the comparing counters; a
// 750GX counter is the case without any comparison, an Itanium counter one that knows the threshold alone.
#pragma once

#include <cstdint>

#include "models/activity/activity.h"
#include "testbench/oracle/choices.h"

namespace pmusim::oracle {

/// Privilege in a cycle, as an index below 32. Each family defines the bits.
using Privilege = unsigned;
/// Bit p: counts at privilege p.
using Privileges = std::uint32_t;

class Gate {
 public:
  /// `bound` is the smallest number of occurrences that counts in a comparison, 0 for no comparison.
  Gate(const Request& request, const Choices& choices, std::size_t line, Privileges allowed, std::uint32_t bound);

  /// One cycle with `n` occurrences; returns what the counter adds. Branch-free, because this is the inner loop.
  std::uint64_t step(std::uint64_t n, Privilege privilege) {
    const bool open = (allowed_ >> privilege & 1u) != 0;
    const std::uint64_t seen = (filters_n_ & !open) ? 0 : n;
    const bool condition = (seen >= bound_) != invert_;
    const bool passes = (open | filters_n_) & counts_;
    const bool gated = condition & passes;
    const bool watched = edge_of_condition_ ? condition : gated;
    const bool rises = watched & !before_;
    before_ = watched;
    const std::uint64_t level = adds_n_ ? seen : 1;
    const std::uint64_t edges = edge_adds_n_ ? level : 1;
    const bool adds = edge_ ? rises & passes : gated;
    return (edge_ ? edges : level) & (std::uint64_t{0} - std::uint64_t{adds});
  }

  /// Forgets the previous cycles.
  void restart() { before_ = false; }

  /// Whether a cycle without an occurrence adds nothing and changes no state.
  [[nodiscard]] bool idles() const { return !edge_ && !invert_; }
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Whether two gates behave the same on the same line.
  [[nodiscard]] bool same_rule(const Gate& other) const;

 private:
  std::size_t line_;  ///< index of the stream of occurrences
  Privileges allowed_ = 0;
  std::uint32_t bound_ = 1;  ///< condition is n >= bound_, or n < bound_
  bool invert_ = false;
  bool adds_n_ = true;  ///< adds the occurrences themselves, not the cycles in which the condition holds
  bool edge_ = false;
  bool edge_adds_n_ = false;        ///< pmu.edge_amount=events
  bool filters_n_ = false;          ///< pmu.privilege_gate=before_compare
  bool edge_of_condition_ = false;  ///< pmu.edge_input=ungated
  bool counts_ = true;              ///< false: PC=1 under pmu.counting_with_pc=only_clear
  bool before_ = false;             ///< state of the edge detector
};

}  // namespace pmusim::oracle
