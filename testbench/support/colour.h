// Colours on terminals only: not in files and pipes, and not if NO_COLOR is set or TERM is dumb.
#pragma once

#include <string>
#include <string_view>

namespace pmusim::testbench {

enum class Tint { strong, good, bad };

/// Whether output to this descriptor may have colours.
[[nodiscard]] bool shows_colour(int descriptor);
/// The text, enclosed in the escape sequences of the colour.
[[nodiscard]] std::string tinted(std::string_view text, Tint tint);
/// The colour of a verdict such as `ok` or `MISMATCH`; none for other words. Verdicts that need attention are in
/// capitals.
[[nodiscard]] const Tint* tint_of_verdict(std::string_view word);
/// The colour of a share such as `12.3%`, with the limits of perf report: from 5 % bad, from 0.5 % good; else none.
[[nodiscard]] const Tint* tint_of_share(std::string_view percent);

}  // namespace pmusim::testbench
