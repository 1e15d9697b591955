// Opcode matchers, instruction ranges, data ranges, and the channels formed from them.
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

constexpr std::uint64_t no_ranges = 0x492;  // PMC14: ibrp0 to ibrp3 not constrained
constexpr std::uint64_t use_range0 = no_ranges & ~0x2ull;
constexpr std::uint64_t fine = 0x2000;
constexpr std::uint64_t accept_all = 0xFFFFFFFF3FFFFFFF;  // PMC8; its bits 0 and 1 are ig_ad and inv
constexpr std::uint64_t ranged = accept_all & ~0x3ull;
constexpr std::uint64_t every_level = 0xfull << 56;
constexpr std::uint64_t full_mask = 0x00ff'ffff'ffff'ffff;

using Type = ia64::SlotType;

/// True if event 0x08 with this unit mask counts the instruction.
bool counts(Monitor& m, const Instruction& i, unsigned umask = 0) {
  put(m, pmc(4), event(0x08, umask) | any_level | enable);
  put(m, pmd(4), 0);
  Activity activity(1);
  activity.retires(0, i);
  m.consume(activity.block(), 0, 1);
  return get(m, pmd(4)) != 0;
}

TEST(Opcodes, DecodeVectorAnyInteger) {
  auto m = counting({});
  put(*m, pmc(8), 0x400000003FFFFFFF);
  for (const std::uint64_t encoding : {std::uint64_t{0}, std::uint64_t{0x1ff'ffff'ffff}}) {
    EXPECT_TRUE(counts(*m, {.type = Type::i, .encoding = encoding}));
    EXPECT_FALSE(counts(*m, {.type = Type::m, .encoding = encoding}));
    EXPECT_FALSE(counts(*m, {.type = Type::f, .encoding = encoding}));
    EXPECT_FALSE(counts(*m, {.type = Type::b, .encoding = encoding}));
  }
  EXPECT_TRUE(counts(*m, {.slot = 2, .type = Type::x})) << "the syllable of an L+X pair is of type I";
}

TEST(Opcodes, DecodeVectorFloatingPoint) {
  // Match field 0x4480000, mask field 0x37FFFF: field bits 26, 25, 24, 23, 22, 19 are compared, that is instruction
  // bits 40 to 36 and 33. The match field has 1 in bits 26, 22 and 19.
  auto m = counting({});
  put(*m, pmc(8), 0x2890000001BFFFFF);
  const std::uint64_t match = 1ull << 40 | 1ull << 36 | 1ull << 33;
  EXPECT_TRUE(counts(*m, {.type = Type::f, .encoding = match}));
  EXPECT_FALSE(counts(*m, {.type = Type::i, .encoding = match}));
  for (unsigned bit = 0; bit < 41; ++bit) {
    const bool compared = (bit >= 36 && bit <= 40) || bit == 33;
    EXPECT_EQ(counts(*m, {.type = Type::f, .encoding = match ^ 1ull << bit}), !compared) << bit;
  }
}

TEST(Opcodes, AllTwentySevenBits) {
  // Mask 0, match 0, every type: bits 40:27 and 12:0 must be 0, the others are ignored.
  auto m = counting({});
  put(*m, pmc(8), 0xf000000000000005);
  for (unsigned bit = 0; bit < 41; ++bit) {
    EXPECT_EQ(counts(*m, {.encoding = 1ull << bit}), bit >= 13 && bit <= 26) << bit;
  }
}

TEST(Opcodes, RoutingByPmc15) {
  auto m = counting({});
  put(*m, pmc(8), 0x800000003FFFFFFF);  // M
  put(*m, pmc(9), 0x200000003FFFFFFC);  // F
  for (unsigned free = 0; free < 16; ++free) {
    put(*m, pmc(15), 0xfffffff0 | free);
    for (unsigned k = 0; k < 4; ++k) {
      const bool unconstrained = (free >> k & 1) != 0;
      EXPECT_EQ(counts(*m, {.type = Type::m}, k), unconstrained || k % 2 == 0) << free << k;
      EXPECT_EQ(counts(*m, {.type = Type::f}, k), unconstrained || k % 2 == 1) << free << k;
    }
  }
}

