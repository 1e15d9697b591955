// Fuzzes the reader of nm's output, which maps addresses to names.
#include "testbench/cli/symbols.h"

#include <cstdint>

#include "testbench/fuzz/input.h"
#include "testbench/support/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using pmusim::fuzz::require;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const pmusim::fuzz::MemoryFile file(text);
  try {
    const pmusim::testbench::Symbols symbols(file.name());
    // Addresses equal to, before and after those at the beginnings of lines, and the lowest and highest address.
    for (std::size_t at = 0, lines = 0; at != text.npos && lines < 64; at = text.find('\n', at + 1), ++lines) {
      const std::uint64_t address = std::strtoull(text.c_str() + at, nullptr, 16);
      for (const std::uint64_t near : {address - 1, address, address + 1, std::uint64_t{0}, ~std::uint64_t{0}}) {
        const std::string function = symbols.function_of(near), text_of = symbols.of(near);
        // An address of no function is a number; but a function may have the name [unknown].
        const bool named = text_of.starts_with(function) || (function == "[unknown]" && text_of.starts_with("0x"));
        require(!function.empty() && named, "an address begins with its function");
      }
    }
  } catch (const pmusim::testbench::UsageError& error) {
    pmusim::fuzz::require_one_line(error.what());
  }
  return 0;
}
