// The register stack engine: frames, dirty registers, mandatory spills and fills.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "record.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::ia64 {
namespace {

namespace psr = act::psr;

constexpr std::uint64_t store_base = 0x600007ffffef0000;  ///< default of core.backing_store; a multiple of 512

/// The number of words in the backing store of `registers` registers from the `first` one on, including NaT
/// collections.
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
  // 40 registers a frame, 96 in all. The third alloc needs 120: 24 are spilled; the fourth needs 136: 40. On return the
  // frame of the third function is present, 16 registers of the second's, none of the first's.
  models::Parameters untranslated = plain({{"core.psr", static_cast<std::int64_t>(psr::up)}});
  const Record r = run(nest(4), untranslated);
  const auto count = [&](bool loads) {
    unsigned n = 0;
    for (const Ia64Occurrence& h : r.of(Signal::access_retire)) {
      EXPECT_EQ(h.half.requester, act::Requester::register_stack);
      EXPECT_GT(h.request.start, 0u) << "alloc executes later";
      EXPECT_LE(h.request.start, h.cycle);
      n += h.half.load == loads ? 1 : 0;
    }
    return n;
  };
  const unsigned first = words(0, 24), second = words(24, 40);
  EXPECT_EQ(count(false), first + second);
  EXPECT_EQ(count(true), words(40, 24) + words(0, 40));
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, act::cause::overflow)),
            (first + 1) / 2 + (second + 1) / 2);
  // Fills take longer: the lines of the registers are not in L1D.
  EXPECT_GT(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, act::cause::underflow)),
            (words(40, 24) + 1) / 2 + (words(0, 40) + 1) / 2);
  // The first spill writes the lowest registers.
  EXPECT_EQ(r.of(Signal::access_retire)[0].request.address, store_base);
}

/// The backing store as described in the SDM, volume 2, chapter 6: two pointers that move over memory word by word. It
/// does not track dirty or clean registers; it counts the words between the pointers.
class PlainStore {
 public:
  explicit PlainStore(std::uint64_t bsp) : bsp_(bsp), store_(bsp), load_(bsp) {}
  void alloc(unsigned sof) {
    sof_ = sof;
    while (registers(load_, bsp_) + sof_ > 96) {
      if (load_ == store_) {
        store();
        continue;
      }
      load_ += 8;
      pass_collection();
    }
  }
  void call(unsigned sol) {
    callers_.push_back(sol);
    for (unsigned i = 0; i < sol; ++i) bsp_ += is_collection(bsp_ + 8) ? 16 : 8;
    sof_ = 0;
  }
  void give_back() {
    for (unsigned i = 0; i < callers_.back(); ++i) bsp_ -= is_collection(bsp_ - 8) ? 16 : 8;
    callers_.pop_back();
    while (load_ > bsp_) loaded.push_back(load_ -= 8);
    store_ = std::min(store_, bsp_);
  }
  void flush() {
    while (store_ < bsp_) store();
  }
  std::vector<std::uint64_t> stored, loaded;

 private:
  static bool is_collection(std::uint64_t address) { return address / 8 % 64 == 63; }
  static unsigned registers(std::uint64_t from, std::uint64_t to) {
    unsigned count = 0;
    for (; from < to; from += 8) count += is_collection(from) ? 0 : 1;
    return count;
  }
  void store() {
    stored.push_back(store_);
    store_ += 8;
    pass_collection();
  }
  /// Skips a collection that is in memory: it is read again for the register below it.
  void pass_collection() {
    if (is_collection(load_) && load_ < store_) load_ += 8;
  }
  std::uint64_t bsp_, store_, load_;
  unsigned sof_ = 0;
  std::vector<unsigned> callers_;
};