TEST(CodeRanges, CoarsePairs) {
  for (unsigned k = 0; k < 4; ++k) {
    auto m = counting({});
    put(*m, pmc(8), ranged);
    put(*m, pmc(14), no_ranges & ~(2ull << (3 * k)));
    put(*m, ibr(2 * k), 0x4040);
    put(*m, ibr(2 * k + 1), (full_mask & ~0x3full) | every_level);
    EXPECT_FALSE(counts(*m, {.ip = 0x4030}, k));
    EXPECT_TRUE(counts(*m, {.ip = 0x4040}, k));
    EXPECT_TRUE(counts(*m, {.ip = 0x4070}, k));
    EXPECT_FALSE(counts(*m, {.ip = 0x4080}, k));
    EXPECT_FALSE(counts(*m, {.ip = 0x8000'0000'0000'4040}, k)) << "bits 63:56 always take part";
    EXPECT_TRUE(counts(*m, {.ip = 0}, (k + 1) % 4)) << "other channels are free";
    put(*m, ibr(2 * k + 1), (full_mask & ~0x3full) | 0xeull << 56);
    EXPECT_FALSE(counts(*m, {.ip = 0x4040}, k)) << "not active at level 0";
  }
}

TEST(CodeRanges, IgnoredAndInverted) {
  auto m = counting({});
  put(*m, ibr(0), 0x4040);
  put(*m, ibr(1), full_mask | every_level);
  put(*m, pmc(14), use_range0);
  EXPECT_TRUE(counts(*m, {.ip = 0})) << "ig_ad";
  put(*m, pmc(8), ranged | 2);
  EXPECT_FALSE(counts(*m, {.ip = 0x4040})) << "inverted";
  EXPECT_TRUE(counts(*m, {.ip = 0x4050}));
  put(*m, pmc(14), no_ranges);
  EXPECT_TRUE(counts(*m, {.ip = 0x4040})) << "without a range there is nothing to invert";
}

TEST(CodeRanges, FineBoundaries) {
  // Bundles 0x4120 to 0x41f0, with a resolution of 32 bytes.
  auto m = counting({});
  put(*m, pmc(8), ranged);
  put(*m, pmc(14), fine);
  const auto set = [&](unsigned lower, std::uint64_t first, std::uint64_t last) {
    put(*m, ibr(2 * lower), first);
    put(*m, ibr(2 * lower + 1), 0xfffff000 | every_level);
    put(*m, ibr(2 * lower + 4), last);
    put(*m, ibr(2 * lower + 5), 0xfffff000 | every_level);
  };
  set(0, 0x4120, 0x41f0);
  set(1, 0x4800, 0x4810);
  EXPECT_FALSE(counts(*m, {.ip = 0x4110}));
  EXPECT_TRUE(counts(*m, {.ip = 0x4120}));
  EXPECT_TRUE(counts(*m, {.ip = 0x41f0}));
  EXPECT_FALSE(counts(*m, {.ip = 0x4200}));
  EXPECT_FALSE(counts(*m, {.ip = 0x5120})) << "another page";
  EXPECT_FALSE(counts(*m, {.ip = 0x1'0000'4120})) << "the page is compared whole";
  EXPECT_FALSE(counts(*m, {.ip = 0x4800})) << "range B is channel 1's";
  EXPECT_TRUE(counts(*m, {.ip = 0x4800}, 1));
  EXPECT_TRUE(counts(*m, {.ip = 0x4120}, 2));
  EXPECT_TRUE(counts(*m, {.ip = 0x4800}, 3));
  set(0, 0x4130, 0x41e0);
  EXPECT_TRUE(counts(*m, {.ip = 0x4120})) << "pairs of bundles";
  EXPECT_TRUE(counts(*m, {.ip = 0x41f0}));
}

TEST(CodeRanges, FineChoices) {
  const auto with = [](Flips flips) {
    auto m = counting({}, flips);
    put(*m, pmc(8), ranged);
    put(*m, pmc(14), fine);
    for (const unsigned n : {0u, 4u}) put(*m, ibr(n), 0x4120);
    for (const unsigned n : {2u, 6u}) put(*m, ibr(n), 0x4800);
    for (const unsigned n : {1u, 3u, 5u, 7u}) put(*m, ibr(n), 0xfffff000 | every_level);
    return m;
  };
  EXPECT_TRUE(counts(*with({{"pmu.fine_mask", "register"}}), {.ip = 0x1'0000'4120}));
  EXPECT_TRUE(counts(*with({{"pmu.fine_union", "both"}}), {.ip = 0x4800}));
  EXPECT_FALSE(counts(*with({}), {.ip = 0x9000}, 2));
}

TEST(CodeRanges, PrefetchEventsUseChannel1) {
  auto m = counting({event(0x44) | any_level, event(0x41) | any_level, event(0x40) | any_level});
  put(*m, pmc(8), ranged);
  put(*m, pmc(14), no_ranges & ~0x12ull);  // ranges 0 and 1
  put(*m, ibr(0), 0x1000);
  put(*m, ibr(2), 0x2000);
  for (const unsigned n : {1u, 3u}) put(*m, ibr(n), (full_mask & ~0xfffull) | every_level);
  Activity activity(8);
  Cycle c = 0;
  for (const std::uint64_t address : {0x1040, 0x2040}) {
    activity.fetch(address, c, d::lookup_hit);
    const std::uint32_t demand = activity.request(address), prefetch = activity.request(address);
    activity.more(demand).requester = ia64::Requester::demand_fetch;
    activity.more(prefetch).requester = ia64::Requester::prefetch_fetch;
    activity.occur(Signal::fetch, c + 1, d::access_prefetch | d::lookup_miss, prefetch);
    activity.occur(Signal::line_fill, c + 2, 0, demand);
    activity.occur(Signal::line_fill, c + 3, 0, prefetch);
    c += 4;
  }
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u) << "the prefetch in range 1";
  EXPECT_EQ(get(*m, pmd(5)), 2u) << "the demand fill in range 0 and the prefetch's in range 1";
  EXPECT_EQ(get(*m, pmd(6)), 1u) << "the demand fetch in range 0";
}

/// True if LOADS_RETIRED counts this load of an instruction at 0x4040.
bool counts_load(Monitor& m, std::uint64_t address) {
  put(m, pmc(4), event(0xcd) | any_level | enable);
  put(m, pmd(4), 0);
  Activity activity(1);
  const std::uint32_t owner = activity.instruction({.ip = 0x4040});
  activity.occur(Signal::access_retire, 0, 0, activity.request(address, owner));
  m.consume(activity.block(), 0, 1);
  return get(m, pmd(4)) != 0;
}

TEST(DataRanges, ConfigurationOfAChannel) {
  // cfg 0: tag and range, 1: tag, 2: range, 3: no condition; for each channel with and without its tag. The tag of
  // channel 0 is always required, unless PMC13 alone decides.
  for (const bool alone : {false, true})
    for (unsigned k = 0; k < 4; ++k) {
      for (unsigned cfg = 0; cfg < 4; ++cfg) {
        for (const bool tagged : {false, true}) {
          auto m = counting({}, alone ? Flips{{"pmu.memory_tag", "pmc13"}} : Flips{});
          put(*m, pmc(8), ranged);
          put(*m, pmc(14), no_ranges & ~(2ull << (3 * k)));
          put(*m, ibr(2 * k), tagged ? 0x4040 : 0x5050);
          put(*m, ibr(2 * k + 1), full_mask | every_level);
          put(*m, dbr(2 * k), 0x8000);
          put(*m, dbr(2 * k + 1), full_mask & ~0xfffull);
          put(*m, pmc(13), at(3 + 8 * k, cfg) | at(45 + k, 1));
          const bool needs_tag = cfg < 2 || (k == 0 && !alone), needs_range = cfg == 0 || cfg == 2;
          EXPECT_EQ(counts_load(*m, 0x8ff8), tagged || !needs_tag) << k << cfg << tagged;
          EXPECT_EQ(counts_load(*m, 0x9000), (tagged || !needs_tag) && !needs_range) << k << cfg << tagged;
        }
      }
    }
}

TEST(DataRanges, UnionOfChannels) {
  const auto with = [](Flips flips) {
    auto m = counting({}, flips);
    for (const unsigned n : {0u, 2u}) {
      put(*m, dbr(n), 0x8000 + 0x1000 * n);
      put(*m, dbr(n + 1), full_mask & ~0xfffull);
    }
    put(*m, pmc(13), at(3, 2) | at(11, 2) | at(45, 3));
    return m;
  };
  auto any = with({});
  EXPECT_TRUE(counts_load(*any, 0x8000));
  EXPECT_FALSE(counts_load(*any, 0x9000));
  EXPECT_TRUE(counts_load(*any, 0xa000));
  EXPECT_FALSE(counts_load(*with({{"pmu.data_channels", "all"}}), 0x8000));
  put(*any, pmc(13), 0);
  EXPECT_TRUE(counts_load(*any, 0x9000)) << "no channel enabled";
  auto block = with({{"pmu.no_data_channel", "block"}});
  put(*block, pmc(13), 0);
  EXPECT_FALSE(counts_load(*block, 0x8000));
  EXPECT_FALSE(counts_load(*with({}), 0x7ffc)) << "the first byte decides";
}

TEST(DataRanges, AddressOfARetiringCheck) {
  // An ld.c that failed: its address is that of the access in the same cycle.
  auto m = counting({event(0x57, 1) | any_level});
  put(*m, dbr(0), 0x8000);
  put(*m, dbr(1), full_mask & ~0xfffull);
  put(*m, pmc(13), at(3, 2) | at(45, 1));
  Activity activity(6);
  for (const Cycle c : {1u, 3u}) {
    const std::uint32_t i =
        activity.instruction({.kinds = bit(ia64::Kind::check_load) | bit(ia64::Kind::integer_load)});
    activity.syllable(i).check_failed = true;
    activity.occur(Signal::retire, c, 0, i);
    activity.occur(Signal::access_retire, c, 0, activity.request(c == 1 ? 0x8010 : 0x9010, i));
  }
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
}

}  // namespace
}  // namespace pmusim::testing
