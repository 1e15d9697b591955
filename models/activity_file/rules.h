// The rules of models/activity/activity.h that blocks have to keep, checked one by one. A reader accepts what breaks
// them; a monitor may count wrong on it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/activity/activity.h"
#include "models/activity_file/description.h"

namespace pmusim::activity_file {

/// Looks at the blocks of one run.
class Rules {
 public:
  /// `report` gets each violation as a sentence that names block, place and rule.
  Rules(std::string_view target, std::function<void(const std::string&)> report);
  /// Blocks in their order.
  void consume(const activity::Block& block);

 private:
  void check_columns(const activity::Block& block);
  void check_states(const activity::Block& block);
  void check_records(const activity::Block& block);
  template <class... Args>
  void broken(const char* format, const Args&... args);

  std::vector<activity::Name> signals_, states_;
  std::function<void(const std::string&)> report_;
  bool ia64_, alpha_;  ///< whose records have a second part
  std::uint64_t block_ = 0;
  activity::Cycle end_ = 0;
};

}  // namespace pmusim::activity_file
