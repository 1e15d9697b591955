// A hash of content by which files and cache entries are recognised. Two contents with the same hash cannot be made.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pmusim::testbench {

/// Length of the text of a digest.
inline constexpr std::size_t digest_digits = 64;
/// BLAKE2b with 256 bits (RFC 7693) in hexadecimal digits.
[[nodiscard]] std::string digest_of(std::string_view bytes);
/// True for the text of a digest.
[[nodiscard]] bool is_digest(std::string_view text);

}  // namespace pmusim::testbench
