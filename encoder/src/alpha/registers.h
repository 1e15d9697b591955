// The registers that program the counters of the Alpha implementations: calls of PALcode (WRPERFMON; each function is a
// register of the space "wrperfmon" with the argument in R17 as its value), and the processor registers that they set.
// After sys/pfcntr.h, the Alpha Architecture Handbook, version 4, appendix E, and the hardware reference manuals.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "encoder/src/backend.h"

namespace pmusim::encoder::alpha {

// The event tables of the Alpha implementations. They contain facts only, with one row for each selector of a counter.

struct Row {
  std::string_view name;  ///< the constant of sys/pfcntr.h
  unsigned counter;
  std::uint32_t code;  ///< value of the counter's input field; EV5: second_select(), EV67: see ev67_table()
  unsigned max_per_cycle;
  std::string_view description;
  bool confirmed = true;
};

/// A selector for which no document defines an event.
struct Reserved {
  unsigned counter;
  std::uint32_t code;
};

/// A statistic of ProfileMe. Only one can be collected at a time.
struct Statistic {
  unsigned number;        ///< in the enumeration of sys/pfcntr.h
  std::string_view name;  ///< the constant of sys/pfcntr.h
  std::string_view tool;  ///< name in uprofile; empty if unknown
  std::uint32_t sl1;      ///< value of SL1 with which the counters collect it
  std::string_view description;
};

struct Table {
  std::string_view source;
  std::array<std::span<const Row>, 2> rows;  ///< rows of the family, rows of this implementation only
  std::span<const Reserved> reserved;
  std::span<const Statistic> statistics = {};  ///< 21264A only
};

/// Value of SEL1 or SEL2 that selects the input from the Cbox. Its code combines it with the second select of the Cbox.
inline constexpr std::uint32_t kSecond = 0xF;
constexpr std::uint32_t second_select(std::uint32_t select) { return select << 4 | kSecond; }

[[nodiscard]] const Table& ev4_table();
[[nodiscard]] const Table& ev5_table();
[[nodiscard]] const Table& pca56_table();
[[nodiscard]] const Table& ev6_table();
/// Events of the aggregate mode, with the names of uprofile. The code is the value of SL1: bit 0 of it on counter 0,
/// the whole field on counter 1.
[[nodiscard]] const Table& ev67_table();

/// A constant of sys/pfcntr.h that selects an aggregate mode of the EV67, with the events of this mode.
struct Pair {
  std::string_view name;
  std::array<std::string_view, 2> events;  ///< the second may be empty
};
[[nodiscard]] std::span<const Pair> pairs();

// Helpers for the fields of the Alpha registers: the meanings of their values.

/// The name of the event in a table that a counter counts with selector `code`.
template <const auto& Table, unsigned Counter>
std::string event_meaning(std::uint64_t code) {
  for (const auto& rows : Table().rows)
    for (const auto& row : rows)
      if (row.counter == Counter && row.code == code) return std::string(row.name);
  return "no event";
}

inline constexpr Meaning reserved_meaning{"reserved", "to be written 0"};
inline constexpr Meaning count_meaning{"{} counted"};
inline constexpr Meaning start_meaning{"new value {}"};

/// A field that does not belong to the performance monitor.
constexpr Field reserved(std::string_view bits, unsigned shift, unsigned width) {
  return {"reserved", bits, shift, width, reserved_meaning};
}

/// Lists the counters of a bit mask with one bit for each counter.
inline std::string mask_meaning(std::uint64_t value) {
  std::string list;
  for (unsigned n = 0; n < 3; ++n)
    if ((value >> n & 1U) != 0) list += fmt::format("{}counter {}", list.empty() ? "" : ", ", n);
  return list.empty() ? "no counter" : list;
}

inline constexpr std::string_view kCalls = "wrperfmon", kIprs = "ipr", kCounters = "counter";

/// Function codes of WRPERFMON in R16.
enum Function : std::uint32_t {
  disable = 0,
  enable = 1,
  select = 2,
  options = 3,
  frequency = 4,
  write = 6,
  restart = 7
};

namespace ev4 {
enum : std::uint32_t { kIccsr = 0x02, kHier = 0x10 };
extern const Field pc1, pc0, pcmux0, pcmux1;  // ICCSR
extern const Field log_all, log_marked;       // options
extern const Field hier_pc0, hier_pc1;
[[nodiscard]] std::span<const Register> registers();
}  // namespace ev4

namespace ev5 {
enum : std::uint32_t { kIcsr = 0x118, kPmctr = 0x11C, kBcCtl = 0x128, kCbuConfig = 0x188 };
inline constexpr std::array<unsigned, 3> kWidths{16, 16, 14};
/// Fields of PMCTR. The selectors and kill bits have the same positions in the arguments of select and options.
extern const Field sel0, sel1, sel2, ku, kp, kk;
extern const std::array<Field, 3> ctl;
extern const std::array<Field, 3> period;        // of the argument of frequency
extern const Field marked;                       // of the argument of options
extern const Field pma, pmp;                     // ICSR
extern const std::array<Field, 2> second;        // BC_CTL and select: second selects of counters 1 and 2
extern const std::array<Field, 2> pca56_second;  // 21164PC
/// Values of ctl and period.
enum : std::uint64_t { kOff = 0, kSilent = 1, kLong = 2, k256 = 3 };
[[nodiscard]] std::span<const Register> registers(bool pca56);
}  // namespace ev5

namespace ev6 {
enum : std::uint32_t { kIerCm = 0x0B, kICtl = 0x11, kPctrCtl = 0x14, kPctx = 0x40 };
extern const Field sl0, sl1;                       // PCTR_CTL and select
extern const Field sl0_67, sl1_67;                 // 21264A
extern const Field spce, ppce, marked;             // I_CTL, PCTX, options
extern const std::array<Field, 2> counter_enable;  // I_CTL
extern const std::array<Field, 2> interrupt;       // IER_CM
[[nodiscard]] std::span<const Register> registers(bool ev67);
}  // namespace ev6

/// The bit of an argument that selects counter `n`.
[[nodiscard]] constexpr std::uint64_t chosen(unsigned n) { return std::uint64_t{1} << n; }

}  // namespace pmusim::encoder::alpha
