// Activity that answers questions: what short traces make a core do, cheap ones first, in every mode, and denser.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "models/targets.h"
#include "testbench/driver/activity_log.h"
#include "testbench/questions/privilege_contexts.h"
#include "testbench/validate/plan.h"

namespace pmusim::testbench::questions {

struct Stimulus {
  std::string name;            ///< the trace and what was done to it
  std::size_t pass = 0;        ///< 0: every trace as it is; then what was done to all of them
  std::filesystem::path file;  ///< of the trace
  bool paired = false;         ///< another trace ran beside it, on the other hardware thread
  Landmarks landmarks;
  ActivityLog log;
  PrivilegeContext context = {};  ///< what was turned over in its states (IA-64)
};

/// The stimuli of a target, one after the other: every short trace as it is, alone and then beside another one, then in
/// other modes, then each occurrence two to four times in a cycle.
class Stimuli {
 public:
  Stimuli(const std::string& target, models::Parameters parameters);
  /// The traces that they are made of.
  [[nodiscard]] static std::vector<std::filesystem::path> files(const std::string& target);
  /// The next one of a trace that is wanted; null when there is none left.
  [[nodiscard]] const Stimulus* next(const std::function<bool(const std::filesystem::path& trace)>& wanted);
  /// A little of all of them, in every mode and context, denser and with other encodings (everything.h).
  [[nodiscard]] Stimulus everything();

 private:
  struct Trace {
    std::filesystem::path file, second;  ///< second: on the other thread, or none
    std::uintmax_t size = 0;
    Landmarks landmarks;
  };
  /// What is done to every trace, in this order.
  struct Pass {
    std::size_t mode = 0;          ///< of the instruction set
    unsigned context = 0;          ///< IA-64
    unsigned times = 1;            ///< each occurrence
    bool apart = false;            ///< occurrences moved apart before
    bool twice = false;            ///< one after the other
    bool high_occurrence = false;  ///< few occurrences, up to 256 of them in a cycle
    bool often = false;            ///< again and again, until a period of the hardware has passed
  };
  [[nodiscard]] static std::vector<Trace> traces_of(const std::string& target);
  [[nodiscard]] const ActivityLog& recorded(std::size_t trace, std::size_t mode);

  const models::Target& target_;
  models::Parameters parameters_;
  std::vector<Trace> traces_;
  std::vector<Pass> passes_;
  std::vector<std::vector<std::optional<ActivityLog>>> logs_;  ///< by trace and mode
  std::size_t next_ = 0;
  Stimulus current_;
};

}  // namespace pmusim::testbench::questions
