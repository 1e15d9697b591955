#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::targets::toy {
namespace {

constexpr Ratio ratios[] = {{"cycles per instruction", "TOY_CLOCKS", "TOY_RETIRED"}};

}  // namespace

extern const CommandFacts commands{ratios};

}  // namespace pmusim::testbench::targets::toy
