// Reads what bytes.h writes, out of memory.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pmusim::trace {

/// A payload that no writer makes; `position` is the byte in it.
struct Malformed : std::runtime_error {
  /// At this byte, for this reason.
  Malformed(std::size_t position_, const std::string& what) : std::runtime_error(what), position(position_) {}
  std::size_t position;  ///< bytes from the beginning of the payload
};

/// A place in a payload that moves on with what is read. Every read that does not fit throws Malformed.
class ByteCursor {
 public:
  ByteCursor() = default;
  /// The bytes must live as long as they are read.
  explicit ByteCursor(std::string_view bytes)
      : begin_(bytes.data()), p_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  /// Throws Malformed at the present place.
  [[noreturn]] void fail(const std::string& what) const {
    throw Malformed(static_cast<std::size_t>(p_ - begin_), what);
  }
  /// Bytes not read yet.
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - p_); }

  /// The next byte.
  std::uint8_t byte() {
    if (p_ == end_) fail("the payload ends too early");
    return static_cast<std::uint8_t>(*p_++);
  }
  /// The next number of up to 64 bits, in at most ten bytes.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      value |= static_cast<std::uint64_t>(part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
    fail("a number has more than ten bytes");
  }
  /// A number of at most `most` things; `of` names them in the message.
  std::uint64_t count(std::uint64_t most, const char* of) {
    const std::uint64_t value = varint();
    if (value > most) fail(fmt::format("{} {}; at most {}", value, of, most));
    return value;
  }
  /// A length and that number of bytes. The view points into the input.
  std::string_view text() {
    const std::uint64_t length = varint();
    if (length > left()) fail("a text is longer than the payload");
    const std::string_view result(p_, length);
    p_ += length;
    return result;
  }

 private:
  const char* begin_ = nullptr;
  const char* p_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace pmusim::trace
