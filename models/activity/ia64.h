// What activity says of IA-64 cores (Itanium 2, Itanium 2 9000) beyond signals.h: details and causes of their
// signals and states, and the parts of instruction and request records that only they have. Facts of the machine,
// never of a PMU: comparators, thresholds and filters are the watchers'.
#pragma once

#include <cstdint>

namespace pmusim::activity::ia64 {

/// Type of the slot that holds a syllable, by the bundle's template. The L+X pair of an MLX bundle is one
/// instruction of type `x` in slot 2.
enum class SlotType : std::uint8_t { m, i, f, b, x };

/// Branch classes of the manuals: IP-relative (calls, loop branches and wexit included), br.ret, other indirect.
enum class BranchClass : std::uint8_t { none, ip_relative, return_, indirect };

/// How a branch was predicted, known when it retires.
enum class Prediction : std::uint8_t { none, correct, wrong_path, wrong_target };

/// Why a speculative load returned NaT instead of data.
enum class Deferral : std::uint8_t {
  none,
  walker_miss,      ///< the walker did not find the translation in the VHPT
  tlb_miss,         ///< a TLB miss that the control registers defer
  tlb_fault,        ///< a fault of the translation that they defer: access, key, page not present
  nat_consumption,  ///< its address was NaT, or the page is a NaT page
  psr_ed            ///< PSR.ed was set
};

/// What an instruction is, as the machine treats it. Fixed at decode.
enum class Kind : std::uint32_t {
  nop = 1u << 0,
  integer_load = 1u << 1,        ///< ld, fills, check loads; not semaphores
  fp_load = 1u << 2,             ///< ldf, ldfp, fills, check loads
  store = 1u << 3,               ///< st, stf; not semaphores
  semaphore = 1u << 4,           ///< xchg, cmpxchg, fetchadd
  prefetch = 1u << 5,            ///< lfetch
  speculative = 1u << 6,         ///< .s, .sa
  advanced = 1u << 7,            ///< .a, .sa
  check_load = 1u << 8,          ///< ld.c, ldf.c
  check_advanced = 1u << 9,      ///< chk.a
  check_speculative = 1u << 10,  ///< chk.s
  fp_check = 1u << 11,           ///< the check is of a floating-point register
  fp_operation = 1u << 12,       ///< executed by the FPU
  fp_check_flags = 1u << 13,     ///< fchkf
  branch = 1u << 14,             ///< br.*; not chk, brp
  call = 1u << 15,
  counted_loop = 1u << 16,           ///< cloop, ctop, cexit, wtop, wexit
  modulo_loop = 1u << 17,            ///< ctop, cexit, wtop, wexit
  multiway = 1u << 18,               ///< in a BBB or MBB bundle
  rse_event = 1u << 19,              ///< alloc, br.call, br.ret, cover, rfi, flushrs, loadrs
  serialize_instruction = 1u << 20,  ///< srlz.i
  acquire = 1u << 21,
  release = 1u << 22,
  fence = 1u << 23,              ///< mf, mf.a
  flush_cache = 1u << 24,        ///< fc, fc.i
  purge_translation = 1u << 25,  ///< ptc.*
  rfi = 1u << 26,
};
/// The kind's bit in Syllable::kinds.
constexpr std::uint32_t bit(Kind kind) { return static_cast<std::uint32_t>(kind); }

/// The IA-64 part of an instruction record: entry i belongs to Block::instructions[i]. There, `encoding` is the
/// 41-bit syllable, `ip` the bundle's address, `slot` 0 to 2. Valid from dispersal on unless said otherwise.
struct Syllable {
  std::uint64_t window = 0;                      ///< address of the first bundle of the dispersal window
  std::uint32_t kinds = 0;                       ///< Kind bits
  SlotType type = SlotType::m;                   ///< type of its slot
  bool second_bundle = false;                    ///< in the second bundle of the window
  bool predicate = true;                         ///< qualifying predicate; from retire on
  BranchClass branch_class = BranchClass::none;  ///< class of a branch
  Prediction prediction = Prediction::none;      ///< from retire on
  bool unknown_prediction = false;               ///< there was no path prediction, a guess was followed
  bool back_end_flush = false;                   ///< the back end found the misprediction
  bool wrong_rotation = false;                   ///< ... because of the rotating register base
  bool wrong_stage = false;                      ///< ... because of the stage predicate of a modulo-scheduled loop
  bool wrong_previous_state = false;             ///< ... because of the previous function state of a return
  bool check_failed = false;         ///< chk or check load without a valid entry, chk.s or fchkf that branched
  std::uint8_t fp_operations = 0;    ///< operations of a floating-point instruction: 1, 2 or 4
  std::uint8_t flushed_to_zero = 0;  ///< results that became zero under flush-to-zero; from retire on
  std::uint8_t possibly_flushed =
      0;  ///< results that are tiny: flushed, or would be if flush-to-zero were on; from retire on
  Deferral deferral = Deferral::none;  ///< why a speculative load returned NaT; from retire on
  std::uint8_t frame_registers = 0;    ///< rse_event: registers of the frame before it, 0 to 96
  std::uint8_t dirty_registers = 0;    ///< rse_event: dirty stacked registers before it, 0 to 96
  /// The instruction is of this kind.
  [[nodiscard]] bool has(Kind kind) const { return (kinds & bit(kind)) != 0; }
};

/// Who makes a request.
enum class Requester : std::uint8_t { data, register_stack, page_walker, demand_fetch, prefetch_fetch, snoop };
/// Where a request is served.
enum class Served : std::uint8_t { unknown, l1, l2, l3, memory };
/// Where the translation of a request was found.
enum class Translation : std::uint8_t { first_level, second_level, walker, fault };

/// The IA-64 part of a request record: entry i belongs to Block::requests[i].
struct Request {
  std::uint32_t owner = 0xffffffff;       ///< index in Block::instructions, of the same block; all ones: none
  Requester requester = Requester::data;  ///< who asks
  Served served = Served::unknown;        ///< from load_return or fetch_return on
  Translation translation = Translation::first_level;  ///< from translation, or retire, on
  bool walker_inserted = false;                        ///< the walker installed the translation
  bool load = false;                                   ///< reads data
  bool store = false;                                  ///< a semaphore is both
  bool fp = false;                                     ///< data of a floating-point register
  bool semaphore = false;                              ///< xchg, cmpxchg, fetchadd
  bool check_load = false;                             ///< a check load that has to read memory
  bool prefetch = false;                               ///< lfetch
  bool l1d_read = false;     ///< read through the L1 data cache: integer loads and register stack fills
  bool uncacheable = false;  ///< to a page that is not cached
  bool misaligned = false;   ///< address is no multiple of the size
  bool acquire = false;      ///< ld.acq, or a semaphore with .acq
  bool release = false;      ///< st.rel, or a semaphore with .rel
};

/// Columns that only IA-64 cores fill have these details (16 bits; bits not named are zero).
namespace detail {
// fetch, and line_request of the instruction side
inline constexpr std::uint16_t fetch_streaming = 0x1000;      ///< a prefetch of the streaming kind (br.many, brp.many)
inline constexpr std::uint16_t fetch_stream_buffer = 0x2000;  ///< the line lies in the instruction streaming buffer
// data_reference, dcache_lookup, l2_reference
inline constexpr std::uint16_t access_replayed = 0x1000;  ///< this pass through the pipe is cancelled and made again
// syllable_held: why it was not dispersed though dispersal was at work
inline constexpr std::uint16_t held_explicit_stop = 0x0001;  ///< a stop bit ends the group in front of it
inline constexpr std::uint16_t held_implicit_stop = 0x0002;  ///< port conflict, template asymmetry
inline constexpr std::uint16_t held_front_end = 0x0004;  ///< no valid bundle there (no reference; amount 3 a bundle)
inline constexpr std::uint16_t held_long_immediate = 0x0008;  ///< MLX, or entry into the middle of a bundle
// translation (beside side_data, tlb_second_level_hit, tlb_walk of the common details)
inline constexpr std::uint16_t tlb_fault = 0x0008;  ///< ends in a fault to software
// l3_lookup: lookup_hit or lookup_miss, side_data, access_prefetch, access_writeback, and
inline constexpr std::uint16_t l3_for_ownership = 0x1000;  ///< read on behalf of a store
// bypass: what skipped a queue
inline constexpr std::uint16_t bypass_l3 = 0x0001;           ///< on the way to L3; clear: to L2
inline constexpr std::uint16_t bypass_instruction = 0x0002;  ///< clear: data
inline constexpr std::uint16_t bypass_late = 0x0004;         ///< in the second stage
// queue_issue
inline constexpr std::uint16_t operation_integer_load = 0;       ///< ld
inline constexpr std::uint16_t operation_fp_load = 1;            ///< ldf
inline constexpr std::uint16_t operation_read_modify_write = 2;  ///< semaphores
inline constexpr std::uint16_t operation_store = 3;              ///< st, stf
inline constexpr std::uint16_t operation_other = 4;              ///< none of the others
inline constexpr std::uint16_t operation_prefetch = 5;           ///< lfetch, where it is told apart from other
// recirculate_try, recirculate_done: side_data or not
// bus_transaction: bits 0..3 BusKind, then
inline constexpr std::uint16_t bus_kind_mask = 0x000f;        ///< bits of the BusKind
inline constexpr unsigned bus_agent_shift = 4;                ///< 2 bits: BusAgent
inline constexpr std::uint16_t bus_full_line = 0x0040;        ///< 128 bytes; clear: less
inline constexpr std::uint16_t bus_answer_hit = 0x0080;       ///< another cache has a clean copy
inline constexpr std::uint16_t bus_answer_modified = 0x0100;  ///< another cache has it modified
inline constexpr std::uint16_t bus_for_data = 0x0200;         ///< a read of data; clear: code
inline constexpr std::uint16_t bus_clean_castout = 0x0400;    ///< write-back of a clean line
// bus_snoop: bits bus_agent_shift as above, then
inline constexpr std::uint16_t snoop_found_modified = 0x0080;  ///< the line is modified here
inline constexpr std::uint16_t snoop_reaches_l1i = 0x0100;     ///< the line is in the L1 instruction cache
inline constexpr std::uint16_t snoop_self = 0x0200;            ///< bus logic snoops its own processor
// l3_lookup: state of the line found (invalid: a miss), 3 bits: LineState
inline constexpr unsigned l3_state_shift = 13;  ///< lowest bit of the LineState
// l2_reference of a split L2: lookup_hit or lookup_miss at insertion into the ordered queue
// l2_fill: bits 0..2 LineState installed, and
inline constexpr std::uint16_t l2_fill_pending = 0x0008;  ///< the line came while its state was not settled
// l2i_retry: why
inline constexpr std::uint16_t retry_recirculated = 0x1000;  ///< sent round, because it could not be served
inline constexpr std::uint16_t retry_rejected = 0x2000;      ///< L3 did not take it
inline constexpr std::uint16_t retry_conflict = 0x4000;      ///< a conflict with an access that hits
// thread_switch: bits 0..2 SwitchCause; then the cycles that the pipe stood still before it, 8191 for more
inline constexpr std::uint16_t switch_cause_mask = 0x0007;  ///< bits of the SwitchCause
inline constexpr unsigned switch_stall_shift = 3;           ///< lowest bit of the cycles
}  // namespace detail

/// Transactions of the system bus.
enum class BusKind : std::uint16_t {
  read_line,
  read_invalidate_line,
  invalidate_line,
  read_current,
  read_partial,
  write_line,
  write_partial,
  io_read,
  io_write,
  lock,
  other
};
/// Who acts on the bus. `other_core` is on the same die, where there are two.
enum class BusAgent : std::uint16_t { self, other_processor, io, other_core };

/// What kept an entry of the L2's ordered queue from issuing: bits 0 to 4 of the detail of queue_cancel. No enumerator
/// is an event's unit mask: the masks of each processor follow from the cause and the bits of `queue_cancel`.
enum class QueueCancel : std::uint16_t {
  missed_bypass,      ///< the entry skipped the queue and missed L2
  acquire,            ///< an older acquire is not done
  release,            ///< the entry is a release, and older entries are not done
  bypass_of_release,  ///< the entry would have skipped the queue past a release
  sync,               ///< sync.i
  fence,              ///< an older mf is not done
  compare_value,      ///< a cmpxchg waits for ar.ccv
  semaphore,          ///< an older semaphore is not done
  sibling_order,      ///< an acquire or release of the other hardware thread is not done
  uncacheable,        ///< the entry is uncacheable, and older entries are not done
  store_data,         ///< a load of bytes that an older store is writing; with the store's stage
  store_order,        ///< a store to the line of an older store or of a write-back; with the stage of that
  bank,               ///< the bank of the data array is in use
  fill,               ///< the data of a fill arrive
  l1d_fill,           ///< an integer load of a line that is on its way for another integer load
  write_back_read,    ///< a victim is read out
  return_port,        ///< all ports that return data are in use
  l2_error,           ///< the line in L2 is corrected
  system_error,       ///< the line has an error that came with it from the system
  fetch,              ///< an instruction fetch has the cycle
  recirculating,      ///< a recirculating entry has the cycle
  no_attempt_left,    ///< the queue makes no more attempts in this cycle
  still_missing       ///< the entry recirculated, and its line has not arrived
};
/// The other bits of the detail of queue_cancel.
namespace queue_cancel {
inline constexpr std::uint16_t cause_mask = 0x001f;  ///< bits of the QueueCancel
inline constexpr std::uint16_t first = 0x0020;       ///< the first attempt of the entry
inline constexpr std::uint16_t adjacent = 0x0040;    ///< it entered in the cycle of the older one or in the next
inline constexpr std::uint16_t store = 0x0080;       ///< the entry writes
inline constexpr std::uint16_t walker = 0x0100;      ///< the page walker is one of the two
inline constexpr std::uint16_t same_set = 0x0200;    ///< the fill is to the entry's set
inline constexpr unsigned stage_shift = 10;          ///< 2 bits: QueueStage
}  // namespace queue_cancel
/// Stages of the L2 pipe in which an older store is found.
enum class QueueStage : std::uint16_t { l2a, l2m, l2d, l2c };
/// The bits of a stage in the detail of queue_cancel.
constexpr std::uint16_t queue_stage(QueueStage stage) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(stage) << queue_cancel::stage_shift);
}

