#include "testbench/support/register_number.h"

#include <fmt/format.h>

#include "testbench/support/arguments.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {

RegisterNumber register_number(std::string_view name, unsigned width, unsigned carried, std::string_view text,
                               const std::string& what) {
  const std::string place = fmt::format("{}: value of {}", what, name);
  const auto does_not_fit = [&] {
    return UsageError(fmt::format("{}: {} does not fit into the {} bits of {}", what, text, width, name));
  };
  const std::uint64_t mask = width < 64 ? (std::uint64_t{1} << width) - 1 : ~std::uint64_t{0};
  if (text.starts_with('-')) {
    const std::uint64_t magnitude = parse_number(text.substr(1), place);
    if (magnitude > mask / 2 + 1) throw does_not_fit();
    return {(0 - magnitude) & mask};
  }
  const std::uint64_t number = parse_number(text, place);
  if ((number & ~mask) == 0) return {number};
  const bool sign_extended = (number | mask) == ~std::uint64_t{0} && (number & (mask / 2 + 1)) != 0;
  if (sign_extended) return {number & mask};
  if (width >= carried || (carried < 64 && number >> carried != 0)) throw does_not_fit();
  return {number & mask, true};
}

}  // namespace pmusim::testbench
