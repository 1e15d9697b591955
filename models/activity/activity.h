// Activity: what a timing core delivers to the models that observe it, in blocks of a few thousand cycles.
//
// Rules that every producer keeps and every consumer may rely on (the tests in testbench/tests/core_* hold cores to
// them):
//   - a column is sorted by cycle; within a cycle the occurrences of one column are in program order;
//   - a cycle is never split between blocks; a cycle with nothing in it costs nothing;
//   - an occurrence that can be qualified is one instruction's or one request's, never a sum;
//   - every record that occurrences of a block name is in that block, as it was when last named there;
//   - a field of a record is valid from the signal named beside it; a filter on an earlier signal must
//     not look at it, or its count would depend on where blocks are cut;
//   - order within a cycle: state, retire, memory, fetch, bus; watchers act after the whole cycle;
//   - nothing here depends on a PMU, a breakpoint or a range register, unless the watchers say that they look at
//     nothing else (subscription.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/activity/alpha.h"
#include "models/activity/ia64.h"
#include "models/activity/signals.h"

namespace pmusim::activity {

/// Core clock number, from 0 at the first cycle of a run.
using Cycle = std::uint64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max();                   ///< a cycle that does not come
inline constexpr std::uint32_t no_ref = std::numeric_limits<std::uint32_t>::max();  ///< no record is named

/// One entry of a signal's column.
struct Occurrence {
  std::uint32_t at;      ///< cycles after Block::begin
  std::uint32_t ref;     ///< index into Block::instructions or Block::requests (the signal says which), or no_ref
  std::uint16_t amount;  ///< at least 1
  std::uint16_t detail;  ///< bits of namespace detail, or an enum named by the signal
};

/// One change of a state: from cycle Block::begin + at on, the state has this value.
struct Change {
  std::uint32_t at;     ///< cycles after Block::begin
  std::uint64_t value;  ///< from then on
};

/// A state over a block: its value in the first cycle, then the changes, at > 0 and rising. A last change may be at
/// Block::end: it says what the next block begins with, for watchers that charge a cycle to the state that follows
/// it. The producer of consecutive blocks adds it (see follow()); without it the value is assumed to stay.
struct StateColumn {
  std::uint64_t initial = 0;    ///< value in cycle Block::begin
  std::vector<Change> changes;  ///< by `at`
};

/// Where an instruction executes.
enum class Unit : std::uint8_t { none, integer_1, integer_2, integer, fp, load_store, system, branch };

/// Properties of an instruction, as the machine treats it. Fixed at decode.
enum class Trait : std::uint32_t {
  load = 1u << 0,               ///< reads data memory
  store = 1u << 1,              ///< writes data memory
  cache_operation = 1u << 2,    ///< acts on a cache line instead of data: dcbf, dcbst, dcbi, icbi, dcbz
  load_reserve = 1u << 3,       ///< lwarx
  store_conditional = 1u << 4,  ///< stwcx.
  eieio = 1u << 5,              ///< PowerPC eieio
  sync = 1u << 6,               ///< PowerPC sync
  multiple = 1u << 7,           ///< load/store multiple
  string = 1u << 8,             ///< load/store string
  branch = 1u << 9,             ///< any near control transfer
  conditional = 1u << 10,       ///< the branch is conditional
  call = 1u << 11,              ///< pushes a return address, or writes the link register
  near_return = 1u << 12,       ///< goes to a return address: near RET, bclr
  indirect = 1u << 13,          ///< near JMP or CALL through register or memory
  far_transfer = 1u << 14,      ///< reloads CS: far JMP/CALL/RET, INT n, IRET, SYSCALL, ...
  serializing = 1u << 15,       ///< waits until the pipeline is empty
  locked = 1u << 16,            ///< x86 lock prefix, or XCHG with memory
  fp_arithmetic = 1u << 17,     ///< executed by the FPU; loads and stores of FP registers are not
};
/// The trait's bit in InstructionRecord::traits.
constexpr std::uint32_t bit(Trait t) { return static_cast<std::uint32_t>(t); }

/// One dynamic instruction. Valid from dispatch on unless said otherwise.
struct InstructionRecord {
  std::uint64_t id = 0;          ///< correct path: ordinal in the trace, from 0; wrong path: a number with bit 63 set
  std::uint64_t ip = 0;          ///< effective address
  std::uint64_t next_ip = 0;     ///< successor in the program; from retire or resolve on
  std::uint64_t encoding = 0;    ///< first eight bytes, the first in memory in bits 7:0
  Cycle tagged = 0;              ///< cycle in which it was fetched
  std::uint32_t traits = 0;      ///< Trait bits
  std::uint16_t length = 0;      ///< bytes
  std::uint16_t operations = 1;  ///< macro-operations; from retire on
  Unit unit = Unit::none;        ///< from issue on, if the unit is chosen late
  std::uint8_t thread = 0;       ///< hardware thread, 0 or 1
  std::uint8_t slot = 0;         ///< IA-64: slot of the bundle, 0 to 2
  bool wrong_path = false;       ///< fetched after a misprediction; never retires
  bool predicted_taken = false;  ///< predicted direction
  bool taken = false;            ///< from resolve on
  bool mispredicted = false;     ///< direction or target wrong; from resolve on
  bool conditional_success = false;  ///< stwcx. found its reservation; from retire on
  /// Whether the instruction has the trait.
  [[nodiscard]] bool has(Trait t) const { return (traits & bit(t)) != 0; }
};

/// One request to the memory side. Fields are valid from its first signal on unless stated otherwise.
struct RequestRecord {
  std::uint64_t id = 0;             ///< number of the request in its run
  std::uint64_t address = 0;        ///< effective address
  std::uint64_t instruction = 0;    ///< InstructionRecord::id of the owner, meaningful if has_instruction
  std::uint64_t ip = 0;             ///< address of the owner
  Cycle start = 0;                  ///< cycle of the lookup that found the line absent, or of the first lookup
  Cycle end = 0;                    ///< load_return: cycle in which the data is written to its register
  std::uint32_t size = 0;           ///< bytes
  std::uint8_t thread = 0;          ///< hardware thread of the request, 0 or 1
  bool has_instruction = false;     ///< an instruction makes the request; not a fetch, walk or write-back
  bool store = false;               ///< writes; else reads
  bool oldest_in_queue = false;     ///< was in queue position 0 when it missed
  bool crosses_word = false;        ///< operand crosses a 4-byte boundary
  bool crosses_octet = false;       ///< operand crosses an 8-byte boundary
  bool multiple_or_string = false;  ///< part of a load or store of several words (750)
  bool wrong_path = false;          ///< made by an instruction of the wrong path
  std::uint8_t cpl = 0;             ///< of the processor at the time of the request (Athlon)
  OperatingMode mode = OperatingMode::protected_mode;  ///< the same
  std::uint16_t fill_lag = 0;  ///< load_return: cycles from `end` until the whole line is there (750)
};

/// An access of the program itself to a PMU register, in its cycle (Signal::register_access names the instruction).
struct RegisterAccess {
  std::uint32_t at = 0;         ///< cycles after Block::begin; takes effect at the end of that cycle
  bool write = false;           ///< writes; else reads
  std::uint64_t value = 0;      ///< of a write
  std::uint32_t ref = no_ref;   ///< instruction
  std::array<char, 24> name{};  ///< register name as in the trace, zero-terminated
};

inline constexpr std::size_t signal_count = static_cast<std::size_t>(Signal::count_);  ///< columns of a block
inline constexpr std::size_t state_count = static_cast<std::size_t>(State::count_);    ///< states of a block

/// The signals whose occurrences refer to requests.
inline constexpr auto signals_of_requests = [] {
  using enum Signal;
  std::array<bool, signal_count + 1> of{};
  for (const Signal signal : {fetch,
                              translation,
                              dcache_lookup,
                              load_return,
                              code_store,
                              line_request,
                              line_fill,
                              line_evict,
                              l2_lookup,
                              l2_array,
                              bus_request,
                              snoop,
                              ecc_correction,
                              cross_invalidate,
                              bundle_pair_in,
                              fetch_return,
                              request_kill,
                              prefetch_lost,
                              tlb_insert,
                              walk_read,
                              data_reference,
                              access_retire,
                              l2_reference,
                              queue_issue,
                              queue_cancel,
                              fetch_cancel,
                              force_recirculate,
                              recirculate_try,
                              recirculate_done,
                              bypass,
                              l2_probe,
                              l2_valid_victim,
                              l2_store_shared,
                              l3_lookup,
                              l3_cancel,
                              bus_transaction,
                              bus_queue_insert,
                              bus_snoop,
                              l2i_lookup,
                              l2i_retry,
                              l2i_evict,
                              l2i_abort,
                              l2_fill,
                              l3_insert,
                              interface_insert,
                              load_merged,
                              read_miss,
                              bcache_fill}) {
    of[static_cast<std::size_t>(signal)] = true;
  }
  return of;
}();
/// Whether `ref` of this signal's occurrences names a request. Otherwise it names an instruction, or nothing.
[[nodiscard]] constexpr bool refers_to_request(Signal signal) {
  return signals_of_requests[static_cast<std::size_t>(signal)];
}

/// Everything that happened in the cycles [begin, end).
struct Block {
  Cycle begin = 0;                                            ///< first cycle
  Cycle end = 0;                                              ///< first cycle after it
  std::array<std::vector<Occurrence>, signal_count> columns;  ///< occurrences by signal; see column()
  std::array<StateColumn, state_count> states;                ///< values by state; see state()
  std::vector<InstructionRecord> instructions;  ///< what occurrences name where their signal says "instruction"
  std::vector<RequestRecord> requests;          ///< what occurrences name where their signal says "request"
  std::vector<ia64::Syllable> syllables;        ///< IA-64 cores: entry i continues instructions[i]; empty otherwise
  std::vector<ia64::Request> ia64_requests;     ///< IA-64 cores: entry i continues requests[i]; empty otherwise
  std::vector<alpha::Instruction>
      alpha_instructions;                ///< Alpha cores: entry i continues instructions[i]; empty otherwise
  std::vector<RegisterAccess> accesses;  ///< sorted by `at`

  /// Occurrences of a signal, by cycle.
  [[nodiscard]] const std::vector<Occurrence>& column(Signal s) const { return columns[static_cast<std::size_t>(s)]; }
  /// Values of a state.
  [[nodiscard]] const StateColumn& state(State s) const { return states[static_cast<std::size_t>(s)]; }
  /// Value of a state in cycle `c` of this block. O(log changes).
  [[nodiscard]] std::uint64_t state_at(State s, Cycle c) const;
  /// Notes how the next block begins: for each state that has another initial value in `next`, a change at `end`.
  void follow(const Block& next);
  /// Empties the block for reuse without freeing its memory. Each state keeps its last value as its initial value.
  void restart(Cycle new_begin);
};

}  // namespace pmusim::activity
