// The behaviours of the Itanium 2's monitor that no document settles. The first value of each is the default.
#include <string_view>
#include <vector>

#include "models/itanium2/behaviour.h"
#include "models/itanium2/itanium2.h"

namespace pmusim::pmu {
namespace {

using models::Choice;
using models::ParameterInfo;

struct Row {
  std::string_view name;
  std::string_view meaning;
  std::string_view source;
  std::vector<Choice> choices;
};

// "251110" is Intel's Itanium 2 Processor Reference Manual; "SDM 2" volume 2 of the architecture's manual. The value of
// a choice is its place: 0 is the default.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"pmu.overflow_bit",
       "overflow bit of PMC0 when a counter with oi = 0 wraps",
       "SDM 2 p. 2:160 lists it with the interrupt; 251110: regardless",
       {{"always", 0, "set"}, {"with_oi", 1, "left alone"}}},
      {"pmu.reserved_bits",
       "PMC bits outside Linux' write mask",
       "Linux writes their reset value",
       {{"fixed", 0, "keep their reset value"}, {"stored", 1, "read as written"}}},
      {"pmu.pmd_filter",
       "PMDs that PMCn.pm hides from less privileged code",
       "SDM 2 p. 2:157 speaks of the controlling PMC",
       {{"controlled", 0, "counters, EAR and BTB registers"}, {"counters", 1, "counters"}}},
      {"pmu.x_slot",
       "type of an L+X pair to the opcode matchers",
       "no document",
       {{"i", 0, "I"}, {"none", 1, "no type: never matches"}}},
      {"pmu.ibr_match",
       "instruction ranges and PSR.db",
       "no document",
       {{"always", 0, "compare at any PSR.db"}, {"with_db", 1, "compare while PSR.db = 1"}}},
      {"pmu.fine_mask",
       "page of a fine range",
       "libpfm 3.0 and 3.10 write different masks",
       {{"page", 0, "all address bits above the page"}, {"register", 1, "those in the register's mask"}}},
      {"pmu.fine_union",
       "ordinary events and the second fine range",
       "libpfm accepts two ranges; 251110 ties events to IBRP0 and IBRP2",
       {{"first", 0, "only the first range"}, {"both", 1, "either range"}}},
      {"pmu.fine_upper",
       "channels 2 and 3 in fine mode",
       "no document",
       {{"range", 0, "ranges of channels 0 and 1"}, {"free", 1, "not constrained"}}},
      {"pmu.inv_scope",
       "channels that PMC8.inv inverts",
       "libpfm programs it for channel 0",
       {{"first", 0, "channel 0"}, {"all", 1, "all that have a range"}}},
      {"pmu.data_channels",
       "how enabled channels of PMC13 combine",
       "manual page: pairs form one range",
       {{"any", 0, "one must pass"}, {"all", 1, "all must pass"}}},
      {"pmu.no_data_channel",
       "memory events with no channel enabled in PMC13",
       "Linux refuses some such settings",
       {{"pass", 0, "count"}, {"block", 1, "count nothing"}}},
      {"pmu.data_extent",
       "what of an access data ranges look at",
       "no document",
       {{"first_byte", 0, "its address"}, {"any_byte", 1, "all its bytes"}}},
      {"pmu.ear_mode3", "D-EAR mode 3", "251110: as 2", {{"alat", 0, "as mode 2"}, {"off", 1, "captures nothing"}}},
      {"pmu.dear_umask",
       "D-EAR cache mode, umask 11 to 15",
       "event table ends with 10",
       {{"nothing", 0, "captures nothing"}, {"as_10", 1, "as umask 10"}}},
      {"pmu.dear_candidates",
       "what the D-EAR tracks in cache mode",
       "Caliper: integer and FP loads",
       {{"loads", 0, "loads"}, {"reads", 1, "loads and semaphores"}}},
      {"pmu.dear_wrong_path",
       "wrong-path loads and the D-EAR",
       "no document",
       {{"ignored", 0, "no candidates"}, {"tracked", 1, "candidates as others"}}},
      {"pmu.dear_random",
       "which candidate the D-EAR takes when free",
       "Caliper: randomised",
       {{"first", 0, "the first"}, {"lfsr", 1, "when a 16-bit shift register says so"}}},
      {"pmu.dear_latency",
       "where the latency of a load begins",
       "no document",
       {{"first_pass", 0, "its first EXE cycle"}, {"last_pass", 1, "EXE cycle of its last passage"}}},
      {"pmu.dear_hazard",
       "PMD17.vl within 2 cycles of a mispredicted branch, TLB and ALAT mode with PMC12 set",
       "251110: the address can be wrong",
       {{"invalid", 0, "clear"}, {"valid", 1, "set"}}},
      {"pmu.dear_chk_a",
       "PMD2 when a chk.a is captured",
       "chk.a has no address",
       {{"kept", 0, "unchanged"}, {"zero", 1, "0"}}},
      {"pmu.iear_umask",
       "I-EAR cache mode, unlisted umasks",
       "251110 prints patterns",
       {{"pattern", 0, "bits behind the leading ones do not matter"}, {"exact", 1, "capture nothing"}}},
      {"pmu.iear_squashed",
       "fetch misses that are given up before their bundles arrive",
       "no document",
       {{"dropped", 0, "not captured"}, {"captured", 1, "captured when given up"}}},
      {"pmu.btb_type0",
       "PMC12.brt = 0",
       "libpfm's code and manual page differ",
       {{"all", 0, "all branches"}, {"none", 1, "no branch"}}},
      {"pmu.btb_target",
       "target entry when the target's window retires a branch in the next cycle",
       "Itanium manual leaves it open",
       {{"omitted", 0, "not written"}, {"written", 1, "written"}}},
      {"pmu.btb_not_taken",
       "target entry of a branch that is not taken",
       "no document",
       {{"none", 0, "not written"}, {"written", 1, "address of the next bundle"}}},
      {"pmu.btb_rfi",
       "rfi and the BTB",
       "251110: an indirect branch",
       {{"ignored", 0, "not recorded"}, {"recorded", 1, "as an indirect branch"}}},
      {"pmu.event_sets",
       "events of different sets of a group",
       "libpfm refuses them",
       {{"free", 0, "all count"}, {"enforced", 1, "those outside the set of PMC5 (L1D) or PMC4 (L2) count nothing"}}},
      {"pmu.shared_umask",
       "umask of L2 events outside sets 1 and 2",
       "libpfm: that of PMC4",
       {{"own", 0, "each counter's own"}, {"pmc4", 1, "PMC4's"}}},
      {"pmu.increment_limit",
       "occurrences of a cycle beyond the event table's most",
       "event table",
       {{"table", 0, "lost"}, {"none", 1, "counted"}}},
      {"pmu.syllable_overcount",
       "SYLL_OVERCOUNT",
       "251110: counted in both stop events",
       {{"nothing", 0, "0"}, {"both_stops", 1, "syllables held by an explicit and an implicit stop"}}},
      {"pmu.unknown_prediction",
       "BR_MISPRED_DETAIL2 and BR_PATH_PRED2",
       "251110: branches without a prediction",
       {{"nothing", 0, "0"}, {"counted", 1, "branches that followed a guess"}}},
      {"pmu.lfetch_reference",
       "lfetch in DATA_REFERENCES",
       "Caliper does not list it",
       {{"left_out", 0, "not counted"}, {"counted", 1, "counted"}}},
      {"pmu.replayed_misses",
       "cancelled passages in L1D_READ_MISSES",
       "the event shares a set with L1D_READS_SET1",
       {{"left_out", 0, "not counted"}, {"counted", 1, "counted"}}},
      {"pmu.fetch_hits",
       "prefetches in L1I_FETCH_RAB_HIT and L1I_FETCH_ISB_HIT",
       "event table: demand; libpfm: both",
       {{"demand", 0, "not counted"}, {"all", 1, "counted"}}},
      {"pmu.ia32_retirement",
       "IA-32 instructions in event 08h, umasks 0 and 1",
       "event table",
       {{"counted", 0, "counted"}, {"left_out", 1, "not counted"}}},
      {"pmu.walker_loads",
       "page table reads in LOADS_RETIRED",
       "251110",
       {{"counted", 0, "counted"}, {"left_out", 1, "not counted"}}},
      {"pmu.ozq_cancels_any",
       "L2_OZQ_CANCELS0, umask 0",
       "event table: any",
       {{"group", 0, "the reasons of this event"}, {"all", 1, "those of all three events"}}},
  };
  return table;
}

