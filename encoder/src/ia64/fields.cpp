#include "fields.h"

#include <fmt/format.h>

#include <array>

namespace pmusim::encoder::ia64::meaning {

std::string levels(std::uint64_t value) {
  if (value == 0) return "off at every privilege level";
  std::string text;
  for (unsigned level = 0; level < 4; ++level)
    if (value >> level & 1) text += fmt::format("{}{}", text.empty() ? "on at privilege levels " : ", ", level);
  return text;
}
std::string overflow_interrupt(std::uint64_t value) {
  return value ? "an overflow freezes the PMU and interrupts" : "an overflow neither freezes nor interrupts";
}
std::string external_visibility(std::uint64_t value) {
  return value ? "an overflow pulses a pin" : "an overflow shows on no pin";
}
std::string privileged(std::uint64_t value) { return value ? "run by PSR.pp" : "run by PSR.up"; }
std::string threshold(std::uint64_t value) {
  return value ? fmt::format("count cycles with more than {} occurrences", value) : "add up all occurrences";
}
std::string unit_mask(std::uint64_t value) { return fmt::format("unit mask {:#x}", value); }
std::string code(std::uint64_t value) { return fmt::format("event code {:#04x}", value); }
std::string instruction_set(std::uint64_t value) {
  static constexpr std::array words{"in both instruction sets", "in IA-32 code only", "in IA-64 code only", "never"};
  return words.at(value & 3);
}
std::string ear_mode(std::uint64_t value) {
  static constexpr std::array words{"cache misses", "TLB misses", "ALAT misses", "reserved: ALAT misses"};
  return words.at(value & 3);
}
std::string taken(std::uint64_t value) {
  static constexpr std::array words{"no branch", "branches that are not taken", "taken branches",
                                    "branches taken or not"};
  return words.at(value & 3);
}
std::string target_prediction(std::uint64_t value) {
  static constexpr std::array words{"no branch", "wrongly predicted targets", "rightly predicted targets",
                                    "any target prediction"};
  return words.at(value & 3);
}
std::string path_prediction(std::uint64_t value) {
  static constexpr std::array words{"no branch", "wrongly predicted paths", "rightly predicted paths",
                                    "any path prediction"};
  return words.at(value & 3);
}
std::string branch_type(std::uint64_t value) {
  static constexpr std::array words{"every kind of branch", "IP-relative branches", "returns",
                                    "indirect branches other than returns"};
  return words.at(value & 3);
}
std::string freeze(std::uint64_t value) { return value ? "all monitoring stands still" : "monitoring allowed"; }
std::string overflow(std::uint64_t value) {
  return value ? fmt::format("counters that overflowed, by bit: {:#x}", value) : "no counter overflowed";
}
std::string slot_type(std::uint64_t value) { return value ? "instructions of this slot type match" : "none match"; }
std::string data_constraint(std::uint64_t value) {
  static constexpr std::array words{"by instruction address, opcode and data address",
                                    "by instruction address and opcode", "by data address", "no constraint"};
  return words.at(value & 3);
}
std::string pair_enabled(std::uint64_t value) { return value ? "the pair takes part" : "the pair takes no part"; }
std::string pair_ignored(std::uint64_t value) {
  return value ? "the channel is not constrained by its pair" : "the channel is constrained by its pair";
}
std::string fine_mode(std::uint64_t value) {
  return value ? "pairs hold the bounds of ranges inside a page" : "pairs hold addresses and masks";
}
std::string matcher_ignored(std::uint64_t value) {
  return value ? "the channel is not constrained by its matcher" : "the channel is constrained by its matcher";
}
std::string range_ignored(std::uint64_t value) {
  return value ? "channel 0 has no code range" : "channel 0 follows its code range";
}
std::string range_inverted(std::uint64_t value) {
  return value ? "outside of the code range" : "inside the code range";
}
std::string address(std::uint64_t value) { return fmt::format("address bits {:#x}", value); }
std::string bits(std::uint64_t value) { return fmt::format("{:#x}", value); }
std::string number(std::uint64_t value) { return fmt::format("{}", value); }
std::string instruction_ear_type(std::uint64_t value) { return value ? "instruction cache" : "instruction TLB"; }
std::string buffer_contents(std::uint64_t value) {
  return value ? "record details of the prediction" : "record the targets of branches";
}
std::string count(std::uint64_t value) { return fmt::format("{} counted", value); }
std::string sign(std::uint64_t value) { return value ? "copies of bit 46: negative" : "copies of bit 46"; }
std::string captured(std::uint64_t value) { return value ? fmt::format("valid: {}", value) : "nothing captured"; }
std::string latency(std::uint64_t value) { return fmt::format("{} cycles", value); }
std::string latency_overflow(std::uint64_t value) { return value ? "longer than the field holds" : "exact"; }
std::string slot(std::uint64_t value) { return fmt::format("slot {}", value); }
std::string bundle(std::uint64_t value) { return value ? "second bundle of its window" : "first bundle of its window"; }
std::string branch_or_target(std::uint64_t value) { return value ? "a branch" : "a target"; }
std::string wrapped(std::uint64_t value) { return value ? "every entry was written" : "not yet full"; }
std::string branch_extension(std::uint64_t value) {
  std::string text = value & 1 ? "branch in the second bundle" : "branch in the first bundle";
  if (value & 2) text += ", flush by the branch unit";
  return text;
}
std::string flag(std::uint64_t value) { return value ? "yes" : "no"; }
std::string reserved(std::uint64_t value) { return value ? fmt::format("reserved: {:#x}", value) : "reserved"; }

}  // namespace pmusim::encoder::ia64::meaning
