// The definition of one family of IA-64 performance monitors: its registers, events and rules. The monitor (monitor.h)
// is common to all; a family's folder fills in this structure.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/ia64/branch_ring.h"
#include "models/ia64/events.h"
#include "models/ia64/tags.h"

namespace pmusim::pmu::ia64 {

// Fields of the IA-64 PMU's registers. The numbers of the registers depend on the processor: family.h. Sources: libpfm
// 3.10 and Linux' ia64 perfmon.

/// The value of a field of a register.
constexpr unsigned field(std::uint64_t value, unsigned shift, std::uint64_t mask) {
  return static_cast<unsigned>(value >> shift & mask);
}

/// PMC0.
namespace pmc0 {
inline constexpr std::uint64_t fr = 1;         ///< the counters are frozen
inline constexpr unsigned overflow_shift = 4;  ///< bits 7:4, Montecito 15:4: counter n - 4 has overflowed
}  // namespace pmc0

/// Control registers of the counters: PMC4-7, Montecito PMC4-15. The registers of the data EAR and the trace buffer
/// have plm and pm at the same positions; that of the data EAR also umask and ism.
namespace config {
inline constexpr std::uint64_t plm = 0xf;          ///< bits 3:0: bit n is privilege level n
inline constexpr std::uint64_t oi = 1u << 5;       ///< freeze and interrupt on overflow
inline constexpr std::uint64_t pm = 1u << 6;       ///< privileged monitor: PSR.pp instead of PSR.up
inline constexpr unsigned event_shift = 8;         ///< bits 15:8: event code
inline constexpr unsigned umask_shift = 16;        ///< bits 19:16
inline constexpr unsigned threshold_shift = 20;    ///< bits 22:20
inline constexpr std::uint64_t enable = 1u << 23;  ///< PMC4 of the Itanium 2: the PMU is enabled
inline constexpr unsigned ism_shift = 24;          ///< bits 25:24: instruction set
inline constexpr std::uint64_t all = 1u << 26;     ///< Montecito: the counter counts both threads
inline constexpr unsigned mesi_shift = 27;         ///< bits 30:27, Montecito: line states I, S, E, M
}  // namespace config

/// Instruction EAR: PMC10, Montecito PMC37. Bits 3:0 are plm.
namespace fetch_config {
inline constexpr std::uint64_t pm = 1u << 4;
inline constexpr unsigned umask_shift = 5;  ///< bits 12:5 in cache mode, 11:5 in TLB mode
inline constexpr std::uint64_t cache_umask = 0xff, tlb_umask = 0x7f;
inline constexpr unsigned ct_shift = 12;   ///< bits 13:12: 1x cache, 00 TLB, 01 off
inline constexpr unsigned ism_shift = 14;  ///< bits 15:14, Itanium 2
}  // namespace fetch_config

/// Data EAR: PMC11, Montecito PMC40.
namespace data_config {
inline constexpr unsigned mode_shift = 7;  ///< bits 8:7: 0 cache, 1 TLB, 2 and 3 ALAT
}  // namespace data_config

/// Branch or execution trace buffer: PMC12, Montecito PMC39.
namespace ring_config {
inline constexpr std::uint64_t used = 0xffcf;  ///< bits 5:4 are ignored
inline constexpr std::uint64_t ds = 1u << 7;   ///< entries hold prediction details instead of targets
inline constexpr unsigned tm_shift = 8;        ///< bits 9:8: not taken, taken
inline constexpr unsigned ptm_shift = 10;      ///< bits 11:10: target mispredicted, correctly predicted
inline constexpr unsigned ppm_shift = 12;      ///< bits 13:12: path mispredicted, correctly predicted
inline constexpr unsigned brt_shift = 14;      ///< bits 15:14: branch type
}  // namespace ring_config

/// IP-EAR of the Montecito: PMC42. Bits 3:0 are plm, bit 6 is pm.
namespace ip_config {
inline constexpr unsigned mode_shift = 8, mode_off = 0, mode_on = 4;  ///< bits 10:8
inline constexpr unsigned delay_shift = 11;                           ///< bits 18:11: freeze delay in cycles
}  // namespace ip_config

/// Data ranges: PMC13, Montecito PMC41.
namespace data_ranges {
inline constexpr unsigned cfg_shift = 3, cfg_distance = 8;  ///< bits 4:3, 12:11, 20:19, 28:27: DataRule of a channel
inline constexpr unsigned ena_shift = 45;                   ///< bits 48:45: the channel is enabled
}  // namespace data_ranges

/// Code ranges: PMC14, Montecito PMC38.
namespace code_ranges {
inline constexpr unsigned ignored_shift = 1, ignored_distance = 3;  ///< bits 1, 4, 7, 10: the channel's pair is ignored
inline constexpr std::uint64_t fine = 1u << 13;                     ///< fine mode
}  // namespace code_ranges

struct Behaviour;

inline constexpr unsigned first_counter = 4;  ///< PMC4/PMD4
inline constexpr unsigned most_counters = 12;
inline constexpr unsigned most_threads = 2;
inline constexpr unsigned breakpoints = 8;  ///< IBR0-7, DBR0-7
inline constexpr unsigned pmv = 73;         ///< control register number

/// Configuration registers by number; those that do not exist stay 0.
using PmcFile = std::array<std::uint64_t, 43>;

/// PMCs `first` to `first` + `count` - 1: their value after reset, and the mask of writable bits.
struct PmcRange {
  std::uint8_t first, count;
  std::uint64_t reset, writable;
};

/// The content of a PMD.
enum class PmdRole : std::uint8_t {
  counter,
  fetch_address,
  fetch_latency,  ///< of the instruction EAR
  data_address,
  data_latency,
  data_instruction,  ///< of the data EAR
  ring_entry,
  ring_index,
  ring_flags
};
/// PMDs `first` to `first` + `count` - 1.
struct PmdRange {
  std::uint8_t first, count;
  PmdRole role;
};

/// Numbers of the configuration registers whose fields have the same positions in every family.
struct ConfigurationNumbers {
  std::uint8_t fetch_ear, data_ear, branch_ring, data_ranges, code_ranges, opcode_routing;
  std::uint8_t ip_ear = 0;  ///< 0: none
};

/// The event and filters of a counter.
struct Selected {
  unsigned code = 0;
  unsigned umask = 0;
  const Event* event = nullptr;  ///< null: none
};

/// Only one of the events whose codes are `alike` can count at a time: that of the lowest counter with such an event.
/// True if the event of counter i is alike, but is not this one.
[[nodiscard]] bool yields(std::span<const Selected> counters, unsigned i, bool (*alike)(unsigned code));

struct Family {
  unsigned counters;
  unsigned threads;  ///< hardware threads of a core; with one the owner of an occurrence does not matter
  std::span<const PmcRange> pmcs;
  std::span<const PmdRange> pmds;
  ConfigurationNumbers numbers;
  RingLayout ring;
  unsigned page_bits, granule_bits;  ///< of fine code ranges
  bool has_enable;                   ///< PMC4.enable must be 1
  bool has_ia32;                     ///< the ism fields exist
  bool has_thread_fields;            ///< PMC4-15 have the `all` bit and the line states
  std::span<const Event> events;

  /// Sets matchers, channel0_ignored and inverted.
  void (*decode_matchers)(const PmcFile&, TagRegisters&);
  /// Applies the rules that depend on several counters. Called after the events were looked up by code and unit mask.
  void (*settle)(std::span<const Event>, const Behaviour&, std::span<Selected>);
  /// True if counter `i` must not have its event, given the events of the other counters.
  bool (*breaks_rules)(std::span<const Selected>, unsigned i);
};

}  // namespace pmusim::pmu::ia64
