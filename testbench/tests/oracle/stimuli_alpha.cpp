#include "machine.h"

namespace pmusim::oracle::script {
namespace {

using activity::LineState;
using alp::IssueStall;
using alp::Replay;
using alp::SystemCommand;
using alp::Trap;
namespace d = activity::detail;
namespace ad = activity::alpha::detail;
using Act = AlphaAct;

/// Issues instructions in two cycles, one in each.
Act issue_twice(std::initializer_list<alp::Kind> kinds) {
  return [made = alpha_insn(kinds)](AlphaMachine& m, Cycle at) {
    m.put(Signal::issue, at, made);
    m.put(Signal::issue, at + 1, made);
  };
}
Act issue_at_once(unsigned number) {
  return [=](AlphaMachine& m, Cycle at) {
    for (unsigned i = 0; i < number; ++i) m.put(Signal::issue, at, {});
  };
}
Act put(Signal s, std::initializer_list<alp::Kind> kinds, unsigned detail = 0) {
  return [=, made = alpha_insn(kinds)](AlphaMachine& m, Cycle at) { m.put(s, at, made, detail); };
}
template <class Detail>
Act happens(Signal s, Detail detail) {
  return [=](AlphaMachine& m, Cycle at) { m.happen(s, at, static_cast<std::uint16_t>(detail)); };
}
Act stalled(Cycle cycles, IssueStall cause) {
  return [=](AlphaMachine& m, Cycle at) { m.stall(at, cycles, cause); };
}
Act evicted(unsigned cache, LineState state, unsigned why) {
  return happens(Signal::line_evict, cache | static_cast<unsigned>(state) << d::evict_state_shift | why);
}
Act one_cycle(State state, std::uint64_t value) {
  return [=](AlphaMachine& m, Cycle at) {
    m.state(state, at, value);
    m.state(state, at + 1, 0);
  };
}

// Two single issues.
const std::string ev4_two = "PF_ISSUES=1 PF_NONISSUES=29 ";
const std::string quad_two = "PF5_MUX0_ISSUES=2 PF5_MUX1_SINGLE_ISSUE_CYCLES=2 PF5_MUX1_SPLIT_ISSUE_CYCLES=2 ";
const std::string read_flush_hit = "PF5_MUX2_C_SYS_READ_FLUSH_HIT PF5_MUX2_C_SYS_READ_FLUSH_MISS";

std::vector<AlphaStimulus> issues() {
  const auto flow = [](const char* what, alp::Kind kind) {
    return AlphaStimulus{.what = what,
                         .act = issue_twice({kind}),
                         .ev4 = ev4_two + "PF_BRANCHI=2",
                         .quad = quad_two + "PF5_MUX1_FLOW_CHANGE=2"};
  };
  const auto plain = [](const char* what, std::initializer_list<alp::Kind> kinds, const std::string& ev4,
                        const std::string& quad) {
    return AlphaStimulus{.what = what, .act = issue_twice(kinds), .ev4 = ev4_two + ev4, .quad = quad_two + quad};
  };
  return {
      plain("integer operate", {alp::Kind::integer_operate}, "PF_INTOPS=2", "PF5_MUX1_INTEGER_OPERATE=2"),
      plain("lda", {alp::Kind::load_address}, "PF_INTOPS=2", "PF5_MUX1_INTEGER_OPERATE=2"),
      plain("fp operate", {alp::Kind::fp_operate}, "PF_FPINST=2", "PF5_MUX1_C_FP_INSTRUCTIONS=2"),
      plain("load", {alp::Kind::load, alp::Kind::floating}, "PF_LOADI=2", "PF5_MUX1_C_LOAD_INSTRUCTIONS=2"),
      plain("load locked", {alp::Kind::load, alp::Kind::load_locked}, "PF_LOADI=2",
            "PF5_MUX1_C_LOAD_INSTRUCTIONS=2 PF5_MUX2_C_LOAD_LOCKED=2"),
      plain("store", {alp::Kind::store}, "PF_STOREI=2", "PF5_MUX1_C_STORE_INSTRUCTIONS=2"),
      plain("call_pal", {alp::Kind::call_pal}, "", ""),
      plain("barrier", {alp::Kind::memory_barrier}, "", ""),
      flow("conditional branch", alp::Kind::conditional_branch),
      flow("bsr", alp::Kind::unconditional_branch),
      flow("jump", alp::Kind::jump),
      flow("hw_rei", alp::Kind::pal_return),
      {"two issue", issue_at_once(2), "PF_ISSUES=1 PF_DUAL PF_NONISSUES=29",
       "PF5_MUX0_ISSUES=2 PF5_MUX1_DUAL_ISSUE_CYCLES PF5_MUX1_SPLIT_ISSUE_CYCLES"},
      {.what = "three issue",
       .act = issue_at_once(3),
       .ev4 = "PF_ISSUES=1 PF_NONISSUES=29",
       .quad = "PF5_MUX0_ISSUES=3 PF5_MUX1_TRIPLE_ISSUE_CYCLES PF5_MUX1_SPLIT_ISSUE_CYCLES"},
      {.what = "four issue",
       .act = issue_at_once(4),
       .ev4 = "PF_ISSUES=1 PF_NONISSUES=29",
       .quad = "PF5_MUX0_ISSUES=4 PF5_MUX1_QUAD_ISSUE_CYCLES"},
      {"dry", stalled(3, IssueStall::no_instructions), "PF_PIPEDRY=3", "PF5_MUX1_PIPELINE_DRY=3"},
      {"trap", stalled(20, IssueStall::trap), "PF_PIPEDRY=20", "PF5_MUX1_PIPELINE_DRY=20"},
      {"waits 15", stalled(15, IssueStall::load_miss), "PF_PIPEFROZEN=15", "PF5_MUX1_NON_ISSUE_CYCLES=15"},
      {"waits 16", stalled(16, IssueStall::registers), "PF_PIPEFROZEN=16",
       "PF5_MUX1_NON_ISSUE_CYCLES=16 PF5_MUX2_C_LONG_STALLS"},
      {"barrier stalls", stalled(4, IssueStall::memory_barrier), "PF_PIPEFROZEN=4",
       "PF5_MUX1_NON_ISSUE_CYCLES=4 PF5_MUX2_C_MEM_BARRIER=4"},
      {"after jump", stalled(1, IssueStall::after_jump), "PF_PIPEFROZEN", "PF5_MUX1_NON_ISSUE_CYCLES"},
      {.what = "PALmode", .act = one_cycle(State::pal_mode, 1), .ev4 = "PF_PALMODE"},
      {.what = "pin 0", .act = happens(Signal::pin_assert, 0), .ev4 = "PF_EXTPIN0"},
      {.what = "pin 1", .act = happens(Signal::pin_assert, 1), .ev4 = "PF_EXTPIN1"},
      {.what = "perf_mon_h", .act = one_cycle(State::pins, 1), .ev5 = "PF5_MUX2_C_EXTERNAL"},
      {.what = "another pin", .act = one_cycle(State::pins, 2)},
  };
}

std::vector<AlphaStimulus> caches() {
  const std::string sread = "PF5_MUX1_C_SCACHE_ACCESS PF5_MUX1_C_SCACHE_READ ",
                    swrite = "PF5_MUX1_C_SCACHE_ACCESS PF5_MUX1_C_SCACHE_WRITE PF5_MUX2_C_SCACHE_WRITE ",
                    ref = "PF5_MUX1_C_BCACHE_REF ";
  return {
      {"fetch hits", happens(Signal::fetch, d::lookup_hit), "", "PF5_MUX1_C_ICACHE_ACCESS"},
      {"fetch misses", happens(Signal::fetch, d::lookup_miss), "PF_ICACHE",
       "PF5_MUX1_C_ICACHE_ACCESS PF5_MUX2_C_ICACHE_MISSES"},
      {"fetch finds the fill", happens(Signal::fetch, d::lookup_pending), "PF_ICACHE", "PF5_MUX1_C_ICACHE_ACCESS"},
      {.what = "ITB miss", .act = happens(Signal::translation, d::tlb_walk), .quad = "PF5_MUX2_C_ITB_MISS"},
      {.what = "DTB miss",
       .act = happens(Signal::translation, d::tlb_walk | d::side_data),
       .quad = "PF5_MUX2_C_DTB_MISS"},
      {"load hits", happens(Signal::dcache_lookup, d::access_load | d::lookup_hit), "", "PF5_MUX1_C_DCACHE_ACCESS"},
      {"load hits late", happens(Signal::dcache_lookup, d::access_load | d::lookup_hit | ad::access_delayed),
       "PF_DCACHE", "PF5_MUX1_C_DCACHE_ACCESS"},
      {"load misses", happens(Signal::dcache_lookup, d::access_load | d::lookup_miss), "PF_DCACHE",
       "PF5_MUX1_C_DCACHE_ACCESS PF5_MUX2_C_DCACHE_MISSES"},
      {"load finds the fill", happens(Signal::dcache_lookup, d::access_load | d::lookup_pending), "PF_DCACHE",
       "PF5_MUX1_C_DCACHE_ACCESS PF5_MUX2_C_DCACHE_MISSES"},
      {"store misses", happens(Signal::dcache_lookup, d::access_store | d::lookup_miss), "PF_DCACHE",
       "PF5_MUX1_C_DCACHE_ACCESS"},
      {.what = "merges", .act = happens(Signal::load_merged, 0), .quad = "PF5_MUX2_C_LOADS_MERGED"},
      {.what = "Scache fetch hits", .act = happens(Signal::l2_lookup, d::lookup_hit), .ev5 = sread},
      {.what = "Scache fetch misses",
       .act = happens(Signal::l2_lookup, d::lookup_miss),
       .ev5 = sread + "PF5_MUX2_C_SCACHE_MISS PF5_MUX2_C_SCACHE_READ_MISS"},
      {.what = "Scache write hits", .act = happens(Signal::l2_lookup, d::access_store | d::lookup_hit), .ev5 = swrite},
      {.what = "Scache shared write",
       .act = happens(Signal::l2_lookup, d::access_store | d::lookup_hit | ad::access_shared_write),
       .ev5 = swrite + "PF5_MUX2_C_SCACHE_SH_WRITE"},
      {.what = "Scache write misses",
       .act = happens(Signal::l2_lookup, d::side_data | d::access_store | d::lookup_miss),
       .ev5 = swrite + "PF5_MUX2_C_SCACHE_MISS PF5_MUX2_C_SCACHE_WRITE_MISS"},
      {.what = "Scache victim",
       .act = evicted(d::cache_l2, LineState::modified, d::evict_replacement),
       .ev5 = "PF5_MUX1_C_SCACHE_VICTIM"},
      {.what = "Scache clean", .act = evicted(d::cache_l2, LineState::shared, d::evict_replacement)},
      {.what = "Scache snooped", .act = evicted(d::cache_l2, LineState::modified, d::evict_snoop)},
      {.what = "Bcache victim",
       .act = evicted(d::cache_l3, LineState::owned, d::evict_replacement),
       .ev5 = "PF5_MUX1_C_BCACHE_VICTIM",
       .pca56 = "PF5_MUX1_C_BCACHE_VICTIM"},
      {.what = "Bcache clean", .act = evicted(d::cache_l3, LineState::exclusive, d::evict_replacement)},
      {.what = "Bcache fetch hits",
       .act = happens(Signal::l3_lookup, d::lookup_hit),
       .ev5 = ref,
       .pca56 = "PF5_MUX1_C_BCACHE_READ PF5_MUX2_C_BCACHE_READ_HIT"},
      {.what = "Bcache fetch misses",
       .act = happens(Signal::l3_lookup, d::lookup_miss),
       .ev5 = ref + "PF5_MUX2_C_BCACHE_MISS",
       .pca56 = "PF5_MUX1_C_BCACHE_READ",
       .ev67 = "BCACHEMISSES"},
      {.what = "Bcache load hits",
       .act = happens(Signal::l3_lookup, d::side_data | d::access_load | d::lookup_hit),
       .ev5 = ref,
       .pca56 = "PF5_MUX1_C_BCACHE_{READ,DREAD_HIT} PF5_MUX2_C_BCACHE_{DREAD,READ_HIT}"},
      {.what = "Bcache load misses",
       .act = happens(Signal::l3_lookup, d::side_data | d::access_load | d::lookup_miss),
       .ev5 = ref + "PF5_MUX2_C_BCACHE_MISS",
       .pca56 = "PF5_MUX1_C_BCACHE_READ PF5_MUX2_C_BCACHE_DREAD",
       .ev67 = "BCACHEMISSES"},
      {.what = "Bcache write hits clean",
       .act = happens(Signal::l3_lookup, d::side_data | d::access_store | d::lookup_hit | ad::found_clean),
       .ev5 = ref,
       .pca56 = "PF5_MUX1_C_BCACHE_{WRITE,CLN_WRT_HIT} PF5_MUX2_C_BCACHE_WRITE_HIT"},
      {.what = "Bcache write hits",
       .act = happens(Signal::l3_lookup, d::side_data | d::access_store | d::lookup_hit),
       .ev5 = ref,
       .pca56 = "PF5_MUX1_C_BCACHE_WRITE PF5_MUX2_C_BCACHE_WRITE_HIT"},
      {.what = "Bcache write misses",
       .act = happens(Signal::l3_lookup, d::side_data | d::access_store | d::lookup_miss),
       .ev5 = ref + "PF5_MUX2_C_BCACHE_MISS",
       .pca56 = "PF5_MUX1_C_BCACHE_WRITE",
       .ev67 = "BCACHEMISSES"},
      {.what = "fetch fills", .act = happens(Signal::bcache_fill, 0), .pca56 = "PF5_MUX2_C_BCACHE_READ_FILL"},
      {.what = "load fills",
       .act = happens(Signal::bcache_fill, d::side_data | d::access_load),
       .pca56 = "PF5_MUX1_C_BCACHE_DREAD_FILL PF5_MUX2_C_BCACHE_READ_FILL"},
      {.what = "write fills",
       .act = happens(Signal::bcache_fill, d::side_data | d::access_store),
       .pca56 = "PF5_MUX2_C_BCACHE_WRITE_FILL"},
      {.what = "first READ_MISS", .act = happens(Signal::read_miss, 1)},
      {.what = "second READ_MISS", .act = happens(Signal::read_miss, 2), .pca56 = "PF5_MUX1_C_READ_MISS_2"},
      {.what = "third READ_MISS", .act = happens(Signal::read_miss, 3), .pca56 = "PF5_MUX2_C_READ_MISS_3"},
  };
}

std::vector<AlphaStimulus> system_and_traps() {
  const auto command = [](SystemCommand c, unsigned hit) {
    return happens(Signal::system_command, static_cast<unsigned>(c) | hit);
  };
  const auto replay = [](const char* what, Replay cause, const std::string& quad) {
    return AlphaStimulus{.what = what,
                         .act = happens(Signal::replay_trap, cause),
                         .quad = "PF5_MUX1_REPLAY_TRAP " + quad,
                         .ev6 = "PF6_MUX1_REPLAY_TRAP",
                         .ev67 = "REPLAY"};
  };
  const std::string request = "PF5_MUX1_C_SYS_REQ ";
  return {
      {.what = "system reads",
       .act = command(SystemCommand::read, 0),
       .ev5 = request + "PF5_MUX2_C_SYS_READ_REQ",
       .pca56 = "PF5_MUX2_C_SYS_READ_FLUSH_MISS"},
      {.what = "system read hits",
       .act = command(SystemCommand::read, ad::system_hit),
       .ev5 = request + "PF5_MUX2_C_SYS_READ_REQ",
       .pca56 = read_flush_hit},
      {.what = "system flush hits",
       .act = command(SystemCommand::flush, ad::system_hit),
       .ev5 = request,
       .pca56 = read_flush_hit},
      {.what = "system invalidates",
       .act = command(SystemCommand::invalidate, ad::system_hit),
       .ev5 = request + "PF5_MUX2_C_SYS_INV"},
      {.what = "probe hits", .act = command(SystemCommand::probe, ad::system_hit), .ev5 = request},
      {.what = "long probe", .act = command(SystemCommand::probe, 0), .ev5 = request, .ev67 = "BCACHEMISSES"},
      replay("load and use", Replay::load_use, "PF5_MUX2_C_LDU_REPLAYS"),
      replay("write buffer", Replay::write_buffer_full, "PF5_MUX2_C_WB_MAF_FULL_REPLAYS"),
      replay("miss address file", Replay::miss_file_full, "PF5_MUX2_C_WB_MAF_FULL_REPLAYS"),
      replay("order", Replay::memory_order, ""),
      [&] {
        AlphaStimulus again = replay("load again", Replay::load_missed, "");
        again.ev4 = "PF_LOADI";
        return again;
      }(),
      {"branch is right", put(Signal::branch_resolved, {alp::Kind::conditional_branch}, d::branch_correct)},
      {"branch is wrong", put(Signal::branch_resolved, {alp::Kind::conditional_branch}), "PF_BRANCHMISS",
       "PF5_MUX2_C_BRANCH_MISPREDICTS"},
      {"jump is wrong", put(Signal::branch_resolved, {alp::Kind::jump}), "PF_BRANCHMISS", "PF5_MUX2_C_PC_MISPR"},
      {.what = "retires",
       .act = put(Signal::retire, {alp::Kind::load}),
       .ev6 = "PF6_MUX0_RET_INSTRUCTIONS",
       .ev67 = "RETINST"},
      {.what = "branch retires",
       .act = put(Signal::retire, {alp::Kind::conditional_branch}),
       .ev6 = "PF6_MUX0_RET_INSTRUCTIONS PF6_MUX1_RET_COND_BRANCHES",
       .ev67 = "RETINST"},
      {.what = "nop leaves", .act = put(Signal::retire, {alp::Kind::squashed})},
      {.what = "DTB trap",
       .act = happens(Signal::pal_entry, Trap::dtb_single),
       .ev6 = "PF6_MUX1_RET_DTB_SINGLE_MISSES=2"},
      {.what = "DTB double",
       .act = happens(Signal::pal_entry, Trap::dtb_double_3),
       .ev6 = "PF6_MUX1_RET_DTB_DOUBLE_MISSES"},
      {.what = "DTB double, 4 levels",
       .act = happens(Signal::pal_entry, Trap::dtb_double_4),
       .ev6 = "PF6_MUX1_RET_DTB_DOUBLE_MISSES"},
      {.what = "ITB trap", .act = happens(Signal::pal_entry, Trap::itb_miss), .ev6 = "PF6_MUX1_RET_ITB_MISSES"},
      {.what = "unaligned", .act = happens(Signal::pal_entry, Trap::unaligned), .ev6 = "PF6_MUX1_RET_UNALIGNED_TRAPS"},
      {.what = "call_pal enters", .act = happens(Signal::pal_entry, Trap::call_pal)},
  };
}

}  // namespace

const std::vector<AlphaStimulus>& alpha_stimuli() {
  static const std::vector<AlphaStimulus> all = [] {
    std::vector<AlphaStimulus> list = issues();
    for (const auto& more : {caches(), system_and_traps()}) list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

}  // namespace pmusim::oracle::script
