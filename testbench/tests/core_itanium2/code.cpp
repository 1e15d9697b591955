#include "code.h"

#include <fmt/format.h>

namespace pmusim::testbench::ia64 {

std::string bundle(Template form, Syllable first, Syllable second, Syllable third) {
  constexpr unsigned width = 41, template_width = 5, word = 64;
  const std::uint64_t low = form | first << template_width | second << (template_width + width);
  const std::uint64_t high = second >> (word - template_width - width) | third << (template_width + 2 * width - word);
  std::string hex;
  for (const std::uint64_t half : {low, high}) {
    for (unsigned i = 0; i < 8; ++i) hex += fmt::format("{:02x}", half >> (8 * i) & 0xff);
  }
  return hex;
}

Script& Script::add(const std::string& bytes, const std::string& rest, const std::string& mask) {
  text_ += fmt::format("{:x} {} {}{}{}{}\n", pc_, bytes, mask, rest.empty() ? "" : " ", rest,
                       forced_ ? " fetch=l1 itlb=hit" : "");
  pc_ += 16;
  return *this;
}

Script& Script::repeat(unsigned count, const std::string& bytes, const std::string& rest, const std::string& mask) {
  for (unsigned i = 0; i < count; ++i) add(bytes, rest, mask);
  return *this;
}

Script& Script::go(const std::string& bytes, unsigned slot, std::uint64_t target, const std::string& keys,
                   const std::string& mask, const std::string& accesses) {
  add(bytes,
      fmt::format("{}{}T{} {:x}{}{}", accesses, accesses.empty() ? "" : " ", slot, target, keys.empty() ? "" : " ",
                  keys),
      mask);
  pc_ = target;
  return *this;
}

}  // namespace pmusim::testbench::ia64
