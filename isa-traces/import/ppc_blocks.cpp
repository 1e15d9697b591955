#include "ppc_blocks.h"

#include <algorithm>
#include <initializer_list>

namespace pmusim::trace::ppc {
namespace {

constexpr std::uint32_t block_size = 32;  // block of the 750's caches in bytes, which dcbz clears

}  // namespace

std::optional<Access> normal_form(Kind kind, std::uint64_t address) {
  using enum Kind;
  if (kind == dcbz) return Access{address & ~std::uint64_t{block_size - 1}, block_size, true, 0};
  for (const Kind of_line : {dcbf, dcbst, dcbi, dcbt, dcbtst, icbi})
    if (kind == of_line) return Access{address, 1, false, 0};
  return std::nullopt;
}

std::vector<Access> words(std::uint32_t address, std::uint32_t bytes, bool store) {
  std::vector<Access> list;
  for (std::uint32_t at = 0; at < bytes; at += 4) {
    list.push_back(
        {static_cast<std::uint32_t>(address + at), static_cast<std::uint16_t>(std::min(4U, bytes - at)), store, 0});
  }
  return list;
}

std::uint32_t word_of(const Code& code) {
  const auto& b = code.bytes;
  return std::uint32_t{b[0]} << 24U | std::uint32_t{b[1]} << 16U | std::uint32_t{b[2]} << 8U | b[3];
}

unsigned words_moved(const Code& code) { return 32 - (word_of(code) >> 21U & 31U); }

}  // namespace pmusim::trace::ppc
