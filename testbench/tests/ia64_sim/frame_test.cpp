// Register stack, backing store and rotation: tested with programs, and with the tracker of a trace reader.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "assembled.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
using namespace pmusim::trace::ia64;

using Frames = testbench::WithBinutils;

// The label begins a bundle: a return branches to the bundle after the call.
constexpr const char* exit_with_r8 =
    "9: clrrrb\n;;\nalloc r2 = ar.pfs, 0, 0, 1, 0\n;;\nmov r32 = r8\nmov r15 = 1025\n;;\nbreak.m 0x100000\n;;\n";

int status_of(const std::string& source, SimulationOptions options = {}) {
  return simulate(testbench::assemble_text(".text\n.global _start\n_start:\n" + source), "frames", options).exit_status;
}

/// sum(n) = n + sum(n - 1), 1000 frames deep: 1000 * 1001 / 2 modulo 251.
TEST_F(Frames, DeepRecursion) {
  const std::string source = fmt::format(R"(
alloc r2 = ar.pfs, 0, 0, 1, 0 ;;
mov r32 = 1000 ; br.call.sptk b0 = sum ;;
movl r14 = 1000 * 1001 / 2 ;;
cmp.eq p6, p7 = r8, r14 ;;
(p6) mov r8 = 7 ; (p7) mov r8 = 1 ;;
{}
sum:
alloc r33 = ar.pfs, 1, 3, 1, 0 ; mov r34 = b0 ; mov r8 = r0 ; cmp.eq p6, p7 = r0, r32 ;;
adds r36 = -1, r32 ; (p6) br.cond.sptk 1f ;;
br.call.sptk b0 = sum ;;
1: add r8 = r8, r32 ; mov b0 = r34 ; mov ar.pfs = r33 ;;
br.ret.sptk b0 ;;
)",
                                         exit_with_r8);
  EXPECT_EQ(status_of(source), 7);
}

/// With `be` in the user mask, loads, stores and semaphores reverse the bytes of each datum. Each case leaves a value
/// in r8 whose lowest byte is the exit status.
TEST_F(Frames, BigEndianData) {
  struct Case {
    std::string code;
    int status;
  };
  const std::string at = "movl r14 = data\n;;\n", end = "rum 2\n;;\n";
  const Case cases[] = {
      {"sum 2\n;;\nld8 r8 = [r14]\n;;\n", 0x18},
      {"sum 2\n;;\nld4 r8 = [r14]\n;;\n", 0x14},
      {"sum 2\n;;\nld2 r8 = [r14]\n;;\n", 0x12},
      {"sum 2\n;;\nld1 r8 = [r14]\n;;\n", 0x11},
      {"sum 2\n;;\nrum 2\n;;\nld8 r8 = [r14]\n;;\n", 0x11},
      {"mov r15 = 0x2345\nsum 2\n;;\nst4 [r14] = r15\nrum 2\n;;\nld4 r8 = [r14]\n;;\nshr.u r8 = r8, 24\n;;\n", 0x45},
      {"sum 2\n;;\nfetchadd4.acq r15 = [r14], 1\n;;\nld4 r8 = [r14]\n;;\n", 0x15},
      {"sum 2\n;;\nfetchadd4.acq r15 = [r14], 1\nrum 2\n;;\nld4 r8 = [r14]\n;;\nshr.u r8 = r8, 24\n;;\n", 0x15},
      {"sum 2\n;;\nldf8 f6 = [r14]\n;;\ngetf.sig r8 = f6\n;;\n", 0x18},
      // Each value of a pair by itself, the first from the lower address.
      {"sum 2\n;;\nldfp8 f6, f7 = [r14]\n;;\ngetf.sig r8 = f6\n;;\n", 0x18},
      {"sum 2\n;;\nldfp8 f6, f7 = [r14]\n;;\ngetf.sig r8 = f7\n;;\n", 0x28},
      {"sum 2\n;;\nldf8 f6 = [r14]\n;;\nstf8 [r14] = f6\nrum 2\n;;\nld8 r8 = [r14]\n;;\n", 0x11},
      // The ten bytes of an extended value begin with sign and exponent.
      {"sum 2\n;;\nstfe [r14] = f1\nrum 2\n;;\nld1 r8 = [r14]\n;;\n", 0x3f},
      {"sum 2\n;;\nstf.spill [r14] = f1\n;;\nldf.fill f6 = [r14]\n;;\ngetf.exp r8 = f6\n;;\n", 0xff},
  };
  for (const Case& c : cases) {
    const std::string data =
        "\n.data\n.align 16\ndata: data1 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18\n"
        "data1 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28\n.text\n";
    EXPECT_EQ(status_of(at + c.code + end + exit_with_r8 + data), c.status) << c.code;
  }
}

