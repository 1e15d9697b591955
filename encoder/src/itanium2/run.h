// A run of the C++ API as the input of dispatch(), and what comes of it as an Encoding.
#pragma once

#include <span>

#include "dispatch.h"
#include "encoder/src/backend.h"
#include "encoder/src/ia64/encoding.h"

namespace pmusim::encoder::itanium2 {

inline constexpr ia64::QualifierForm kQualifiers{
    .target = "itanium2", .instruction_sets = true, .prediction_details = true, .ip_ear = false, .fetch_kinds = false};

/// `events` must outlive the input.
[[nodiscard]] Result<Input> input_of(std::span<const ia64::Wanted> events, const GroupOptions& options);

/// Registers and what they cover; without the events' own entries and warnings.
[[nodiscard]] Encoding encoding_of(const Input& in, const ia64::RunOutput& out);

}  // namespace pmusim::encoder::itanium2
