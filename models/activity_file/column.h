// Columns of numbers: the encoding of the numbers in a block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "pmusim/trace/byte_cursor.h"

namespace pmusim::activity_file {

using Numbers = std::vector<std::uint64_t>;  ///< a decoded column

/// The bytes of a block. Room for more is not cleared.
class Payload {
 public:
  /// Removes all bytes; the room stays.
  void clear() { size_ = 0; }
  /// Valid until the next change.
  [[nodiscard]] std::string_view bytes() const { return {data_.get(), size_}; }
  /// Room behind the last byte. It becomes part of the payload by end().
  [[nodiscard]] char* room(std::size_t bytes) {
    if (room_ - size_ < bytes) grow(bytes);
    return data_.get() + size_;
  }
  /// Ends the payload at this place of its room.
  void end(const char* at) { size_ = static_cast<std::size_t>(at - data_.get()); }
  /// Appends a byte.
  void put_byte(std::uint8_t byte) {
    *room(1) = static_cast<char>(byte);
    ++size_;
  }
  /// Appends a number, seven bits a byte, the lowest first; bit 7 says that another byte follows.
  void put_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) put_byte(static_cast<std::uint8_t>(value | 0x80));
    put_byte(static_cast<std::uint8_t>(value));
  }
  /// Appends the length of a text, then its bytes.
  void put_text(std::string_view text) {
    put_varint(text.size());
    end(std::copy(text.begin(), text.end(), room(text.size())));
  }

 private:
  [[gnu::noinline]] void grow(std::size_t bytes);
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0, room_ = 0;
};

/// Appends the shortest form of a column. The number of entries is not written; the reader must know it. The width of
/// the numbers does not change the form.
void put_column(Payload& out, std::span<const std::uint8_t> values);
/// The same for numbers of 16 bits.
void put_column(Payload& out, std::span<const std::uint16_t> values);
/// The same for numbers of 32 bits.
void put_column(Payload& out, std::span<const std::uint32_t> values);
/// The same for numbers of 64 bits.
void put_column(Payload& out, std::span<const std::uint64_t> values);
/// Reads a column of `size` entries. Throws trace::Malformed.
void get_column(trace::ByteCursor& from, std::size_t size, Numbers& values);

/// Appends columns to a payload. Each is copied in the narrow type of its field, of which the processor encodes several
/// at once.
class ColumnWriter {
 public:
  /// Appends `field` of each row, a function that returns an unsigned number.
  template <class Row, class Field>
  void put(const std::vector<Row>& rows, Field field) {
    using Number = std::invoke_result_t<Field, const Row&>;
    auto& numbers = std::get<std::vector<Number>>(numbers_);
    const std::size_t size = rows.size();
    if (numbers.size() < size) numbers.resize(size);
    const Row* const from = rows.data();
    Number* const to = numbers.data();
#pragma GCC unroll 8
    for (std::size_t i = 0; i < size; ++i) to[i] = field(from[i]);
    put_column(out, std::span<const Number>(to, size));
  }

  Payload out;  ///< what has been appended

 private:
  std::tuple<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>,
             std::vector<std::uint64_t>>
      numbers_;
};

}  // namespace pmusim::activity_file
