// Registers of the Athlon's performance counters: numbers and fields. Source: AMD Athlon Processor x86 Code
// Optimization Guide, 22007 Rev. E, appendix D, pp. 161-168; local APIC and debug registers as in the x86
// system architecture.
#pragma once

#include <cstdint>

namespace pmusim::pmu::athlon {

inline constexpr unsigned counters = 4;
inline constexpr unsigned counter_bits = 48;
inline constexpr std::uint64_t counter_modulus = std::uint64_t{1} << counter_bits;

/// MSR numbers.
namespace msr {
inline constexpr std::uint32_t tsc = 0x10;
inline constexpr std::uint32_t perf_evt_sel0 = 0xc001'0000;
inline constexpr std::uint32_t perf_ctr0 = 0xc001'0004;
}  // namespace msr

/// PerfEvtSel0-3.
namespace select {
inline constexpr std::uint32_t event_mask = 0xff;       ///< bits 7:0
inline constexpr unsigned unit_mask_shift = 8;          ///< bits 15:8
inline constexpr std::uint32_t usr = 1u << 16;          ///< count at CPL 1, 2, 3
inline constexpr std::uint32_t os = 1u << 17;           ///< count at CPL 0
inline constexpr std::uint32_t edge = 1u << 18;         ///< E
inline constexpr std::uint32_t pin_control = 1u << 19;  ///< PC
inline constexpr std::uint32_t interrupt = 1u << 20;    ///< INT
inline constexpr std::uint32_t reserved = 1u << 21;
inline constexpr std::uint32_t enable = 1u << 22;   ///< EN
inline constexpr std::uint32_t invert = 1u << 23;   ///< INV
inline constexpr unsigned counter_mask_shift = 24;  ///< bits 31:24
}  // namespace select

/// Local APIC: the performance counter entry of the local vector table.
namespace lvt {
inline constexpr std::uint32_t offset = 0x340;
inline constexpr std::uint32_t vector_mask = 0xff;
inline constexpr unsigned mode_shift = 8;  ///< bits 10:8
inline constexpr std::uint32_t mode_mask = 7;
inline constexpr std::uint32_t fixed = 0;
inline constexpr std::uint32_t smi = 2;
inline constexpr std::uint32_t nmi = 4;
inline constexpr std::uint32_t delivery_status = 1u << 12;  ///< read-only
inline constexpr std::uint32_t masked = 1u << 16;
inline constexpr std::uint32_t writable = masked | mode_mask << mode_shift | vector_mask;
inline constexpr std::uint32_t least_fixed_vector = 16;
}  // namespace lvt

/// Debug registers: DR0-3 hold addresses, DR7 specifies the accesses that match.
namespace debug {
inline constexpr unsigned breakpoints = 4;
inline constexpr std::uint32_t control = 7;                 ///< DR7
inline constexpr std::uint32_t control_always_set = 0x400;  ///< bit 10 reads 1
inline constexpr std::uint32_t control_writable = 0xffff'23ff;
inline constexpr std::uint32_t rw_execute = 0;
inline constexpr std::uint32_t rw_write = 1;
inline constexpr std::uint32_t rw_access = 3;
}  // namespace debug

/// DR0-3 and DR7 as comparators.
struct DebugRegisters {
  std::uint32_t address[debug::breakpoints] = {};
  std::uint32_t control = debug::control_always_set;

  /// L or G bit of breakpoint i.
  [[nodiscard]] bool enabled(unsigned i) const { return (control >> (2 * i) & 3) != 0; }
  [[nodiscard]] std::uint32_t read_write(unsigned i) const { return control >> (16 + 4 * i) & 3; }
  /// Length in bytes, minus 1. LEN = 10b is undefined here and treated as one byte.
  [[nodiscard]] std::uint32_t length_mask(unsigned i) const {
    const std::uint32_t length = control >> (18 + 4 * i) & 3;
    return length == 2 ? 0 : length;
  }
};

}  // namespace pmusim::pmu::athlon
