// Base of the binary and the text reader: the dictionary and the behaviour after a defect.
#pragma once

#include <string>
#include <utility>

#include "code_dictionary.h"
#include "pmusim/trace/ending.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace {

/// `Self` derives from it, makes it a friend, and has `step(Item&)`, which does the work of next().
template <class Self>
class ReaderBase : public Reader {
 public:
  ReaderBase(std::string name, ReadOptions options) : name_(std::move(name)), options_(std::move(options)) {}

  [[nodiscard]] const TraceInfo& info() const final { return info_; }
  [[nodiscard]] const Code* find(std::uint64_t pc) const final { return codes_.find(pc); }
  [[nodiscard]] std::uint32_t code_count() const final { return codes_.size(); }

  bool next(Item& item) final {
    return ending_.next(options_, [&] { return static_cast<Self&>(*this).step(item); });
  }

 protected:
  std::string name_;
  ReadOptions options_;
  TraceInfo info_;
  CodeDictionary codes_;

 private:
  Ending ending_;
};

}  // namespace pmusim::trace
