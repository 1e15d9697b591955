#include "engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "text.h"

namespace pmusim::encoder {

namespace {

bool place(std::span<const std::uint32_t> allowed, std::uint32_t free, std::vector<unsigned>& placed) {
  if (placed.size() == allowed.size()) return true;
  if (static_cast<std::size_t>(std::popcount(free)) < allowed.size() - placed.size()) return false;
  for (std::uint32_t choices = allowed[placed.size()] & free; choices != 0; choices &= choices - 1) {
    const auto counter = static_cast<unsigned>(std::countr_zero(choices));
    placed.push_back(counter);
    if (place(allowed, free & ~(1u << counter), placed)) return true;
    placed.pop_back();
  }
  return false;
}

/// Assigns a different counter to each event. Returns nothing if there is no assignment. Bit c of `allowed[i]` is set
/// if counter c can count event i. Among all solutions the first events get the lowest counters, so that the same
/// request always gives the same registers.
std::optional<std::vector<unsigned>> assign(std::span<const std::uint32_t> allowed) {
  std::uint32_t free = 0;
  for (const std::uint32_t counters : allowed) free |= counters;
  std::vector<unsigned> placed;
  if (!place(allowed, free, placed)) return std::nullopt;
  return placed;
}

std::string counter_list(const Backend& backend, std::uint32_t counters) {
  std::vector<std::string_view> names;
  for (unsigned counter = 0; counter < backend.info().counters; ++counter)
    if (counters >> counter & 1) names.push_back(backend.counter_name(counter));
  return names.empty() ? "no counter" : fmt::format("{}", fmt::join(names, ", "));
}

std::uint32_t all_counters(const Backend& backend) { return (1u << backend.info().counters) - 1; }

/// The error for the first event without a free counter. It names these counters and the events on them.
Error no_place(const Backend& backend, std::span<const Request> requests, std::span<const std::uint32_t> allowed) {
  std::size_t fits = 0;
  while (assign(allowed.first(fits + 1))) ++fits;
  const Request& culprit = requests[fits];
  if (allowed[fits] == 0)
    return {ErrorCode::no_assignment, fmt::format("{} counts only on {}, which is not available",
                                                  in_quotes(culprit.text), counter_list(backend, culprit.counters()))};
  std::vector<std::string> rivals;
  for (std::size_t i = 0; i < fits; ++i)
    if (allowed[i] & allowed[fits]) rivals.push_back(in_quotes(requests[i].text));
  return {ErrorCode::no_assignment,
          fmt::format("{} counts only on {}, taken by {}; count them in separate runs", in_quotes(culprit.text),
                      counter_list(backend, allowed[fits]), fmt::join(rivals, ", "))};
}

Error no_qualifiers(const Backend& backend) {
  return {ErrorCode::bad_qualifier,
          fmt::format("{} has no address ranges, opcode matchers, event address registers or branch buffers; itanium2 "
                      "and montecito have them",
                      backend.info().name)};
}

Result<std::vector<unsigned>> place(const Backend& backend, std::span<const Request> requests,
                                    std::uint32_t unavailable) {
  const std::uint32_t usable = all_counters(backend) & ~unavailable;
  const auto available = static_cast<std::size_t>(std::popcount(usable));
  if (requests.size() > available)
    return Error{
        ErrorCode::too_many_events,
        fmt::format("{} events asked, but {} has {} {}counters ({})", requests.size(), backend.info().name, available,
                    available < backend.info().counters ? "available " : "", counter_list(backend, usable))};
  std::vector<std::uint32_t> allowed;
  for (const Request& request : requests) allowed.push_back(request.counters() & usable);
  if (auto counters = assign(allowed)) return *std::move(counters);
  return no_place(backend, requests, allowed);
}

}  // namespace

Result<Encoding> PlacingBackend::encode(std::span<const Request> requests, const GroupOptions& options) const {
  if (!options.qualifiers.empty()) return no_qualifiers(*this);
  if (!options.quirks.empty())
    return Error{ErrorCode::bad_qualifier, fmt::format("{} has no quirks of libpfm to imitate", info().name)};
  const auto counters = place(*this, requests, options.unavailable);
  if (!counters) return counters.error();
  return program(requests, *counters, options.settings, options.sampling);
}

Result<Qualifiers> Backend::parse_qualifiers(const QualifierTexts& texts) const {
  if (texts.empty()) return Qualifiers{};
  return no_qualifiers(*this);
}

Result<Encoding> encode(const Backend& backend, std::span<const Request> requests, const GroupOptions& options) {
  return backend.encode(requests, options);
}

Result<Encoding> encode(const Backend& backend, std::span<const std::string> events, const EncodeOptions& options) {
  GroupOptions group;
  group.sampling = options.sampling;
  group.qualifiers = options.qualifiers;
  group.quirks = options.quirks;
  for (const unsigned counter : options.unavailable_counters) {
    if (counter >= backend.info().counters)
      return Error{ErrorCode::bad_value, fmt::format("unavailable counter {}: {} has counters 0 to {}", counter,
                                                     backend.info().name, backend.info().counters - 1)};
    group.unavailable |= 1u << counter;
  }
  std::vector<Request> requests;
  for (const std::string& text : events) {
    for (const std::string& one : expand_event_string(backend, text)) {
      auto request = parse_event_string(backend, one);
      if (!request) return request.error();
      requests.push_back(std::move(request.value()));
    }
  }
  return encode(backend, requests, group);
}

const Register* find_register(const Backend& backend, std::string_view name) {
  for (const Register& reg : backend.registers())
    if (same_word(reg.name, name)) return &reg;
  return nullptr;
}

Result<const Register*> match_register(const Backend& backend, const RegisterValue& value) {
  const Register* found = find_register(backend, value.name);
  if (!found && value.name.empty())
    for (const Register& reg : backend.registers())
      if (reg.number == value.number && same_word(reg.space, value.space)) found = &reg;
  if (!found) {
    std::vector<std::string_view> names;
    for (const Register& reg : backend.registers()) names.push_back(reg.name);
    const std::string word =
        value.name.empty() ? fmt::format("{} {:#x}", value.space, value.number) : in_quotes(value.name);
    return Error{ErrorCode::unknown_register,
                 fmt::format("{} has no register {}{}; registers: {}", backend.info().name, word,
                             did_you_mean(value.name, names), fmt::join(names, ", "))};
  }
  if (found->width < 64 && value.value >> found->width != 0)
    return Error{ErrorCode::bad_value,
                 fmt::format("{} has {} bits and cannot hold {:#x}", found->name, found->width, value.value)};
  return found;
}

}  // namespace pmusim::encoder
