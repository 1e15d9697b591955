// What the command prints on a terminal, by script(1) and stty(1).
#pragma once

#include <string>

namespace pmusim::cli_test {

/// Characters of UTF-8.
[[nodiscard]] std::size_t characters(const std::string& line);
[[nodiscard]] std::string widest(const std::string& text);
/// What a command prints on a terminal of this width, without colours. The test fails if its exit code is not 0.
[[nodiscard]] std::string on_terminal(const std::string& arguments, unsigned columns);

}  // namespace pmusim::cli_test
