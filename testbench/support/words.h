// Words for people, programs and shells, whatever bytes they are made of.
#pragma once

#include <string>
#include <string_view>

namespace pmusim::testbench {

/// Bytes that are no UTF-8 as \xNN; what is UTF-8 stays as it is.
[[nodiscard]] std::string utf8(std::string_view text);
/// The same, and control characters, too; those in `kept` stay. What is left is legal in XML 1.0.
[[nodiscard]] std::string printable(std::string_view text, std::string_view kept = "");
/// One word of a command line of bash that can be pasted; quoted only where it has to be.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace pmusim::testbench
