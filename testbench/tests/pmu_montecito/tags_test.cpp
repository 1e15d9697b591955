// Opcode matchers, code ranges and data ranges in Montecito's registers. pmu_itanium2 tests the behaviour of channels.
#include "bench.h"

namespace pmusim::testing {
namespace {

using Type = ia64::SlotType;

constexpr std::uint64_t every_bit = 0x1ff'ffff'ffff;  // 41 bits
constexpr std::uint64_t b = at(48, 1), f = at(49, 1), i = at(50, 1), m_type = at(51, 1), every_type = at(48, 0xf);
constexpr std::uint64_t inverted = at(56, 1), ig_ad = at(57, 1);
constexpr std::uint64_t no_ranges = 0x492, fine = 0x2000;
constexpr std::uint64_t full_mask = 0x00ff'ffff'ffff'ffff, every_level = at(56, 0xf);

/// True if event 0x08 with this unit mask counts the instruction.
bool counts(Monitor& monitor, const Instruction& instruction, unsigned umask = 0) {
  put(monitor, pmc(4), event(0x08, umask) | any_level);
  put(monitor, pmd(4), 0);
  Activity activity(1);
  activity.retires(0, instruction);
  monitor.consume(activity.block(), 0, 1);
  return get(monitor, pmd(4)) != 0;
}

TEST(Opcodes, SlotTypes) {
  const std::pair<std::uint64_t, Type> types[] = {{b, Type::b}, {f, Type::f}, {i, Type::i}, {m_type, Type::m}};
  auto m = counting({});
  for (const auto& [bit, accepted] : types) {
    put(*m, pmc(32), every_bit | bit | ig_ad);
    for (const auto& [unused, type] : types) EXPECT_EQ(counts(*m, {.type = type}), type == accepted);
    EXPECT_EQ(counts(*m, {.slot = 2, .type = Type::x}), accepted == Type::i);
  }
}

TEST(Opcodes, AllFortyOneBits) {
  // Match with alternating bits, mask 0; then each bit masked on its own. Channels 0 and 1, with the other matcher's
  // match at 0.
  constexpr std::uint64_t match = 0x155'5555'5555;
  for (unsigned k = 0; k < 2; ++k) {
    const std::uint32_t mask_register = 32 + 2 * k;
    auto m = counting({});
    put(*m, pmc(mask_register + 1), match);
    put(*m, pmc(mask_register), every_type | ig_ad);
    EXPECT_TRUE(counts(*m, {.encoding = match}, k));
    for (unsigned bit = 0; bit < 41; ++bit) EXPECT_FALSE(counts(*m, {.encoding = match ^ 1ull << bit}, k)) << bit;
    for (unsigned bit = 0; bit < 41; ++bit) {
      put(*m, pmc(mask_register), every_type | ig_ad | 1ull << bit);
      EXPECT_TRUE(counts(*m, {.encoding = match ^ 1ull << bit}, k)) << bit;
      EXPECT_FALSE(counts(*m, {.encoding = match ^ 1ull << (bit + 1) % 41}, k)) << bit;
    }
  }
}

TEST(Opcodes, ResetAcceptsEverything) {
  auto m = make_montecito();
  for (unsigned k = 0; k < 4; ++k)
    EXPECT_TRUE(counts(*m, {.ip = 0x7fff0, .slot = 1, .type = Type::b, .encoding = every_bit}, k));
}

TEST(CodeRanges, IgnoredAndInverted) {
  auto m = counting({});
  put(*m, ibr(0), 0x4040);
  put(*m, ibr(1), full_mask | every_level);
  put(*m, pmc(38), no_ranges & ~2ull);
  EXPECT_TRUE(counts(*m, {.ip = 0})) << "ig_ad";
  put(*m, pmc(32), every_bit | every_type | inverted);
  EXPECT_FALSE(counts(*m, {.ip = 0x4040}));
  EXPECT_TRUE(counts(*m, {.ip = 0x4050}));
  put(*m, pmc(32), every_bit | every_type);
  EXPECT_TRUE(counts(*m, {.ip = 0x4040}));
  EXPECT_FALSE(counts(*m, {.ip = 0x4050}));
}

TEST(CodeRanges, FineInPagesOf64KByte) {
  // Bundles 0x2'4130 to 0x2'f1e0, with the resolution of one bundle.
  auto m = counting({});
  put(*m, pmc(32), every_bit | every_type);
  put(*m, pmc(38), fine);
  const auto set = [&](unsigned lower, std::uint64_t first, std::uint64_t last) {
    put(*m, ibr(2 * lower), first);
    put(*m, ibr(2 * lower + 1), 0xffff0000 | every_level);
    put(*m, ibr(2 * lower + 4), last);
    put(*m, ibr(2 * lower + 5), 0xffff0000 | every_level);
  };
  set(0, 0x2'4130, 0x2'f1e0);
  set(1, 0x8'0010, 0x8'0010);
  EXPECT_FALSE(counts(*m, {.ip = 0x2'4120}));
  EXPECT_TRUE(counts(*m, {.ip = 0x2'4130}));
  EXPECT_TRUE(counts(*m, {.ip = 0x2'8000})) << "beyond 4 KB";
  EXPECT_TRUE(counts(*m, {.ip = 0x2'f1e0}));
  EXPECT_FALSE(counts(*m, {.ip = 0x2'f1f0}));
  EXPECT_FALSE(counts(*m, {.ip = 0x3'4130})) << "another page";
  EXPECT_FALSE(counts(*m, {.ip = 0x1'0002'4130}));
  EXPECT_FALSE(counts(*m, {.ip = 0x8'0010}));
  EXPECT_TRUE(counts(*m, {.ip = 0x8'0010}, 1));
  EXPECT_FALSE(counts(*m, {.ip = 0x8'0000}, 1)) << "the neighbour of the same pair of bundles";
  EXPECT_FALSE(counts(*m, {.ip = 0x8'0020}, 1));
  auto masked = counting({}, {{"pmu.fine_mask", "register"}});
  put(*masked, pmc(32), every_bit | every_type);
  put(*masked, pmc(38), fine);
  put(*masked, ibr(0), 0x2'4130);
  put(*masked, ibr(1), 0xffff0000 | every_level);
  put(*masked, ibr(4), 0x2'f1e0);
  EXPECT_TRUE(counts(*masked, {.ip = 0x1'0002'4130})) << "mask bits above 31 are 0";
}

TEST(CodeRanges, WhoLooksAtWhichChannel) {
  // Channel 0 covers 0x4000, channel 1 0x8000. Demand and prefetch requests to both.
  Activity a(40);
  Cycle c = 0;
  for (const std::uint64_t address : {0x4000u, 0x8000u}) {
    for (const bool prefetch : {false, true}) {
      const std::uint32_t r = a.request(address);
      a.more(r).requester = prefetch ? ia64::Requester::prefetch_fetch : ia64::Requester::demand_fetch;
      const auto kind = static_cast<std::uint16_t>(prefetch ? d::access_prefetch : 0);
      a.occur(Signal::fetch, c, kind | d::lookup_miss, r);
      a.occur(Signal::line_request, c, kind, r);
      a.occur(Signal::line_fill, c, 0, r);
      a.occur(Signal::l2i_lookup, c, kind | d::lookup_hit, r);
      c += 2;
    }
  }
  auto m = counting({event(0x40) | any_level, event(0x44) | any_level, event(0x42) | any_level, event(0x45) | any_level,
                     event(0x41) | any_level, event(0x78, 0xf) | any_level});
  put(*m, pmc(32), every_bit | every_type);
  put(*m, pmc(38), no_ranges & ~0x12ull);
  put(*m, ibr(0), 0x4000);
  put(*m, ibr(1), full_mask | every_level);
  put(*m, ibr(2), 0x8000);
  put(*m, ibr(3), full_mask | every_level);
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u) << "L1I_READS: demand fetch of 0x4000";
  EXPECT_EQ(get(*m, pmd(5)), 1u) << "L1I_PREFETCHES: prefetch of 0x8000";
  EXPECT_EQ(get(*m, pmd(6)), 1u);
  EXPECT_EQ(get(*m, pmd(7)), 1u);
  EXPECT_EQ(get(*m, pmd(8)), 2u) << "L1I_FILLS: demand by channel 0, prefetch by channel 1";
  EXPECT_EQ(get(*m, pmd(9)), 2u) << "L2I_READS: channel 0 for both";
}

TEST(DataRanges, RulesOfPmc41) {
  // DBR pair 0 covers 0x8000; matcher 0 accepts I, and the load's syllable is M or I, in range or not. The tag is
  // always required, unless PMC41 alone decides.
  const auto passes = [](unsigned rule, std::uint64_t address, Type type, bool alone) {
    Activity a(3);
    const std::uint32_t owner = a.instruction({.type = type});
    a.occur(Signal::access_retire, 1, 0, a.request(address, owner));
    auto m = counting({event(0xcd) | any_level}, alone ? Flips{{"pmu.memory_tag", "pmc13"}} : Flips{});
    put(*m, pmc(32), every_bit | i | ig_ad);
    put(*m, pmc(41), at(45, 1) | at(3, rule));
    put(*m, dbr(0), 0x8000);
    put(*m, dbr(1), full_mask | every_level);
    m->consume(a.block(), 0, 3);
    return get(*m, pmd(4)) != 0;
  };
  for (const std::uint64_t address : {0x8000u, 0x8008u}) {
    for (const Type type : {Type::i, Type::m}) {
      const bool range = address == 0x8000, tag = type == Type::i;
      EXPECT_EQ(passes(0, address, type, true), range && tag);
      EXPECT_EQ(passes(1, address, type, true), tag);
      EXPECT_EQ(passes(2, address, type, true), range);
      EXPECT_TRUE(passes(3, address, type, true));
      for (unsigned rule = 0; rule < 4; ++rule)
        EXPECT_EQ(passes(rule, address, type, false), tag && passes(rule, address, type, true));
    }
  }
}

TEST(DataRanges, SpecLoadsIgnoreOpcodes) {
  // SPEC_LOADS_NATTED honours I and D, not O: with rule 0 the opcode matcher that accepts I has no effect, the code
  // range has.
  const auto passes = [](std::uint64_t ip, std::uint64_t address) {
    Activity a(3);
    const std::uint32_t owner =
        a.instruction({.ip = ip, .kinds = bit(ia64::Kind::speculative) | bit(ia64::Kind::integer_load)});
    a.syllable(owner).deferral = ia64::Deferral::tlb_miss;
    a.occur(Signal::retire, 1, 0, owner);
    a.occur(Signal::access_retire, 1, 0, a.request(address, owner));
    auto m = counting({event(0xd9) | any_level});
    put(*m, pmc(32), every_bit | i);
    put(*m, pmc(38), no_ranges & ~2ull);
    put(*m, ibr(0), 0x4000);
    put(*m, ibr(1), full_mask | every_level);
    put(*m, pmc(41), at(45, 1));
    put(*m, dbr(0), 0x8000);
    put(*m, dbr(1), full_mask | every_level);
    m->consume(a.block(), 0, 3);
    return get(*m, pmd(4)) != 0;
  };
  EXPECT_TRUE(passes(0x4000, 0x8000));
  EXPECT_FALSE(passes(0x4010, 0x8000));
  EXPECT_FALSE(passes(0x4000, 0x8008));
}

}  // namespace
}  // namespace pmusim::testing
