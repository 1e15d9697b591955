#include "backend.h"

#include <fmt/format.h>

#include <algorithm>

#include "encoder/src/engine.h"
#include "encoder/src/text.h"

namespace pmusim::encoder::alpha {

namespace {

constexpr std::array<ForeignAttribute, 8> kForeign{{
    {"plm", "no Alpha has a mask of levels; the 21164's are u, k and pal"},
    {"h", "no Alpha has a hypervisor level"},
    {"c", "it has no counter mask"},
    {"t", "it has no threshold"},
    {"i", "no comparison can be inverted"},
    {"e", "it detects no edges"},
    {"marked", "pme counts marked processes only"},
    {"ism", "it has one instruction set"},
}};

}  // namespace

AlphaBackend::AlphaBackend(const Chip& chip)
    : PlacingBackend({.info = chip.info,
                      .attributes = chip.attributes,
                      .foreign_attributes = joined(kForeign, chip.foreign),
                      .registers = chip.registers,
                      .counter_names = names_of(chip.registers, kCounters, 0, chip.info.counters),
                      .raw_forms = chip.raw_forms}),
      chip_(chip) {
  for (const auto& rows : chip_.table.rows)
    for (const Row& row : rows) {
      Event event;
      event.name = row.name;
      event.description = row.description;
      event.source = chip_.table.source;
      event.codes.push_back({row.counter, row.code});
      event.max_per_cycle = row.max_per_cycle;
      event.confirmed = row.confirmed;
      events_.push_back(std::move(event));
    }
  for (const Reserved& selector : chip_.table.reserved) {
    Event event;
    event.name = fmt::format("RSVD_{}_{:X}", selector.counter, selector.code);
    event.description =
        fmt::format("Selector {:#x} of counter {}, for which no event is defined", selector.code, selector.counter);
    event.source = chip_.table.source;
    event.codes.push_back({selector.counter, selector.code});
    event.max_per_cycle = 0;
    reserved_events_.push_back(std::move(event));
  }
}

std::optional<Result<Request>> AlphaBackend::raw_event(std::string_view head) const {
  const std::size_t equals = head.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  for (unsigned counter = 0; counter < info().counters; ++counter) {
    if (!same_word(head.substr(0, equals), counter_name(counter))) continue;
    const auto code = number(head.substr(equals + 1));
    const std::uint32_t limit = chip_.code_limits[counter];
    const bool second = limit > kSecond;  // codes above 0xF: a second select and 0xF
    if (!code || *code > limit || (second && *code > kSecond && (*code & kSecond) != kSecond))
      return Error{ErrorCode::bad_value, fmt::format("{}: the code of {} is a number from 0 to {:#x}{}",
                                                     in_quotes(head), counter_name(counter), second ? kSecond : limit,
                                                     second ? ", or 0xNF for second select N = 0 to 7" : "")};
    Request request;
    request.raw_code = static_cast<std::uint32_t>(*code);
    request.raw_counters = 1U << counter;
    return request;
  }
  return Error{ErrorCode::syntax, fmt::format("{}: the raw form is {} with a counter from 0 to {}", in_quotes(head),
                                              raw_forms(), info().counters - 1)};
}

AlphaBackend::Values::Values(const Backend& backend, std::span<const RegisterValue> values) {
  for (const RegisterValue& value : values)
    if (const auto reg = match_register(backend, value)) set((*reg)->name, value.value);
}

std::uint32_t AlphaBackend::code_of(const Request& request, unsigned counter) {
  return request.event != nullptr ? request.event->code_on(counter).value_or(0) : request.raw_code;
}

RegisterValue AlphaBackend::holding(std::string_view name, std::uint64_t value) const {
  return find_register(*this, name)->holding(value);
}

Selection AlphaBackend::selection(unsigned counter, std::uint32_t code) const {
  Selection selection;
  selection.counter_index = counter;
  selection.counter = counter_name(counter);
  const auto event = std::find_if(events_.begin(), events_.end(), [&](const Event& candidate) {
    return candidate.companion == 0 && candidate.code_on(counter) == code;
  });
  selection.known = event != events_.end();
  selection.canonical = selection.known ? fmt::format("{}::{}", info().name, event->name)
                                        : fmt::format("{}::{}={:#x}", info().name, selection.counter, code);
  return selection;
}

Result<bool> AlphaBackend::agreed(std::span<const Request> requests, std::string_view name) {
  const auto asks = [&](const Request& request) { return request.settings.get(name).value_or(0) != 0; };
  for (const Request& request : requests)
    if (asks(request) != asks(requests.front()))
      return Error{ErrorCode::register_conflict,
                   fmt::format("{} and {} ask for different {}, which holds for all counters; count them in separate "
                               "runs",
                               in_quotes(requests.front().text), in_quotes(request.text), name)};
  return !requests.empty() && asks(requests.front());
}

std::optional<Error> AlphaBackend::check_levels(std::span<const Request> requests) const {
  for (const Request& request : requests)
    if (request.settings.get("u").value_or(1) == 0 || request.settings.get("k").value_or(1) == 0)
      return Error{ErrorCode::bad_attribute_value,
                   fmt::format("{}: {} has no filter by mode; it counts in user, kernel and PALmode alike",
                               in_quotes(request.text), info().name)};
  return std::nullopt;
}

}  // namespace pmusim::encoder::alpha
