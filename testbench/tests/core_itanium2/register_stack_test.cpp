// The register stack engine: frames, dirty registers, mandatory spills and fills.
#include <fmt/format.h>

#include "record.h"

namespace pmusim::testbench::ia64 {
namespace {

namespace psr = act::psr;

constexpr std::uint64_t store_base = 0x600007ffffef0000;  ///< default of core.backing_store; a multiple of 512

/// Words that a number of registers from the `first` one of the backing store on take, NaT collections among them.
unsigned words(unsigned first, unsigned registers) {
  unsigned count = 0;
  for (unsigned i = first; i < first + registers; ++i) count += i % 63 == 62 ? 2 : 1;
  return count;
}

/// Calls `depth` functions, each with a frame of 40 locals, and returns from all of them.
Script nest(unsigned depth) {
  Script s;
  const auto body = [](unsigned level) { return Script::start + 4096 * level; };
  for (unsigned level = 0; level < depth; ++level) {
    s.add(bundle(stop(mmi), alloc(40, 40) | r1(32), nop, nop));
    if (level + 1 < depth) s.go(bundle(stop(mib), nop, nop, br_call(4096 - 16)), 2, body(level + 1));
  }
  for (unsigned level = depth; level-- > 1;) s.go(bundle(stop(mib), nop, nop, br_ret), 2, body(level - 1) + 32);
  return s.add(bundle(mmi, nop, nop, nop));
}

TEST(RegisterStack, SpillsOnlyWhatMustBeSpilled) {
  // 40 registers a frame, 96 in all. The third alloc needs 120: 24 are spilled; the fourth 136: 40. On the way back
  // the frame of the third function is there, 16 of the second's, none of the first's.
  models::Parameters untranslated = plain({{"core.psr", static_cast<std::int64_t>(psr::up)}});
  const Record r = run(nest(4), untranslated);
  const auto count = [&](bool loads) {
    unsigned n = 0;
    for (const Happening& h : r.of(Signal::access_retire)) {
      EXPECT_EQ(h.half.requester, act::Requester::register_stack);
      n += h.half.load == loads ? 1 : 0;
    }
    return n;
  };
  const unsigned first = words(0, 24), second = words(24, 40);
  EXPECT_EQ(count(false), first + second);
  EXPECT_EQ(count(true), words(40, 24) + words(0, 40));
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, act::cause::overflow)),
            (first + 1) / 2 + (second + 1) / 2);
  // Filling takes longer: the registers' lines are not in L1D.
  EXPECT_GT(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, act::cause::underflow)),
            (words(40, 24) + 1) / 2 + (words(0, 40) + 1) / 2);
  // The first spill writes the lowest registers.
  EXPECT_EQ(r.of(Signal::access_retire)[0].request.address, store_base);
}

TEST(RegisterStack, NothingMovesWhileItFits) {
  const Record r = run(nest(2));
  EXPECT_EQ(r.count(Signal::access_retire), 0u);
  EXPECT_EQ(r.cycles_in(State::back_end, stage(act::BackEnd::register_stack), stage_mask), 0u);
}

TEST(RegisterStack, EventsSayTheFrameBeforeThem) {
  const Record r = run(nest(4));
  std::vector<std::pair<unsigned, unsigned>> seen;
  for (const Happening& h : r.of(Signal::retire)) {
    if (h.syllable.has(act::Kind::rse_event)) seen.emplace_back(h.syllable.frame_registers, h.syllable.dirty_registers);
  }
  // alloc, call, alloc, call, alloc, call, alloc, ret, ret, ret: the call leaves no outputs, so a new frame is empty.
  const std::vector<std::pair<unsigned, unsigned>> expected = {{0, 0},   {40, 0}, {0, 40},  {40, 40}, {0, 80},
                                                               {40, 56}, {0, 96}, {40, 56}, {40, 16}, {40, 0}};
  EXPECT_EQ(seen, expected);
}

TEST(RegisterStack, FlushrsSpillsAllDirtyRegisters) {
  Script s;
  s.add(bundle(stop(mmi), alloc(40, 40) | r1(32), nop, nop));
  s.go(bundle(stop(mib), nop, nop, br_call(4096 - 16)), 2, Script::start + 4096);
  s.add(bundle(stop(mmi), flushrs, nop, nop));
  s.add(bundle(stop(mib), nop, nop, cover)).add(bundle(mmi, nop, nop, nop));
  const Record r = run(s);
  EXPECT_EQ(r.count(Signal::access_retire), words(0, 40));
  for (const Happening& h : r.of(Signal::access_retire)) EXPECT_TRUE(h.half.store);
}

TEST(RegisterStack, LoadrsLoadsWhatItIsTold) {
  // 80 bytes below ar.bsp are ten registers, none of which is there.
  constexpr Syllable loadrs = 0x00050000000;
  const Record r =
      run(Script().add(bundle(stop(mmi), loadrs, nop, nop), "loadrs=80").add(bundle(mmi, nop, nop, nop)),
          plain({{"core.psr", static_cast<std::int64_t>(psr::up)}, {"core.backing_store", 0x6000000000000100}}));
  ASSERT_EQ(r.count(Signal::access_retire), 10u);
  EXPECT_EQ(r.of(Signal::access_retire)[0].request.address, 0x6000000000000100u - 80);
  EXPECT_GT(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, act::cause::loadrs)), 0u);
}

TEST(RegisterStack, RotationRenames) {
  // br.ctop turns r32 of one iteration into r33 of the next: a load of 20 cycles is waited for where it is used, three
  // iterations on, not by the next load of r32.
  Script s;
  s.add(
      bundle(stop(mmi), 0x02c00000000 | r1(40) | Syllable{24} << 13 | Syllable{0} << 20 | Syllable{3} << 27, nop, nop));
  const std::uint64_t loop = s.pc();
  const std::string body = bundle(stop(mib), ld8 | r1(32) | r3(9), add | r1(10) | r2(35), br_ctop(0));
  for (unsigned i = 0; i < 6; ++i) {
    s.go(body, 2, loop, "dtlb=hit data=l2 lat=20", "xxx", fmt::format("L0 {:x} 8", 0x6000000000000000 + 4096 * i));
  }
  s.add(bundle(stop(mib), nop, nop, br_ctop(0)));
  const Record r = run(s);
  std::vector<Cycle> loads;
  for (const Happening& h : r.of(Signal::data_reference)) loads.push_back(h.cycle);
  ASSERT_EQ(loads.size(), 6u);
  EXPECT_LE(loads[2] - loads[0], 5u) << "loads of r32 do not wait for each other";
  EXPECT_EQ(loads[3] - loads[0], 20u) << "the use of r35 waits for the load three iterations before";
}

}  // namespace
}  // namespace pmusim::testbench::ia64
