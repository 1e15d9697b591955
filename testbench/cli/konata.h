// The pipeline stages of instructions as a Kanata log, which the pipeline viewer Konata opens.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "pmusim/trace/instruction.h"
#include "pmusim/trace/output_file.h"

namespace pmusim::testbench {

/// Stages: F from fetch, D from dispatch, X from issue, C (complete) from finish to retirement; only stages that the
/// core reports. Version 0004 of the format.
class KonataWriter {
 public:
  KonataWriter(const std::string& file, trace::Isa isa);
  void add(const activity::Block& block);
  /// Writes the file. Throws trace::TraceError when that fails.
  void close();
  /// Maximum number of instructions in the log. More would make it too large to open.
  static constexpr std::uint64_t most = 200'000;

 private:
  struct Line {
    activity::Cycle at;
    std::string text;
  };
  struct Live {
    std::uint64_t number;
    char stage;
  };
  void meet(const activity::InstructionRecord& record, activity::Cycle at, char stage);
  void leave(const activity::InstructionRecord& record, activity::Cycle at, bool flushed);
  void line(activity::Cycle at, std::string text) { lines_.push_back({at, std::move(text)}); }

  trace::OutputFile out_;
  trace::Isa isa_;
  std::vector<Line> lines_;
  std::map<std::pair<unsigned, std::uint64_t>, Live> live_;  ///< by hardware thread and id
  std::uint64_t count_ = 0, retired_ = 0;
  activity::Cycle end_ = 0;  ///< of the activity so far
};

}  // namespace pmusim::testbench
