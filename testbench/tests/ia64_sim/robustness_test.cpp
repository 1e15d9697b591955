// Invalid programs: each ends with a one-line error message that states the address and the cause.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "assembled.h"
#include "disassembly.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
using trace::ia64::SimulationError;
using trace::ia64::SimulationOptions;

std::string refusal(const std::vector<std::uint8_t>& program) {
  try {
    (void)trace::ia64::simulate(program, "program");
  } catch (const SimulationError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("program: ")) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
    return text;
  }
  return "runs";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Robustness : public testing::Test {
 protected:
  void SetUp() override {
    if (!pmusim::have_tools({"ia64-linux-gnu-as", "ia64-linux-gnu-ld"}))
      GTEST_SKIP() << "needs binutils-ia64-linux-gnu";
  }
};

constexpr const char* leave =
    "alloc r2 = ar.pfs, 0, 0, 1, 0\n;;\nmov r32 = r0\nmov r15 = 1025\n;;\nbreak.m 0x100000\n;;\n";

TEST_F(Robustness, BadFiles) {
  const auto good = testbench::assemble_text(std::string(".text\n.global _start\n_start:\n") + leave);
  EXPECT_EQ(refusal(good), "runs");
  EXPECT_TRUE(contains(refusal({}), "not an ELF program"));
  const auto changed = [&](std::size_t at, std::uint8_t value) {
    auto bytes = good;
    bytes[at] = value;
    return refusal(bytes);
  };
  EXPECT_TRUE(contains(changed(0, 0), "not an ELF program"));
  EXPECT_TRUE(contains(changed(4, 1), "64-bit little-endian"));
  EXPECT_TRUE(contains(changed(5, 2), "64-bit little-endian"));
  EXPECT_TRUE(contains(changed(18, 62), "machine 62; expected machine 50"));
  EXPECT_TRUE(contains(changed(16, 3), "type 3"));
  EXPECT_TRUE(contains(changed(64, 3), "dynamically linked"));
  EXPECT_TRUE(contains(changed(24, good[24] + 1), "entry is not aligned"));
  EXPECT_TRUE(contains(changed(31, 0x20), "no executable code there"));
  EXPECT_TRUE(contains(changed(64 + 45, 0x80), "more than 1 GiB"));
  for (const std::size_t size : {std::size_t{20}, std::size_t{63}, std::size_t{100}, good.size() / 8}) {
    EXPECT_TRUE(contains(refusal({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}), "cut off")) << size;
  }
}

/// A program header that describes .bss alone, as ld writes it: no bytes in the file, and an offset at the end of the
/// file or beyond.
TEST_F(Robustness, ASegmentOfZerosNeedsNoPlaceInTheFile) {
  auto program =
      testbench::assemble_text(std::string(".bss\n.align 16\nzeros:\n.skip 65536\n.text\n.global _start\n_start:\n"
                                           "movl r14 = zeros + 65528\n;;\nst8 [r14] = r12\nld8 r15 = [r14]\n;;\n") +
                               leave);
  EXPECT_EQ(refusal(program), "runs");
  const auto number = [&](std::size_t at, unsigned size) {
    std::uint64_t value = 0;
    for (unsigned i = size; i-- > 0;) value = value << 8 | program.at(at + i);
    return value;
  };
  bool found = false;
  for (std::size_t header = 64; header < 64 + 56 * number(56, 2); header += 56) {
    if (number(header, 4) != 1 || number(header + 32, 8) != 0) continue;
    found = true;
    for (const std::uint64_t offset : {std::uint64_t{program.size()}, program.size() + 1, ~std::uint64_t{0}}) {
      for (unsigned i = 0; i < 8; ++i) program[header + 8 + i] = static_cast<std::uint8_t>(offset >> 8 * i);
      EXPECT_EQ(refusal(program), "runs") << offset;
    }
  }
  EXPECT_TRUE(found) << "the linker gives .bss a segment of its own";
}

