// Access rights of the registers, and the bits that they keep.
#include "bench.h"

namespace pmusim::testing {
namespace {

using pmu::Fault;

struct Bits {
  std::uint32_t number;
  std::uint64_t reset, writable;
};
const Bits not_counters[] = {{0, 0, 0xfff1},
                             {1, 0, 0},
                             {2, 0, 0},
                             {3, 0, 0},
                             {32, 0x030F01FFFFFFFFFF, 0x030F01FFFFFFFFFF},
                             {33, 0, 0x000001FFFFFFFFFF},
                             {34, 0x000F01FFFFFFFFFF, 0x000F01FFFFFFFFFF},
                             {35, 0, 0x000001FFFFFFFFFF},
                             {36, 0xFFFFFFF0, 0xF},
                             {37, 0, 0x3FFF},
                             {38, 0xDB6, 0x2492},
                             {39, 0, 0xFFCF},
                             {40, 0x02000000, 0x000F01CF},
                             {41, 0x00002078FEFEFEFE, 0x0001E00018181818},
                             {42, 0, 0x0007FF4F}};
std::vector<Bits> with_counters() {
  std::vector<Bits> all(std::begin(not_counters), std::end(not_counters));
  for (std::uint32_t n = 4; n < 16; ++n) all.push_back({n, 0x2000000, 0x7C7FFF7F});
  return all;
}
const std::vector<Bits> configurations = with_counters();

/// True for the PMDs that the processor has.
bool exists(std::uint32_t n) {
  return (n >= 4 && n <= 15) || (n >= 32 && n <= 36) || n == 38 || n == 39 || (n >= 48 && n <= 63);
}

TEST(Access, ValuesAfterReset) {
  auto m = make_montecito();
  EXPECT_EQ(std::size(configurations), 27u);
  for (const Bits& row : configurations) EXPECT_EQ(get(*m, pmc(row.number)), row.reset) << row.number;
  for (std::uint32_t n = 0; n < 64; ++n) EXPECT_EQ(get(*m, pmd(n)), 0u) << n;
}

TEST(Access, WriteMasksAndFixedBits) {
  auto m = make_montecito();
  for (const Bits& row : configurations) {
    for (const std::uint64_t value : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0x5a5a'a5a5'3c3c'c3c3}}) {
      put(*m, pmc(row.number), value);
      EXPECT_EQ(get(*m, pmc(row.number)), (value & row.writable) | (row.reset & ~row.writable)) << row.number;
    }
  }
  auto stored = make_montecito({{"pmu.reserved_bits", "stored"}});
  put(*stored, pmc(41), 0);
  EXPECT_EQ(get(*stored, pmc(41)), 0u);
}

TEST(Access, RegistersThatAreNotThere) {
  auto m = make_montecito();
  for (std::uint32_t n = 16; n < 64; ++n) {
    if (n >= 32 && n <= 42) continue;
    put(*m, pmc(n), ~0ull);
    EXPECT_EQ(get(*m, pmc(n)), 0u) << n;
  }
  std::size_t there = 0;
  for (std::uint32_t n = 0; n < 80; ++n) {
    put(*m, pmd(n), ~0ull);
    EXPECT_EQ(get(*m, pmd(n)) != 0, exists(n)) << n;
    there += exists(n) ? 1 : 0;
  }
  EXPECT_EQ(there, 35u);
  for (const pmu::RegisterInfo& info : m->registers()) {
    if (info.id.space == pmu::Space::pmd) {
      EXPECT_TRUE(exists(info.id.number)) << info.name;
    }
  }
  EXPECT_EQ(find_register(*m, "pmd63")->id, pmd(63));
  EXPECT_FALSE(find_register(*m, "PMD37"));
}

TEST(Access, BitsOfThePmds) {
  auto m = make_montecito();
  const std::pair<std::uint32_t, std::uint64_t> masks[] = {{32, ~0ull}, {33, 0xffff}, {34, ~0x1cull}, {35, 0x1fff},
                                                           {36, ~0ull}, {38, 0x2f},   {39, ~0ull},    {48, ~0ull},
                                                           {63, ~0ull}, {4, ~0ull}};
  for (const auto& [number, mask] : masks) {
    put(*m, pmd(number), ~0ull);
    EXPECT_EQ(get(*m, pmd(number)), mask) << number;
  }
  put(*m, pmd(15), 0x8000'0000'0000ull - 1);
  EXPECT_EQ(get(*m, pmd(15)), ~0ull) << "bit 46 is the sign";
  put(*m, pmd(15), 0xffff'8000'0000'0005);
  EXPECT_EQ(get(*m, pmd(15)), 5u);
}

TEST(Access, FaultsOfLessPrivilegedCode) {
  auto m = make_montecito();
  for (const unsigned cpl : {1u, 2u, 3u}) {
    const Accessor who{cpl, false};
    for (const RegisterId id : {pmc(0), pmc(42), pmc(200), ibr(0), dbr(7), pmv}) {
      EXPECT_EQ(m->read(id, who).fault, Fault::privileged_instruction);
      EXPECT_EQ(m->write(id, 0, who).fault, Fault::privileged_instruction);
    }
    EXPECT_EQ(m->read(pmd(63), who).fault, Fault::none);
    EXPECT_EQ(m->write(pmd(63), 0, who).fault, Fault::privileged_instruction);
  }
}

TEST(Access, PrivilegedMonitorsAreHidden) {
  // The pm bit of each controlling register, and the PMDs that it hides.
  const struct {
    std::uint32_t pmc;
    std::uint64_t value;
    std::vector<std::uint32_t> pmds;
  } owners[] = {{4, pm, {4}},
                {15, pm, {15}},
                {37, at(4, 1), {34, 35}},
                {40, pm, {32, 33, 36}},
                {39, pm, {38, 39, 48, 63}},
                {42, pm | at(8, 4), {38, 39, 48, 63}}};
  const Accessor user{3, false};
  for (const auto& owner : owners) {
    auto m = make_montecito();
    for (std::uint32_t n = 4; n < 64; ++n) put(*m, pmd(n), 0x21);
    put(*m, pmc(owner.pmc), owner.value);
    for (std::uint32_t n = 4; n < 64; ++n) {
      if (!exists(n)) continue;
      const bool hidden = std::find(owner.pmds.begin(), owner.pmds.end(), n) != owner.pmds.end() ||
                          ((owner.pmc == 39 || owner.pmc == 42) && n >= 48);
      EXPECT_EQ(m->read(pmd(n), user).value == 0, hidden) << owner.pmc << ' ' << n;
      EXPECT_NE(get(*m, pmd(n)), 0u);
    }
  }
  auto off = make_montecito();
  put(*off, pmd(48), 5);
  put(*off, pmc(42), pm);
  EXPECT_EQ(off->read(pmd(48), user).value, 5u) << "IP-EAR off: PMC39 has the say";
}

TEST(Access, SecuredByTheOwnThreadsPsr) {
  // Thread 1 is active with sp = 1, thread 0 in the background with sp = 0.
  Activity a(4);
  a.state(State::thread, 1).state(State::psr, psr::up | psr::sp).state(State::background_psr, psr::up);
  for (const bool own : {false, true}) {
    auto m = make_montecito({{"pmu.thread", own ? "1" : "0"}});
    put(*m, pmd(4), 7);
    consume_both(*m, a.block());
    EXPECT_EQ(m->read(pmd(4), Accessor{3, false}).value, own ? 0u : 7u);
  }
}

}  // namespace
}  // namespace pmusim::testing
