// Converts a run of the C++ API to the input of dispatch(), and its output to an Encoding.
#pragma once

#include <span>

#include "dispatch.h"
#include "encoder/src/backend.h"
#include "encoder/src/ia64/encoding.h"

namespace pmusim::encoder::itanium2 {

inline constexpr ia64::QualifierForm kQualifiers{
    .target = "itanium2", .instruction_sets = true, .prediction_details = true, .ip_ear = false, .fetch_kinds = false};

/// The input of dispatch(). `events` must outlive it.
[[nodiscard]] Result<Input> input_of(std::span<const ia64::Wanted> events, const GroupOptions& options);

/// The registers and the covered ranges, without the entries of the events and the warnings.
[[nodiscard]] Encoding encoding_of(const Input& in, const ia64::RunOutput& out);

}  // namespace pmusim::encoder::itanium2
