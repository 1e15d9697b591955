// Handling of the end of a file and of defects.
#pragma once

#include <string>

#include "pmusim/trace/reader.h"

namespace pmusim::trace {

/// Tracks the end of a file that is read step by step. A defect is thrown, and again at every further call. With
/// `options.salvage` it is passed to `options.on_damage` once and ends the file.
class Ending {
 public:
  /// Calls `step()`, which returns true if it has read an item. False: the file has ended. Throws TraceError.
  template <class Options, class Step>
  bool next(const Options& options, Step step) {
    if (ended_) {
      if (!defect_.empty()) throw TraceError(defect_);
      return false;
    }
    try {
      ended_ = !step();
    } catch (const TraceError& error) {
      ended_ = true;
      if (!options.salvage) {
        defect_ = error.what();
        throw;
      }
      if (options.on_damage) options.on_damage(error.what());
    }
    return !ended_;
  }

 private:
  bool ended_ = false;
  std::string defect_;
};

}  // namespace pmusim::trace
