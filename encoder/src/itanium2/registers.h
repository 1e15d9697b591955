// PMC0-15, PMD0-17, IBR0-7 and DBR0-7 of the Itanium 2, after libpfm 3.10's register views, the register table of Linux
// for this processor, and the architecture manual, volume 2, for the debug registers.
#pragma once

#include <span>

#include "../backend.h"
#include "../ia64/fields.h"

namespace pmusim::encoder::itanium2 {

namespace field {
namespace meaning = ia64::meaning;
std::string ear_type_meaning(std::uint64_t value);
std::string power_meaning(std::uint64_t value);
std::string ds_meaning(std::uint64_t value);

// PMC4 to PMC7; PMC11 shares plm, pm, umask and ism.
inline constexpr Field plm{"plm", "3:0", 0, 4, meaning::levels};
inline constexpr Field ev{"ev", "4", 4, 1, meaning::external_visibility};
inline constexpr Field oi{"oi", "5", 5, 1, meaning::overflow_interrupt};
inline constexpr Field pm{"pm", "6", 6, 1, meaning::privileged};
inline constexpr Field es{"es", "15:8", 8, 8, meaning::code};
inline constexpr Field umask{"umask", "19:16", 16, 4, meaning::unit_mask};
inline constexpr Field threshold{"threshold", "22:20", 20, 3, meaning::threshold};
inline constexpr Field enable{"enable", "23", 23, 1, power_meaning};
inline constexpr Field ism{"ism", "25:24", 24, 2, meaning::instruction_set};

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
inline constexpr Field iear_pm{"pm", "4", 4, 1, meaning::privileged};
inline constexpr Field iear_cache_umask{"umask", "12:5", 5, 8, meaning::unit_mask};
inline constexpr Field iear_tlb_umask{"umask", "11:5", 5, 7, meaning::unit_mask};
inline constexpr Field iear_ct{"ct", "13", 13, 1, ear_type_meaning};
inline constexpr Field iear_ism{"ism", "15:14", 14, 2, meaning::instruction_set};

// PMC11.
inline constexpr Field dear_mode{"mode", "8:7", 7, 2, meaning::ear_mode};

// PMC12.
inline constexpr Field ds{"ds", "7", 7, 1, ds_meaning};
inline constexpr Field tm{"tm", "9:8", 8, 2, meaning::taken};
inline constexpr Field ptm{"ptm", "11:10", 10, 2, meaning::target_prediction};
inline constexpr Field ppm{"ppm", "13:12", 12, 2, meaning::path_prediction};
inline constexpr Field brt{"brt", "15:14", 14, 2, meaning::branch_type};

// PMC14.
inline constexpr Field fine{"fine", "13", 13, 1, meaning::fine_mode};
}  // namespace field

/// Values that constrain nothing.
inline constexpr std::uint64_t kMatchEverything = 0xffffffff3fffffff;  ///< PMC8
inline constexpr std::uint64_t kUnconstrainedData = 0x2078fefefefe;    ///< PMC13
inline constexpr std::uint64_t kUnconstrainedCode = 0xdb6;             ///< PMC14
inline constexpr std::uint64_t kNoRouting = 0xffffffff;                ///< PMC15

/// The bit of PMC14 that is 0 when code is constrained by `pair`.
[[nodiscard]] constexpr unsigned code_pair_bit(unsigned pair) { return 3 * pair + 1; }

/// Every register, by space and number.
[[nodiscard]] std::span<const Register> registers();
[[nodiscard]] const Register& pmc(unsigned number);
[[nodiscard]] const Register& pmd(unsigned number);
[[nodiscard]] const Register& ibr(unsigned number);
[[nodiscard]] const Register& dbr(unsigned number);

}  // namespace pmusim::encoder::itanium2
