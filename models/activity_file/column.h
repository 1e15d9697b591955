// Columns of numbers, the one way in which everything in a block is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pmusim/trace/byte_cursor.h"

namespace pmusim::activity_file {

using Numbers = std::vector<std::uint64_t>;  ///< a column as it is in memory

/// Writes the shortest form of a column. Its length is known to the reader.
void put_column(std::string& out, const Numbers& values);
/// Reads a column of this length. Throws trace::Malformed.
void get_column(trace::ByteCursor& from, std::size_t size, Numbers& values);

}  // namespace pmusim::activity_file
