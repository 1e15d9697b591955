// Colour on a terminal, and nowhere else: not in files and pipes, nor where NO_COLOR is set or TERM is dumb.
#pragma once

#include <string>
#include <string_view>

namespace pmusim::testbench {

enum class Tint { strong, good, bad };

/// May what is written to this descriptor have colours?
[[nodiscard]] bool shows_colour(int descriptor);
/// The text between the sequences that switch the colour on and off.
[[nodiscard]] std::string tinted(std::string_view text, Tint tint);
/// The tint of a verdict, `ok` or `MISMATCH`; none for every other word. Verdicts that ask for a look are in capitals.
[[nodiscard]] const Tint* tint_of_verdict(std::string_view word);

}  // namespace pmusim::testbench
