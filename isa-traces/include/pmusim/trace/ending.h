// How the reading of a file ends.
#pragma once

#include <string>

#include "pmusim/trace/reader.h"

namespace pmusim::trace {

/// Whether a file that is read step by step has ended. A defect is thrown, again at every further call; with
/// `options.salvage` it goes to `options.on_damage` once and ends the file.
class Ending {
 public:
  /// Takes `step()`, which says whether there was one more. False: the file has ended. Throws TraceError.
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