constexpr std::string_view freeze_delay = "pmu.freeze_delay", interrupt_latency = "pmu.interrupt_latency",
                           pmv_mask_bit = "pmu.pmv_mask_bit", ear_stat = "pmu.ear_stat";

const std::vector<ParameterInfo>& numbers() {
  static const std::vector<ParameterInfo> table = {
      {freeze_delay, 0, 0, 1000, "cycles", "cycles that are still counted behind the one of a wrap with oi = 1",
       "Linux: events land before the monitor is frozen", false},
      {interrupt_latency, 12, 0, 1000, "cycles", "least cycles from the wrap to the interrupt being taken",
       "Caliper: some low tens", false},
      {pmv_mask_bit, 16, 8, 63, "bit", "mask bit of PMV", "SDM 2: as in ITV", false},
      {ear_stat, 1, 1, 3, "", "PMD3.stat in cache and ALAT mode", "PAPI wants it not to be 0", false},
  };
  return table;
}

}  // namespace

models::Parameters itanium2_pmu_parameters() {
  std::vector<ParameterInfo> infos = numbers();
  for (const Row& row : rows()) {
    infos.push_back({row.name, 0, 0, static_cast<std::int64_t>(row.choices.size()) - 1, "", row.meaning, row.source,
                     false, row.choices});
  }
  return models::Parameters(std::move(infos));
}

