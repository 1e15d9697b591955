// The binary and the text reader, and their base: the dictionary and the behaviour after a defect.
#pragma once

#include <string>
#include <utility>

#include "code_dictionary.h"
#include "pmusim/trace/ending.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace {

class ReaderBase : public Reader {
 public:
  ReaderBase(std::string name, ReadOptions options) : name_(std::move(name)), options_(std::move(options)) {}

  [[nodiscard]] const TraceInfo& info() const final { return info_; }
  [[nodiscard]] const Code* find(std::uint64_t pc) const final { return codes_.find(pc); }
  [[nodiscard]] std::uint32_t code_count() const final { return codes_.size(); }

  std::span<const Item> read() final {
    std::span<const Item> items;
    ending_.next(options_, [&] { return !(items = read_whole()).empty(); });
    return items;
  }

 protected:
  /// Does the work of read(). An exception ends the trace.
  virtual std::span<const Item> read_whole() = 0;

  std::string name_;
  ReadOptions options_;
  TraceInfo info_;
  CodeDictionary codes_;

 private:
  Ending ending_;
};

[[nodiscard]] std::unique_ptr<Reader> pmt_reader(std::unique_ptr<ByteSource> source, std::string name,
                                                 const ReadOptions& options);
[[nodiscard]] std::unique_ptr<Reader> text_reader(std::unique_ptr<ByteSource> source, std::string name,
                                                  const ReadOptions& options);

}  // namespace pmusim::trace
