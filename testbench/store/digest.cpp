#include "testbench/store/digest.h"

#include <sodium.h>

#include <array>
#include <stdexcept>

namespace pmusim::testbench {

std::string digest_of(std::string_view bytes) {
  static const bool ready = sodium_init() >= 0;  // chooses the fastest code for this processor
  if (!ready) throw std::runtime_error("libsodium cannot be initialised");
  std::array<unsigned char, digest_digits / 2> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                     nullptr, 0);
  std::array<char, digest_digits + 1> text{};
  sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  return text.data();
}

bool is_digest(std::string_view text) {
  return text.size() == digest_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace pmusim::testbench
