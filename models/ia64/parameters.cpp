// The behaviours of IA-64 monitors that no document settles. The first value of each is the default.
#include <string_view>
#include <vector>

#include "models/ia64/behaviour.h"

namespace pmusim::pmu::ia64 {
namespace {

using models::Choice;
using models::ParameterInfo;

/// Monitors that a row is for: by threads of the core.
enum Threads : unsigned { one = 1, two = 2, any = one | two };

struct Row {
  Threads threads;
  std::string_view name;
  std::string_view meaning;
  std::string_view source;
  std::vector<Choice> choices;
};

// "251110" is Intel's Itanium 2 Processor Reference Manual, known only through what others say of it, so that nothing
// it is named for is confirmed; "SDM 2" volume 2 of the architecture's manual. The value of a choice is its place: 0 is
// the default.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {any,
       "pmu.overflow_bit",
       "overflow bit of PMC0 when a counter with oi = 0 wraps",
       "SDM 2 p. 2:160 lists it with the interrupt; 251110: regardless",
       {{"always", 0, "set"}, {"with_oi", 1, "left alone"}}},
      {any,
       "pmu.reserved_bits",
       "PMC bits outside Linux' write mask",
       "Linux writes their reset value",
       {{"fixed", 0, "keep their reset value"}, {"stored", 1, "read as written"}}},
      {any,
       "pmu.same_cycle_write",
       "a counter's increment in the cycle of a program's write to it",
       "no document",
       {{"lost", 0, "lost"}, {"added", 1, "added to the written value"}}},
      {any,
       "pmu.control_write",
       "first cycle that a program's write to a configuration or breakpoint register governs",
       "SDM 2 p. 2:158: after serialisation",
       {{"next_cycle", 0, "the one after it"}, {"same_cycle", 1, "its own"}}},
      {any,
       "pmu.pmc0_write",
       "software sets an overflow bit of PMC0",
       "Linux takes it for silent, but for one remark about McKinley",
       {{"silent", 0, "no interrupt"}, {"raises", 1, "raises the interrupt"}}},
      {any,
       "pmu.unlisted_umask",
       "unit masks that an event does not have",
       "no document",
       {{"nothing", 0, "count nothing"}, {"zero", 1, "count as unit mask 0"}}},
      {any,
       "pmu.pmd_filter",
       "PMDs that PMCn.pm hides from less privileged code",
       "SDM 2 p. 2:157 speaks of the controlling PMC",
       {{"controlled", 0, "counters, EAR and branch ring registers"}, {"counters", 1, "counters"}}},
      {any,
       "pmu.x_slot",
       "type of an L+X pair to the opcode matchers",
       "no document",
       {{"i", 0, "I"}, {"none", 1, "no type: never matches"}}},
      {any,
       "pmu.ibr_match",
       "instruction ranges and PSR.db",
       "no document",
       {{"always", 0, "compare at any PSR.db"}, {"with_db", 1, "compare while PSR.db = 1"}}},
      {any,
       "pmu.fine_mask",
       "page of a fine range",
       "libpfm 3.0 and 3.10 write different masks",
       {{"page", 0, "all address bits above the page"}, {"register", 1, "those in the register's mask"}}},
      {any,
       "pmu.fine_plm",
       "levels of a fine range",
       "libpfm writes both pairs alike",
       {{"lower", 0, "those of the pair with the lower bound"}, {"both", 1, "those of both pairs"}}},
      {any,
       "pmu.breakpoint_pairs",
       "breakpoint pairs with x, r or w set",
       "libpfm leaves them 0",
       {{"serve", 0, "serve the monitor all the same"}, {"withheld", 1, "match nothing for it"}}},
      {any,
       "pmu.fine_union",
       "ordinary events and the second fine range",
       "libpfm accepts two ranges; 251110 ties events to IBRP0 and IBRP2",
       {{"first", 0, "only the first range"}, {"both", 1, "either range"}}},
      {any,
       "pmu.fine_upper",
       "channels 2 and 3 in fine mode",
       "no document",
       {{"range", 0, "ranges of channels 0 and 1"}, {"free", 1, "not constrained"}}},
      {any,
       "pmu.inv_scope",
       "channels that inv inverts",
       "libpfm programs it for channel 0",
       {{"first", 0, "channel 0"}, {"all", 1, "all that have a range"}}},
      {any,
       "pmu.data_channels",
       "how enabled data channels combine",
       "manual page: pairs form one range",
       {{"any", 0, "one must pass"}, {"all", 1, "all must pass"}}},
      {any,
       "pmu.no_data_channel",
       "memory events with no data channel enabled",
       "Linux refuses some such settings",
       {{"pass", 0, "count"}, {"block", 1, "count nothing"}}},
      {any,
       "pmu.memory_tag",
       "tag of channel 0 and memory events",
       "libpfm leaves the data ranges alone for opcodes, and gives the code range to one of several data pairs",
       {{"channel_0", 0, "needed beside what an enabled data channel asks for"},
        {"pmc13", 1, "only what PMC13 (Montecito: PMC41) says"}}},
      {any,
       "pmu.data_extent",
       "what of an access data ranges look at",
       "no document",
       {{"first_byte", 0, "its address"}, {"any_byte", 1, "all its bytes"}}},
      {any,
       "pmu.ear_mode3",
       "D-EAR mode 3",
       "251110: as 2",
       {{"alat", 0, "as mode 2"}, {"off", 1, "captures nothing"}}},
      {any,
       "pmu.dear_umask",
       "D-EAR cache mode, umask 11 to 15",
       "event table ends with 10",
       {{"nothing", 0, "captures nothing"}, {"as_10", 1, "as umask 10"}}},
      {any,
       "pmu.dear_candidates",
       "what the D-EAR tracks in cache mode",
       "Caliper: integer and FP loads",
       {{"loads", 0, "loads"}, {"reads", 1, "loads and semaphores"}}},
      {any,
       "pmu.dear_wrong_path",
       "wrong-path loads and the D-EAR",
       "no document",
       {{"ignored", 0, "no candidates"}, {"tracked", 1, "candidates as others"}}},
      {any,
       "pmu.dear_random",
       "which candidate the D-EAR takes when free",
       "Caliper: randomised",
       {{"first", 0, "the first"}, {"lfsr", 1, "when a 16-bit shift register says so"}}},
      {any,
       "pmu.dear_latency",
       "where the latency of a load begins",
       "no document",
       {{"first_pass", 0, "its first EXE cycle"}, {"last_pass", 1, "EXE cycle of its last passage"}}},
      {any,
       "pmu.dear_hazard",
       "D-EAR vl within 2 cycles of a mispredicted branch, TLB and ALAT mode beside the branch ring",
       "251110: the address can be wrong",
       {{"invalid", 0, "clear"}, {"valid", 1, "set"}}},
      {any,
       "pmu.dear_chk_a",
       "D-EAR address when a chk.a is captured",
       "chk.a has no address",
       {{"kept", 0, "unchanged"}, {"zero", 1, "0"}}},
      {any,
       "pmu.dear_choice",
       "which of a cycle's captures the D-EAR keeps in TLB and ALAT mode",
       "no document",
       {{"oldest", 0, "the oldest"}, {"youngest", 1, "the youngest"}}},
      {any,
       "pmu.dear_tlb_latency",
       "latency field of the D-EAR in TLB and ALAT mode",
       "no document",
       {{"zero", 0, "0"}, {"kept", 1, "as it was"}}},
      {any,
       "pmu.ear_reconfigured",
       "what an EAR follows when its configuration, or for the D-EAR that of the branch ring, is written",
       "no document",
       {{"forgotten", 0, "is forgotten"}, {"followed", 1, "is followed on"}}},
      {any,
       "pmu.iear_umask",
       "I-EAR cache mode, unlisted umasks",
       "251110 prints patterns",
       {{"pattern", 0, "bits after the leading ones do not matter"}, {"exact", 1, "capture nothing"}}},
      {any,
       "pmu.iear_squashed",
       "fetch misses that are given up before their bundles arrive",
       "no document",
       {{"dropped", 0, "not captured"}, {"captured", 1, "captured when given up"}}},
      {any,
       "pmu.btb_type0",
       "branch ring, brt = 0",
       "libpfm's code and manual page differ",
       {{"all", 0, "all branches"}, {"none", 1, "no branch"}}},
      {any,
       "pmu.btb_target",
       "target entry when the target's window retires a branch in the next cycle",
       "Itanium manual leaves it open",
       {{"omitted", 0, "not written"}, {"written", 1, "written"}}},
      {any,
       "pmu.btb_not_taken",
       "target entry of a branch that is not taken",
       "no document",
       {{"none", 0, "not written"}, {"written", 1, "address of the next bundle"}}},
      {any,
       "pmu.btb_choice",
       "which branch of a cycle is recorded if none is taken",
       "Itanium manual: the first taken one",
       {{"last", 0, "the last"}, {"first", 1, "the first"}}},
      {any,
       "pmu.btb_untaken_filter",
       "ptm and branches that are not taken",
       "no document",
       {{"right", 0, "their target counts as right"}, {"neither", 1, "it is neither: only ptm = 3 records them"}}},
      {any,
       "pmu.btb_frozen_target",
       "target entry of a branch in the last cycle before the freeze",
       "no document",
       {{"written", 0, "written"}, {"lost", 1, "not written"}}},
      {any,
       "pmu.btb_rfi",
       "rfi and the branch ring",
       "251110: an indirect branch",
       {{"ignored", 0, "not recorded"}, {"recorded", 1, "as an indirect branch"}}},
      {any,
       "pmu.event_sets",
       "events in counters or sets that they cannot have",
       "libpfm refuses them",
       {{"free", 0, "all count"}, {"enforced", 1, "those outside a chosen set or their counters count nothing"}}},
      {one,
       "pmu.shared_umask",
       "umask of L2 events outside sets 1 and 2",
       "libpfm: that of PMC4",
       {{"own", 0, "each counter's own"}, {"pmc4", 1, "PMC4's"}}},
      {any,
       "pmu.bus_reads",
       "reads that BUS_RD_HIT and BUS_RD_HITM count",
       "event table: bus reads",
       {{"all", 0, "of lines, for ownership or not, of current data and of parts"},
        {"read_line", 1, "plain reads of lines"}}},
      {any,
       "pmu.increment_limit",
       "occurrences of a cycle beyond the event table's most",
       "event table",
       {{"table", 0, "lost"}, {"none", 1, "counted"}}},
      {any,
       "pmu.nop_predicate",
       "NOPS_RETIRED and nops whose predicate is false",
       "251110: true predicate",
       {{"true", 0, "not counted"}, {"any", 1, "counted"}}},
      {any,
       "pmu.long_instruction",
       "an L+X pair in IA64_INST_RETIRED",
       "an MLX bundle has two instructions and three syllables",
       {{"one", 0, "counts one"}, {"two", 1, "counts two"}}},
      {any,
       "pmu.syllable_overcount",
       "SYLL_OVERCOUNT",
       "251110: counted in both stop events",
       {{"nothing", 0, "0"}, {"both_stops", 1, "syllables held by an explicit and an implicit stop"}}},
      {any,
       "pmu.unknown_prediction",
       "BR_MISPRED_DETAIL2 and BR_PATH_PRED2",
       "251110: branches without a prediction",
       {{"counted", 0, "branches that followed a guess"}, {"nothing", 1, "0"}}},
      {any,
       "pmu.lfetch_reference",
       "lfetch in DATA_REFERENCES",
       "Caliper does not list it",
       {{"left_out", 0, "not counted"}, {"counted", 1, "counted"}}},
      {any,
       "pmu.replayed_misses",
       "cancelled passages in L1D_READ_MISSES",
       "the event shares a set with L1D_READS_SET1",
       {{"left_out", 0, "not counted"}, {"counted", 1, "counted"}}},
      {any,
       "pmu.fetch_hits",
       "prefetches in L1I_FETCH_RAB_HIT and L1I_FETCH_ISB_HIT",
       "event table: demand; libpfm: both",
       {{"demand", 0, "not counted"}, {"all", 1, "counted"}}},
      {one,
       "pmu.ia32_retirement",
       "IA-32 instructions in event 08h, umasks 0 and 1",
       "event table",
       {{"counted", 0, "counted"}, {"left_out", 1, "not counted"}}},
      {any,
       "pmu.walker_loads",
       "page table reads in LOADS_RETIRED",
       "251110",
       {{"counted", 0, "counted"}, {"left_out", 1, "not counted"}}},
      {any,
       "pmu.ozq_cancels_any",
       "OZQ_CANCELS: the umask that means any",
       "event table: any",
       {{"group", 0, "the reasons of this event"}, {"all", 1, "every reason"}}},
      {two,
       "pmu.line_states_none",
       "L3 events with M = E = S = I = 0",
       "no document",
       {{"nothing", 0, "count nothing"}, {"all", 1, "count as with all four"}}},
      {two,
       "pmu.floating_background",
       "floating events of the thread while it is in the background",
       "libpfm manual page: they may be generated for it",
       {{"counted", 0, "count"}, {"left_out", 1, "count nothing"}}},
      {two,
       "pmu.self_floating_all",
       "self-floating events with all = 1",
       "libpfm manual page: then causal",
       {{"causal", 0, "for the active thread"}, {"floating", 1, "for the thread that caused them"}}},
      {two,
       "pmu.all_threads_mode",
       "level and PSR that plm and pm of a counter with all = 1 are compared with",
       "no document",
       {{"owner", 0, "those of the thread whose occurrence it is"}, {"own", 1, "those of the counter's own thread"}}},
      {two,
       "pmu.ear_background",
       "EARs while their thread is in the background",
       "libpfm's event table: their events float; no document on what is under way",
       {{"followed", 0, "go on"}, {"forgotten", 1, "forget what they follow and take nothing"}}},
      {two,
       "pmu.qualified_cycles",
       "cycles of CPU_OP_CYCLES_QUAL",
       "Caliper: the group in the last stage before retirement; not whether one that is awaited there is",
       {{"retires", 0, "those in which a tagged instruction retires"},
        {"awaited", 1, "and those after the retirement before it, counted when it retires"}}},
      {two,
       "pmu.halted_cycles",
       "what a cycle adds to CPU_OP_CYCLES_HALTED",
       "libpfm's event table: up to 7 at once",
       {{"one", 0, "1"}, {"seven", 1, "7"}}},
      {two,
       "pmu.code_bc",
       "event code BCh",
       "libpfm's event table has two events with it",
       {{"by_set", 0, "L2D_OZQ_FULL where L2D set 5 is chosen, else ER_REJECT_ALL_L1_REQ"},
        {"reject", 1, "ER_REJECT_ALL_L1_REQ"}}},
      {two,
       "pmu.background_interrupt",
       "interrupt of a thread in the background",
       "no document",
       {{"waits", 0, "taken when the thread is active again"}, {"any_thread", 1, "taken by the active thread"}}},
      {two, "pmu.ipear_modes", "PMC42.mode other than 0 and 4", "no document", {{"off", 0, "off"}, {"on", 1, "as 4"}}},
      {two,
       "pmu.ipear_beside_branches",
       "trace buffer while PMC42 and PMC39 are both on",
       "libpfm refuses it",
       {{"ipear", 0, "IP-EAR"}, {"branches", 1, "branches"}}},
      {two,
       "pmu.ipear_entry",
       "entries of the IP-EAR",
       "Caliper: when a bundle retires",
       {{"cycle", 0, "one for a cycle"}, {"bundle", 1, "one for a bundle"}}},
      {two,
       "pmu.ipear_cycles",
       "cycles field of the IP-EAR",
       "Caliper adds 1 to each",
       {{"bubbles", 0, "cycles between two entries"}, {"distance", 1, "cycles from entry to entry"}}},
      {two,
       "pmu.ipear_cut",
       "what ends the IP-EAR's freeze delay early",
       "no document",
       {{"switch_or_entry", 0, "thread switch, interruption, freeze by software"}, {"nothing", 1, "nothing"}}},
      {two,
       "pmu.ipear_flush",
       "f bit of the IP-EAR",
       "no document",
       {{"any", 0, "any flush of the pipeline"}, {"branch", 1, "flushes by branches"}}},
  };
  return table;
}

