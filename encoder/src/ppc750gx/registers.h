// MMCR0, MMCR1, PMC1-4 and SIA of the IBM 750GX/750GL, after its user's manual 1.2, chapters 2 and 11.
// Bits are numbered as by IBM: bit 0 is the most significant of 32.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "encoder/src/backend.h"

namespace pmusim::encoder::ppc750gx {

// The event tables of the 750GX, as in the manual: facts only, with one row for each selector of a counter.

inline constexpr unsigned kCounters = 4;

/// The register-wide setting that an event depends on.
enum class Uses : std::uint8_t { none, threshold, time_base };

struct Row {
  std::uint8_t select;
  std::string_view name;
  unsigned max_per_cycle;
  std::string_view description;
  Uses uses = Uses::none;
  bool confirmed = true;
};

/// A range of selectors of a counter, `first` to `last`, that the manual reserves.
struct ReservedRange {
  std::uint8_t first;
  std::uint8_t last;
  std::string_view reason;
};

/// The selectors of one counter.
struct CounterTable {
  unsigned counter;  ///< 0 is PMC1
  std::string_view source;
  std::span<const Row> rows;
  std::span<const ReservedRange> reserved;
};

/// The tables of PMC1 to PMC4.
[[nodiscard]] std::span<const CounterTable> tables();

enum : std::uint32_t { kMmcr0 = 952, kPmc1 = 953, kPmc2 = 954, kSia = 955, kMmcr1 = 956, kPmc3 = 957, kPmc4 = 958 };
/// The SPR number of a user copy is the number of the register minus 16.
inline constexpr std::uint32_t kUserCopyDistance = 16;

namespace field {
template <unsigned Counter>
std::string select_meaning(std::uint64_t value);

inline constexpr Field dis{"DIS", "0", 31, 1, Meaning("counting allowed", "all counters stand still")};
inline constexpr Field dp{"DP", "1", 30, 1, Meaning("counting in supervisor state", "no counting in supervisor state")};
inline constexpr Field du{"DU", "2", 29, 1, Meaning("counting in user state", "no counting in user state")};
inline constexpr Field dms{"DMS", "3", 28, 1, Meaning("counting while MSR[PM] is 1", "no counting while MSR[PM] is 1")};
inline constexpr Field dmr{"DMR", "4", 27, 1, Meaning("counting while MSR[PM] is 0", "no counting while MSR[PM] is 0")};
inline constexpr Field enint{
    "ENINT", "5", 26, 1,
    Meaning("interrupt signalling off", "interrupt signalling on; hardware clears the bit when it signals")};
inline constexpr Field discount{
    "DISCOUNT", "6", 25, 1,
    Meaning("counting goes on after an interrupt signal", "signalling an interrupt stops the counting")};
inline constexpr Field rtcselect{"RTCSELECT", "7:8", 23, 2,
                                 Meaning("bit 63 of the time base, 31 of TBL", "bit 55 of the time base, 23 of TBL",
                                         "bit 51 of the time base, 19 of TBL", "bit 47 of the time base, 15 of TBL")};
inline constexpr Field intonbittrans{
    "INTONBITTRANS", "9", 22, 1,
    Meaning("the time base signals no interrupt", "the RTCSELECT bit changing to 1 signals an interrupt")};
inline constexpr Field threshold{"THRESHOLD", "10:15", 16, 6,
                                 Meaning("L1_LOAD_MISSES counts loads that take more than {} cycles")};
inline constexpr Field pmc1intcontrol{"PMC1INTCONTROL", "16", 15, 1,
                                      Meaning("PMC1 signals no interrupt", "PMC1 signals an interrupt while negative")};
inline constexpr Field pmcintcontrol{
    "PMCINTCONTROL", "17", 14, 1,
    Meaning("PMC2, PMC3 and PMC4 signal no interrupt", "PMC2, PMC3 or PMC4 signals an interrupt while negative")};
inline constexpr Field pmctrigger{
    "PMCTRIGGER", "18", 13, 1,
    Meaning("PMC2 to PMC4 count at once", "PMC2 to PMC4 wait until PMC1 is negative or an interrupt is signalled")};
inline constexpr Field pmc1select{"PMC1SELECT", "19:25", 6, 7, select_meaning<0>};
inline constexpr Field pmc2select{"PMC2SELECT", "26:31", 0, 6, select_meaning<1>};
inline constexpr Field pmc3select{"PMC3SELECT", "0:4", 27, 5, select_meaning<2>};
inline constexpr Field pmc4select{"PMC4SELECT", "5:9", 22, 5, select_meaning<3>};
}  // namespace field

/// The position of a counter's selector.
struct Selector {
  std::uint32_t spr;  ///< SPR number of the control register
  Field bits;
};
inline constexpr std::array<Selector, 4> kSelectors{{{kMmcr0, field::pmc1select},
                                                     {kMmcr0, field::pmc2select},
                                                     {kMmcr1, field::pmc3select},
                                                     {kMmcr1, field::pmc4select}}};
/// SPR numbers of PMC1 to PMC4.
inline constexpr std::array<std::uint32_t, 4> kCounterSprs{kPmc1, kPmc2, kPmc3, kPmc4};

/// MMCR0, MMCR1, PMC1-4, SIA.
[[nodiscard]] std::span<const Register> registers();
[[nodiscard]] const Register& register_of(std::uint32_t spr);

}  // namespace pmusim::encoder::ppc750gx
