// Columns of numbers: the encoding of the numbers in a block.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "pmusim/trace/byte_cursor.h"

namespace pmusim::activity_file {

using Numbers = std::vector<std::uint64_t>;  ///< a decoded column

/// Appends the shortest form of a column. The number of entries is not written; the reader must know it. `Number`: an
/// unsigned type of 8 to 64 bits, which does not change the form.
template <class Number>
void put_column(std::string& out, std::span<const Number> values);
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

  std::string out;  ///< the payload

 private:
  std::tuple<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>,
             std::vector<std::uint64_t>>
      numbers_;
};

}  // namespace pmusim::activity_file
