// Reads the encodings of bytes.h from memory.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pmusim::trace {

/// Thrown for a malformed payload; `position` is the offset of the error.
struct Malformed : std::runtime_error {
  /// An error at this offset with this message.
  Malformed(std::size_t position_, const std::string& what) : std::runtime_error(what), position(position_) {}
  std::size_t position;  ///< offset in bytes from the beginning of the payload
};

/// A read position in a payload. A read beyond the end or of a malformed value throws Malformed.
class ByteCursor {
 public:
  ByteCursor() = default;
  /// The bytes must outlive the cursor.
  explicit ByteCursor(std::string_view bytes)
      : begin_(bytes.data()), p_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  /// Throws Malformed at the current position.
  [[noreturn]] void fail(const std::string& what) const {
    throw Malformed(static_cast<std::size_t>(p_ - begin_), what);
  }
  /// Number of bytes that are not read yet.
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - p_); }

  /// Reads a byte.
  std::uint8_t byte() {
    if (p_ == end_) [[unlikely]]
      fail_at_end();
    return static_cast<std::uint8_t>(*p_++);
  }
  /// Reads a varint of up to 64 bits in at most ten bytes.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      value |= static_cast<std::uint64_t>(part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
    fail("a number has more than ten bytes");
  }
  /// Reads a count of at most `most` items; `of` names the items in the message.
  std::uint64_t count(std::uint64_t most, const char* of) {
    const std::uint64_t value = varint();
    if (value > most) fail(fmt::format("{} {}; at most {}", value, of, most));
    return value;
  }
  /// Reads a length and this number of bytes. The view points into the input.
  std::string_view text() {
    const std::uint64_t length = varint();
    if (length > left()) fail("a text is longer than the payload");
    const std::string_view result(p_, length);
    p_ += length;
    return result;
  }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] void fail_at_end() const { fail("the payload ends too early"); }

  const char* begin_ = nullptr;
  const char* p_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace pmusim::trace