/// What kept a fetch from its L2 lookup: bits 0 to 2 of the detail of fetch_cancel.
enum class FetchCancel : std::uint16_t {
  data,                ///< a data request has the cycle
  recirculating,       ///< a recirculating entry has the cycle
  fill_or_write_back,  ///< a line arrives, or the fetch's line is written back
  snoop,               ///< a snoop has the tags
  still_missing        ///< the fetch recirculated, and its line has not arrived
};
/// The other bits of the detail of fetch_cancel.
namespace fetch_cancel {
inline constexpr std::uint16_t cause_mask = 0x0007;  ///< bits of the FetchCancel
inline constexpr std::uint16_t first = 0x0008;       ///< no earlier attempt of this fetch was cancelled
inline constexpr std::uint16_t prefetch = 0x0010;    ///< the fetch is a prefetch
inline constexpr unsigned after_data_shift = 5;      ///< 2 bits: earlier attempts cancelled by data, 3 for more
}  // namespace fetch_cancel

/// Why an entry of the L2's ordered queue recirculates: bits 0 to 3 of the detail of force_recirculate.
enum class Recirculate : std::uint16_t {
  miss,              ///< the line is not in L2
  line_under_way,    ///< the line is on its way for an earlier request; with LinePhase
  self_modifying,    ///< a store to a line of L1I
  l1d_line_written,  ///< an integer load of an L1D line of which a store writes other bytes
  tags_written,      ///< a fill writes the tags of the entry's set
  snoop,             ///< a snoop has the tags
  write_back,        ///< the line is being written back
  no_fill_buffer,    ///< a miss that finds all fill buffers in use
  no_victim_buffer,  ///< a miss whose dirty victim finds all victim buffers in use
  set_under_way      ///< a miss in a set that waits for another line
};
/// The other bits of the detail of force_recirculate.
namespace recirculate {
inline constexpr std::uint16_t cause_mask = 0x000f;         ///< bits of the Recirculate
inline constexpr std::uint16_t store = 0x0010;              ///< the entry writes
inline constexpr std::uint16_t prefetch = 0x0020;           ///< the entry is an lfetch
inline constexpr std::uint16_t for_code_prefetch = 0x0040;  ///< the line is on its way for an instruction prefetch
inline constexpr unsigned phase_shift = 7;                  ///< 2 bits: LinePhase
}  // namespace recirculate
/// How far a line is that is on its way to L2.
enum class LinePhase : std::uint16_t {
  requested,  ///< L3 has not accepted the request
  accepted,   ///< L3 has accepted it
  in_tags,    ///< the tags are written, which comes before the data
  arrives     ///< the data arrive in the next cycle
};
/// The bits of a phase in the detail of force_recirculate.
constexpr std::uint16_t line_phase(LinePhase phase) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(phase) << recirculate::phase_shift);
}