/// A program of calls and returns, together with the behaviour of the plain store.
class Calls {
 public:
  explicit Calls(std::uint64_t bsp) : plain(bsp) {}
  void alloc(unsigned sof, unsigned sol) {
    script.add(bundle(stop(mmi), ia64::alloc(sof, sol) | r1(32), nop, nop));
    plain.alloc(sof);
    sol_ = sol;
  }
  void call() {
    const std::uint64_t body = Script::start + 0x1000 * ++bodies_;
    returns_.push_back({script.pc() + 16, sol_});
    const auto distance = static_cast<std::int64_t>(body - script.pc());
    script.go(bundle(stop(mib), nop, nop, br_call(distance)), 2, body);
    plain.call(sol_);
    sol_ = 0;
  }
  void give_back() {
    script.go(bundle(stop(mib), nop, nop, br_ret), 2, returns_.back().first);
    sol_ = returns_.back().second;
    returns_.pop_back();
    plain.give_back();
  }
  void flush() {
    script.add(bundle(stop(mmi), flushrs, nop, nop));
    plain.flush();
  }
  [[nodiscard]] std::size_t depth() const { return returns_.size(); }
  Script script;
  PlainStore plain;

 private:
  std::uint64_t bodies_ = 0;
  unsigned sol_ = 0;
  std::vector<std::pair<std::uint64_t, unsigned>> returns_;
};

/// The addresses that the core's engine stored and those that it loaded, in ascending order.
std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>> moved(Calls& calls, std::uint64_t bsp) {
  calls.script.add(bundle(mmi, nop, nop, nop));
  const Record r = run(calls.script, plain({{"core.psr", static_cast<std::int64_t>(psr::up)},
                                            {"core.backing_store", static_cast<std::int64_t>(bsp)}}));
  std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>> all;
  for (const Ia64Occurrence& h : r.of(Signal::access_retire)) {
    if (h.half.requester != act::Requester::register_stack) continue;
    (h.half.store ? all.first : all.second).push_back(h.request.address);
  }
  std::sort(all.first.begin(), all.first.end());
  std::sort(all.second.begin(), all.second.end());
  return all;
}
std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> list) {
  std::sort(list.begin(), list.end());
  return list;
}

// 300 frames of 60 below one of 38: 17,942 registers and the 284 collections between them if the first register is at
// slot 1. Of the runs of 60, the first ends at slot 62, and then every 21st.
TEST(RegisterStack, HundredsOfFrames) {
  constexpr std::uint64_t first = store_base + 8;
  Calls calls(first);
  calls.alloc(38, 38);
  for (unsigned i = 0; i < 300; ++i) {
    calls.call();
    calls.alloc(60, 60);
  }
  for (unsigned i = 0; i < 300; ++i) calls.give_back();
  const auto [stored, loaded] = moved(calls, first);
  EXPECT_EQ(stored.size(), 38u + 300 * 60 - 96 + 284);
  EXPECT_EQ(loaded.size(), stored.size());
}

TEST(RegisterStack, MovesWhatAPlainBackingStoreMoves) {
  const unsigned programs = static_cast<unsigned>(200 / sampling);
  for (unsigned seed = 0; seed < programs; ++seed) {
    std::mt19937 draw(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(draw() % n); };
    const std::uint64_t bsp = store_base + 8ull * below(63);
    Calls calls(bsp);
    const unsigned most = 1 + below(96);
    const auto frame = [&] {
      const unsigned sof = 1 + below(most);
      calls.alloc(sof, below(sof + 1));
    };
    frame();
    for (unsigned i = 0; i < 150; ++i) {
      const unsigned what = below(20);
      if (what == 0) {
        calls.flush();
      } else if (what < 9 && calls.depth() != 0) {
        calls.give_back();
      } else {
        calls.call();
        frame();
      }
    }
    const auto [stored, loaded] = moved(calls, bsp);
    ASSERT_EQ(stored, sorted(calls.plain.stored)) << "seed " << seed;
    ASSERT_EQ(loaded, sorted(calls.plain.loaded)) << "seed " << seed;
  }
}

