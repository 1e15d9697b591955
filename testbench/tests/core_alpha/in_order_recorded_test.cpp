// Properties of every program on every in-order chip: counts are consistent, widths are not exceeded, and block cuts
// change nothing.
#include <filesystem>
#include <set>

#include "alpha_log.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::alpha {
namespace {

namespace d = activity::detail;
using act::IssueStall;

struct Chip {
  const char* name;
  Factory make;
  models::Parameters (*parameters)();
  unsigned width;
  bool bwx;
};
constexpr Chip chips[] = {{"ev4", core::make_alpha_ev4, core::alpha_ev4_parameters, 2, false},
                          {"ev5", core::make_alpha_ev5, core::alpha_ev5_parameters, 4, true},
                          {"pca56", core::make_alpha_pca56, core::alpha_pca56_parameters, 4, true}};
std::filesystem::path recorded(const std::string& name) {
  return std::filesystem::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded" / ("alpha-" + name + ".pmt");
}

/// An independent count over the trace itself, by opcode (Alpha Architecture Handbook, appendix C).
struct Facts {
  std::uint64_t instructions = 0, loads = 0, stores = 0, conditional_branches = 0, jumps = 0;
  Facts(const std::filesystem::path& file, bool bwx) {
    const auto reader = trace::open(file);
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr) continue;
      ++instructions;
      const auto& b = item.instruction.code->bytes;
      const unsigned op = b[3] >> 2;
      const std::set<unsigned> load{0x0b, 0x20, 0x21, 0x22, 0x23, 0x28, 0x29, 0x2a, 0x2b};
      const std::set<unsigned> store{0x0f, 0x24, 0x25, 0x26, 0x27, 0x2c, 0x2d, 0x2e, 0x2f};
      bool reads = false, writes = false;
      for (const trace::Access& a : item.instruction.accesses) (a.store ? writes : reads) = true;
      if ((load.contains(op) || (bwx && (op == 0x0a || op == 0x0c))) && reads) ++loads;
      if ((store.contains(op) || (bwx && (op == 0x0d || op == 0x0e))) && writes) ++stores;
      if (op >= 0x30 && op != 0x30 && op != 0x34) ++conditional_branches;
      if (op == 0x1a) ++jumps;
    }
  }
};

class Recorded : public testing::TestWithParam<std::tuple<int, const char*>> {};

TEST_P(Recorded, KeepsTheBooks) {
  const Chip& chip = chips[std::get<0>(GetParam())];
  const auto file = recorded(std::get<1>(GetParam()));
  if (trace::open(file)->info().instructions > longest_program) GTEST_SKIP() << "a long program, under a sanitizer";
  const Facts facts(file, chip.bwx);
  const auto core = chip.make(trace::open(file), chip.parameters());
  std::array<std::uint64_t, activity::signal_count> n{};
  const auto of = [&](Signal s) { return n[static_cast<std::size_t>(s)]; };
  std::uint64_t loads = 0, stores = 0, waits = 0, next_id = 0, conditional = 0, jumps = 0, issuing = 0, cycles = 0;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core->now());
    more = core->run(core->now() + 50000, block);
    cycles += block.end - block.begin;
    for (std::size_t s = 0; s < n.size(); ++s) n[s] += block.columns[s].size();
    const auto& issues = block.column(Signal::issue);
    for (std::size_t i = 0; i < issues.size(); ++i) {
      ASSERT_TRUE(i < chip.width || issues[i].at != issues[i - chip.width].at) << "more than the width in a cycle";
      issuing += i == 0 || issues[i].at != issues[i - 1].at ? 1 : 0;
      ASSERT_EQ(block.state_at(State::issue_stall, block.begin + issues[i].at),
                static_cast<std::uint64_t>(IssueStall::issuing));
    }
    for (const auto& o : block.column(Signal::retire)) {
      const activity::InstructionRecord& r = block.instructions[o.ref];
      const act::Instruction& more_of_it = block.alpha_instructions[o.ref];
      if (r.id >> 63 != 0) continue;
      ASSERT_EQ(r.id, next_id) << "program order, each once";
      ++next_id;
      conditional += more_of_it.has(act::Kind::conditional_branch) ? 1 : 0;
      jumps += more_of_it.has(act::Kind::jump) ? 1 : 0;
    }
    for (const auto& o : block.column(Signal::dcache_lookup)) {
      loads += (o.detail & d::access_load) != 0 ? 1 : 0;
      stores += (o.detail & d::access_store) != 0 ? 1 : 0;
      waits += (o.detail & d::access_load) != 0 && (o.detail & d::lookup_hit) == 0 ? 1 : 0;
    }
    // The cycles in which an instruction issues are those in which the state reports no stall.
    Cycle in_state = 0;
    const auto& column = block.state(State::issue_stall);
    std::uint64_t value = column.initial;
    std::uint32_t from = 0;
    for (const activity::Change& c : column.changes) {
      if (value == static_cast<std::uint64_t>(IssueStall::issuing)) in_state += c.at - from;
      value = c.value;
      from = c.at;
    }
    if (value == static_cast<std::uint64_t>(IssueStall::issuing)) in_state += block.end - block.begin - from;
    issuing -= in_state;
    ASSERT_EQ(issuing, 0u);
  }
  EXPECT_EQ(core->retired(), facts.instructions);
  EXPECT_EQ(next_id, facts.instructions);
  EXPECT_EQ(of(Signal::issue), of(Signal::retire) + of(Signal::kill));
  EXPECT_EQ(conditional, facts.conditional_branches);
  EXPECT_EQ(jumps, facts.jumps);
  EXPECT_GE(of(Signal::branch_resolved), conditional + jumps);
  EXPECT_EQ(loads, facts.loads);
  EXPECT_EQ(stores, facts.stores);
  EXPECT_EQ(of(Signal::load_return), waits);
  EXPECT_GE(cycles, facts.instructions / chip.width);
}

