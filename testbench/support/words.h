// Makes arbitrary bytes printable for people, programs and shells.
#pragma once

#include <string>
#include <string_view>

namespace pmusim::testbench {

/// Replaces bytes that are not UTF-8 by \xNN.
[[nodiscard]] std::string utf8(std::string_view text);
/// The same, and also replaces control characters, except those in `kept`. The result is legal in XML 1.0.
[[nodiscard]] std::string printable(std::string_view text, std::string_view kept = "");
/// A word that can be pasted into a bash command line; quoted only if necessary.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace pmusim::testbench
