// The stateless engine: computes register values from requests for any back end. The C++ API and the C API are
// thin layers over it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend.h"

namespace pmusim::encoder {

/// The back ends, one for each target, in the order of targets().
[[nodiscard]] std::span<const Backend* const> backends();
/// The back end of a target; null for an unknown name. Case is ignored.
[[nodiscard]] const Backend* find_backend(std::string_view name);

[[nodiscard]] Result<Encoding> encode(const Backend& backend, std::span<const Request> requests,
                                      const GroupOptions& options);
[[nodiscard]] Result<Encoding> encode(const Backend& backend, std::span<const std::string> events,
                                      const EncodeOptions& options);

/// The register of `backend` with the manual's name `name` (any case); null if there is none.
[[nodiscard]] const Register* find_register(const Backend& backend, std::string_view name);
/// The register that `value` identifies by name, or by space and number if the name is empty. Fails for an unknown
/// register or a value that does not fit it.
[[nodiscard]] Result<const Register*> match_register(const Backend& backend, const RegisterValue& value);

}  // namespace pmusim::encoder