TEST_F(Robustness, FaultsNameBundleAndSlot) {
  const auto expect = [](const std::string& body, const std::string& part) {
    const std::string said = testbench::error_of(body + "\n;;\n" + leave);
    EXPECT_TRUE(contains(said, part)) << said << "\nright: " << part;
    EXPECT_TRUE(contains(said, "program: bundle 40000000000000")) << said;
    EXPECT_TRUE(contains(said, ", slot ")) << said;
  };
  expect("{ .mmi\nnop.m 0\nld8 r8 = [r0]\nnop.i 0\n}", "slot 1, ld8: loads 8 bytes at 0, which is not mapped");
  expect("st4 [r0] = r0", "stores 4 bytes at 0, which is not mapped");
  expect("movl r14 = _start\n;;\nst4 [r14] = r0", "which is not writable");
  expect("movl r14 = odd\n;;\nfetchadd4.acq r8 = [r14], 1", "is not aligned to 4 bytes");
  expect("movl r14 = odd\nsum 8\n;;\nld8 r8 = [r14]", "is not aligned to 8 bytes");
  expect("ld8.s r14 = [r0]\n;;\nst8 [r12] = r14", "consumes the NaT in r14");
  expect("ld8.s r14 = [r0]\n;;\nld8 r15 = [r14]", "consumes the NaT in r14");
  expect("mov r40 = 1", "r40 is outside the register frame of 0 registers");
  expect("mov r14 = cr.ivr", "not in the supported set");
  expect("break.m 7", "break 0x7; expected a system call is break 0x100000");
  expect("mov r15 = 1060\n;;\nbreak.m 0x100000", "system call 1060; supported: exit (1025)");
  expect("mov ar.fpsr = r0\n;;\nfrcpa.s0 f6, p6 = f1, f0", "a floating-point exception that ar.fpsr does not mask");
  expect("movl r14 = _start\n;;\nsum 2\n;;\nld16 r8 = [r14]", "big-endian");
  expect("mov r14 = 16\n;;\nmov ar.rsc = r14", "big-endian");
  expect("bsw.0", "not in the supported set");
  expect(
      "alloc r2 = ar.pfs, 0, 16, 0, 16\n;;\nmov ar.lc = 5\n;;\nbr.ctop.sptk 1f\n;;\n1: alloc r2 = ar.pfs, 0, 16, 0, 8",
      "expected clrrrb");
}

TEST_F(Robustness, ReservedEncodings) {
  auto program = testbench::assemble_text(
      std::string(".text\n.global _start\n_start:\n{ .mmi\nnop.m 0\nnop.m 0x12345\nnop.i 0\n}\n;;\n") + leave, "-x");
  // the bundle with the marked no-op
  const auto marked = testbench::bundle_of(0x09, {0x8000000, 0x8000000 | 0x12345ULL << 6, 0x8000000});
  const auto found = std::search(program.begin(), program.end(), marked.begin(), marked.end());
  ASSERT_NE(found, program.end());
  const auto with = [&](const testbench::BundleBytes& bytes) {
    auto changed = program;
    std::copy(bytes.begin(), bytes.end(), changed.begin() + (found - program.begin()));
    return refusal(changed);
  };
  EXPECT_TRUE(contains(with(testbench::bundle_of(0x06, {0, 0, 0})), "template 06 is reserved"));
  // major opcode 3 of the M unit
  EXPECT_TRUE(contains(with(testbench::bundle_of(0x08, {0x8000000, std::uint64_t{3} << 37, 0x8000000})),
                       "slot 1: reserved encoding"));
}

TEST_F(Robustness, EndlessLoopsAreCutOff) {
  SimulationOptions options;
  options.most_slots = 10000;
  const std::string said = testbench::error_of("1: br.cond.sptk 1b\n;;\n", options);
  EXPECT_TRUE(contains(said, "slots are executed and the program goes on")) << said;
}

}  // namespace
