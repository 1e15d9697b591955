// Instructions and taken branches of a trace.
#include <pmusim/trace/reader.h>

#include <cstdint>
#include <iostream>

int main(int, char** arguments) {
  const auto reader = pmusim::trace::open(arguments[1]);
  std::uint64_t instructions = 0, taken = 0;
  for (pmusim::trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    ++instructions;
    if (item.instruction.taken) ++taken;
  }
  std::cout << instructions << ' ' << taken << '\n';
}
