// The 21164 and 21164PC. The constants of sys/pfcntr.h hold SEL0 in bit 31, SEL1 << 4, SEL2, and a second select in
// bits 53:51 or 56:54, which the driver shifts down by 32, for the 21164PC by 43.
#include "alpha.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::uint64_t ku = 1u << 30, kp = 1u << 9, kk = 1u << 8;

/// The constants of a select field in ascending order; empty if none is defined.
const std::vector<std::string> kMux1{
    "NON_ISSUE_CYCLES",  "SPLIT_ISSUE_CYCLES",  "PIPELINE_DRY",         "REPLAY_TRAP",     "SINGLE_ISSUE_CYCLES",
    "DUAL_ISSUE_CYCLES", "TRIPLE_ISSUE_CYCLES", "QUAD_ISSUE_CYCLES",    "FLOW_CHANGE",     "INTEGER_OPERATE",
    "C_FP_INSTRUCTIONS", "C_LOAD_INSTRUCTIONS", "C_STORE_INSTRUCTIONS", "C_ICACHE_ACCESS", "C_DCACHE_ACCESS"};
const std::vector<std::string> kMux2{"C_LONG_STALLS",
                                     "",
                                     "C_PC_MISPR",
                                     "C_BRANCH_MISPREDICTS",
                                     "C_ICACHE_MISSES",
                                     "C_ITB_MISS",
                                     "C_DCACHE_MISSES",
                                     "C_DTB_MISS",
                                     "C_LOADS_MERGED",
                                     "C_LDU_REPLAYS",
                                     "C_WB_MAF_FULL_REPLAYS",
                                     "C_EXTERNAL",
                                     "C_CYCLES",
                                     "C_MEM_BARRIER",
                                     "C_LOAD_LOCKED"};
const std::vector<std::string> kCbox1{"C_SCACHE_ACCESS", "C_SCACHE_READ",   "C_SCACHE_WRITE", "C_SCACHE_VICTIM", "",
                                      "C_BCACHE_REF",    "C_BCACHE_VICTIM", "C_SYS_REQ"};
const std::vector<std::string> kCbox2{"C_SCACHE_MISS",     "C_SCACHE_READ_MISS", "C_SCACHE_WRITE_MISS",
                                      "C_SCACHE_SH_WRITE", "C_SCACHE_WRITE",     "C_BCACHE_MISS",
                                      "C_SYS_INV",         "C_SYS_READ_REQ"};
const std::vector<std::string> kPm0{
    "C_BCACHE_READ",        "C_BCACHE_DREAD_HIT", "C_BCACHE_DREAD_FILL", "C_BCACHE_WRITE", "",
    "C_BCACHE_CLN_WRT_HIT", "C_BCACHE_VICTIM",    "C_READ_MISS_2"};
const std::vector<std::string> kPm1{"C_BCACHE_DREAD",        "C_BCACHE_READ_HIT",   "C_BCACHE_READ_FILL",
                                    "C_BCACHE_WRITE_HIT",    "C_BCACHE_WRITE_FILL", "C_SYS_READ_FLUSH_HIT",
                                    "C_SYS_READ_FLUSH_MISS", "C_READ_MISS_3"};

