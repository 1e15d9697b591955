// What binary and text reader have in common: the dictionary, and what happens after a defect.
#pragma once

#include <string>
#include <utility>

#include "code_dictionary.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace {

class ReaderBase : public Reader {
 public:
  ReaderBase(std::string name, ReadOptions options) : name_(std::move(name)), options_(std::move(options)) {}

  [[nodiscard]] const TraceInfo& info() const final { return info_; }
  [[nodiscard]] const Code* find(std::uint64_t pc) const final { return codes_.find(pc); }
  [[nodiscard]] std::uint32_t code_count() const final { return codes_.size(); }

  /// A defect is thrown, again at every further call; with salvage it is reported once and ends the trace.
  bool next(Item& item) final {
    if (ended_) {
      if (!defect_.empty()) throw TraceError(defect_);
      return false;
    }
    try {
      ended_ = !step(item);
    } catch (const TraceError& error) {
      ended_ = true;
      if (!options_.salvage) {
        defect_ = error.what();
        throw;
      }
      if (options_.on_damage) options_.on_damage(error.what());
    }
    return !ended_;
  }

 protected:
  std::string name_;
  ReadOptions options_;
  TraceInfo info_;
  CodeDictionary codes_;

 private:
  virtual bool step(Item& item) = 0;
  bool ended_ = false;
  std::string defect_;
};

}  // namespace pmusim::trace
