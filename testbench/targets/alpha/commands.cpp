#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::targets {
namespace {

using Shown = Ratio::Shown;

constexpr Ratio ev4[] = {{"data cache misses per load", "PF_DCACHE", "PF_LOADI", Shown::percent},
                         {"mispredicted branches per branch", "PF_BRANCHMISS", "PF_BRANCHI", Shown::percent},
                         {"instruction cache misses per cycle", "PF_ICACHE", "PF_CYCLES", Shown::percent}};
constexpr Ratio ev5[] = {
    {"cycles per instruction issued", "PF5_MUX2_C_CYCLES", "PF5_MUX0_ISSUES", Shown::number, "insn issued per cycle"},
    {"data cache misses per access", "PF5_MUX2_C_DCACHE_MISSES", "PF5_MUX1_C_DCACHE_ACCESS", Shown::percent},
    {"data cache misses per 1,000 instructions issued", "PF5_MUX2_C_DCACHE_MISSES", "PF5_MUX0_ISSUES",
     Shown::per_thousand},
    {"instruction cache misses per access", "PF5_MUX2_C_ICACHE_MISSES", "PF5_MUX1_C_ICACHE_ACCESS", Shown::percent}};
constexpr Ratio ev6[] = {
    {"cycles per instruction", "PF6_MUX1_CYCLES", "PF6_MUX0_RET_INSTRUCTIONS", Shown::number, "insn per cycle"},
    {"conditional branches per instruction", "PF6_MUX1_RET_COND_BRANCHES", "PF6_MUX0_RET_INSTRUCTIONS", Shown::percent},
    {"replay traps per cycle", "PF6_MUX1_REPLAY_TRAP", "PF6_MUX0_CYCLES", Shown::percent}};
constexpr Ratio ev67[] = {{"cycles per instruction", "CYCLES1", "RETINST", Shown::number, "insn per cycle"},
                          {"Bcache misses per 1,000 instructions", "BCACHEMISSES", "RETINST", Shown::per_thousand},
                          {"replay traps per cycle", "REPLAY", "CYCLES0", Shown::percent}};

// From the 21164 on, cycles are those of a counter that leaves the one of instructions free.
constexpr GenericEvent ev4_generic[] = {
    {"cycles", "PF_CYCLES"},
    {"instructions", "PF_ISSUES", "halves: two instructions of one cycle count 1"},
    {"branches", "PF_BRANCHI"},
    {"branch-misses", "PF_BRANCHMISS"},
    {"cache-references", "", "the Bcache is part of the system; a pin (PF_EXTPIN0) can count it"},
    {"cache-misses", "", "the Bcache is part of the system; a pin (PF_EXTPIN1) can count it"},
    {"L1-dcache-loads", "PF_LOADI"},
    {"L1-dcache-load-misses", "PF_DCACHE"},
    {"L1-icache-loads", "", "fetches are not counted"},
    {"L1-icache-load-misses", "PF_ICACHE"},
    {"dTLB-load-misses", "", "misses of the DTB are not counted"},
    {"iTLB-load-misses", "", "misses of the ITB are not counted"}};

constexpr std::string_view of_conditional = "conditional branches; PF5_MUX2_C_PC_MISPR counts jumps and returns";
constexpr std::string_view also_others = "jumps and returns, too; beside branch-misses, conditional branches only";
constexpr std::array<GenericEvent, 12> in_order_generic(GenericEvent references, GenericEvent misses) {
  return {{{"cycles", "PF5_MUX2_C_CYCLES"},
           {"instructions", "PF5_MUX0_ISSUES", "issued"},
           {"branches", "PF5_MUX1_FLOW_CHANGE", also_others},
           {"branch-misses", "PF5_MUX2_C_BRANCH_MISPREDICTS", of_conditional},
           references,
           misses,
           {"L1-dcache-loads", "PF5_MUX1_C_DCACHE_ACCESS"},
           {"L1-dcache-load-misses", "PF5_MUX2_C_DCACHE_MISSES"},
           {"L1-icache-loads", "PF5_MUX1_C_ICACHE_ACCESS"},
           {"L1-icache-load-misses", "PF5_MUX2_C_ICACHE_MISSES"},
           {"dTLB-load-misses", "PF5_MUX2_C_DTB_MISS"},
           {"iTLB-load-misses", "PF5_MUX2_C_ITB_MISS"}}};
}
constexpr auto ev5_generic =
    in_order_generic({"cache-references", "PF5_MUX1_C_BCACHE_REF"}, {"cache-misses", "PF5_MUX2_C_BCACHE_MISS"});
constexpr auto pca56_generic = in_order_generic({"cache-references", "PF5_MUX1_C_BCACHE_READ", "reads"},
                                                {"cache-misses", "PF5_MUX2_C_BCACHE_READ_FILL", "fills for reads"});
constexpr std::string_view none_of_caches = "the 21264 counts no accesses of caches";
constexpr GenericEvent ev6_generic[] = {
    {"cycles", "PF6_MUX1_CYCLES"},
    {"instructions", "PF6_MUX0_RET_INSTRUCTIONS"},
    {"branches", "PF6_MUX1_RET_COND_BRANCHES", "conditional branches"},
    {"branch-misses", "", "PF6_MUX1_RET_BRANCH_MISPREDICTS counts cycles: the 21264 does not implement it"},
    {"cache-references", "", none_of_caches},
    {"cache-misses", "", none_of_caches},
    {"L1-dcache-loads", "", none_of_caches},
    {"L1-dcache-load-misses", "", none_of_caches},
    {"L1-icache-loads", "", none_of_caches},
    {"L1-icache-load-misses", "", none_of_caches},
    {"dTLB-load-misses", "PF6_MUX1_RET_DTB_SINGLE_MISSES", "two for each miss; stores, too"},
    {"iTLB-load-misses", "PF6_MUX1_RET_ITB_MISSES"}};

constexpr std::string_view by_profile_me =
    "the 21264A has this in samples of ProfileMe only (docs/tutorial-profileme.md)";
constexpr std::string_view none_of_l1 = "the 21264A counts no accesses of L1";
constexpr GenericEvent ev67_generic[] = {{"cycles", "CYCLES1"},
                                         {"instructions", "RETINST"},
                                         {"branches", "", by_profile_me},
                                         {"branch-misses", "", by_profile_me},
                                         {"cache-references", "", "the 21264A counts misses of the Bcache only"},
                                         {"cache-misses", "BCACHEMISSES"},
                                         {"L1-dcache-loads", "", none_of_l1},
                                         {"L1-dcache-load-misses", "", none_of_l1},
                                         {"L1-icache-loads", "", none_of_l1},
                                         {"L1-icache-load-misses", "", by_profile_me},
                                         {"dTLB-load-misses", "", by_profile_me},
                                         {"iTLB-load-misses", "", by_profile_me}};

constexpr NeverAsked never_asked_ev6[] = {
    {"WRPERFMON_SELECT", "SL1", "1", "selects from 8 on have no event"},
};

constexpr StatisticFacts two_periods_of_hardware{.at_once = 2, .asks_for_periods = true};
constexpr StatisticFacts one_period_of_choice{.asks_for_periods = true};
constexpr StatisticFacts start_values;

constexpr PerfFacts no_perf{nullptr, "Linux's driver of perf for Alphas begins with the 21264A"};

/// The driver numbers its event types itself and has no levels (arch/alpha/kernel/perf_event.c).
PerfEvent perf_event(const encoder::Encoding& /*encoding*/, const encoder::EncodedEvent& event) {
  struct Type {
    std::string_view event, named, raw;
  };
  constexpr Type types[] = {{"CYCLES0", "cycles", "r1"},
                            {"CYCLES1", "cycles", "r1"},
                            {"RETINST", "instructions", "r2"},
                            {"BCACHEMISSES", "cache-misses", "r3"},
                            {"REPLAY", "r4", "r4"}};
  const std::string name = event.canonical.substr(event.canonical.find("::") + 2);
  for (const auto& [type, named, raw] : types) {
    if (type == name.substr(0, name.find(':'))) return {std::string(named), std::string(raw)};
  }
  throw std::invalid_argument(fmt::format("{}: Linux's driver does not count this", event.canonical));
}

}  // namespace

const CommandFacts alpha_ev4::commands{
    .ratios = ev4, .generic = ev4_generic, .perf = no_perf, .statistics = &two_periods_of_hardware};
const CommandFacts alpha_ev5::commands{
    .ratios = ev5, .generic = ev5_generic, .perf = no_perf, .statistics = &one_period_of_choice};
const CommandFacts alpha_pca56::commands{
    .ratios = ev5, .generic = pca56_generic, .perf = no_perf, .statistics = &one_period_of_choice};
const CommandFacts alpha_ev6::commands{.ratios = ev6,
                                       .generic = ev6_generic,
                                       .never_asked = never_asked_ev6,
                                       .perf = no_perf,
                                       .statistics = &start_values};
const CommandFacts alpha_ev67::commands{.ratios = ev67,
                                        .generic = ev67_generic,
                                        .never_asked = never_asked_ev6,
                                        .perf = {perf_event},
                                        .statistics = &start_values};

}  // namespace pmusim::testbench::targets