/// What kept a request of L2 from its L3 lookup: bits 0 to 3 of the detail of l3_cancel.
enum class L3Cancel : std::uint16_t {
  l2_hit,                 ///< it was sent together with the L2 lookup, which hit
  no_fill_buffer,         ///< all fill buffers are in use
  uncacheable_in_flight,  ///< an uncacheable request is not done
  l3_busy,                ///< L3 works on an earlier request
  bus_queue_full,         ///< the bus request queue is full
  snoop_of_request,       ///< a snoop of the line requested
  snoop_of_victim,        ///< a snoop of the line that would be replaced
  fill,                   ///< another line arrives without a snoop
  write_back              ///< a line is written back
};
inline constexpr std::uint16_t l3_cancel_reason_mask = 0x000f;        ///< bits of the L3Cancel
inline constexpr std::uint16_t l3_cancel_by_data = 0x0010;            ///< a request of the data side
inline constexpr std::uint16_t l3_cancel_by_fetch = 0x0020;           ///< a request of the instruction side
inline constexpr std::uint16_t l3_cancel_during_write_back = 0x0040;  ///< a line is written back at the same time

/// State::back_end: what the back end does in a cycle: stage in bits 0 to 3, cause in bits 8 to 15. One stage
/// holds it in any cycle, the last in the pipe first.
enum class BackEnd : std::uint8_t { issuing, flush, l1d_fpu, execute, register_stack, front_end };
namespace cause {
/// Of BackEnd::flush: a mispredicted branch, or an exception, interrupt or serialisation.
enum Flush : std::uint8_t { branch = 1, interruption = 2 };
/// Of BackEnd::l1d_fpu, as the unit masks of BE_L1D_FPU_BUBBLE tell them apart.
enum L1dFpu : std::uint8_t {
  fpu = 1,
  full_store_buffer,
  recirculated,
  walker,
  fill_conflict,
  dcs,
  l2_back_pressure,
  tlb,
  load_conflict,
  load_check,
  nat,
  store_buffer_recirculated,
  nat_conflict
};
/// Of BackEnd::execute, as the unit masks of BE_EXE_BUBBLE tell them apart.
enum Execute : std::uint8_t {
  gr_load = 1,  ///< general register, from a load
  gr_alu,       ///< general register, from an integer operation
  fr,
  predicate,
  application_or_control,
  cancelled_load,
  execute_bank_switch
};
/// Of BackEnd::register_stack, as the unit masks of BE_RSE_BUBBLE tell them apart.
enum RegisterStack : std::uint8_t { rse_bank_switch = 1, rse_dependency, overflow, underflow, loadrs };
}  // namespace cause
/// A value of State::back_end; `why` is one of `cause`.
constexpr std::uint64_t back_end(BackEnd stage, unsigned why = 0) {
  return static_cast<std::uint64_t>(stage) | static_cast<std::uint64_t>(why) << 8;
}

