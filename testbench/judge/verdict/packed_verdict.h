// A verdict as bytes: in the cache, and on the way from a process that judges to the one that reports. Reading it costs
// a tenth of reading the JSON of a journal.
#pragma once

#include <string>
#include <string_view>

#include "testbench/judge/verdict/verdict.h"

namespace pmusim::testbench {

/// CBOR (RFC 8949); a structure is an array of its members.
[[nodiscard]] std::string packed(const JobVerdict& verdict);
/// Throws std::exception for bytes that packed() did not write.
[[nodiscard]] JobVerdict unpacked(std::string_view bytes);

}  // namespace pmusim::testbench
