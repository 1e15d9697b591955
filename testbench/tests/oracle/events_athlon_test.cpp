// Every event and unit mask of the Athlon: an occurrence that counts, and the most similar one that does not.
#include <gtest/gtest.h>

#include <set>

#include "script.h"

namespace pmusim::oracle::athlon {
namespace {

using namespace script;    // NOLINT
using namespace activity;  // NOLINT
namespace d = activity::detail;

constexpr LineState states[] = {LineState::invalid, LineState::shared, LineState::exclusive, LineState::owned,
                                LineState::modified};
constexpr unsigned fill(unsigned side, LineState found, LineState installed) {
  return side | static_cast<unsigned>(found) << d::fill_found_shift |
         static_cast<unsigned>(installed) << d::fill_installed_shift;
}
constexpr unsigned evicted(unsigned cache, LineState state, unsigned why) {
  return cache | static_cast<unsigned>(state) << d::evict_state_shift | why;
}

InstructionRecord branch(std::vector<Trait> traits, bool taken, bool mispredicted) {
  traits.push_back(Trait::branch);
  InstructionRecord i = instruction(traits);
  i.taken = taken;
  i.mispredicted = mispredicted;
  return i;
}
InstructionRecord far(bool conditional = false, bool taken = true) {
  InstructionRecord i = instruction({Trait::far_transfer});
  if (conditional) i.traits |= bit(Trait::conditional);
  i.taken = taken;
  i.mispredicted = true;  // a far transfer never counts as a misprediction
  return i;
}
InstructionRecord at_address(std::uint64_t ip) {
  InstructionRecord i;
  i.ip = ip;
  return i;
}
RequestRecord bytes(std::uint64_t address, std::uint32_t size, bool crosses = false) {
  RequestRecord r;
  r.address = address;
  r.size = size;
  r.crosses_octet = crosses;
  return r;
}

constexpr unsigned load_hit = d::access_load | d::lookup_hit;
constexpr unsigned store_hit = d::access_store | d::lookup_hit;

// Adds a row for each unit mask: its own occurrence counts, those of the other masks do not. And one row for ALL.
void add_masked(std::vector<Row>& rows, const std::string& event, const std::vector<std::pair<std::string, Put>>& masks,
                const Put& none) {
  std::vector<Put> every;
  for (const auto& [name, put] : masks) {
    std::vector<Put> others = {none};
    for (const auto& [other, its] : masks) {
      if (other != name) others.push_back(its);
    }
    rows.push_back({event, name, put, all(others)});
    every.push_back(put);
  }
  rows.push_back({event, "ALL", all(every), none, every.size()});
}

Put segment(SegmentRegister r) { return signal(Signal::segment_load, static_cast<unsigned>(r)); }
Put array(L2Requester who, unsigned access) { return signal(Signal::l2_array, static_cast<unsigned>(who) | access); }
Put request_of_type(MemoryType t) { return signal(Signal::bus_request, static_cast<unsigned>(t) | d::bus_dram); }

void ask(Request& r, std::uint64_t address, std::uint32_t kind, std::uint32_t length) {
  r.address = address;
  r.breakpoint = kind | length << breakpoint_length_shift;
}

void add_stalls(std::vector<Row>& rows) {
  const std::pair<const char*, std::uint64_t> causes[] = {
      {"BRANCH_ABORT_TO_RETIRE", dispatch_hold::branch_abort},
      {"SERIALIZE", dispatch_hold::serialize},
      {"SEGMENT_LOAD_STALL", dispatch_hold::segment_load},
      {"ICU_FULL", dispatch_hold::reorder_buffer_full},
      {"RESERVATION_STATIONS_FULL", dispatch_hold::reservation_full},
      {"FPU_FULL", dispatch_hold::fp_full},
      {"LS_FULL", dispatch_hold::load_store_full},
      {"ALL_QUIET_STALL", dispatch_hold::all_quiet},
      {"FAR_TRANSFER_OR_RESYNC_BRANCH_PENDING", dispatch_hold::far_or_resync}};
  std::uint64_t every = 0;
  for (const auto& [name, cause] : causes) every |= cause;
  for (const auto& [name, cause] : causes) {
    rows.push_back({name, "", level(State::dispatch_hold, cause), level(State::dispatch_hold, every & ~cause)});
    rows.push_back({"DISPATCH_STALLS", "", level(State::dispatch_hold, cause),
                    level(State::dispatch_hold, dispatch_hold::second_stream | dispatch_hold::completion_full)});
    rows.push_back({"INSTRUCTION_DECODER_EMPTY", "", level(State::decoder_empty, 1),
                    all({level(State::decoder_empty, 1), level(State::dispatch_hold, cause)})});
  }
  rows.push_back({"DISPATCH_STALLS", "", level(State::dispatch_hold, every), level(State::decoder_empty, 1)});
}

void add_breakpoints(std::vector<Row>& rows) {
  for (const std::string number : {"0", "1", "2", "3"}) {
    const std::string event = "BREAKPOINT_MATCHES_FOR_DR" + number;
    rows.push_back({event, "", of(Signal::dispatch, at_address(0x1000)),
                    all({of(Signal::dispatch, at_address(0x1001)), of(Signal::retire, at_address(0x1000)),
                         of(Signal::dcache_lookup, bytes(0x1000, 4), load_hit)}),
                    1, [](Request& r) { ask(r, 0x1000, breakpoint_execute, 1); }});
    // Four bytes from 0x1000 (the low address bits do not matter), stores only.
    const Put before = of(Signal::dcache_lookup, bytes(0xffc, 4), store_hit);
    const Put behind = of(Signal::dcache_lookup, bytes(0x1004, 4), store_hit);
    rows.push_back({event, "",
                    all({of(Signal::dcache_lookup, bytes(0xffd, 4), store_hit),
                         of(Signal::dcache_lookup, bytes(0x1003, 1), store_hit)}),
                    all({before, behind, of(Signal::dcache_lookup, bytes(0x1000, 4), load_hit),
                         of(Signal::dcache_lookup, bytes(0x1000, 4), store_hit | d::access_second_half),
                         of(Signal::dispatch, at_address(0x1000))}),
                    2, [](Request& r) { ask(r, 0x1002, breakpoint_write, 4); }});
    rows.push_back({event, "",
                    all({of(Signal::dcache_lookup, bytes(0x1000, 1), load_hit),
                         of(Signal::dcache_lookup, bytes(0x1000, 1), store_hit)}),
                    all({before, behind, of(Signal::dcache_lookup, bytes(0x1001, 1), load_hit),
                         of(Signal::dcache_lookup, bytes(0x1000, 1), d::access_prefetch | d::lookup_hit)}),
                    2, [](Request& r) { ask(r, 0x1000, breakpoint_read_write, 1); }});
  }
}

void add_data_cache(std::vector<Row>& rows) {
  rows.push_back({"DATA_CACHE_ACCESSES", "",
                  all({of(Signal::dcache_lookup, bytes(6, 4), load_hit),
                       of(Signal::dcache_lookup, bytes(6, 4), load_hit | d::access_second_half),
                       of(Signal::dcache_lookup, bytes(0, 4), d::access_store | d::lookup_miss)}),
                  signal(Signal::dcache_lookup, load_hit | d::access_walk), 3});
  rows.push_back({"DATA_CACHE_MISSES", "", signal(Signal::dcache_lookup, d::access_load | d::lookup_miss),
                  all({signal(Signal::dcache_lookup, load_hit),
                       signal(Signal::dcache_lookup, d::access_load | d::lookup_pending)})});
  rows.push_back({"MISALIGNED_ACCESSES", "", of(Signal::dcache_lookup, bytes(5, 4, true), load_hit),
                  all({of(Signal::dcache_lookup, bytes(4, 4), load_hit),
                       of(Signal::dcache_lookup, bytes(5, 4, true), load_hit | d::access_second_half)})});
  std::vector<std::pair<std::string, Put>> found, installed, left;
  const std::string names[] = {"INVALID", "SHARED", "EXCLUSIVE", "OWNED", "MODIFIED"};
  for (std::size_t i = 0; i < 5; ++i) {
    found.emplace_back("L2_" + names[i], signal(Signal::line_fill, fill(d::side_data, states[i], states[2])));
    installed.emplace_back(names[i], signal(Signal::line_fill, fill(d::side_data, LineState::invalid, states[i])));
    left.emplace_back(names[i], signal(Signal::line_evict, evicted(d::cache_l1d, states[i], d::evict_replacement)));
  }
  add_masked(rows, "DATA_CACHE_REFILLS", found,
             all({signal(Signal::line_fill, fill(0, LineState::shared, LineState::shared)),
                  signal(Signal::line_fill, fill(0, LineState::invalid, LineState::exclusive))}));
  add_masked(rows, "DATA_CACHE_REFILLS_FROM_SYSTEM", installed,
             all({signal(Signal::line_fill, fill(0, LineState::invalid, LineState::exclusive)),
                  signal(Signal::line_fill, fill(d::side_data, LineState::modified, LineState::modified))}));
  add_masked(rows, "DATA_CACHE_LINES_EVICTED", left,
             all({signal(Signal::line_evict, evicted(d::cache_l1i, LineState::shared, d::evict_replacement)),
                  signal(Signal::line_evict, evicted(d::cache_l2, LineState::modified, d::evict_replacement)),
                  signal(Signal::line_evict, evicted(d::cache_l1d, LineState::modified, d::evict_snoop))}));
  rows.push_back({"L1_DTLB_MISS_AND_L2_DTLB_HIT", "",
                  signal(Signal::translation, d::side_data | d::tlb_second_level_hit),
                  all({signal(Signal::translation, d::tlb_second_level_hit),
                       signal(Signal::translation, d::side_data | d::tlb_walk)})});
  rows.push_back({"L1_DTLB_AND_L2_DTLB_MISS", "", signal(Signal::translation, d::side_data | d::tlb_walk),
                  all({signal(Signal::translation, d::tlb_walk),
                       signal(Signal::translation, d::side_data | d::tlb_second_level_hit)})});
}

void add_bus_unit(std::vector<Row>& rows) {
  rows.push_back({"DRAM_SYSTEM_REQUESTS", "", signal(Signal::bus_request, d::bus_dram),
                  all({signal(Signal::bus_request, d::bus_write), signal(Signal::line_request)})});
  add_masked(rows, "SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE",
             {{"UC", request_of_type(MemoryType::uncacheable)},
              {"WC", request_of_type(MemoryType::write_combining)},
              {"WT", request_of_type(MemoryType::write_through)},
              {"WP", request_of_type(MemoryType::write_protected)},
              {"WB", request_of_type(MemoryType::write_back)}},
             signal(Signal::line_request));
  add_masked(rows, "SNOOP_HITS",
             {{"IC", signal(Signal::snoop, d::snoop_hits_l1i)},
              {"DC", signal(Signal::snoop, d::snoop_hits_l1d | d::snoop_hits_l2)},
              {"L2", signal(Signal::snoop, d::snoop_hits_l2)}},
             signal(Signal::snoop, d::snoop_retried));
  rows.push_back({"SNOOP_HITS", "ALL", signal(Signal::snoop, d::snoop_hits_l1i | d::snoop_hits_l1d), nothing()});
  add_masked(rows, "SINGLE_BIT_ECC_ERRORS_DETECTED_CORRECTED",
             {{"SYSTEM", signal(Signal::ecc_correction)}, {"L2", signal(Signal::ecc_correction, d::ecc_from_l2)}},
             nothing());
  add_masked(rows, "INTERNAL_CACHE_LINE_INVALIDATES",
             {{"D_INVALIDATES_I", signal(Signal::cross_invalidate, d::cross_by_data)},
              {"D_INVALIDATES_D", signal(Signal::cross_invalidate, d::cross_by_data | d::cross_from_data)},
              {"I_INVALIDATES_I", signal(Signal::cross_invalidate)},
              {"I_INVALIDATES_D", signal(Signal::cross_invalidate, d::cross_from_data)}},
             nothing());
  add_masked(rows, "L2_REQUESTS",
             {{"TAG_READ", array(L2Requester::store, 0)},
              {"TAG_WRITE", array(L2Requester::system, d::l2_array_write)},
              {"INSTRUCTION_READ", array(L2Requester::fetch, d::l2_array_data)},
              {"LOAD_READ", array(L2Requester::load, d::l2_array_data)},
              {"STORE_READ", array(L2Requester::store, d::l2_array_data)},
              {"SYSTEM_WRITE", array(L2Requester::system, d::l2_array_data | d::l2_array_write)},
              {"DC_WRITE", array(L2Requester::data_cache, d::l2_array_data | d::l2_array_write)},
              {"L2_WRITE", array(L2Requester::l2, d::l2_array_data | d::l2_array_write)}},
             signal(Signal::l2_lookup, d::lookup_hit));
  rows.push_back(
      {"CYCLES_FILL_REQUEST_WAITED_FOR_L2", "", level(State::l2_fill_wait, 2), level(State::load_misses, 1)});
  // In a cycle in which the clock is stopped nothing counts, including the clock itself.
  rows.push_back({"CPU_CLK_UNHALTED", "", nothing(), level(State::clock, 0, 1), 10});
}

void add_fetch(std::vector<Row>& rows) {
  const Put from_l2 = signal(Signal::line_fill, fill(0, LineState::shared, LineState::shared));
  const Put from_system = signal(Signal::line_fill, fill(0, LineState::invalid, LineState::shared));
  rows.push_back({"INSTRUCTION_CACHE_FETCHES", "",
                  all({signal(Signal::fetch, d::lookup_hit), signal(Signal::fetch, d::lookup_miss)}), from_l2, 2});
  rows.push_back({"INSTRUCTION_CACHE_MISSES", "", signal(Signal::fetch, d::lookup_miss),
                  all({signal(Signal::fetch, d::lookup_hit), signal(Signal::fetch, d::lookup_pending)})});
  rows.push_back({"INSTRUCTION_CACHE_REFILLS_FROM_L2", "", from_l2,
                  all({from_system, signal(Signal::line_fill, fill(d::side_data, states[1], states[1]))})});
  rows.push_back({"INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", "", from_system,
                  all({from_l2, signal(Signal::line_fill, fill(d::side_data, states[0], states[1]))})});
  rows.push_back({"L1_ITLB_MISS_AND_L2_ITLB_HIT", "", signal(Signal::translation, d::tlb_second_level_hit),
                  all({signal(Signal::translation, d::tlb_walk),
                       signal(Signal::translation, d::side_data | d::tlb_second_level_hit)})});
  rows.push_back({"L1_ITLB_MISS_AND_L2_ITLB_MISS", "", signal(Signal::translation, d::tlb_walk),
                  all({signal(Signal::translation, d::tlb_second_level_hit),
                       signal(Signal::translation, d::side_data | d::tlb_walk)})});
  rows.push_back(
      {"SNOOP_RESYNCS", "", signal(Signal::resync, d::resync_snoop), signal(Signal::resync, d::resync_code_store)});
  rows.push_back({"INSTRUCTION_FETCH_STALL_CYCLES", "", level(State::fetch_stall, 1), level(State::decoder_empty, 1)});
  rows.push_back({"RETURN_STACK_HITS", "", signal(Signal::return_stack, d::ras_predicts),
                  signal(Signal::return_stack, d::ras_push | d::ras_overwrites_live)});
  rows.push_back({"RETURN_STACK_OVERFLOW", "", signal(Signal::return_stack, d::ras_push | d::ras_overwrites_live),
                  all({signal(Signal::return_stack, d::ras_push), signal(Signal::return_stack, d::ras_predicts)})});
}

void add_retirement(std::vector<Row>& rows) {
  const auto retired = [](const InstructionRecord& i) { return of(Signal::retire, i); };
  const Put exception = signal(Signal::trap, d::trap_exception), interrupt = signal(Signal::trap, d::trap_maskable);
  const Put plain = retired(instruction({Trait::load}));
  const Put jcc_taken = retired(branch({Trait::conditional}, true, false));
  const Put jcc_not_taken = retired(branch({Trait::conditional}, false, false));
  const Put jmp_to_next = retired(branch({}, false, false));
  const Put jcc_wrongly_taken = retired(branch({Trait::conditional}, false, true));
  const Put jcc_wrongly_not_taken = retired(branch({Trait::conditional}, true, true));
  const Put ret = retired(branch({Trait::near_return, Trait::indirect}, true, false));
  const Put ret_wrong = retired(branch({Trait::near_return, Trait::indirect}, true, true));
  const Put indirect_wrong = retired(branch({Trait::indirect}, true, true));
  const Put indirect_right = retired(branch({Trait::indirect, Trait::call}, true, false));
  const Put into_not_taken = retired(far(true, false));

  rows.push_back({"RETIRED_INSTRUCTIONS", "",
                  all({plain, jcc_taken, exception, interrupt, signal(Signal::resync, d::resync_code_store)}),
                  all({signal(Signal::dispatch), signal(Signal::kill), signal(Signal::operation_retire, 0, 3)}), 5});
  rows.push_back({"RETIRED_UOPS", "", signal(Signal::operation_retire, 0, 3), plain, 3});
  rows.push_back({"RETIRED_BRANCH_INSTRUCTIONS", "",
                  all({jcc_taken, jcc_not_taken, jmp_to_next, ret, retired(far()), exception, interrupt}),
                  all({plain, signal(Signal::resync, d::resync_code_store)}), 7});
  rows.push_back({"RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", "",
                  all({jcc_wrongly_taken, jcc_wrongly_not_taken, ret_wrong, indirect_wrong}),
                  all({jcc_taken, retired(far()), exception, plain}), 4});
  rows.push_back({"RETIRED_TAKEN_BRANCH_INSTRUCTIONS", "",
                  all({jcc_taken, jmp_to_next, ret, retired(far()), exception, interrupt}),
                  all({jcc_not_taken, into_not_taken, plain}), 6});
  rows.push_back({"RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", "",
                  all({jcc_wrongly_not_taken, ret_wrong, indirect_wrong}),
                  all({jcc_wrongly_taken, jcc_taken, retired(far()), exception}), 3});
  rows.push_back({"RETIRED_FAR_CONTROL_TRANSFERS", "", all({retired(far()), retired(far(true)), exception, interrupt}),
                  all({into_not_taken, jcc_taken, ret}), 4});
  rows.push_back({"RETIRED_BRANCH_RESYNCS", "",
                  all({signal(Signal::resync, d::resync_code_store), signal(Signal::resync, d::resync_snoop)}),
                  all({exception, plain}), 2});
  rows.push_back({"RETIRED_NEAR_RETURNS", "", all({ret, ret_wrong}), all({indirect_right, retired(far())}), 2});
  rows.push_back({"RETIRED_NEAR_RETURNS_MISPREDICTED", "", ret_wrong, all({ret, indirect_wrong})});
  rows.push_back({"RETIRED_INDIRECT_BRANCHES_WITH_TARGET_MISPREDICTED", "", indirect_wrong,
                  all({ret_wrong, indirect_right, jcc_wrongly_not_taken})});
  rows.push_back(
      {"INTERRUPTS_MASKED_CYCLES", "", level(State::interrupt_flag, 0, 1), level(State::interrupt_pending, 1)});
  rows.push_back({"INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", "",
                  all({level(State::interrupt_flag, 0, 1), level(State::interrupt_pending, 1)}),
                  level(State::interrupt_pending, 1)});
  rows.push_back({"INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", "",
                  all({level(State::interrupt_flag, 0, 1), level(State::interrupt_pending, 1)}),
                  level(State::interrupt_flag, 0, 1)});
  rows.push_back({"INTERRUPTS_TAKEN", "",
                  all({interrupt, signal(Signal::trap, d::trap_nmi), signal(Signal::trap, d::trap_smi)}),
                  all({exception, retired(far())}), 3});
}

std::vector<Row> make_rows() {
  std::vector<Row> rows;
  // HS is not an architectural segment: nothing can cause this mask.
  rows.push_back({"SEGMENT_REGISTER_LOADS", "HS", nothing(), segment(SegmentRegister::gs), 0});
  add_masked(rows, "SEGMENT_REGISTER_LOADS",
             {{"ES", segment(SegmentRegister::es)},
              {"CS", segment(SegmentRegister::cs)},
              {"SS", segment(SegmentRegister::ss)},
              {"DS", segment(SegmentRegister::ds)},
              {"FS", segment(SegmentRegister::fs)},
              {"GS", segment(SegmentRegister::gs)}},
             nothing());
  rows.push_back({"STORES_TO_ACTIVE_INSTRUCTION_STREAM", "", signal(Signal::code_store),
                  all({signal(Signal::resync, d::resync_code_store), signal(Signal::dcache_lookup, store_hit)})});
  add_data_cache(rows);
  add_bus_unit(rows);
  add_fetch(rows);
  add_retirement(rows);
  add_stalls(rows);
  add_breakpoints(rows);
  return rows;
}
const std::vector<Row>& rows() {
  static const std::vector<Row> all_rows = make_rows();
  return all_rows;
}

std::uint64_t put_and_count(const Row& row, const ParameterLookup& parameters = Values()) {
  return count_put("athlon", row, row.hit, parameters).expected;
}

TEST(AthlonEvents, CountTheirOccurrencesOnly) {
  for (const Row& row : rows()) {
    EXPECT_EQ(put_and_count(row), row.expected) << row.event << ":" << row.umask;
    EXPECT_EQ(count_put("athlon", row, row.hit).occurrences, row.expected) << row.event << ":" << row.umask;
    const std::uint64_t missed = row.event == "CPU_CLK_UNHALTED" ? 9 : 0;
    EXPECT_EQ(count_put("athlon", row, row.near_miss).expected, missed)
        << row.event << ":" << row.umask << ": near miss";
  }
}

TEST(AthlonEvents, TableIsComplete) {
  std::set<std::string> tested;
  for (const Row& row : rows()) tested.insert(row.event + ":" + row.umask);
  std::size_t named = 0, plain = 0, masks = 0;
  for (const EventName& event : events("athlon")) {
    ++named;
    if (event.umasks.empty()) ++plain;
    masks += event.umasks.size();
    const std::string name(event.name);
    if (event.umasks.empty()) {
      EXPECT_TRUE(tested.contains(name + ":")) << name;
    }
    for (const auto& umask : event.umasks) {
      EXPECT_TRUE(tested.contains(name + ":" + std::string(umask))) << name << ":" << umask;
    }
  }
  EXPECT_EQ(named, 57u) << "event codes of the guide";
  EXPECT_EQ(plain + masks, 48u + 53u) << "rows of the event list: plain events, mask bits and their sums";
}

Row fill_row(const char* umask, LineState found) {
  return {"DATA_CACHE_REFILLS", umask, signal(Signal::line_fill, fill(d::side_data, found, LineState::exclusive)),
          nothing()};
}

TEST(AthlonEvents, RefillMaskBit0) {
  const Values flipped = {{"pmu.refill_mask_bit0", 1}};
  EXPECT_EQ(put_and_count(fill_row("L2_INVALID", LineState::invalid), flipped), 0u);
  EXPECT_EQ(put_and_count(fill_row("ALL", LineState::invalid), flipped), 0u);
  EXPECT_EQ(put_and_count(fill_row("ALL", LineState::owned), flipped), 1u);
}

TEST(AthlonEvents, EvictScope) {
  const Values dirty = {{"pmu.evict_scope", 1}};
  const auto victim = [](LineState state) {
    return Row{"DATA_CACHE_LINES_EVICTED", "ALL",
               signal(Signal::line_evict, evicted(d::cache_l1d, state, d::evict_replacement)), nothing()};
  };
  for (const LineState clean : {LineState::shared, LineState::exclusive}) {
    EXPECT_EQ(put_and_count(victim(clean)), 1u);
    EXPECT_EQ(put_and_count(victim(clean), dirty), 0u);
  }
  for (const LineState written : {LineState::owned, LineState::modified}) {
    EXPECT_EQ(put_and_count(victim(written), dirty), 1u);
  }
}

TEST(AthlonEvents, TrapsInRetirementEvents) {
  const Put trap = signal(Signal::trap, d::trap_exception);
  const std::pair<const char*, std::string_view> events_and_parameters[] = {
      {"RETIRED_BRANCH_INSTRUCTIONS", "pmu.branches_with_traps"},
      {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS", "pmu.branches_with_traps"},
      {"RETIRED_FAR_CONTROL_TRANSFERS", "pmu.far_with_traps"},
      {"RETIRED_INSTRUCTIONS", "pmu.instructions_with_traps"}};
  for (const auto& [event, parameter] : events_and_parameters) {
    const Row row{event, "", trap, nothing()};
    EXPECT_EQ(put_and_count(row), 1u) << event;
    EXPECT_EQ(put_and_count(row, Values{{parameter, 0}}), 0u) << event;
  }
  const Row resync{"RETIRED_INSTRUCTIONS", "", signal(Signal::resync, d::resync_snoop), nothing()};
  EXPECT_EQ(put_and_count(resync, Values{{"pmu.instructions_with_traps", 0}}), 0u);
}

}  // namespace
}  // namespace pmusim::oracle::athlon