/// State::front_end, State::buffer_exit: bundles missing (0 to 2) in bits 0 to 1, the front end's highest-ranked
/// cause in bits 8 to 15. front_end is at the entry of the instruction buffer, buffer_exit at its exit.
enum class FrontEnd : std::uint8_t {
  none,
  flush,
  tlb_miss,
  instruction_miss,
  fill_recirculate,
  branch_interlock,
  branch_queue,
  perfect_loop_prediction,
  branch_immediate,
  bubble,
  buffer_full,
  unreached
};
/// A value of State::front_end or State::buffer_exit.
constexpr std::uint64_t front_end(FrontEnd why, unsigned missing) {
  return missing | static_cast<std::uint64_t>(why) << 8;
}

/// Bits of State::fetch_buffers.
namespace fetch_buffers {
inline constexpr std::uint64_t full = 1;           ///< request address buffer full
inline constexpr std::uint64_t almost_full = 2;    ///< one entry left or none
inline constexpr std::uint64_t prefetch_held = 4;  ///< the prefetch pipe is held, whatever the reason
inline constexpr std::uint64_t prefetch_flow = 8;  ///< ... by flow control
}  // namespace fetch_buffers

/// Bits of State::l2_queue.
namespace l2_queue {
inline constexpr std::uint64_t full = 1;          ///< ordered queue full
inline constexpr std::uint64_t data_full = 2;     ///< its data buffer full
inline constexpr std::uint64_t victims_full = 4;  ///< its victim buffer full
inline constexpr std::uint64_t fills_full = 8;    ///< its fill buffer full
inline constexpr std::uint64_t has_acquire = 16;  ///< an acquire-ordered entry is in the queue
inline constexpr std::uint64_t has_release = 32;  ///< a release-ordered entry is in the queue
}  // namespace l2_queue

