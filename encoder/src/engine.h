// The stateless engine: computes register values from requests for any back end. The C++ API and the C API are
// thin layers over it.
#pragma once

#include <span>
#include <string_view>
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

/// The grammar of event strings is [TARGET::]EVENT[:UMASK]...[:ATTR]...; case is ignored. Replaces additional names of
/// the family by the names of its table. Returns an event string for each event.
[[nodiscard]] std::vector<std::string> expand_event_string(const Backend& backend, std::string_view text);

/// Parses `text` as a request to `backend`. A word is looked up among the unit masks before the attributes. If the text
/// names no unit mask, the event's default applies. An error names the word, the limit and the nearest valid choice.
[[nodiscard]] Result<Request> parse_event_string(const Backend& backend, std::string_view text);

/// Adds a target to those of registry.cpp, for a program that has a family of its own. Call it before the first use of
/// the encoder. `name` must outlive the program; `get` is called at first use.
void add_backend(std::string_view name, const Backend& (*get)());

}  // namespace pmusim::encoder
