// The program itself selects an event of the 750GX: it counts the same when the core has omitted, up to then, what no
// counter reads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "models/targets.h"
#include "testbench/tests/driver/observed.h"

namespace pmusim::testbench {
namespace {

/// Passes of a loop: a load from a new line, an addition, a store, a branch back. The sixth pass writes MMCR0.
std::string loop_that_writes(unsigned mmcr0) {
  constexpr unsigned passes = 40;
  std::string text = "! isa ppc\n! msr pr=0\n";
  for (unsigned pass = 0; pass < passes; ++pass) {
    text += fmt::format("1000 80640000 L {:x} 4\n1004 7c632a14\n", 0x8000 + 64 * pass);
    if (pass == 5) {
      text += fmt::format("1008 7c98eba6 wr=MMCR0:{:#x}\n", mmcr0);  // mtspr 952,r4
    } else {
      text += "1008 7c98eba6\n";
    }
    text += fmt::format("100c 90660000 S {:x} 4\n", 0x20000 + 32 * pass);
    text += pass + 1 == passes ? "1010 4082fff0\n" : "1010 4082fff0 T 1000\n";
  }
  return text;
}

TEST(ProgramWrites, EveryCodeCountsTheSame) {
  const models::Target& target = *models::find_target("ppc750gx");
  unsigned counted = 0;
  for (unsigned code = 0; code < 128; ++code) {
    std::vector<std::uint64_t> counts[2];
    for (const bool observed : {false, true}) {
      Readers readers;
      readers.push_back(trace::open_text(loop_that_writes(code << 6 | (code & 0x3f)), "loop"));
      counts[observed] = run_pmus(target, target.parameters(), std::move(readers), {{}}, observed)[0].counters;
    }
    EXPECT_EQ(counts[0], counts[1]) << "code " << code;
    counted += counts[1][0] + counts[1][1] != 0 ? 1 : 0;
  }
  EXPECT_GT(counted, 5u);
}

}  // namespace
}  // namespace pmusim::testbench