/// Fields of State::bus_queues, 8 bits each: entries that are in a queue.
namespace bus_queues {
inline constexpr unsigned memory_reads_shift = 0;  ///< reads outstanding, 0 to 31
inline constexpr unsigned in_order_shift = 8;      ///< IOQ, 0 to 15
inline constexpr unsigned deferred_shift = 16;     ///< OOQ, 0 to 31
inline constexpr unsigned requests_shift = 24;     ///< BRQ, 0 to 31
inline constexpr unsigned snoops_shift = 32;       ///< snoop queue, 0 to 7
}  // namespace bus_queues

/// Bits of State::bus_clocks: what the bus does in this core cycle, set in the first core cycle of a bus clock.
namespace bus_clocks {
inline constexpr std::uint64_t data = 1;               ///< the bus carries data
inline constexpr std::uint64_t snoop_stall_self = 2;   ///< a snoop phase is stalled, transaction of this processor
inline constexpr std::uint64_t snoop_stall_other = 4;  ///< ... of another agent
inline constexpr std::uint64_t back_to_back = 8;       ///< data in this bus clock and in the one before
inline constexpr unsigned data_agent_shift = 8;        ///< 2 bits: BusAgent whose data it is
inline constexpr unsigned stall_agent_shift = 10;      ///< 2 bits: BusAgent of the stalled snoop phase
}  // namespace bus_clocks