/// flushrs writes the frames below to the backing store and the NaT bits to the collection word; loadrs, or changing
/// ar.bspstore and restoring it, reads them back.
TEST_F(Frames, BackingStore) {
  const std::string source = fmt::format(R"(
alloc r2 = ar.pfs, 0, 70, 0, 0 ;;
mov r32 = 11 ; mov r33 = 22 ; ld8.s r34 = [r0] ; mov r101 = 77 ;;
mov r10 = ar.bsp ; br.call.sptk b0 = inner ;;
tnat.nz p6, p7 = r34 ;;
(p6) adds r8 = 100, r8 ; add r9 = r32, r33 ;;
add r8 = r8, r9 ;;
sub r9 = r101, r33 ;;
add r8 = r8, r9 ;;
{}
inner:
alloc r2 = ar.pfs, 0, 0, 0, 0 ; flushrs ;;
mov r11 = ar.bspstore ; adds r14 = 8, r10 ;;
ld8 r8 = [r14] ; mov r16 = ar.bsp ;;
cmp.eq p6, p7 = r11, r16 ; mov ar.rsc = 0 ;;
(p7) mov r8 = 1 ;;
mov r17 = ar.rnat ; movl r18 = elsewhere ;;
mov ar.bspstore = r18 ;;
mov r19 = ar.bsp ;;
mov ar.bspstore = r11 ;;
mov ar.rnat = r17 ;;
cmp.ne p6, p7 = r18, r19 ;;
(p6) mov r8 = 2 ; br.ret.sptk b0 ;;
.data
.align 512
elsewhere: .skip 4096
)",
                                         exit_with_r8);
  // 22 from memory, NaT seen, 11 + 22 and 77 - 22
  EXPECT_EQ(status_of(source), 22 + 100 + 33 + 55);
}

TEST_F(Frames, RotatingRegisters) {
  // Each iteration renames r32 to r33, f32 to f33, p16 to p17; after ar.lc + 1 kernel iterations, ar.ec - 1 drain the
  // pipeline.
  const std::string source = fmt::format(R"(
alloc r2 = ar.pfs, 0, 8, 0, 8 ; mov r8 = r0 ; mov r14 = r0 ; mov r16 = r0 ; mov ar.lc = 4 ; mov ar.ec = 3 ;;
mov pr.rot = 1 << 16 ;;
1:
(p16) adds r14 = 1, r14 ; (p18) adds r16 = 1, r16 ;;
(p16) mov r32 = r14 ; (p18) add r8 = r8, r34 ;;
br.ctop.sptk 1b ;;
shladd r8 = r16, 4, r8 ; mov r9 = ar.ec ;;
add r8 = r8, r9 ;;
{}
)",
                                         exit_with_r8);
  // r34 in stage 3 is the r32 written in stage 1: 1 + 2 + 3 + 4 + 5, five times, ar.ec ends as 0
  EXPECT_EQ(status_of(source), 15 + 5 * 16);
}

/// Registers that were filled once belong to the register file again: a later return does not fill them a second time.
TEST_F(Frames, FilledRegistersStay) {
  const std::string source = fmt::format(R"(
alloc r2 = ar.pfs, 0, 4, 0, 0 ;;
br.call.sptk b0 = outer ;;
{}
outer:
alloc r32 = ar.pfs, 0, 4, 0, 0 ; mov r33 = b0 ; mov r34 = 5 ;;
br.call.sptk b0 = switching ;;
adds r34 = 1, r34 ;;
br.call.sptk b0 = nothing ;;
mov r8 = r34 ; mov b0 = r33 ; mov ar.pfs = r32 ;;
br.ret.sptk b0 ;;
switching:
flushrs ; mov ar.rsc = 0 ;;
mov r11 = ar.bspstore ;;
mov ar.bspstore = r12 ;;
mov ar.bspstore = r11 ;;
br.ret.sptk b0 ;;
nothing:
br.ret.sptk b0 ;;
)",
                                         exit_with_r8);
  EXPECT_EQ(status_of(source), 6);
}

/// A call starts without rotation, regardless of the caller's rotating registers.
TEST_F(Frames, CallsDoNotRotate) {
  const std::string source = fmt::format(R"(
alloc r2 = ar.pfs, 0, 16, 3, 16 ; mov ar.lc = 5 ; mov ar.ec = 1 ;;
1: br.ctop.sptk 1b ;;
mov r48 = 1 ; mov r49 = 2 ; mov r50 = 4 ;;
br.call.sptk b0 = inner ;;
{}
inner:
shladd r8 = r33, 1, r32 ;;
shladd r8 = r34, 2, r8 ; br.ret.sptk b0 ;;
)",
                                         exit_with_r8);
  EXPECT_EQ(status_of(source), 1 + 2 * 2 + 4 * 4);
}

