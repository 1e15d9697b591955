// Fuzzes the text reader, plain and packed. The first byte selects the instruction set of texts that do not name one.
#include "testbench/fuzz/trace_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pmusim::trace;
  if (size == 0) return 0;
  const std::string input(reinterpret_cast<const char*>(data) + 1, size - 1);
  ReadOptions options;
  if (data[0] % 8 < 4) options.isa = static_cast<Isa>(data[0] % 8);
  fuzz::check(input, options);
  return 0;
}
