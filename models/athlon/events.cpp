#include "models/athlon/events.h"

#include <algorithm>
#include <array>

#include "models/pmu/condition.h"

namespace pmusim::pmu::athlon {
namespace {

namespace d = activity::detail;
namespace hold = activity::dispatch_hold;
using activity::Block;
using activity::L2Requester;
using activity::LineState;
using activity::MemoryType;
using activity::Occurrence;
using activity::SegmentRegister;
using activity::Signal;
using activity::State;
using activity::Trait;

bool mispredicted(const Block& block, const Occurrence& o, const TermContext&) {
  const auto* const instruction = instruction_of(block, o);
  return instruction != nullptr && instruction->mispredicted;
}

bool taken(const Block& block, const Occurrence& o, const TermContext&) {
  const auto* const instruction = instruction_of(block, o);
  return instruction != nullptr && (instruction->taken || !instruction->has(Trait::conditional));
}

bool mispredicted_taken(const Block& block, const Occurrence& o, const TermContext& context) {
  return mispredicted(block, o, context) && taken(block, o, context);
}

bool crosses_octet(const Block& block, const Occurrence& o, const TermContext&) {
  const auto* const request = request_of(block, o);
  return request != nullptr && request->crosses_octet;
}

bool always(const Block&, const Occurrence&, const TermContext&) { return true; }

template <auto record_of, Line::Test test = always>
bool of_the_right_path(const Block& block, const Occurrence& o, const TermContext& context) {
  const auto* const record = record_of(block, o);
  return (record == nullptr || !record->wrong_path) && test(block, o, context);
}

// DR0-3 hold 32-bit linear addresses.
template <unsigned i>
bool executes_at(const Block& block, const Occurrence& o, const TermContext& context) {
  const DebugRegisters& debug = *static_cast<const EventContext&>(context).debug;
  const auto* const instruction = instruction_of(block, o);
  return instruction != nullptr && debug.enabled(i) && debug.read_write(i) == debug::rw_execute &&
         static_cast<std::uint32_t>(instruction->ip) == debug.address[i];
}

template <unsigned i>
bool touches(const Block& block, const Occurrence& o, const TermContext& context) {
  const DebugRegisters& debug = *static_cast<const EventContext&>(context).debug;
  const auto* const request = request_of(block, o);
  if (request == nullptr || !debug.enabled(i)) return false;
  const std::uint32_t kind = debug.read_write(i);
  const bool kind_matches = kind == debug::rw_access || (kind == debug::rw_write && (o.detail & d::access_store) != 0);
  return kind_matches &&
         RangeComparator{debug.address[i], debug.length_mask(i)}.overlaps(request->address, request->size);
}

constexpr std::uint16_t number(auto value) { return static_cast<std::uint16_t>(value); }
constexpr std::uint16_t reference = d::access_load | d::access_store;

// Functions that make the lines of the table.
constexpr Line occurs(Signal signal) { return {.signal = signal}; }
/// Detail bits `on` are set and `off` are clear.
constexpr Line with(Signal signal, unsigned on, unsigned off = 0) {
  return {.signal = signal, .mask = number(on | off), .value = number(on)};
}
constexpr Line holds(State state) { return {.state = state}; }
constexpr Line only_while_clear(State state, std::uint64_t bits) {
  return {.state = state, .level_mask = bits, .when_clear = true, .qualifies = true};
}
constexpr Line probe(std::uint16_t kinds, std::uint16_t mask = 0, std::uint16_t value = 0) {
  return {.signal = Signal::dcache_lookup, .mask = number(d::access_walk | mask), .value = value, .any = kinds};
}
constexpr Line first_probe(Line::Test test) {
  return {
      .signal = Signal::dcache_lookup, .mask = d::access_walk | d::access_second_half, .any = reference, .test = test};
}
constexpr Line segment(SegmentRegister r) { return {.signal = Signal::segment_load, .mask = 7, .value = number(r)}; }
constexpr Line refill(LineState found) {
  return {.signal = Signal::line_fill,
          .mask = d::side_data | 7 << d::fill_found_shift,
          .value = number(d::side_data | number(found) << d::fill_found_shift)};
}
constexpr Line system_refill(LineState installed) {
  return {.signal = Signal::line_fill,
          .mask = d::side_data | 7 << d::fill_found_shift | 7 << d::fill_installed_shift,
          .value = number(d::side_data | number(installed) << d::fill_installed_shift)};
}
constexpr Line victim(LineState state) {
  return {.signal = Signal::line_evict,
          .mask = d::cache_mask | 7 << d::evict_state_shift | d::evict_replacement,
          .value = number(d::cache_l1d | number(state) << d::evict_state_shift | d::evict_replacement)};
}
constexpr Line bus(MemoryType t) {
  return {.signal = Signal::bus_request, .mask = d::bus_type_mask, .value = number(t)};
}
constexpr Line l2_tags(unsigned access) {
  return {.signal = Signal::l2_array, .mask = d::l2_array_data | d::l2_array_write, .value = number(access)};
}
// Fetch, load and store read the data array; the others write it.
constexpr Line l2_data(L2Requester who) {
  return {.signal = Signal::l2_array,
          .mask = d::l2_array_data | d::l2_array_requester_mask,
          .value = number(d::l2_array_data | number(who))};
}
constexpr Line cross(std::uint16_t detail) {
  return {.signal = Signal::cross_invalidate, .mask = d::cross_by_data | d::cross_from_data, .value = detail};
}
constexpr Line translation(std::uint16_t side, std::uint16_t result) {
  return {.signal = Signal::translation, .mask = number(d::side_data | result), .value = number(side | result)};
}
constexpr Line stall(std::uint64_t cause) { return {.state = State::dispatch_hold, .level_mask = cause}; }
constexpr Line stalls(std::uint64_t causes) {
  return {.state = State::dispatch_hold, .level_mask = causes, .counts_bits = true};
}
constexpr Line retired(std::uint32_t has = 0, Line::Test test = nullptr, std::uint32_t lacks = 0) {
  return {.signal = Signal::retire, .has = has, .lacks = lacks, .test = test};
}
template <unsigned i>
constexpr Line execution() {
  return {.signal = Signal::dispatch, .test = executes_at<i>};
}
template <unsigned i>
constexpr Line data_reference() {
  return {.signal = Signal::dcache_lookup,
          .mask = d::access_walk | d::access_second_half,
          .any = reference,
          .test = touches<i>};
}

constexpr std::uint32_t near = bit(Trait::branch);
constexpr std::uint32_t far = bit(Trait::far_transfer);
constexpr std::uint64_t any_stall = hold::branch_abort | hold::serialize | hold::segment_load |
                                    hold::reorder_buffer_full | hold::reservation_full | hold::fp_full |
                                    hold::load_store_full | hold::all_quiet | hold::far_or_resync;
constexpr Line indirect_mispredicted = retired(bit(Trait::indirect), mispredicted, bit(Trait::near_return));
constexpr Line trap{.signal = Signal::trap};
constexpr Line unmaskable_entry{.signal = Signal::trap, .any = d::trap_nmi | d::trap_smi};
constexpr Line code_fill_from_l2{
    .signal = Signal::line_fill, .mask = d::side_data, .value = 0, .any = 7 << d::fill_found_shift};
constexpr Line code_fill_from_system = with(Signal::line_fill, 0, d::side_data | 7 << d::fill_found_shift);
constexpr Line operations_of_each{.signal = Signal::operation_retire, .adds_detail = true};
constexpr Line interrupts_masked{.state = State::interrupt_flag, .when_clear = true};
constexpr std::uint64_t all_bits = ~std::uint64_t{0};

using B = Behaviour;

// 22007, table 11. The comment of a row names the event, its unit mask and the source: E is revision E (pp. 164-167;
// with the page if the page itself was read, otherwise as cited by perfctr's list), K is revision K as cited by
// perfctr's list. The rows of a code are summed. `only if`: the behaviours that connect the row.
// clang-format off
constexpr auto lines = std::to_array<EventRow>({
  // code unit  line, only if
  // Load/store unit and data cache
    {0x20, 0x01, segment(SegmentRegister::es)},                    // SEGMENT_REGISTER_LOADS  ES, E p. 164
    {0x20, 0x02, segment(SegmentRegister::cs)},                    // SEGMENT_REGISTER_LOADS  CS, E p. 164
    {0x20, 0x04, segment(SegmentRegister::ss)},                    // SEGMENT_REGISTER_LOADS  SS, E p. 164
    {0x20, 0x08, segment(SegmentRegister::ds)},                    // SEGMENT_REGISTER_LOADS  DS, E p. 164
    {0x20, 0x10, segment(SegmentRegister::fs)},                    // SEGMENT_REGISTER_LOADS  FS, E p. 164
    {0x20, 0x20, segment(SegmentRegister::gs)},                    // SEGMENT_REGISTER_LOADS  GS, E p. 164
    {0x20, 0x40, {}},                                              // SEGMENT_REGISTER_LOADS  HS, E p. 164: no instruction loads it
    {0x21, 0,    occurs(Signal::code_store)},                      // STORES_TO_ACTIVE_INSTRUCTION_STREAM, E p. 164
    {0x40, 0,    probe(reference)},                                // DATA_CACHE_ACCESSES, E p. 164
    {0x40, 0,    probe(d::access_prefetch)},                       // DATA_CACHE_ACCESSES, E p. 164
    {0x41, 0,    probe(reference, d::lookup_miss, d::lookup_miss)},  // DATA_CACHE_MISSES, E p. 164
    {0x41, 0,    probe(d::access_prefetch, d::lookup_miss, d::lookup_miss)},  // DATA_CACHE_MISSES, E p. 164
    {0x42, 0x01, refill(LineState::invalid), &B::refill_bit0_counts},  // DATA_CACHE_REFILLS  L2_INVALID, E p. 164
    {0x42, 0x02, refill(LineState::shared)},                       // DATA_CACHE_REFILLS  L2_SHARED, E p. 164
    {0x42, 0x04, refill(LineState::exclusive)},                    // DATA_CACHE_REFILLS  L2_EXCLUSIVE, E p. 164
    {0x42, 0x08, refill(LineState::owned)},                        // DATA_CACHE_REFILLS  L2_OWNED, E p. 164
    {0x42, 0x10, refill(LineState::modified)},                     // DATA_CACHE_REFILLS  L2_MODIFIED, E p. 164
    {0x43, 0x01, system_refill(LineState::invalid)},               // DATA_CACHE_REFILLS_FROM_SYSTEM  INVALID, E p. 164
    {0x43, 0x02, system_refill(LineState::shared)},                // DATA_CACHE_REFILLS_FROM_SYSTEM  SHARED, E p. 164
    {0x43, 0x04, system_refill(LineState::exclusive)},             // DATA_CACHE_REFILLS_FROM_SYSTEM  EXCLUSIVE, E p. 164
    {0x43, 0x08, system_refill(LineState::owned)},                 // DATA_CACHE_REFILLS_FROM_SYSTEM  OWNED, E p. 164
    {0x43, 0x10, system_refill(LineState::modified)},              // DATA_CACHE_REFILLS_FROM_SYSTEM  MODIFIED, E p. 164
    {0x44, 0x01, victim(LineState::invalid), &B::evicts_clean},    // DATA_CACHE_LINES_EVICTED  INVALID, E p. 164
    {0x44, 0x02, victim(LineState::shared), &B::evicts_clean},     // DATA_CACHE_LINES_EVICTED  SHARED, E p. 164
    {0x44, 0x04, victim(LineState::exclusive), &B::evicts_clean},  // DATA_CACHE_LINES_EVICTED  EXCLUSIVE, E p. 164
    {0x44, 0x08, victim(LineState::owned)},                        // DATA_CACHE_LINES_EVICTED  OWNED, E p. 164
    {0x44, 0x10, victim(LineState::modified)},                     // DATA_CACHE_LINES_EVICTED  MODIFIED, E p. 164
    {0x45, 0,    translation(d::side_data, d::tlb_second_level_hit)},  // L1_DTLB_MISS_AND_L2_DTLB_HIT, E p. 164
    {0x46, 0,    translation(d::side_data, d::tlb_walk)},          // L1_DTLB_AND_L2_DTLB_MISS, E p. 164
    {0x47, 0,    first_probe(crosses_octet)},                      // MISALIGNED_ACCESSES, E p. 164

  // Bus unit
    {0x64, 0,    with(Signal::bus_request, d::bus_dram)},          // DRAM_SYSTEM_REQUESTS, E p. 164
    {0x65, 0x01, bus(MemoryType::uncacheable)},                    // SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE  UC, E
    {0x65, 0x02, bus(MemoryType::write_combining)},                // SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE  WC, E
    {0x65, 0x10, bus(MemoryType::write_through)},                  // SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE  WT, E
    {0x65, 0x20, bus(MemoryType::write_protected)},                // SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE  WP, E
    {0x65, 0x40, bus(MemoryType::write_back)},                     // SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE  WB, E
    {0x73, 0x01, with(Signal::snoop, d::snoop_hits_l1i)},          // SNOOP_HITS  IC, E
    {0x73, 0x02, with(Signal::snoop, d::snoop_hits_l1d)},          // SNOOP_HITS  DC, E
    {0x73, 0x04, with(Signal::snoop, d::snoop_hits_l2, d::snoop_hits_l1d)},  // SNOOP_HITS  L2, E
    {0x74, 0x01, with(Signal::ecc_correction, 0, d::ecc_from_l2)},  // SINGLE_BIT_ECC_ERRORS_DETECTED_CORRECTED  SYSTEM, E
    {0x74, 0x02, with(Signal::ecc_correction, d::ecc_from_l2)},    // SINGLE_BIT_ECC_ERRORS_DETECTED_CORRECTED  L2, E
    {0x75, 0x01, cross(d::cross_by_data)},                         // INTERNAL_CACHE_LINE_INVALIDATES  D_INVALIDATES_I, E
    {0x75, 0x02, cross(d::cross_by_data | d::cross_from_data)},    // INTERNAL_CACHE_LINE_INVALIDATES  D_INVALIDATES_D, E
    {0x75, 0x04, cross(0)},                                        // INTERNAL_CACHE_LINE_INVALIDATES  I_INVALIDATES_I, E
    {0x75, 0x08, cross(d::cross_from_data)},                       // INTERNAL_CACHE_LINE_INVALIDATES  I_INVALIDATES_D, E
    {0x76, 0,    holds(State::clock)},                             // CPU_CLK_UNHALTED, E
    {0x79, 0x01, l2_tags(0)},                                      // L2_REQUESTS  TAG_READ, E
    {0x79, 0x02, l2_tags(d::l2_array_write)},                      // L2_REQUESTS  TAG_WRITE, E
    {0x79, 0x04, l2_data(L2Requester::fetch)},                     // L2_REQUESTS  INSTRUCTION_READ, E
    {0x79, 0x08, l2_data(L2Requester::load)},                      // L2_REQUESTS  LOAD_READ, E
    {0x79, 0x10, l2_data(L2Requester::store)},                     // L2_REQUESTS  STORE_READ, E
    {0x79, 0x20, l2_data(L2Requester::system)},                    // L2_REQUESTS  SYSTEM_WRITE, E
    {0x79, 0x40, l2_data(L2Requester::data_cache)},                // L2_REQUESTS  DC_WRITE, E
    {0x79, 0x80, l2_data(L2Requester::l2)},                        // L2_REQUESTS  L2_WRITE, E
    {0x7a, 0,    holds(State::l2_fill_wait)},                      // CYCLES_FILL_REQUEST_WAITED_FOR_L2, E

  // Instruction fetch
    {0x80, 0,    occurs(Signal::fetch)},                           // INSTRUCTION_CACHE_FETCHES, K
    {0x81, 0,    with(Signal::fetch, d::lookup_miss)},             // INSTRUCTION_CACHE_MISSES, K
    {0x82, 0,    code_fill_from_l2},                               // INSTRUCTION_CACHE_REFILLS_FROM_L2, E
    {0x83, 0,    code_fill_from_system},                           // INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM, E
    {0x84, 0,    translation(0, d::tlb_second_level_hit)},         // L1_ITLB_MISS_AND_L2_ITLB_HIT, K
    {0x85, 0,    translation(0, d::tlb_walk)},                     // L1_ITLB_MISS_AND_L2_ITLB_MISS, K
    {0x86, 0,    with(Signal::resync, d::resync_snoop)},           // SNOOP_RESYNCS, E
    {0x87, 0,    holds(State::fetch_stall)},                       // INSTRUCTION_FETCH_STALL_CYCLES, E
    {0x88, 0,    with(Signal::return_stack, d::ras_predicts)},     // RETURN_STACK_HITS, E
    {0x89, 0,    with(Signal::return_stack, d::ras_push | d::ras_overwrites_live)},  // RETURN_STACK_OVERFLOW, E

  // Reorder buffer
    {0xc0, 0,    retired()},                                       // RETIRED_INSTRUCTIONS, K
    {0xc0, 0,    trap, &B::instructions_with_traps},               // RETIRED_INSTRUCTIONS, K
    {0xc0, 0,    occurs(Signal::resync), &B::instructions_with_traps},  // RETIRED_INSTRUCTIONS, K
    {0xc1, 0,    occurs(Signal::operation_retire), &B::macro_operations},  // RETIRED_UOPS, K
    {0xc1, 0,    operations_of_each, unless(&B::macro_operations)},  // RETIRED_UOPS, K
    {0xc2, 0,    retired(near | far)},                             // RETIRED_BRANCH_INSTRUCTIONS, K
    {0xc2, 0,    trap, &B::branches_with_traps},                   // RETIRED_BRANCH_INSTRUCTIONS, K
    {0xc3, 0,    retired(near, mispredicted)},                     // RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS, K
    {0xc3, 0,    retired(far, taken), &B::far_mispredicted},       // RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS, K
    {0xc4, 0,    retired(near, taken)},                            // RETIRED_TAKEN_BRANCH_INSTRUCTIONS, K
    {0xc4, 0,    retired(far, taken)},                             // RETIRED_TAKEN_BRANCH_INSTRUCTIONS, K
    {0xc4, 0,    trap, &B::branches_with_traps},                   // RETIRED_TAKEN_BRANCH_INSTRUCTIONS, K
    {0xc5, 0,    retired(near, mispredicted_taken)},               // RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED, K
    {0xc5, 0,    retired(far, taken), &B::far_mispredicted},       // RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED, K
    {0xc6, 0,    retired(far, taken)},                             // RETIRED_FAR_CONTROL_TRANSFERS, K
    {0xc6, 0,    trap, &B::far_with_traps},                        // RETIRED_FAR_CONTROL_TRANSFERS, K
    {0xc7, 0,    occurs(Signal::resync), &B::snoop_resyncs},       // RETIRED_BRANCH_RESYNCS, K
    {0xc7, 0,    with(Signal::resync, 0, d::resync_snoop), unless(&B::snoop_resyncs)},  // RETIRED_BRANCH_RESYNCS, K
    {0xc8, 0,    retired(bit(Trait::near_return))},                // RETIRED_NEAR_RETURNS, E
    {0xc9, 0,    retired(bit(Trait::near_return), mispredicted)},  // RETIRED_NEAR_RETURNS_MISPREDICTED, E
    {0xca, 0,    indirect_mispredicted},                           // RETIRED_INDIRECT_BRANCHES_WITH_TARGET_MISPREDICTED, E
    {0xcd, 0,    interrupts_masked},                               // INTERRUPTS_MASKED_CYCLES, K
    {0xce, 0,    holds(State::interrupt_pending)},                 // INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING, K
    {0xce, 0,    only_while_clear(State::interrupt_flag, all_bits)},  // INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING, K
    {0xcf, 0,    with(Signal::trap, d::trap_maskable)},            // INTERRUPTS_TAKEN, K
    {0xcf, 0,    unmaskable_entry},                                // INTERRUPTS_TAKEN, K
    {0xd0, 0,    holds(State::decoder_empty)},                     // INSTRUCTION_DECODER_EMPTY, E
    {0xd0, 0,    only_while_clear(State::dispatch_hold, any_stall)},  // INSTRUCTION_DECODER_EMPTY, E
    {0xd1, 0,    stall(any_stall), &B::stalls_once},               // DISPATCH_STALLS, E
    {0xd1, 0,    stalls(any_stall), unless(&B::stalls_once)},      // DISPATCH_STALLS, E
    {0xd2, 0,    stall(hold::branch_abort)},                       // BRANCH_ABORT_TO_RETIRE, E
    {0xd3, 0,    stall(hold::serialize)},                          // SERIALIZE, E
    {0xd4, 0,    stall(hold::segment_load)},                       // SEGMENT_LOAD_STALL, E
    {0xd5, 0,    stall(hold::reorder_buffer_full)},                // ICU_FULL, E p. 167
    {0xd6, 0,    stall(hold::reservation_full)},                   // RESERVATION_STATIONS_FULL, E p. 167
    {0xd7, 0,    stall(hold::fp_full)},                            // FPU_FULL, E p. 167
    {0xd8, 0,    stall(hold::load_store_full)},                    // LS_FULL, E p. 167
    {0xd9, 0,    stall(hold::all_quiet)},                          // ALL_QUIET_STALL, E p. 167
    {0xda, 0,    stall(hold::far_or_resync)},                      // FAR_TRANSFER_OR_RESYNC_BRANCH_PENDING, E p. 167
    {0xdc, 0,    execution<0>()},                                  // BREAKPOINT_MATCHES_FOR_DR0, E p. 167
    {0xdc, 0,    data_reference<0>()},                             // BREAKPOINT_MATCHES_FOR_DR0, E p. 167
    {0xdd, 0,    execution<1>()},                                  // BREAKPOINT_MATCHES_FOR_DR1, E p. 167
    {0xdd, 0,    data_reference<1>()},                             // BREAKPOINT_MATCHES_FOR_DR1, E p. 167
    {0xde, 0,    execution<2>()},                                  // BREAKPOINT_MATCHES_FOR_DR2, E p. 167
    {0xde, 0,    data_reference<2>()},                             // BREAKPOINT_MATCHES_FOR_DR2, E p. 167
    {0xdf, 0,    execution<3>()},                                  // BREAKPOINT_MATCHES_FOR_DR3, E p. 167
    {0xdf, 0,    data_reference<3>()},                             // BREAKPOINT_MATCHES_FOR_DR3, E p. 167
});
// clang-format on

/// True for the events that pmu.wrong_path affects: their occurrences belong to an instruction or a request.
constexpr bool has_path(const EventRow& entry) {
  switch (entry.line.signal) {
    case Signal::segment_load:
    case Signal::return_stack:
    case Signal::fetch:
    case Signal::line_fill:
    case Signal::translation:
      return true;
    case Signal::dcache_lookup:
      return entry.code < 0xdc;  // breakpoints are compared on any path
    default:
      return false;
  }
}

/// The test of a line that counts only the right path.
constexpr Line::Test on_the_right_path(const Line& line) {
  if (line.signal == Signal::segment_load || line.signal == Signal::return_stack)
    return of_the_right_path<instruction_of>;
  if (line.test == crosses_octet) return of_the_right_path<request_of, crosses_octet>;
  return of_the_right_path<request_of>;
}

// A line that has a path is in the table twice: for any path, and for the right path only. pmu.wrong_path decides which
// of the two is connected.
constexpr auto table = [] {
  std::array<EventRow, lines.size() + std::count_if(lines.begin(), lines.end(), has_path)> all{};
  auto* end = std::copy(lines.begin(), lines.end(), all.begin());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!has_path(lines[i])) continue;
    all[i].path = &Behaviour::any_path;
    *end = lines[i];
    end->path = unless(&Behaviour::any_path);
    end->line.test = on_the_right_path(lines[i].line);
    ++end;
  }
  return all;
}();

constexpr Line running_clocks{.state = State::clock};

}  // namespace

const Line& clocks() { return running_clocks; }
std::span<const EventRow> multiplexer() { return table; }

}  // namespace pmusim::pmu::athlon
