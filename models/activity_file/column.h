// Columns of numbers: the encoding of the numbers in a block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pmusim/trace/byte_cursor.h"

namespace pmusim::activity_file {

using Numbers = std::vector<std::uint64_t>;  ///< a decoded column

/// Appends the shortest form of a column. The number of entries is not written; the reader must know it.
void put_column(std::string& out, const Numbers& values);
/// Reads a column of `size` entries. Throws trace::Malformed.
void get_column(trace::ByteCursor& from, std::size_t size, Numbers& values);

}  // namespace pmusim::activity_file
