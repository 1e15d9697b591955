// The meanings of the fields of the IA-64 monitoring registers in words, for both processors.
#pragma once

#include <string>

#include "encoder/src/backend.h"

namespace pmusim::encoder::ia64::meaning {

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

}  // namespace pmusim::encoder::ia64::meaning
