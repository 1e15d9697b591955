// PerfEvtSel and PerfCtr of the AMD K7, after AMD publication 22007 Rev. E, pages 161-168.
#pragma once

#include <array>
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
std::string unit_mask_meaning(std::uint64_t value);
std::string usr_meaning(std::uint64_t value);
std::string os_meaning(std::uint64_t value);
std::string edge_meaning(std::uint64_t value);
std::string pin_meaning(std::uint64_t value);
std::string interrupt_meaning(std::uint64_t value);
std::string reserved_meaning(std::uint64_t value);
std::string enable_meaning(std::uint64_t value);
std::string invert_meaning(std::uint64_t value);
std::string counter_mask_meaning(std::uint64_t value);

inline constexpr Field reserved_high{"reserved", "63:32", 32, 32, reserved_meaning};
inline constexpr Field cnt_mask{"CNT_MASK", "31:24", 24, 8, counter_mask_meaning};
inline constexpr Field inv{"INV", "23", 23, 1, invert_meaning};
inline constexpr Field en{"EN", "22", 22, 1, enable_meaning};
inline constexpr Field reserved_low{"reserved", "21", 21, 1, reserved_meaning};
inline constexpr Field interrupt{"INT", "20", 20, 1, interrupt_meaning};
inline constexpr Field pc{"PC", "19", 19, 1, pin_meaning};
inline constexpr Field edge{"E", "18", 18, 1, edge_meaning};
inline constexpr Field os{"OS", "17", 17, 1, os_meaning};
inline constexpr Field usr{"USR", "16", 16, 1, usr_meaning};
inline constexpr Field unit_mask{"UNIT_MASK", "15:8", 8, 8, unit_mask_meaning};
inline constexpr Field event{"EVENT", "7:0", 0, 8, event_meaning};
}  // namespace field

/// PerfEvtSel0-3, then PerfCtr0-3.
[[nodiscard]] std::span<const Register> registers();

}  // namespace pmusim::encoder::athlon
