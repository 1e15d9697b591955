#include "mixture.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace pmusim::testbench::ia64 {
namespace {

enum class Does : std::uint8_t { nothing, load, store, both, flush };
struct Kind {
  Syllable code;
  Does does;
  unsigned size;
  unsigned weight;
  bool first_only;  ///< needs M0 or cannot be in a group with another of its kind
  bool target;      ///< r1 is written: a different register each time
};
constexpr std::array<Kind, 19> kinds{{
    {ld8 | r3(9), Does::load, 8, 60, false, true},
    {ld8_acq | r3(9), Does::load, 8, 6, false, true},
    {ld8_a | r3(9), Does::load, 8, 6, false, true},
    {ld8_fill | r3(9), Does::load, 8, 6, false, true},
    {st8 | r2(8) | r3(9), Does::store, 8, 50, false, false},
    {st1 | r2(8) | r3(9), Does::store, 1, 15, false, false},
    {st8_rel | r2(8) | r3(9), Does::store, 8, 10, false, false},
    {st8_spill | r2(8) | r3(9), Does::store, 8, 5, false, false},
    {ldfd | r3(9), Does::load, 8, 30, false, true},
    {stfd | r2(8) | r3(9), Does::store, 8, 15, false, false},
    {lfetch | r3(9), Does::load, 8, 15, false, false},
    {xchg8 | r2(8) | r3(9), Does::both, 8, 3, true, true},
    {cmpxchg8_rel | r2(8) | r3(9), Does::both, 8, 6, true, true},
    {mov_to_ccv | r2(8), Does::nothing, 0, 6, true, false},
    {mf, Does::nothing, 0, 2, true, false},
    {sync_i, Does::nothing, 0, 2, true, false},
    {fc | r3(9), Does::flush, 64, 3, true, false},
    {nop, Does::nothing, 0, 30, false, false},
    {add | r2(10) | r3(11), Does::nothing, 0, 10, false, true},
}};

const Kind& choose(Sequence& random) {
  unsigned all = 0;
  for (const Kind& k : kinds) all += k.weight;
  std::uint64_t at = random.below(all);
  for (const Kind& k : kinds) {
    if (at < k.weight) return k;
    at -= k.weight;
  }
  return kinds.back();
}

constexpr std::uint64_t device = 0x6000000010000000;

}  // namespace

Script mixture(const Mix& mix) {
  Sequence random(mix.seed);
  Script s(mix.forced_fetch);
  std::vector<std::uint64_t> hot;
  for (unsigned i = 0; i < 20; ++i) hot.push_back(random.below(mix.bytes) / 8 * 8);
  const auto address = [&](const Kind& kind) {
    if (kind.does == Does::flush) return data + hot[random.below(hot.size())] / 64 * 64;
    const std::uint64_t chance = random.below(100);
    if (mix.code_stores && kind.does == Does::store && chance < 10) return s.pc() / 64 * 64;
    if (chance < 3 && kind.does != Does::both) return device + random.below(512) * 8;
    if (chance < 50)
      return data + hot[random.below(hot.size())] + std::array<std::uint64_t, 4>{0, 8, 16, 64}[random.below(4)];
    return data + random.below(mix.bytes) / 8 * 8;
  };
  const auto outside = [&] {
    const std::uint64_t line = data + hot[random.below(hot.size())];
    switch (random.below(60)) {
      case 0:
        s.say(fmt::format("snoop kind=read addr={:x}", line));
        break;
      case 1:
        s.say(fmt::format("snoop kind=invalidate addr={:x}", line));
        break;
      case 2:
        s.say(fmt::format("ecc source=l2 addr={:x}", line));
        break;
      case 3:
        s.say(fmt::format("ecc source=system addr={:x}", line));
        break;
      case 4:
        s.say(fmt::format("bus kind=io_write addr={:x} agent=io", line));
        break;
      case 5:
        s.say(fmt::format("state addr={:x} line=S", line));
        break;
      case 6:
        s.say("halt cycles=77");
        break;
      case 7:
        s.say("stop cycles=33");
        break;
      case 8:
        s.say("idle cycles=50");
        break;
      default:
        break;
    }
  };
  s.say(fmt::format("memory addr={:x} size=4096 type=uc", device));
  s.add(bundle(stop(mmi), alloc(90, 60) | r1(32), nop, nop));
  unsigned target = 0, depth = 0;
  std::vector<std::uint64_t> returns;
  for (unsigned i = 0; i < mix.bundles; ++i) {
    if (mix.outside) outside();
    const std::uint64_t turn = random.below(40);
    if (turn == 0 && depth < 4) {
      returns.push_back(s.pc() + 16);
      ++depth;
      s.go(bundle(stop(mib), nop, nop, br_call(4096) | many), 2, s.pc() + 4096);
      s.add(bundle(stop(mmi), alloc(90, 60) | r1(32), nop, nop));
      continue;
    }
    if (turn == 1 && depth > 0) {
      --depth;
      s.go(bundle(stop(mib), nop, nop, br_ret), 2, returns.back());
      returns.pop_back();
      continue;
    }
    if (turn == 2) {
      s.go(bundle(stop(mib), nop, nop, br_dptk(48) | qp(6)), 2, s.pc() + 48);
      continue;
    }
    if (turn == 3) {
      s.go(bundle(stop(mib), nop, nop, br_dpnt(96) | qp(6)), 2, s.pc() + 96);
      continue;
    }
    const Kind& first = choose(random);
    const Kind* second = &choose(random);
    if (second->first_only) second = &kinds[17];
    std::string accesses;
    const auto code = [&](const Kind& kind, unsigned slot) {
      if (kind.does != Does::nothing) {
        const std::uint64_t ea = address(kind);
        if (kind.does != Does::store)
          accesses += fmt::format("{}L{} {:x} {}", accesses.empty() ? "" : " ", slot, ea, kind.size);
        if (kind.does == Does::store || kind.does == Does::both) {
          accesses += fmt::format("{}S{} {:x} {}", accesses.empty() ? "" : " ", slot, ea, kind.size);
        }
      }
      return kind.code | (kind.target ? r1(32 + ++target % 80) : 0);
    };
    const Syllable one = code(first, 0), two = code(*second, 1);
    s.add(bundle(random.below(2) == 0 ? mmi : stop(mmi), one, two, nop), accesses);
  }
  return s.add(bundle(stop(mmi), nop, nop, nop));
}

}  // namespace pmusim::testbench::ia64