/// What makes a core of two threads go over to the other one.
enum class SwitchCause : std::uint16_t { none, l3_miss, timer, hint, low_power, debug };
/// What holds up a switch that is due.
enum class SwitchGate : std::uint16_t { low_power, pipeline, forward_progress };

/// Bits of State::switching.
namespace switching {
inline constexpr std::uint64_t due = 1;             ///< from the cycle that seizes an opportunity to the switch
inline constexpr std::uint64_t request_buffer = 2;  ///< it waits for the core request address buffer (CRAB)
inline constexpr std::uint64_t l2d_return = 4;      ///< it waits for data returning from L2D
inline constexpr std::uint64_t disabled = 8;        ///< PCR.sd is set
inline constexpr std::uint64_t gated = 16;          ///< it is held up, whatever the gate
}  // namespace switching

/// Bits of State::request_reject: in this cycle the external request logic takes no request.
namespace request_reject {
inline constexpr std::uint64_t instruction = 1;  ///< of the instruction side
inline constexpr std::uint64_t data = 2;         ///< of the data side
}  // namespace request_reject

/// Queues of the system interface.
enum class InterfaceQueue : std::uint16_t { request, write, clean_castout, snoop_coalescing, in_order, write_address };
/// Kinds of entries of the write queue: write-backs asked for by a snoop (implicit) or not (explicit), write
/// coalescing of 1 to 8, 16 and 32 bytes, and non-temporal write-backs. The two 1-to-8-byte kinds are the manual's A
/// and B.
enum class InterfaceWrite : std::uint16_t {
  implicit,
  explicit_,
  coalesced_8a,
  coalesced_16,
  coalesced_32,
  non_temporal,
  coalesced_8b
};
/// Snoop results of the coalescing buffer's entries.
enum class InterfaceSnoop : std::uint16_t { miss, hit, hit_modified };
// Details of interface_insert, interface_collision, interface_signoff: bits 0..2 InterfaceQueue, bits 4..6 the kind
// (InterfaceWrite, InterfaceSnoop); of interface_ecc: bit 4 double-bit error. Bit 7 in all: the other core's.
inline constexpr std::uint16_t interface_queue_mask = 0x0007;    ///< bits of the InterfaceQueue
inline constexpr unsigned interface_kind_shift = 4;              ///< lowest bit of the kind
inline constexpr std::uint16_t interface_double_error = 0x0010;  ///< else a single-bit error, which was corrected
inline constexpr std::uint16_t interface_other_core = 0x0080;    ///< of the other core; clear: of this one