namespace itanium2 {

Behaviour::Behaviour(const models::Parameters& p) {
  const auto is = [&](std::string_view name) { return p.get(name) != 0; };
  overflow_needs_oi = is("pmu.overflow_bit");
  freeze_delay = static_cast<Cycle>(p.get(pmu::freeze_delay));
  interrupt_latency = static_cast<Cycle>(p.get(pmu::interrupt_latency));
  pmv_mask_bit = static_cast<unsigned>(p.get(pmu::pmv_mask_bit));
  stores_reserved = is("pmu.reserved_bits");
  filters_counters_only = is("pmu.pmd_filter");
  enforces_sets = is("pmu.event_sets");
  shares_umask = is("pmu.shared_umask");
  alat_mode_3 = !is("pmu.ear_mode3");
  tags = {.x_is_integer = !is("pmu.x_slot"),
          .match_needs_debug = is("pmu.ibr_match"),
          .fine_uses_mask = is("pmu.fine_mask"),
          .fine_union = is("pmu.fine_union"),
          .fine_upper_free = is("pmu.fine_upper"),
          .invert_all = is("pmu.inv_scope"),
          .all_data_channels = is("pmu.data_channels"),
          .no_data_channel_blocks = is("pmu.no_data_channel"),
          .data_extent = is("pmu.data_extent")};
  events = {.overcount = is("pmu.syllable_overcount"),
            .unknown_prediction = is("pmu.unknown_prediction"),
            .prefetch_reference = is("pmu.lfetch_reference"),
            .replayed_misses = is("pmu.replayed_misses"),
            .prefetch_hits = is("pmu.fetch_hits"),
            .ia32_retirement = !is("pmu.ia32_retirement"),
            .walker_loads = !is("pmu.walker_loads"),
            .cancels_of_all_groups = is("pmu.ozq_cancels_any"),
            .limited = !is("pmu.increment_limit")};
  data_ear.valid_stat = static_cast<unsigned>(p.get(ear_stat));
  data_ear.high_umask_is_10 = is("pmu.dear_umask");
  data_ear.semaphores = is("pmu.dear_candidates");
  data_ear.wrong_path = is("pmu.dear_wrong_path");
  data_ear.random = is("pmu.dear_random");
  data_ear.from_last_pass = is("pmu.dear_latency");
  data_ear.keeps_valid = is("pmu.dear_hazard");
  data_ear.clears_address = is("pmu.dear_chk_a");
  fetch_ear.exact_umasks = is("pmu.iear_umask");
  fetch_ear.captures_squashed = is("pmu.iear_squashed");
  branch_ring.type_0_is_none = is("pmu.btb_type0");
  branch_ring.omits_targets = !is("pmu.btb_target");
  branch_ring.not_taken_targets = is("pmu.btb_not_taken");
  branch_ring.records_rfi = is("pmu.btb_rfi");
}

}  // namespace itanium2
}  // namespace pmusim::pmu