TEST(BackingStoreAddresses, SkipCollections) {
  // one collection word after 63 registers
  EXPECT_EQ(bsp_plus(0x1000, 63), 0x1000U + 64 * 8);
  EXPECT_EQ(bsp_plus(0x1000, 62), 0x1000U + 62 * 8);
  for (std::uint64_t slot = 0; slot < 63; ++slot) {
    for (unsigned n = 0; n < 300; ++n) {
      std::uint64_t address = 0x10000 + 8 * slot;
      for (unsigned i = 0; i < n; ++i) {
        address += 8;
        if ((address & 0x1f8) == 0x1f8) address += 8;
      }
      ASSERT_EQ(bsp_plus(0x10000 + 8 * slot, n), address) << slot << ' ' << n;
      ASSERT_EQ(bsp_minus(address, n), 0x10000 + 8 * slot) << slot << ' ' << n;
    }
  }
}

// ar.bspstore, and with it bsp, may point to a collection word.
TEST(BackingStoreAddresses, FromACollectionDown) {
  EXPECT_EQ(bsp_minus(0x11f8, 0), 0x11f8U);
  EXPECT_EQ(bsp_minus(0x11f8, 1), 0x11f0U);
  EXPECT_EQ(bsp_minus(0x11f8, 63), 0x1000U);
  EXPECT_EQ(bsp_minus(0x11f8, 64), 0xff0U);
}

TEST(FrameMarker, RoundTripAndRotation) {
  const Frame frame{50, 40, 3, 5, 95, 47};
  EXPECT_EQ(Frame::from_marker(frame.marker()), frame);
  EXPECT_EQ(frame.marker(), 50U | 40U << 7 | 3U << 14 | 5U << 18 | std::uint64_t{95} << 25 | std::uint64_t{47} << 32);
  EXPECT_EQ(frame.rotated_gr(32), 5U);
  EXPECT_EQ(frame.rotated_gr(32 + 23), 4U);
  EXPECT_EQ(frame.rotated_gr(32 + 24), 24U);
  EXPECT_EQ(frame.rotated_fr(33), 32U);
  EXPECT_EQ(frame.rotated_pr(16), 63U);
}

/// The tracker needs keys only where the encodings do not determine what the program does.
TEST_F(Frames, TrackerFollowsTheMachine) {
  unsigned keys = 0, lines = 0;
  SimulationOptions options;
  options.on_bundle = [&](const trace::Instruction& line) {
    ++lines;
    if (line.annotations != nullptr && line.annotations->cfm) ++keys;
  };
  const std::string loop =
      "alloc r2 = ar.pfs, 0, 8, 0, 8\nmov ar.lc = 2\nmov ar.ec = {}\nmov r8 = 1\n;;\n1: br.ctop.sptk 1b\n;;\n";
  (void)status_of(fmt::format(fmt::runtime(loop), 2) + exit_with_r8, options);
  EXPECT_EQ(keys, 0U);
  (void)status_of(fmt::format(fmt::runtime(loop), 0) + exit_with_r8, options);
  EXPECT_EQ(keys, 1U) << "ar.ec was 0: the last br.ctop does not rotate";
  EXPECT_GT(lines, 10U);
}

TEST(Speculation, IsDerivedFromTheLine) {
  const auto reader = trace::open(std::filesystem::path(PMUSIM_SOURCE_DIR) / "isa-traces/recorded/ia64-pipelined.pmt");
  unsigned hits = 0, failed = 0, loaded = 0;
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    const Bundle bundle = decode(*item.instruction.code);
    for (unsigned i = 0; i < 3; ++i) {
      const Speculation outcome = speculation_of(bundle, i, item.instruction);
      const Kind kind = bundle.slots[i].kind;
      const bool check = kind == Kind::check_advanced || bundle.slots[i].is_check_load();
      hits += check && outcome == Speculation::hit;
      failed += check && outcome == Speculation::failed;
      loaded += outcome == Speculation::loaded;
    }
  }
  // Part 5 of the program: ld8.c.clr misses once and hits once, chk.a misses; three ld8.a. Part 4 ends when the last of
  // 16 words is found to be 0, two iterations after its load. The 16 chk.s of its third stage find no NaT.
  EXPECT_EQ(hits, 1U);
  EXPECT_EQ(failed, 2U);
  EXPECT_EQ(loaded, 3U + 18U);
}

}  // namespace
