// What activity says of Alpha cores (21064, 21164, 21164PC, 21264) beyond signals.h: details and causes of their
// signals and states, and the part of an instruction record that only they have. Facts of the machine, never of a
// PMU: selects, kill bits and windows are the watchers'.
//
// The board cache (Bcache) is always reported as the third level (l3_lookup, cache_l3, bcache_fill), the 21164's
// secondary cache (Scache) as the second (l2_lookup, cache_l2), whichever of them a chip has.
#pragma once

#include <cstdint>

namespace pmusim::activity::alpha {

/// What an instruction is, as the machine treats it. Fixed at decode.
enum class Kind : std::uint32_t {
  integer_operate = 1u << 0,  ///< operates on integer registers, conditional moves and multiplies included
  load_address = 1u << 1,     ///< lda, ldah
  fp_operate = 1u << 2,       ///< no load, store or branch
  load = 1u << 3,             ///< of either file, load-locked included
  store = 1u << 4,            ///< of either file, store-conditional included
  floating = 1u << 5,         ///< the load, store or branch is one of floating-point registers
  load_locked = 1u << 6,
  store_conditional = 1u << 7,
  conditional_branch = 1u << 8,
  unconditional_branch = 1u << 9,  ///< br, bsr
  jump = 1u << 10,                 ///< jmp, jsr, ret, jsr_coroutine
  call_pal = 1u << 11,
  pal_return = 1u << 12,        ///< hw_rei, hw_ret
  memory_barrier = 1u << 13,    ///< mb, wmb
  trap_barrier = 1u << 14,      ///< trapb, excb
  conditional_move = 1u << 15,  ///< two operations on the 21264
  squashed = 1u << 16,          ///< leaves at map without executing: no-operations, trapb (21264)
};
/// The kind's bit in Instruction::kinds.
constexpr std::uint32_t bit(Kind kind) { return static_cast<std::uint32_t>(kind); }

/// Why an instruction traps, or a PALcode flow is entered.
enum class Trap : std::uint8_t {
  none,
  replay,
  dtb_double_3,
  dtb_double_4,
  fp_disabled,
  unaligned,
  dtb_single,
  dstream_fault,
  opcdec,
  machine_check,
  arithmetic,
  mt_fpcr,
  reset,
  itb_miss,
  istream_access,
  interrupt,
  mispredict,
  call_pal
};

/// Why an instruction has to be executed again. Detail of replay_trap.
enum class Replay : std::uint16_t {
  none,
  load_use,           ///< a user issued for a load that was taken for a hit and misses (21164)
  write_buffer_full,  ///< a store finds no entry (21164)
  miss_file_full,     ///< a load finds no entry in the miss address file (21164), no place in the load silo (21064)
  memory_order,       ///< a load matches a miss under way (21164)
  store_then_load,    ///< a load right after a store to the same place (21164)
  load_load_order,    ///< 21264
  store_load_order,   ///< 21264
  load_queue_full,
  store_queue_full,
  wrong_size,
  cache_alias,  // 21264
  load_missed   ///< 21064: a load again, alone, when its data comes
};

/// The Alpha part of an instruction record: entry i belongs to Block::instructions[i]. There, `encoding` is the 32-bit
/// word, `ip` bit 0 is clear, `tagged` the cycle of its fetch.
struct Instruction {
  std::uint32_t kinds = 0;       ///< Kind bits
  std::uint64_t inum_delay = 0;  ///< cycles it held up the retire pointer; from retire or kill on
  bool pal = false;              ///< PALcode
  bool fill_stream = false;      ///< its fetch block asked for a new Icache fill stream
  bool map_stalled = false;      ///< waited between fetch and map; from dispatch on
  bool killed_early = false;     ///< killed no later than at map; from kill on
  Trap trap = Trap::none;        ///< from its trap, replay_trap, branch_resolved or pal_entry on
  Replay replay = Replay::none;  ///< from replay_trap on
  /// The instruction is of this kind.
  [[nodiscard]] bool has(Kind kind) const { return (kinds & bit(kind)) != 0; }
};

/// Columns that only Alpha cores fill have these details.
namespace detail {
// dcache_lookup
inline constexpr std::uint16_t access_delayed = 0x1000;  ///< a hit that does not finish in one cycle
// l2_lookup (Scache), l3_lookup (Bcache), bcache_fill: side_data, access_load, access_store, lookup_*, and
inline constexpr std::uint16_t access_shared_write = 0x1000;  ///< a write to a block that others may have
inline constexpr std::uint16_t found_clean = 0x2000;          ///< a write that hits a clean block
// read_miss: READ_MISS commands outstanding, this one included
// pal_entry: Trap
// system_command: bits 0..3 SystemCommand, and
inline constexpr std::uint16_t system_hit = 0x0010;           ///< the block is in the Bcache
inline constexpr std::uint16_t system_command_mask = 0x000f;  ///< bits of SystemCommand
}  // namespace detail

/// Commands that the system sends to the processor.
enum class SystemCommand : std::uint16_t { read, flush, invalidate, set_shared, probe, other };

/// State::issue_stall: why no instruction issued in a cycle (issuing: at least one did). One cause in any cycle.
enum class IssueStall : std::uint8_t {
  issuing,
  no_instructions,  ///< no valid instruction-stream data: refill, or drain for an exception
  registers,        ///< a source or destination register is not available
  unit_busy,        ///< pipe or unit taken
  load_miss,        ///< waits for the data of a load that missed
  write_buffer,     ///< write buffer full
  after_jump,       ///< conditional branch in the cycle after a jump (21064)
  memory_barrier,
  trap  ///< waits for a trap or replay to be over
};

}  // namespace pmusim::activity::alpha