INSTANTIATE_TEST_SUITE_P(Traces, Recorded,
                         testing::Combine(testing::Values(0, 1, 2),
                                          testing::Values("quicksort-O2", "matmul-float", "memory", "ordering", "units",
                                                          "recursion-O2", "pca56", "ev67", "wide-code")),
                         [](const auto& info) {
                           std::string name =
                               std::string(chips[std::get<0>(info.param)].name) + "_" + std::get<1>(info.param);
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

class Cuts : public testing::TestWithParam<int> {};

TEST_P(Cuts, DoNotMatter) {
  const Chip& chip = chips[GetParam()];
  for (const char* name : {"memory", "ordering"}) {
    const auto log = [&](Cycle step) {
      const auto core = chip.make(trace::open(recorded(name)), chip.parameters());
      return run(*core, step);
    };
    const AlphaLog whole = log(1000000);
    EXPECT_TRUE(whole == log(1)) << name;
    EXPECT_TRUE(whole == log(7)) << name;
    EXPECT_TRUE(whole == log(1000)) << name;
  }
}

TEST_P(Cuts, DoNotMatterToWhatTheOutsideDoes) {
  const Chip& chip = chips[GetParam()];
  Script script;
  script.say("state addr=8000 line=M").say("parity addr=1000").add(nop());
  for (unsigned round = 0; round < 5; ++round) {
    const unsigned base = 0x8000 + 0x4010 * round;
    script.say("pin 0 level=1 cycles=9").load(ldq(3, 9), base, 8, "data=mem").add(addq(3, 3, 3));
    script.store(stq(3, 9), base + 64, 8, "").add(mb()).say("snoop kind=flush addr=8000");
    script.say("interrupt").at(0x20000).add(2, mull(4, 4, 4)).say("return").at(0x2000 + 0x100 * round);
    script.add(word(0x83)).say("idle cycles=13").add(addt(1, 2, 3), "trap=arithmetic").say("stop cycles=11");
    script.go(beq(1, -2), 0x3000 + 0x100 * round, "mispredict=path");
  }
  const std::string text = script.add(nop());
  const AlphaLog whole = run(chip.make, text, chip.parameters());
  EXPECT_TRUE(whole == run(chip.make, text, chip.parameters(), 1));
  EXPECT_TRUE(whole == run(chip.make, text, chip.parameters(), 13));
}

INSTANTIATE_TEST_SUITE_P(Chips, Cuts, testing::Values(0, 1, 2),
                         [](const auto& info) { return std::string(chips[info.param].name); });

}  // namespace
}  // namespace pmusim::testbench::alpha
