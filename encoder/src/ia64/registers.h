// Fields and registers of both IA-64 processors, possibly with different register numbers, after the register views of
// libpfm 3.10 and, for the debug registers, the architecture manual, volume 2.
#pragma once

#include <array>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/src/backend.h"

namespace pmusim::encoder::ia64 {

/// The meanings of the fields in words.
namespace meaning {

std::string levels(std::uint64_t value);
inline constexpr Meaning overflow_interrupt{"an overflow neither freezes nor interrupts",
                                            "an overflow freezes the PMU and interrupts"};
inline constexpr Meaning external_visibility{"an overflow shows on no pin", "an overflow pulses a pin"};
inline constexpr Meaning privileged{"run by PSR.up", "run by PSR.pp"};
inline constexpr Meaning threshold{"add up all occurrences", "count cycles with more than {} occurrences"};
inline constexpr Meaning unit_mask{"unit mask {:#x}"};
inline constexpr Meaning code{"event code {:#04x}"};
inline constexpr Meaning instruction_set{"in both instruction sets", "in IA-32 code only", "in IA-64 code only",
                                         "never"};
inline constexpr Meaning ear_mode{"cache misses", "TLB misses", "ALAT misses", "reserved: ALAT misses"};
inline constexpr Meaning taken{"no branch", "branches that are not taken", "taken branches", "branches taken or not"};
inline constexpr Meaning target_prediction{"no branch", "wrongly predicted targets", "rightly predicted targets",
                                           "any target prediction"};
inline constexpr Meaning path_prediction{"no branch", "wrongly predicted paths", "rightly predicted paths",
                                         "any path prediction"};
inline constexpr Meaning branch_type{"every kind of branch", "IP-relative branches", "returns",
                                     "indirect branches other than returns"};
inline constexpr Meaning freeze{"monitoring allowed", "all monitoring stands still"};
inline constexpr Meaning overflow{"no counter overflowed", "counters that overflowed, by bit: {:#x}"};
inline constexpr Meaning slot_type{"none match", "instructions of this slot type match"};
inline constexpr Meaning data_constraint{"by instruction address, opcode and data address",
                                         "by instruction address and opcode", "by data address", "no constraint"};
inline constexpr Meaning pair_enabled{"the pair takes no part", "the pair takes part"};
inline constexpr Meaning pair_ignored{"the channel is constrained by its pair",
                                      "the channel is not constrained by its pair"};
inline constexpr Meaning fine_mode{"pairs hold addresses and masks", "pairs hold the bounds of ranges inside a page"};
inline constexpr Meaning matcher_ignored{"the channel is constrained by its matcher",
                                         "the channel is not constrained by its matcher"};
inline constexpr Meaning range_ignored{"channel 0 follows its code range", "channel 0 has no code range"};
inline constexpr Meaning range_inverted{"inside the code range", "outside of the code range"};
inline constexpr Meaning address{"address bits {:#x}"};
inline constexpr Meaning bits{"{:#x}"};
inline constexpr Meaning number{"{}"};
inline constexpr Meaning flag{"no", "yes"};
inline constexpr Meaning instruction_ear_type{"instruction TLB", "instruction cache"};
inline constexpr Meaning buffer_contents{"record the targets of branches", "record details of the prediction"};
inline constexpr Meaning count{"{} counted"};
inline constexpr Meaning sign{"copies of bit 46", "copies of bit 46: negative"};
inline constexpr Meaning captured{"nothing captured", "valid: {}"};
inline constexpr Meaning latency{"{} cycles"};
inline constexpr Meaning latency_overflow{"exact", "longer than the field holds"};
inline constexpr Meaning slot{"slot {}"};
inline constexpr Meaning bundle{"first bundle of its window", "second bundle of its window"};
inline constexpr Meaning branch_or_target{"a target", "a branch"};
inline constexpr Meaning wrapped{"not yet full", "every entry was written"};
/// The four extension bits of an entry of the branch trace buffer.
std::string branch_extension(std::uint64_t value);
inline constexpr Meaning reserved{"reserved", "reserved: {:#x}"};

}  // namespace meaning

namespace field {

[[nodiscard]] constexpr Field reserved(std::string_view bits, unsigned shift, unsigned width) {
  return {"reserved", bits, shift, width, meaning::reserved};
}
[[nodiscard]] constexpr Field fixed(std::string_view bits, unsigned shift, unsigned width) {
  return {"fixed", bits, shift, width, meaning::bits};
}

// Control registers of the counters. The control register of the data EAR also has plm, pm, umask and ism.
inline constexpr Field plm{"plm", "3:0", 0, 4, meaning::levels};
inline constexpr Field ev{"ev", "4", 4, 1, meaning::external_visibility};
inline constexpr Field oi{"oi", "5", 5, 1, meaning::overflow_interrupt};
inline constexpr Field pm{"pm", "6", 6, 1, meaning::privileged};
inline constexpr Field es{"es", "15:8", 8, 8, meaning::code};
inline constexpr Field umask{"umask", "19:16", 16, 4, meaning::unit_mask};
inline constexpr Field threshold{"threshold", "22:20", 20, 3, meaning::threshold};
inline constexpr Field ism{"ism", "25:24", 24, 2, meaning::instruction_set};

// Control register of the instruction EAR.
inline constexpr Field iear_pm{"pm", "4", 4, 1, meaning::privileged};
inline constexpr Field iear_cache_umask{"umask", "12:5", 5, 8, meaning::unit_mask};
inline constexpr Field iear_tlb_umask{"umask", "11:5", 5, 7, meaning::unit_mask};
inline constexpr Field iear_ct{"ct", "13", 13, 1, meaning::instruction_ear_type};

// Control register of the data EAR.
inline constexpr Field dear_mode{"mode", "8:7", 7, 2, meaning::ear_mode};

// Control register of the branch or execution trace buffer.
inline constexpr Field ds{"ds", "7", 7, 1, meaning::buffer_contents};
inline constexpr Field tm{"tm", "9:8", 8, 2, meaning::taken};
inline constexpr Field ptm{"ptm", "11:10", 10, 2, meaning::target_prediction};
inline constexpr Field ppm{"ppm", "13:12", 12, 2, meaning::path_prediction};
inline constexpr Field brt{"brt", "15:14", 14, 2, meaning::branch_type};

// Control register of code ranges.
inline constexpr Field fine{"fine", "13", 13, 1, meaning::fine_mode};

}  // namespace field

/// The bit of the control register of code ranges that is 0 if `pair` constrains the code.
[[nodiscard]] constexpr unsigned code_pair_bit(unsigned pair) { return 3 * pair + 1; }

/// Values of the control registers of data and code ranges that constrain nothing.
inline constexpr std::uint64_t kUnconstrainedData = 0x2078fefefefe;
inline constexpr std::uint64_t kUnconstrainedCode = 0xdb6;

inline constexpr std::array kReservedFields{field::reserved("63:0", 0, 64)};
inline constexpr std::array kBufferFields{
    field::reserved("63:16", 16, 48), field::brt, field::ppm, field::ptm, field::tm, field::ds, field::pm,
    field::reserved("5:4", 4, 2),     field::plm};
inline constexpr std::array kDataRangeFields{field::reserved("63:49", 49, 15),
                                             Field{"ena_dbrp3", "48", 48, 1, meaning::pair_enabled},
                                             Field{"ena_dbrp2", "47", 47, 1, meaning::pair_enabled},
                                             Field{"ena_dbrp1", "46", 46, 1, meaning::pair_enabled},
                                             Field{"ena_dbrp0", "45", 45, 1, meaning::pair_enabled},
                                             field::fixed("44:29", 29, 16),
                                             Field{"cfg_dbrp3", "28:27", 27, 2, meaning::data_constraint},
                                             field::fixed("26:21", 21, 6),
                                             Field{"cfg_dbrp2", "20:19", 19, 2, meaning::data_constraint},
                                             field::fixed("18:13", 13, 6),
                                             Field{"cfg_dbrp1", "12:11", 11, 2, meaning::data_constraint},
                                             field::fixed("10:5", 5, 6),
                                             Field{"cfg_dbrp0", "4:3", 3, 2, meaning::data_constraint},
                                             field::fixed("2:0", 0, 3)};
inline constexpr std::array kCodeRangeFields{
    field::reserved("63:14", 14, 50), field::fine,
    field::fixed("12:11", 11, 2),     Field{"ibrp3", "10", 10, 1, meaning::pair_ignored},
    field::fixed("9:8", 8, 2),        Field{"ibrp2", "7", 7, 1, meaning::pair_ignored},
    field::fixed("6:5", 5, 2),        Field{"ibrp1", "4", 4, 1, meaning::pair_ignored},
    field::fixed("3:2", 2, 2),        Field{"ibrp0", "1", 1, 1, meaning::pair_ignored},
    field::fixed("0", 0, 1)};

inline constexpr std::array kCountFields{Field{"sxt47", "63:47", 47, 17, meaning::sign},
                                         Field{"count", "46:0", 0, 47, meaning::count}};
inline constexpr std::array kFetchAddressFields{Field{"iaddr", "63:5", 5, 59, meaning::address},
                                                field::reserved("4:2", 2, 3),
                                                Field{"stat", "1:0", 0, 2, meaning::captured}};
inline constexpr std::array kFetchLatencyFields{field::reserved("63:13", 13, 51),
                                                Field{"overflow", "12", 12, 1, meaning::latency_overflow},
                                                Field{"latency", "11:0", 0, 12, meaning::latency}};
inline constexpr std::array kDataAddressFields{Field{"daddr", "63:0", 0, 64, meaning::address}};
inline constexpr std::array kDataLatencyFields{
    field::reserved("63:16", 16, 48), Field{"stat", "15:14", 14, 2, meaning::captured},
    Field{"overflow", "13", 13, 1, meaning::latency_overflow}, Field{"latency", "12:0", 0, 13, meaning::latency}};
inline constexpr std::array kDataInstructionFields{
    Field{"iaddr", "63:4", 4, 60, meaning::address}, Field{"vl", "3", 3, 1, meaning::captured},
    Field{"bn", "2", 2, 1, meaning::bundle}, Field{"slot", "1:0", 0, 2, meaning::slot}};

inline constexpr std::array kDebugAddressFields{Field{"addr", "63:0", 0, 64, meaning::address}};
inline constexpr std::array kCodeMaskFields{Field{"x", "63", 63, 1, meaning::flag}, field::reserved("62:60", 60, 3),
                                            Field{"plm", "59:56", 56, 4, meaning::levels},
                                            Field{"mask", "55:0", 0, 56, meaning::bits}};
inline constexpr std::array kDataMaskFields{
    Field{"r", "63", 63, 1, meaning::flag}, Field{"w", "62", 62, 1, meaning::flag}, field::reserved("61:60", 60, 2),
    Field{"plm", "59:56", 56, 4, meaning::levels}, Field{"mask", "55:0", 0, 56, meaning::bits}};

/// Registers with consecutive numbers and the same fields; the name of one is its space and number, PMC4.
struct RegisterRun {
  std::string_view space;
  unsigned first = 0, last = 0;
  std::span<const Field> fields;
};

/// The registers of a processor: PMC0 (overflow bits and freeze), PMC1 to PMC3 (reserved here), its own, and the debug
/// registers IBR0-7 and DBR0-7, which qualify events by code and data address.
class Registers {
 public:
  Registers(std::span<const Field> pmc0, std::span<const RegisterRun> own);
  [[nodiscard]] std::span<const Register> all() const { return all_; }

 private:
  void add(const RegisterRun& run);
  std::deque<std::string> names_;
  std::vector<Register> all_;
};

/// The register of `space` with this number. Throws std::out_of_range if there is none.
[[nodiscard]] const Register& find_register(std::span<const Register> registers, std::string_view space,
                                            unsigned number);

}  // namespace pmusim::encoder::ia64
