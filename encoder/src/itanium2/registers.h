// PMC0-15, PMD0-17, IBR0-7 and DBR0-7 of the Itanium 2, after libpfm 3.10's register views, the register table of Linux
// for this processor, and the architecture manual, volume 2, for the debug registers.
#pragma once

#include <span>

#include "encoder/src/backend.h"
#include "encoder/src/ia64/registers.h"
#include "encoder/src/ia64/table.h"

namespace pmusim::encoder::itanium2 {

// The event table of the Itanium 2. It contains facts only.

inline constexpr unsigned kCounters = 4;
inline constexpr unsigned kCounterWidth = 47;

/// Groups of events. All events of a group in one run must belong to one set, because the sets share wires.
inline constexpr std::uint8_t kL1Group = 1;
inline constexpr std::uint8_t kL2Group = 2;
inline constexpr std::string_view kWireGroups[] = {"", "L1", "L2"};

/// All events; the index is the descriptor.
[[nodiscard]] const std::vector<ia64::Row>& rows();
/// Other codes and unit masks of events of rows(), with the event's name. encode() does not use them.
[[nodiscard]] const std::vector<ia64::Row>& other_codes();
/// Events that a list names and no document defines.
[[nodiscard]] const std::vector<ia64::Row>& undefined_rows();

namespace field {
using namespace ia64::field;
namespace meaning = ia64::meaning;

// PMC4 to PMC7.
inline constexpr Field enable{"enable", "23", 23, 1,
                              Meaning("the PMU is off (PMC4 only)", "the PMU works (PMC4 only)")};

// PMC8 and PMC9.
inline constexpr Field ig_ad{"ig_ad", "0", 0, 1, meaning::range_ignored};
inline constexpr Field inv{"inv", "1", 1, 1, meaning::range_inverted};
inline constexpr Field bit2{"fixed", "2", 2, 1, meaning::bits};
inline constexpr Field opcode_mask{"mask", "29:3", 3, 27, meaning::bits};
inline constexpr Field opcode_match{"match", "59:33", 33, 27, meaning::bits};
inline constexpr Field slot_b{"b", "60", 60, 1, meaning::slot_type};
inline constexpr Field slot_f{"f", "61", 61, 1, meaning::slot_type};
inline constexpr Field slot_i{"i", "62", 62, 1, meaning::slot_type};
inline constexpr Field slot_m{"m", "63", 63, 1, meaning::slot_type};

// PMC10.
inline constexpr Field iear_ism{"ism", "15:14", 14, 2, meaning::instruction_set};
}  // namespace field

/// Values that constrain nothing.
inline constexpr std::uint64_t kMatchEverything = 0xffffffff3fffffff;  ///< PMC8
inline constexpr std::uint64_t kNoRouting = 0xffffffff;                ///< PMC15

/// All registers of the processor.
[[nodiscard]] std::span<const Register> registers();

}  // namespace pmusim::encoder::itanium2
