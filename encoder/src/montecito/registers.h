// PMC0-15 and 32-42, PMD4-15, 32-36, 38, 39 and 48-63, IBR0-7 and DBR0-7 of Montecito, after libpfm 3.10's register
// views and the register table of Linux for this processor.
#pragma once

#include <span>

#include "encoder/src/backend.h"
#include "encoder/src/ia64/registers.h"
#include "encoder/src/ia64/table.h"

namespace pmusim::encoder::montecito {

// The event table of Montecito. It contains facts only.

inline constexpr unsigned kCounters = 12;
inline constexpr unsigned kCounterWidth = 47;

/// Groups of events whose sets share wires. In one run, L1D events must be of one set, L2D events of at most two sets.
inline constexpr std::uint8_t kL1dGroup = 1;
inline constexpr std::uint8_t kL2dGroup = 2;
inline constexpr std::string_view kWireGroups[] = {"", "L1D", "L2D"};
/// The L2D set of which libpfm 3.10 drops bit 3.
inline constexpr int kLostSet = 8;

/// All events; the index is the descriptor.
[[nodiscard]] const std::vector<ia64::Row>& rows();

namespace field {
using namespace ia64::field;
namespace meaning = ia64::meaning;
inline constexpr Meaning state_meaning{"no lines in this state, where the event has states",
                                       "lines in this state, where the event has states"};
std::string ip_ear_meaning(std::uint64_t value);

// PMC4 to PMC15.
inline constexpr Field all{"all", "26", 26, 1, Meaning("the counter's own thread", "both threads")};
inline constexpr Field state_i{"I", "27", 27, 1, state_meaning};
inline constexpr Field state_s{"S", "28", 28, 1, state_meaning};
inline constexpr Field state_e{"E", "29", 29, 1, state_meaning};
inline constexpr Field state_m{"M", "30", 30, 1, state_meaning};
inline constexpr Field line_states{"line_states", "30:27", 27, 4, meaning::bits};  ///< all four states

// PMC32 to PMC35.
inline constexpr Field opcode_mask{"mask", "40:0", 0, 41, meaning::bits};
inline constexpr Field opcode_match{"match", "40:0", 0, 41, meaning::bits};
inline constexpr Field slot_b{"b", "48", 48, 1, meaning::slot_type};
inline constexpr Field slot_f{"f", "49", 49, 1, meaning::slot_type};
inline constexpr Field slot_i{"i", "50", 50, 1, meaning::slot_type};
inline constexpr Field slot_m{"m", "51", 51, 1, meaning::slot_type};
inline constexpr Field inv{"inv", "56", 56, 1, meaning::range_inverted};
inline constexpr Field ig_ad{"ig_ad", "57", 57, 1, meaning::range_ignored};

// PMC42.
inline constexpr Field ip_ear_mode{"mode", "10:8", 8, 3, ip_ear_meaning};
inline constexpr Field ip_ear_delay{"delay", "18:11", 11, 8, meaning::latency};
}  // namespace field

/// ism of counters and data EAR: the processor executes only IA-64 code.
inline constexpr std::uint64_t kIa64Code = 2;
/// Mode of the enabled IP-EAR.
inline constexpr std::uint64_t kIpEarOn = 4;

/// Values that constrain nothing.
inline constexpr std::uint64_t kMatchEverything = 0x030f01ffffffffff;      ///< PMC32
inline constexpr std::uint64_t kMatchEverythingElse = 0x000f01ffffffffff;  ///< PMC34
inline constexpr std::uint64_t kRouting = 0xfffffff0;  ///< PMC36: each channel is constrained by its matcher

/// All registers of the processor.
[[nodiscard]] std::span<const Register> registers();

}  // namespace pmusim::encoder::montecito
