// Converts the input of a fuzzer to arguments of calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace pmusim::fuzz {

/// Reads arguments from the input; zeros after its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  [[nodiscard]] bool empty() const { return left_ == 0; }
  unsigned byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  /// A small number in most cases, sometimes a large one.
  unsigned index() {
    const unsigned first = byte();
    return first < 0xf0 ? first : first << 28 | byte() << 8 | byte();
  }
  /// A number of up to 64 bits, the more significant bytes first.
  std::uint64_t word() {
    std::uint64_t value = 0;
    for (unsigned length = byte() % 9; length > 0; --length) value = value << 8 | byte();
    return value;
  }
  std::string text() {
    std::string result;
    for (unsigned length = byte() % 64; length > 0 && left_ > 0; --length)
      if (const char c = static_cast<char>(byte())) result += c;
    return result;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace pmusim::fuzz
