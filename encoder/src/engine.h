// The stateless engine: requests in, register values out, for any back end. The C++ API and the C API are
// two thin layers over it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend.h"

namespace pmusim::encoder {

/// Every back end, one per target; the order is the order of targets().
[[nodiscard]] std::span<const Backend* const> backends();
/// Null for an unknown name (compared without case).
[[nodiscard]] const Backend* find_backend(std::string_view name);

[[nodiscard]] Result<Encoding> encode(const Backend& backend, std::span<const Request> requests,
                                      const GroupOptions& options);
[[nodiscard]] Result<Encoding> encode(const Backend& backend, std::span<const std::string> events,
                                      const EncodeOptions& options);

/// Registers of `backend` by the manual's name (any case); null when there is none.
[[nodiscard]] const Register* find_register(const Backend& backend, std::string_view name);
/// The register that `value` names, by name or else by space and number.
[[nodiscard]] Result<const Register*> match_register(const Backend& backend, const RegisterValue& value);

}  // namespace pmusim::encoder