TEST(RegisterStack, NothingMovesWhileItFits) {
  const Record r = run(nest(2));
  EXPECT_EQ(r.count(Signal::access_retire), 0u);
  EXPECT_EQ(r.cycles_in(State::back_end, stage(act::BackEnd::register_stack), stage_mask), 0u);
}

TEST(RegisterStack, EventsSayTheFrameBeforeThem) {
  const Record r = run(nest(4));
  std::vector<std::pair<unsigned, unsigned>> seen;
  for (const Ia64Occurrence& h : r.of(Signal::retire)) {
    if (h.syllable.has(act::Kind::rse_event)) seen.emplace_back(h.syllable.frame_registers, h.syllable.dirty_registers);
  }
  // alloc, call, alloc, call, alloc, call, alloc, ret, ret, ret: the caller has no outputs, so a new frame is empty.
  const std::vector<std::pair<unsigned, unsigned>> expected = {{0, 0},   {40, 0}, {0, 40},  {40, 40}, {0, 80},
                                                               {40, 56}, {0, 96}, {40, 56}, {40, 16}, {40, 0}};
  EXPECT_EQ(seen, expected);
}

TEST(RegisterStack, LoadrsLoadsWhatItIsTold) {
  // 80 bytes below ar.bsp are ten registers, none of which is in the register file.
  constexpr Syllable loadrs = 0x00050000000;
  const Record r =
      run(Script().add(bundle(stop(mmi), loadrs, nop, nop), "loadrs=80").add(bundle(mmi, nop, nop, nop)),
          plain({{"core.psr", static_cast<std::int64_t>(psr::up)}, {"core.backing_store", 0x6000000000000100}}));
  ASSERT_EQ(r.count(Signal::access_retire), 10u);
  EXPECT_EQ(r.of(Signal::access_retire)[0].request.address, 0x6000000000000100u - 80);
  EXPECT_GT(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, act::cause::loadrs)), 0u);
}

// loadrs sets the store pointer to the lowest word that it was told of (SDM volume 2, chapter 6): a flushrs behind
// it stores as many words. In the second case the lowest word is a NaT collection.
TEST(RegisterStack, FlushrsAfterLoadrsStoresTheSameWords) {
  constexpr Syllable loadrs = 0x00050000000;
  for (const auto& [slot, count] : {std::pair{32u, 10u}, std::pair{10u, 11u}, std::pair{20u, 30u}}) {
    const std::uint64_t bsp = store_base + 8 * slot;
    const Record r = run(Script()
                             .add(bundle(stop(mmi), loadrs, nop, nop), fmt::format("loadrs={}", 8 * count))
                             .add(bundle(stop(mmi), flushrs, nop, nop))
                             .add(bundle(mmi, nop, nop, nop)),
                         plain({{"core.psr", static_cast<std::int64_t>(psr::up)},
                                {"core.backing_store", static_cast<std::int64_t>(bsp)}}));
    std::vector<std::uint64_t> stored;
    for (const Ia64Occurrence& h : r.of(Signal::access_retire)) {
      if (h.half.store) stored.push_back(h.request.address);
    }
    ASSERT_EQ(stored.size(), count) << "slot " << slot;
    EXPECT_EQ(*std::min_element(stored.begin(), stored.end()), bsp - 8 * count);
  }
}

TEST(RegisterStack, RotationRenames) {
  // br.ctop renames r32 of one iteration to r33 of the next: the wait for a load of 20 cycles occurs at its use, three
  // iterations later, not at the next load of r32.
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
  for (const Ia64Occurrence& h : r.of(Signal::data_reference)) loads.push_back(h.cycle);
  ASSERT_EQ(loads.size(), 6u);
  EXPECT_LE(loads[2] - loads[0], 5u) << "loads of r32 do not wait for each other";
  EXPECT_EQ(loads[3] - loads[0], 20u) << "the use of r35 waits for the load three iterations before";
}

}  // namespace
}  // namespace pmusim::testbench::ia64
