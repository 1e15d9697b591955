// A run of the C++ API as the input of dispatch(), and what comes of it as an Encoding.
#pragma once

#include <span>

#include "../backend.h"
#include "dispatch.h"

namespace pmusim::encoder::itanium2 {

/// One event of the run with its row; raw events have a row made for them.
struct Wanted {
  const Request* request;
  ia64::Row row;
};

/// `events` must outlive the input.
[[nodiscard]] Result<Input> input_of(std::span<const Wanted> events, const GroupOptions& options);

/// Registers and what they cover; without the events' own entries and warnings.
[[nodiscard]] Encoding encoding_of(const Input& in, const ia64::RunOutput& out);

}  // namespace pmusim::encoder::itanium2