struct Number {
  Threads threads;
  ParameterInfo info;
};

const std::vector<Number>& numbers() {
  static const std::vector<Number> table = {
      {any,
       {"pmu.freeze_delay", 0, 0, 1000, "cycles", "cycles that are still counted after the one of a wrap with oi = 1",
        "Linux: events land before the monitor is frozen", false}},
      {any,
       {"pmu.interrupt_latency", 12, 0, 1000, "cycles", "least cycles from the wrap to the interrupt being taken",
        "Caliper: some low tens", false}},
      {any, {"pmu.pmv_mask_bit", 16, 8, 63, "bit", "mask bit of PMV", "SDM 2: as in ITV", false}},
      {any, {"pmu.iear_stat", 1, 1, 3, "", "I-EAR stat in cache mode", "PAPI wants bit 0", false}},
      {any, {"pmu.ear_stat", 1, 1, 3, "", "D-EAR stat in cache and ALAT mode", "PAPI wants it not to be 0", false}},
      {two, {"pmu.thread", 0, 0, 1, "", "hardware thread whose registers these are", "one register file each", false}},
  };
  return table;
}

}  // namespace

models::Parameters pmu_parameters(unsigned threads) {
  std::vector<ParameterInfo> infos;
  for (const Number& number : numbers()) {
    if ((number.threads & threads) != 0) infos.push_back(number.info);
  }
  for (const Row& row : rows()) {
    if ((row.threads & threads) == 0) continue;
    infos.push_back({row.name, 0, 0, static_cast<std::int64_t>(row.choices.size()) - 1, "", row.meaning, row.source,
                     false, row.choices});
  }
  return models::Parameters(std::move(infos));
}

