// Compares the branches of IA-64 traces, read from the traces themselves, with those that retire in the activity.
// Samples of the branch buffer are compared with the activity, and through this with the program.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/activity/activity.h"
#include "pmusim/trace/reader.h"

namespace pmusim::testbench {

class TraceBranches {
 public:
  /// One trace for each hardware thread.
  explicit TraceBranches(std::vector<std::unique_ptr<trace::Reader>> traces);

  void consume(const activity::Block& block);
  /// Call after the last block: checks that no trace has a branch left.
  void finish();
  /// The first difference as a sentence; empty if every branch retired once, in order, with its outcome and target.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::uint64_t branches() const { return branches_; }

 private:
  struct Branch {
    std::uint64_t ordinal = 0;  ///< of its bundle
    std::uint64_t bundle = 0, target = 0;
    unsigned slot = 0;
    bool taken = false;
  };
  struct Program {
    std::unique_ptr<trace::Reader> reader;
    std::uint64_t bundles = 0;               ///< read so far
    std::deque<Branch> next;                 ///< read and not yet retired
    std::vector<std::array<bool, 3>> slots;  ///< by code id: the slots with a branch
    std::vector<bool> known;                 ///< by code id
  };
  static bool read_on(Program& program);

  std::vector<Program> programs_;
  std::uint64_t branches_ = 0;
  std::string problem_;
};

}  // namespace pmusim::testbench
