// Checks the rules of models/activity/activity.h for blocks. A reader accepts blocks that violate them, but a monitor
// may count wrongly on such blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/activity/activity.h"
#include "models/activity_file/description.h"

namespace pmusim::activity_file {

/// Checks the blocks of one run.
class Rules {
 public:
  /// `report` is called for each violation with a sentence that names block, position and rule.
  Rules(std::string_view target, std::function<void(const std::string&)> report);
  /// Checks a block. Blocks must be passed in their order.
  void consume(const activity::Block& block);

 private:
  void check_columns(const activity::Block& block);
  void check_states(const activity::Block& block);
  void check_records(const activity::Block& block);
  template <class... Args>
  void broken(const char* format, const Args&... args);

  std::vector<activity::Name> signals_, states_;
  std::function<void(const std::string&)> report_;
  bool ia64_, alpha_;  ///< families whose records have a second part
  std::uint64_t block_ = 0;
  activity::Cycle end_ = 0;
};

}  // namespace pmusim::activity_file