Behaviour::Behaviour(const models::Parameters& p, unsigned threads) {
  const auto is = [&](std::string_view name) { return p.get(name) != 0; };
  overflow_needs_oi = is("pmu.overflow_bit");
  freeze_delay = static_cast<Cycle>(p.get("pmu.freeze_delay"));
  interrupt_latency = static_cast<Cycle>(p.get("pmu.interrupt_latency"));
  pmv_mask_bit = static_cast<unsigned>(p.get("pmu.pmv_mask_bit"));
  stores_reserved = is("pmu.reserved_bits");
  filters_counters_only = is("pmu.pmd_filter");
  enforces_sets = is("pmu.event_sets");
  adds_to_written = is("pmu.same_cycle_write");
  controls_at_once = is("pmu.control_write");
  pmc0_raises = is("pmu.pmc0_write");
  unlisted_is_zero = is("pmu.unlisted_umask");
  alat_mode_3 = !is("pmu.ear_mode3");
  tags = {.x_is_integer = !is("pmu.x_slot"),
          .match_needs_debug = is("pmu.ibr_match"),
          .fine_uses_mask = is("pmu.fine_mask"),
          .fine_both_levels = is("pmu.fine_plm"),
          .breakpoints_withheld = is("pmu.breakpoint_pairs"),
          .fine_union = is("pmu.fine_union"),
          .fine_upper_free = is("pmu.fine_upper"),
          .invert_all = is("pmu.inv_scope"),
          .all_data_channels = is("pmu.data_channels"),
          .no_data_channel_blocks = is("pmu.no_data_channel"),
          .data_extent = is("pmu.data_extent"),
          .memory_needs_channel_0 = !is("pmu.memory_tag")};
  events = {.overcount = is("pmu.syllable_overcount"),
            .false_nops = is("pmu.nop_predicate"),
            .long_is_two = is("pmu.long_instruction"),
            .unknown_prediction = !is("pmu.unknown_prediction"),
            .prefetch_reference = is("pmu.lfetch_reference"),
            .replayed_misses = is("pmu.replayed_misses"),
            .prefetch_hits = is("pmu.fetch_hits"),
            .walker_loads = !is("pmu.walker_loads"),
            .cancels_of_all_groups = is("pmu.ozq_cancels_any"),
            .line_reads_only = is("pmu.bus_reads"),
            .limited = !is("pmu.increment_limit")};
  data_ear.valid_stat = static_cast<unsigned>(p.get("pmu.ear_stat"));
  data_ear.high_umask_is_10 = is("pmu.dear_umask");
  data_ear.semaphores = is("pmu.dear_candidates");
  data_ear.wrong_path = is("pmu.dear_wrong_path");
  data_ear.random = is("pmu.dear_random");
  data_ear.from_last_pass = is("pmu.dear_latency");
  data_ear.keeps_valid = is("pmu.dear_hazard");
  data_ear.clears_address = is("pmu.dear_chk_a");
  data_ear.keeps_youngest = is("pmu.dear_choice");
  data_ear.keeps_latency = is("pmu.dear_tlb_latency");
  data_ear.follows_on = fetch_ear.follows_on = is("pmu.ear_reconfigured");
  fetch_ear.valid_stat = static_cast<unsigned>(p.get("pmu.iear_stat"));
  fetch_ear.exact_umasks = is("pmu.iear_umask");
  fetch_ear.captures_squashed = is("pmu.iear_squashed");
  branch_ring.type_0_is_none = is("pmu.btb_type0");
  branch_ring.omits_targets = !is("pmu.btb_target");
  branch_ring.not_taken_targets = is("pmu.btb_not_taken");
  branch_ring.records_rfi = is("pmu.btb_rfi");
  branch_ring.first_untaken = is("pmu.btb_choice");
  branch_ring.untaken_neither = is("pmu.btb_untaken_filter");
  branch_ring.loses_frozen_target = is("pmu.btb_frozen_target");
  if (threads == 1) {
    shares_umask = is("pmu.shared_umask");
    events.ia32_retirement = !is("pmu.ia32_retirement");
    return;
  }
  thread = static_cast<unsigned>(p.get("pmu.thread"));
  no_line_state_counts = is("pmu.line_states_none");
  floats_in_background = !is("pmu.floating_background");
  self_floats_for_both = is("pmu.self_floating_all");
  interrupts_any_thread = is("pmu.background_interrupt");
  gated_by_own_thread = is("pmu.all_threads_mode");
  ears_follow_in_background = !is("pmu.ear_background");
  shared_code_by_set = !is("pmu.code_bc");
  events.counts_awaited = is("pmu.qualified_cycles");
  events.halted_cycle = is("pmu.halted_cycles") ? 7 : 1;
  data_ear.thread = fetch_ear.thread = branch_ring.thread = ip_ear.thread = thread;
  ip_ear.any_mode = is("pmu.ipear_modes");
  ip_ear.yields_to_branches = is("pmu.ipear_beside_branches");
  ip_ear.per_bundle = is("pmu.ipear_entry");
  ip_ear.counts_distance = is("pmu.ipear_cycles");
  ip_ear.ignores_cuts = is("pmu.ipear_cut");
  ip_ear.own_flushes = is("pmu.ipear_flush");
}

}  // namespace pmusim::pmu::ia64
