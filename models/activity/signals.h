// The physical facts that a timing core reports to whoever watches it: what happened (signals) and what
// was the case (states). A signal is never an event of some PMU; the PMU models select, filter and
// combine signals the way their silicon does. docs/activity.md shows which core produces which.
#pragma once

#include <cstdint>

namespace pmusim::activity {

/// What happened in a cycle. The comment says what one occurrence is, what `ref` names (an instruction
/// or a request record, or nothing), and which of the detail constants below apply.
enum class Signal : std::uint8_t {
  // --- front end -------------------------------------------------------------------------------
  fetch,         ///< a valid fetch request handed to the instruction memory side. ref: request. detail: lookup_*
  translation,   ///< a translation missed the first-level TLB. ref: request. detail: side_*, tlb_*
  return_stack,  ///< the return address stack is used. ref: instruction. detail: ras_*
  // --- instruction life cycle; ref: instruction --------------------------------------------------
  dispatch,          ///< leaves the instruction queue or decoder for the execution side; wrong path included
  issue,             ///< starts to execute
  finish,            ///< has its result
  retire,            ///< retires, in program order. detail: retire_*
  operation_retire,  ///< `amount` macro-operations (Athlon) or words of a multiple or string access (750) of one
                     ///< instruction
                     ///< retire in this cycle. detail: how many of the macro-operations consist of two operations
  iteration_retire,  ///< an iteration of a repeated instruction retires that is not its last (Athlon)
  kill,              ///< leaves the machine without retiring
  fold,              ///< a branch leaves the instruction queue without taking a completion entry (750)
  trap,    ///< exception or interrupt entry. ref: instruction that would have come next, or nothing. detail: trap_*
  resync,  ///< pipeline restart that is no control transfer. detail: resync_*
  register_access,  ///< the program itself reads or writes a PMU register (see RegisterAccess)
  // --- branch unit; ref: instruction ---------------------------------------------------------------
  branch_handled,   ///< the branch unit processes a branch, once per dynamic branch. detail: branch_*
  branch_resolved,  ///< a predicted branch gets its outcome. detail: branch_*
  // --- data side -------------------------------------------------------------------------------
  segment_load,   ///< a segment register is loaded, at execution. ref: instruction. detail: SegmentRegister
  dcache_lookup,  ///< one probe of the L1 data cache tags. ref: request. detail: access_*, lookup_*
  load_return,    ///< data of a load that missed L1D reaches its destination register. ref: request
  code_store,     ///< a store hits code bytes that are in flight. ref: request
  // --- caches and bus; ref: request where a request caused it ----------------------------------------
  line_request,  ///< an L1 asks the next level for a line. detail: side_*, access_*
  line_fill,    ///< a line is written into an L1. detail: side_*, found_*(MesiState of the L2 lookup), installed(state)
  line_evict,   ///< a valid line leaves a cache. detail: cache_*, state, evict_*
  l2_lookup,    ///< one lookup of the L2 tags. detail: side_*, access_*, lookup_*
  l2_array,     ///< one operation of the L2 arrays (Athlon). detail: L2Requester,
                ///< l2_array_*
  bus_request,  ///< a request goes out on the system bus. detail: memory type, bus_*
  snoop,        ///< another agent's transaction is presented. detail: snoop_*
  ecc_correction,    ///< a single-bit error found and corrected. detail: ecc_*
  cross_invalidate,  ///< a line leaves an L1 because of activity in an L1. detail: cross_*
  // --- IA-64 cores; details in ia64.h -------------------------------------------------------------------
  syllable_held,      ///< offered to dispersal and not dispersed. ref: instruction, or nothing. detail: held_*
  bundle_pair_in,     ///< a 32-byte bundle pair comes from L2 into the instruction streaming buffer. ref: request
  fetch_return,       ///< the bundles of a demand fetch that missed L1I are there. ref: request
  request_kill,       ///< a fetch or load is dropped before its data is there. ref: request
  prefetch_lost,      ///< the prefetch virtual address buffer overflows. ref: request
  tlb_insert,         ///< the walker installs a translation. ref: request that needed it. detail: side_*
  tlb_purge,          ///< a purge of the L1 instruction TLB. ref: instruction or nothing
  walk_read,          ///< the walker reads the page table. ref: request of the walker
  data_reference,     ///< a data reference enters the memory pipe, in its EXE cycle. ref: request. detail: access_*
  access_retire,      ///< an access of a retired instruction, or of the register stack engine, is final. ref: request
  alat_displace,      ///< a valid ALAT entry gives way to another register's. ref: instruction
  safety_stall,       ///< the FPU waits whether an operand traps. ref: instruction. detail: trap_exception if it does
  l1i_snoop,          ///< L1I serves a snoop or fc. ref: instruction or nothing
  l2_reference,       ///< a request enters the L2's ordered queue, or is a fetch to L2. ref: request
  queue_issue,        ///< the ordered queue issues an entry. ref: request. detail: operation_*
  queue_cancel,       ///< an issue of the ordered queue is cancelled. ref: request. detail: ia64::QueueCancel,
                      ///< ia64::queue_cancel
  fetch_cancel,       ///< a fetch is cancelled in L2. ref: request. detail: ia64::FetchCancel,
                      ///< ia64::fetch_cancel
  force_recirculate,  ///< an entry has to recirculate. ref: request. detail: ia64::Recirculate,
                      ///< ia64::recirculate
  recirculate_try,    ///< a recirculating entry tries to issue. ref: request. detail: side_*
  recirculate_done,   ///< an entry was sent round. ref: request. detail: side_*
  bypass,             ///< a request skips a queue. ref: request. detail: bypass_*
  l2_probe,           ///< a probe that L2 makes itself. ref: request
  l2_valid_victim,    ///< a fill takes a valid way though an invalid one was there. ref: request
  l2_store_shared,    ///< a store meets a line in shared state. ref: request
  l3_lookup,          ///< one lookup of L3. ref: request. detail: lookup_*, side_*, access_*, l3_for_ownership
  l3_cancel,          ///< a request of L2 to L3 is cancelled. ref: request. detail: ia64::L3Cancel, l3_cancel_by_*
  bus_transaction,    ///< a transaction of any agent on the system bus. ref: request or nothing. detail: ia64::BusKind,
                      ///< ...
  bus_queue_insert,   ///< a request enters the bus request queue. ref: request
  bus_snoop,          ///< a snoop is handled. ref: nothing. detail: agent, snoop_found_modified, ...
  ia32_retire,        ///< `amount` IA-32 instructions retire
  pin_assert,         ///< an external pin goes active. detail: number of the pin
  // --- cores of two threads, and what the Itanium 2 9000 adds; details in ia64.h -------------------------
  thread_switch,         ///< the other thread becomes active, from the next cycle on. detail: ia64::SwitchCause,
                         ///< switch_stall_*
  thread_switch_missed,  ///< a cause asked for a switch and it did not come about. detail: ia64::SwitchCause
  thread_switch_gated,   ///< a switch that is due is held up. detail: ia64::SwitchGate
  l2i_lookup,            ///< one lookup of the L2 instruction cache. ref: request. detail: access_prefetch, lookup_*
  l2i_retry,             ///< a request to L2I has to wait and come again. ref: request. detail: as l2i_lookup, retry_*
  l2i_evict,             ///< a valid line leaves L2I. ref: request that takes its place
  l2i_abort,             ///< a speculative request to L2I is given up. ref: request
  l2i_snoop_hit,         ///< a snoop finds its line in L2I
  l2_fill,           ///< a line is written into L2 (L2D where split). ref: request. detail: LineState, l2_fill_pending
  l3_insert,         ///< a line is written into L3. ref: request. detail: LineState
  interface_insert,  ///< an entry goes into a queue of the system interface. ref: request, or none. detail:
                     ///< ia64::interface_*
  interface_collision,  ///< an address meets another in a queue of the system interface. detail: ia64::interface_*
  interface_signoff,    ///< the snoop coalescing buffer signs a snoop off. detail: ia64::interface_*
  interface_ecc,        ///< an ECC error in the write data queue. detail: ia64::interface_*
  // --- Alpha cores; details in alpha.h --------------------------------------------------------------------
  instruction_fetch,  ///< a valid instruction is fetched, once per operation that it is. ref: instruction
  replay_trap,        ///< an instruction and those after it have to be executed again. ref: instruction. detail:
                      ///< alpha::Replay
  pal_entry,          ///< PALcode is entered. ref: instruction that causes it, or nothing. detail: alpha::Trap
  load_merged,        ///< a load that misses joins an entry of the miss address file. ref: request
  read_miss,          ///< a READ_MISS command goes out. ref: request. detail: how many are outstanding with it
  bcache_fill,        ///< a block is written into the Bcache. ref: request. detail: side_*, access_*
  system_command,     ///< a command of the system. detail: alpha::SystemCommand, system_hit
  count_              // number of signals, not one of them
};

/// What was the case during a cycle. A state keeps its value until it changes.
enum class State : std::uint8_t {
  clock,              ///< 1 while the core clock runs, 0 in HLT, STPCLK or a stopped clock
  cpl,                ///< current privilege level, 0 (most privileged) to 3; PowerPC: 0 supervisor, 3 problem state
  msr,                ///< PowerPC machine state register, whole
  interrupt_flag,     ///< x86 EFLAGS.IF
  interrupt_pending,  ///< x86: a maskable external interrupt is asserted and not yet accepted
  operating_mode,     ///< x86: OperatingMode
  process,            ///< number given by the last `process` directive
  thread,             ///< active hardware thread
  bus_ratio,          ///< core clocks per bus clock, as numerator << 16 | denominator
  table_walk,         ///< table search engine at work: bit 0 for the instruction side, bit 1 for the data side
  load_misses,        ///< number of L1D load misses outstanding
  branch_unit,        ///< why the branch unit waits: branch_wait bits
  dispatch_hold,      ///< why instructions that are there do not dispatch: DispatchHold bits
  decoder_empty,      ///< 1 when no instruction is offered to dispatch
  fetch_stall,        ///< 1 when fetch cannot deliver; 750: while a fetch that missed is outstanding
  l2_fill_wait,       ///< number of fill requests that wait for L2
  // --- IA-64 cores; layouts in ia64.h -----------------------------------------------------------------
  psr,            ///< processor status register, ia64::psr bits
  dcr,            ///< default control register; bit 0: pp
  back_end,       ///< what holds the back end: ia64::BackEnd and cause
  front_end,      ///< bundles missing at the entry of the instruction buffer, and why
  buffer_exit,    ///< bundles missing at its exit, and why
  fetch_buffers,  ///< ia64::fetch_buffers bits
  l2_queue,       ///< ia64::l2_queue bits
  bus_queues,     ///< ia64::bus_queues fields
  bus_clocks,     ///< ia64::bus_clocks bits
  pins,           ///< levels of external pins, bit n for pin n
  // --- cores of two threads, and what the Itanium 2 9000 adds; layouts in ia64.h ---------------------------
  background_cpl,  ///< cpl of the thread that is not active; cpl, psr and dcr are the active thread's
  background_psr,  ///< psr of the thread that is not active
  switching,       ///< ia64::switching bits
  request_reject,  ///< ia64::request_reject bits
  interface_self,  ///< ia64::interface_queues fields: entries of this core
  interface_both,  ///< ... of both cores of the die
  // --- Alpha cores; layouts in alpha.h ---------------------------------------------------------------------
  pal_mode,        ///< 1 in PALcode
  ipl,             ///< interrupt priority level, 0 to 7 of the operating system
  process_marked,  ///< 1 while the process has PME set in its control block
  idle_thread,     ///< 1 while the operating system's idle thread runs
  issue_stall,     ///< alpha::IssueStall
  count_           // number of states, not one of them
};

/// Operating modes of an x86 processor. Real mode and SMM run at CPL 0, virtual-8086 mode at CPL 3.
enum class OperatingMode : std::uint8_t { protected_mode = 0, real = 1, virtual_8086 = 2, system_management = 3 };

/// Cache line states; also "what the L2 lookup found" (invalid: nothing).
enum class LineState : std::uint16_t { invalid = 0, shared = 1, exclusive = 2, owned = 3, modified = 4 };

/// Memory types of a bus request, as in the x86 MTRRs.
enum class MemoryType : std::uint16_t {
  uncacheable = 0,
  write_combining = 1,
  write_through = 2,
  write_protected = 3,
  write_back = 4
};

/// Segment registers of x86 in the order of their encoding.
enum class SegmentRegister : std::uint16_t { es = 0, cs = 1, ss = 2, ds = 3, fs = 4, gs = 5 };

/// For whom the Athlon's L2 arrays work.
enum class L2Requester : std::uint16_t {
  fetch,       ///< instruction fetch
  load,        ///< loads, prefetches and page walks
  store,       ///< stores
  data_cache,  ///< a victim of the L1 data cache
  system,      ///< data from the system
  l2           ///< the L2 itself: it changes an entry of a page table
};

/// Layout of the 16-bit detail of an occurrence. Bits not named for a signal are zero there.
namespace detail {
// l2_array
inline constexpr std::uint16_t l2_array_requester_mask = 0x0007;  ///< bits of the L2Requester
inline constexpr std::uint16_t l2_array_data = 0x0008;            ///< the data array; clear: the tags
inline constexpr std::uint16_t l2_array_write = 0x0010;           ///< a write; clear: a read
// which side asks
inline constexpr std::uint16_t side_data = 0x0001;  ///< set: data side; clear: instruction side
// result of a tag lookup
inline constexpr std::uint16_t lookup_hit = 0x0002;      ///< the line is there
inline constexpr std::uint16_t lookup_pending = 0x0004;  ///< line absent, its fill already under way
inline constexpr std::uint16_t lookup_miss = 0x0008;     ///< line absent, first detection
inline constexpr std::uint16_t lookup_mask = 0x000e;     ///< the three results
// what kind of access
inline constexpr std::uint16_t access_load = 0x0010;   ///< a load; of the instruction side a fetch that is no prefetch
inline constexpr std::uint16_t access_store = 0x0020;  ///< a store
inline constexpr std::uint16_t access_prefetch = 0x0040;         ///< a prefetch, by hardware or an instruction
inline constexpr std::uint16_t access_cache_operation = 0x0080;  ///< an instruction that acts on the line
inline constexpr std::uint16_t access_walk = 0x0100;             ///< made by the table search engine
inline constexpr std::uint16_t access_second_half = 0x0200;      ///< second probe of a reference that is split
inline constexpr std::uint16_t access_writeback = 0x0400;        ///< a victim on its way down
inline constexpr std::uint16_t access_wrong_path = 0x0800;       ///< asked for by an instruction of the wrong path
inline constexpr std::uint16_t access_update =
    0x1000;  ///< store to an operand that its instruction has loaded (Athlon)
// translation
inline constexpr std::uint16_t tlb_second_level_hit = 0x0002;  ///< missed the first level, found in the second
inline constexpr std::uint16_t tlb_walk = 0x0004;              ///< all levels missed, a table search starts
// line_fill: bits 4..6 state found in L2 (invalid: came from the system), bits 8..10 state installed
inline constexpr unsigned fill_found_shift = 4;      ///< lowest bit of the LineState that L2 had
inline constexpr unsigned fill_installed_shift = 8;  ///< lowest bit of the LineState that L1 gets
// line_evict: bits 0..1 the cache, bits 4..6 state when it left, bits 8.. why
inline constexpr std::uint16_t cache_l1i = 0x0000;              ///< instruction cache
inline constexpr std::uint16_t cache_l1d = 0x0001;              ///< data cache
inline constexpr std::uint16_t cache_l2 = 0x0002;               ///< second level; L2D where it is split
inline constexpr std::uint16_t cache_l3 = 0x0003;               ///< third level; the Bcache of Alphas
inline constexpr std::uint16_t cache_mask = 0x0003;             ///< bits of the cache
inline constexpr unsigned evict_state_shift = 4;                ///< lowest bit of its LineState
inline constexpr std::uint16_t evict_replacement = 0x0100;      ///< another line takes its place
inline constexpr std::uint16_t evict_snoop = 0x0200;            ///< another agent asked for it
inline constexpr std::uint16_t evict_cache_operation = 0x0400;  ///< an instruction for caches took it out
inline constexpr std::uint16_t evict_to_l2 = 0x0800;            ///< its data is written to L2
// retire
inline constexpr std::uint16_t retire_after_exception = 0x0001;  ///< the first after an exception; no core reports it
// kill
/// It leaves in program order, after everything older: an instruction that has no work to do (21264: no-operations).
/// Interrupts can be taken after it as after a retirement.
inline constexpr std::uint16_t kill_in_order = 0x0001;
// trap
inline constexpr std::uint16_t trap_exception = 0x0001;  ///< exception of an instruction
inline constexpr std::uint16_t trap_maskable = 0x0002;   ///< external maskable interrupt
inline constexpr std::uint16_t trap_nmi = 0x0004;        ///< non-maskable interrupt
inline constexpr std::uint16_t trap_smi = 0x0008;        ///< system management interrupt (Athlon)
inline constexpr std::uint16_t trap_monitor = 0x0010;    ///< the PMU's own interrupt (perturbing mode only)
// pin_assert: the number of the pin
inline constexpr std::uint16_t pin_init = 0;  ///< INIT# (Athlon)
// resync
inline constexpr std::uint16_t resync_code_store = 0x0001;  ///< a store hits code in flight
inline constexpr std::uint16_t resync_snoop = 0x0002;       ///< a snoop hits code in flight
// return_stack
inline constexpr std::uint16_t ras_push = 0x0001;  ///< a call pushes; clear: a return pops
/// The stack was full: an entry that a return would need is lost.
inline constexpr std::uint16_t ras_overwrites_live = 0x0002;
inline constexpr std::uint16_t ras_predicts = 0x0004;  ///< popped and used as a prediction
// branch_handled, branch_resolved
inline constexpr std::uint16_t branch_conditional = 0x0001;  ///< its direction depends on a condition
inline constexpr std::uint16_t branch_taken = 0x0002;       ///< handled: the direction followed; resolved: the real one
inline constexpr std::uint16_t branch_predicted = 0x0004;   ///< its inputs are not ready, a prediction is followed
inline constexpr std::uint16_t branch_level_2 = 0x0008;     ///< predicted after another unresolved prediction
inline constexpr std::uint16_t branch_correct = 0x0010;     ///< resolved: as predicted
inline constexpr std::uint16_t branch_unresolved = 0x0020;  ///< handled: CR, LR or CTR input not ready
inline constexpr std::uint16_t branch_predicted_taken = 0x0040;  ///< direction that was predicted; clear: not taken
inline constexpr std::uint16_t branch_wrong_path = 0x0080;       ///< of the wrong path
// bus_request: bits 0..2 MemoryType
inline constexpr std::uint16_t bus_type_mask = 0x0007;  ///< bits of the memory type
inline constexpr std::uint16_t bus_dram = 0x0010;       ///< targets DRAM; clear: I/O or device memory
inline constexpr std::uint16_t bus_write = 0x0020;      ///< clear: a read
// snoop
inline constexpr std::uint16_t snoop_hits_l1i = 0x0001;            ///< the line is in the instruction cache
inline constexpr std::uint16_t snoop_hits_l1d = 0x0002;            ///< the line is in the data cache
inline constexpr std::uint16_t snoop_hits_l2 = 0x0004;             ///< tag present in L2, whatever L1D says
inline constexpr std::uint16_t snoop_retried = 0x0008;             ///< answered by a retry, to be presented again
inline constexpr std::uint16_t snoop_pushed_modified_l2 = 0x0010;  ///< a modified line of L2 is written to the bus
inline constexpr std::uint16_t snoop_invalidates = 0x0020;         ///< the line is to be invalidated
// ecc_correction
inline constexpr std::uint16_t ecc_from_l2 = 0x0001;  ///< set: data from L2; clear: from the system
// cross_invalidate: who asked, who lost the line
inline constexpr std::uint16_t cross_by_data = 0x0001;    ///< set: data side asked; clear: instruction side
inline constexpr std::uint16_t cross_from_data = 0x0002;  ///< set: data cache lost it; clear: instruction cache
// register_access
inline constexpr std::uint16_t register_write = 0x0001;  ///< clear: a read
}  // namespace detail

/// Bits of State::branch_unit (750).
namespace branch_wait {
inline constexpr std::uint64_t link_or_condition = 1;  ///< a branch waits for LR or CR
inline constexpr std::uint64_t count_register = 2;     ///< a branch waits for CTR
inline constexpr std::uint64_t both_levels_used = 4;   ///< two unresolved predictions, a third branch waits
}  // namespace branch_wait

/// Bits of State::dispatch_hold.
namespace dispatch_hold {
inline constexpr std::uint64_t second_stream = 0x0001;    ///< IQ0 lies after a second unresolved branch (750)
inline constexpr std::uint64_t completion_full = 0x0002;  ///< no completion entry (750)
inline constexpr std::uint64_t rename_full = 0x0004;      ///< no rename register of the kind that it needs (750)
inline constexpr std::uint64_t unit_busy = 0x0008;        ///< reservation station of the unit taken (750)
inline constexpr std::uint64_t serialize = 0x0010;        ///< a serialising instruction holds dispatch
inline constexpr std::uint64_t branch_abort = 0x0020;  ///< a mispredicted branch has resolved and not retired (Athlon)
inline constexpr std::uint64_t segment_load = 0x0040;  ///< a segment load is under way (Athlon)
inline constexpr std::uint64_t reorder_buffer_full = 0x0080;  ///< (Athlon)
inline constexpr std::uint64_t reservation_full = 0x0100;     ///< integer scheduler full (Athlon)
inline constexpr std::uint64_t fp_full = 0x0200;              ///< floating-point scheduler full (Athlon)
inline constexpr std::uint64_t load_store_full = 0x0400;      ///< load-store queue full (Athlon)
inline constexpr std::uint64_t all_quiet = 0x0800;            ///< waits for all outstanding activity to end (Athlon)
inline constexpr std::uint64_t far_or_resync = 0x1000;        ///< a far transfer or resync is pending (Athlon)
}  // namespace dispatch_hold

/// Bits of State::msr, PowerPC numbering in the comment.
namespace msr {
inline constexpr std::uint64_t ee = 0x8000;  ///< bit 16
inline constexpr std::uint64_t pr = 0x4000;  ///< bit 17
inline constexpr std::uint64_t ip = 0x0040;  ///< bit 25
inline constexpr std::uint64_t ir = 0x0020;  ///< bit 26
inline constexpr std::uint64_t dr = 0x0010;  ///< bit 27
inline constexpr std::uint64_t pm = 0x0004;  ///< bit 29
}  // namespace msr

}  // namespace pmusim::activity
