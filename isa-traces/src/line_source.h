// Reads lines from a byte source with one buffer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "pmusim/trace/byte_source.h"

namespace pmusim::trace {

class LineSource {
 public:
  /// Messages call the source `name`.
  LineSource(std::unique_ptr<ByteSource> source, std::string name);
  /// Reads the next line, without its line end; valid until the next call. False at the end. Throws TraceError for a
  /// line of more than 65,536 bytes.
  bool next(std::string_view& line);
  [[nodiscard]] std::uint64_t number() const { return number_; }  ///< number of the last returned line, from 1
  /// True if the last returned line had a line end. Only the last line of a truncated file may lack it.
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
