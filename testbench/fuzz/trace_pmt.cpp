// Fuzzes the binary reader with the input as a file, and as the payload of a chunk in a file with correct lengths and
// checksums, which random changes would rarely produce. Byte 0: instruction set, byte 1: instructions in the chunk, the
// rest: payload.
#include "testbench/fuzz/pmt_file.h"
#include "testbench/fuzz/trace_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pmusim::trace;
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (size > 0 && data[0] == 0x89) {
    fuzz::check(input, {});
  } else if (size >= 2) {
    fuzz::check(pmusim::fuzz::pmt_file(static_cast<char>(data[0] % 4), data[1], 0x1000, input.substr(2), data[1]), {});
  }
  return 0;
}
