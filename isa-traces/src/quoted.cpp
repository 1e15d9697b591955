#include "quoted.h"

#include <fmt/format.h>

namespace pmusim::trace {

std::string quoted(std::string_view token) {
  constexpr std::size_t longest = 40;
  std::string text = "'";
  for (const char c : token.substr(0, longest)) {
    if (c >= 0x20 && c < 0x7f) {
      text.push_back(c);
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text + (token.size() > longest ? "...'" : "'");
}

}  // namespace pmusim::trace
