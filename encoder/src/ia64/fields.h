// The meanings of the fields of the IA-64 monitoring registers in words, for both processors.
#pragma once

#include <string>

#include "encoder/src/backend.h"

namespace pmusim::encoder::ia64::meaning {

std::string levels(std::uint64_t value);
std::string overflow_interrupt(std::uint64_t value);
std::string external_visibility(std::uint64_t value);
std::string privileged(std::uint64_t value);
std::string threshold(std::uint64_t value);
std::string unit_mask(std::uint64_t value);
std::string code(std::uint64_t value);
std::string instruction_set(std::uint64_t value);
std::string ear_mode(std::uint64_t value);
std::string taken(std::uint64_t value);
std::string target_prediction(std::uint64_t value);
std::string path_prediction(std::uint64_t value);
std::string branch_type(std::uint64_t value);
std::string freeze(std::uint64_t value);
std::string overflow(std::uint64_t value);
std::string slot_type(std::uint64_t value);
std::string data_constraint(std::uint64_t value);
std::string pair_enabled(std::uint64_t value);
std::string pair_ignored(std::uint64_t value);
std::string fine_mode(std::uint64_t value);
std::string matcher_ignored(std::uint64_t value);
std::string range_ignored(std::uint64_t value);
std::string range_inverted(std::uint64_t value);
std::string address(std::uint64_t value);
std::string bits(std::uint64_t value);
std::string number(std::uint64_t value);
std::string flag(std::uint64_t value);
std::string instruction_ear_type(std::uint64_t value);
std::string buffer_contents(std::uint64_t value);
std::string count(std::uint64_t value);
std::string sign(std::uint64_t value);
std::string captured(std::uint64_t value);
std::string latency(std::uint64_t value);
std::string latency_overflow(std::uint64_t value);
std::string slot(std::uint64_t value);
std::string bundle(std::uint64_t value);
std::string branch_or_target(std::uint64_t value);
std::string wrapped(std::uint64_t value);
/// The four extension bits of an entry of the branch trace buffer.
std::string branch_extension(std::uint64_t value);
std::string reserved(std::uint64_t value);

}  // namespace pmusim::encoder::ia64::meaning
