// Lines of a byte source, through one buffer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "pmusim/trace/byte_source.h"

namespace pmusim::trace {

class LineSource {
 public:
  /// `name` is for messages.
  LineSource(std::unique_ptr<ByteSource> source, std::string name);
  /// The next line without its end; valid until the next call. False at the end. Throws TraceError for a line of more
  /// than 65,536 bytes.
  bool next(std::string_view& line);
  [[nodiscard]] std::uint64_t number() const { return number_; }  ///< of the line handed out last, from 1
  /// The line handed out last had an end. Only the last one of a file that was cut may have none.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  bool refill();
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::string buffer_;
  std::size_t from_ = 0, to_ = 0;
  std::uint64_t number_ = 0;
  bool ended_ = true;
};

}  // namespace pmusim::trace
