// PerfEvtSel and PerfCtr of the AMD K7, after AMD publication 22007 Rev. E, pages 161-168.
#pragma once

#include <span>

#include "encoder/src/backend.h"

namespace pmusim::encoder::athlon {

inline constexpr unsigned kCounters = 4;
inline constexpr unsigned kCounterWidth = 48;
inline constexpr std::uint32_t kPerfEvtSel0 = 0xC0010000;
inline constexpr std::uint32_t kPerfCtr0 = 0xC0010004;

/// The fields of PerfEvtSel (22007E Figure 11).
namespace field {
std::string event_meaning(std::uint64_t value);
inline constexpr Meaning reserved_meaning{"reserved", "reserved: to be written 0, and ignored"};

inline constexpr Field reserved_high{"reserved", "63:32", 32, 32, reserved_meaning};
inline constexpr Field cnt_mask{
    "CNT_MASK", "31:24", 24, 8,
    Meaning("add up all occurrences", "add 1 in cycles that the comparison with {} lets pass")};
inline constexpr Field inv{
    "INV", "23", 23, 1,
    Meaning("compare with at least CNT_MASK occurrences", "compare with fewer than CNT_MASK occurrences")};
inline constexpr Field en{"EN", "22", 22, 1, Meaning("counter disabled", "counter enabled")};
inline constexpr Field reserved_low{"reserved", "21", 21, 1, reserved_meaning};
inline constexpr Field interrupt{
    "INT", "20", 20, 1,
    Meaning("no interrupt when the counter overflows", "APIC interrupt when the counter overflows")};
inline constexpr Field pc{
    "PC", "19", 19, 1,
    Meaning("toggle the PM pin when events are counted", "toggle the PM pin when the counter overflows")};
inline constexpr Field edge{"E", "18", 18, 1,
                            Meaning("count without edge detection", "count the beginnings of the condition")};
inline constexpr Field os{"OS", "17", 17, 1,
                          Meaning("do not count at privilege level 0", "count at privilege level 0")};
inline constexpr Field usr{
    "USR", "16", 16, 1, Meaning("do not count at privilege levels 1, 2 and 3", "count at privilege levels 1, 2 and 3")};
inline constexpr Field unit_mask{"UNIT_MASK", "15:8", 8, 8,
                                 Meaning("no sub-event selected (events without unit masks ignore this field)",
                                         "sub-events of EVENT that are counted, one a bit")};
inline constexpr Field event{"EVENT", "7:0", 0, 8, event_meaning};
}  // namespace field

/// PerfEvtSel0-3, then PerfCtr0-3.
[[nodiscard]] std::span<const Register> registers();

}  // namespace pmusim::encoder::athlon