/// Expects that every event of a list selects the header's constant, shifted as the driver does.
void expect_constants(std::string_view target, const char* prefix, const std::vector<std::string>& names,
                      std::uint64_t fixed, unsigned shift, unsigned down) {
  for (std::uint64_t n = 0; n < names.size(); ++n) {
    if (names[n].empty()) continue;
    const std::uint64_t constant = fixed | n << shift;
    const std::uint64_t argument = (constant & 0xFF) | (constant & 0x01F8'0000'0000'0000) >> down;
    EXPECT_EQ(select_of(encoded(target, {prefix + names[n]})), argument) << target << ' ' << names[n];
  }
}

TEST(Ev5, EveryInput) {
  for (const char* target : {"alpha-ev5", "alpha-pca56"}) {
    EXPECT_EQ(select_of(encoded(target, {"PF5_MUX0_CYCLES"})), 0u);
    EXPECT_EQ(select_of(encoded(target, {"PF5_MUX0_ISSUES"})), 0x8000'0000u);
    expect_constants(target, "PF5_MUX1_", kMux1, 0, 4, 32);
    expect_constants(target, "PF5_MUX2_", kMux2, 0, 0, 32);
    EXPECT_EQ(events(target)->size(), 2u + 15 + 14 + 7 + 8);
  }
  expect_constants("alpha-ev5", "PF5_MUX1_", kCbox1, 0xF0, 51, 32);
  expect_constants("alpha-ev5", "PF5_MUX2_", kCbox2, 0x0F, 54, 32);
  expect_constants("alpha-pca56", "PF5_MUX1_", kPm0, 0xF0, 51, 43);
  expect_constants("alpha-pca56", "PF5_MUX2_", kPm1, 0x0F, 54, 43);
}

TEST(Ev5, ThreeCountersAtOnce) {
  const Encoding encoding = encoded("alpha-ev5", {"PF5_MUX2_C_BCACHE_MISS", "PF5_MUX0_ISSUES", "PF5_MUX1_C_SYS_REQ"});
  EXPECT_EQ(select_of(encoding), 0x8000'00FFu | 7u << 19 | 5u << 22);
  EXPECT_EQ(value_of(encoding, "WRPERFMON_ENABLE"), 7u);
  EXPECT_EQ(value_of(encoding, "WRPERFMON_FREQUENCY"), 1u << 8 | 1u << 6 | 1u << 4) << "all without interrupt";
  EXPECT_EQ(image_of(encoding, "PMCTR"), 0x8000'00FFu | 1u << 14 | 1u << 12 | 1u << 10);
  EXPECT_EQ(image_of(encoding, "BC_CTL"), 7u << 19 | 5u << 22);
  EXPECT_EQ(image_of(encoding, "ICSR"), 1u << 8);
  EXPECT_EQ(encoding.events[0].counter, "CTR2");
  EXPECT_EQ(encoding.events[1].counter, "CTR0");
  EXPECT_EQ(encoding.events[2].counter, "CTR1");
  EXPECT_EQ(encoding.off[0].value, 7u);
  EXPECT_EQ(image_of(encoded("alpha-pca56", {"PF5_MUX2_C_READ_MISS_3"}), "CBU_CONFIG"), 7u << 11);
}

TEST(Ev5, Frequencies) {
  const auto period = [](const char* event) { return value_of(encoded("alpha-ev5", {event}), "WRPERFMON_FREQUENCY"); };
  EXPECT_EQ(period("PF5_MUX0_CYCLES"), 1u << 8);
  EXPECT_EQ(period("PF5_MUX0_CYCLES:freq=65536"), 2u << 8);
  EXPECT_EQ(period("PF5_MUX0_CYCLES:freq=256"), 3u << 8);
  EXPECT_EQ(period("PF5_MUX1_REPLAY_TRAP:intr"), 2u << 6);
  EXPECT_EQ(period("PF5_MUX2_C_CYCLES:freq=16384"), 2u << 4);
  EXPECT_EQ(period("PF5_MUX2_C_CYCLES:freq=256:intr=1"), 3u << 4);
  EXPECT_EQ(value_of(encoded("alpha-ev5", {"PF5_MUX1_REPLAY_TRAP"}, {.sampling = true}), "WRPERFMON_FREQUENCY"),
            2u << 6);
  EXPECT_EQ(image_of(encoded("alpha-ev5", {"PF5_MUX2_C_CYCLES:freq=256"}), "PMCTR"), 0xCu | 3u << 10);
  EXPECT_EQ(preset("alpha-ev5", 0, 1).value(), 65535u);
  EXPECT_EQ(preset("alpha-ev5", 2, 16384).value(), 0u);
  EXPECT_FALSE(preset("alpha-ev5", 2, 16385));
  EXPECT_FALSE(preset("alpha-ev5", 1, 0));
}

/// Kill bits for the named modes, from the table of handbook page E-17.
TEST(Ev5, Levels) {
  const std::pair<const char*, std::uint64_t> rows[] = {{"", 0},         {":k:u:pal", 0},   {":u:k", kp},
                                                        {":k:pal", ku},  {":k", ku | kp},   {":u:pal", kk},
                                                        {":u", kp | kk}, {":pal", ku | kk}, {":es", ku | kp | kk}};
  for (const auto& [words, bits] : rows) {
    const Encoding encoding = encoded("alpha-ev5", {std::string("PF5_MUX0_CYCLES") + words});
    EXPECT_EQ(value_of(encoding, "WRPERFMON_OPTIONS"), bits) << words;
    EXPECT_EQ(image_of(encoding, "PMCTR"), bits | 1u << 14) << words;
  }
  const Encoding marked = encoded("alpha-ev5", {"PF5_MUX0_CYCLES:es:pme"});
  EXPECT_EQ(value_of(marked, "WRPERFMON_OPTIONS"), ku | kp | kk | 1);
  EXPECT_EQ(image_of(marked, "ICSR"), 0u);
  EXPECT_EQ(marked.events[0].canonical, "alpha-ev5::PF5_MUX0_CYCLES:k=0:u=0:pal=0:es=1:pme=1");
}

TEST(Ev5, FlowChangesCanBeNarrowedByTheRawForm) {
  const Encoding jumps = encoded("alpha-ev5", {"CTR1=0x8", "PF5_MUX2_C_PC_MISPR"});
  EXPECT_EQ(select_of(jumps), 0x82u);
  const Encoding whole = encoded("alpha-ev5", {"PF5_MUX1_FLOW_CHANGE", "PF5_MUX2_C_CYCLES"});
  EXPECT_EQ(select_of(whole), 0x8Cu);
}

TEST(Ev5, NamesOfTools) {
  EXPECT_EQ(select_of(encoded("alpha-ev5", {"scachewrites"})), 0xF0u | 2u << 19);
  EXPECT_EQ(select_of(encoded("alpha-ev5", {"SCACHEWRITES:k"})), 0xF0u | 2u << 19);
}

TEST(Ev5, Refusals) {
  using enum ErrorCode;
  const Refusal rows[] = {
      {__LINE__, {"PF5_MUX0_CYCLES", "PF5_MUX0_ISSUES"}, no_assignment, {"only on CTR0"}},
      {__LINE__, {"PF5_MUX1_C_SCACHE_READ", "PF5_MUX1_REPLAY_TRAP"}, no_assignment, {"only on CTR1"}},
      {__LINE__, {"PF5_MUX1_C_BCACHE_READ"}, unknown_event, {"alpha-ev5 has no event", "alpha-pca56 has it"}},
      {__LINE__, {"PF6_MUX0_CYCLES"}, unknown_event, {"alpha-ev6 has it"}},
      {__LINE__,
       {"PF5_MUX1_FLOW_CHANGE", "PF5_MUX2_C_PC_MISPR"},
       register_conflict,
       {"only jumps and returns", "SEL2=2"}},
      {__LINE__,
       {"PF5_MUX2_C_BRANCH_MISPREDICTS", "PF5_MUX1_FLOW_CHANGE"},
       register_conflict,
       {"only conditional branches", "SEL2=3"}},
      {__LINE__, {"PF5_MUX0_CYCLES:u", "PF5_MUX1_REPLAY_TRAP:k"}, register_conflict, {"PMCTR[Ku,Kp,Kk]"}},
      {__LINE__, {"PF5_MUX0_CYCLES:u=0"}, bad_attribute_value, {"name es"}},
      {__LINE__, {"PF5_MUX0_CYCLES:es:k"}, attribute_conflict, {"es stands alone"}},
      {__LINE__, {"PF5_MUX2_C_CYCLES:freq=65536"}, bad_attribute_value, {"CTR2 is 16384 or 256"}},
      {__LINE__, {"PF5_MUX0_CYCLES:freq=16384"}, bad_attribute_value, {"CTR0 is 65536 or 256"}},
      {__LINE__, {"PF5_MUX0_CYCLES:freq=256:intr=0"}, attribute_conflict, {"intr=0"}},
      {__LINE__, {"PF5_MUX0_CYCLES:plm=1"}, unknown_attribute, {"u, k and pal"}},
      {__LINE__, {"RSVD_2_1"}, reserved_event, {"CTRn=CODE"}},
      {__LINE__, {"CTR1=0x10"}, bad_value, {"0xNF"}},
      {__LINE__, {"CTR1=0x80"}, bad_value, {"0xNF"}},
  };
  for (const Refusal& row : rows) expect_refused("alpha-ev5", row);
  expect_refused("alpha-pca56", {__LINE__, {"PF5_MUX1_C_SCACHE_READ"}, unknown_event, {"alpha-ev5 has it"}});
  EXPECT_EQ(select_of(encoded("alpha-ev5", {"CTR1=0x4F", "CTR2=1"})), 0xF1u | 4u << 19) << "reserved, but programmed";
}

}  // namespace
}  // namespace pmusim::encoder::test