/// Fields of State::interface_self and interface_both, 8 bits each: entries that are in a queue.
namespace interface_queues {
inline constexpr unsigned request_shift = 0;            ///< InterfaceQueue::request
inline constexpr unsigned write_shift = 8;              ///< InterfaceQueue::write
inline constexpr unsigned clean_castout_shift = 16;     ///< InterfaceQueue::clean_castout
inline constexpr unsigned snoop_coalescing_shift = 24;  ///< InterfaceQueue::snoop_coalescing
inline constexpr unsigned in_order_shift = 32;          ///< InterfaceQueue::in_order
}  // namespace interface_queues

/// State::psr: bits of the processor status register, at their architected places (SDM volume 2, 3.3.2). The
/// level is in State::cpl.
namespace psr {
inline constexpr std::uint64_t up = 1ull << 2;   ///< performance monitors of the user run
inline constexpr std::uint64_t ac = 1ull << 3;   ///< alignment check
inline constexpr std::uint64_t i = 1ull << 14;   ///< interrupts are taken
inline constexpr std::uint64_t dt = 1ull << 17;  ///< data accesses are translated
inline constexpr std::uint64_t sp = 1ull << 20;  ///< secure monitors: who is not privileged reads 0 from them
inline constexpr std::uint64_t pp = 1ull << 21;  ///< privileged performance monitors run
inline constexpr std::uint64_t db = 1ull << 24;  ///< debug breakpoints are on
inline constexpr std::uint64_t is = 1ull << 34;  ///< IA-32 instruction set
inline constexpr std::uint64_t it = 1ull << 36;  ///< instruction fetches are translated
}  // namespace psr

}  // namespace pmusim::activity::ia64
