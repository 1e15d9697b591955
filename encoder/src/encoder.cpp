// The C++ API, implemented with the engine.
#include "pmusim/encoder/encoder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine.h"
#include "text.h"

namespace pmusim::encoder {
namespace {

Result<const Backend*> backend_of(std::string_view target) {
  if (const Backend* found = find_backend(target)) return found;
  std::vector<std::string_view> names;
  for (const Backend* backend : backends()) names.push_back(backend->info().name);
  return Error{ErrorCode::unknown_target, fmt::format("no target {}{}; targets: {}", in_quotes(target),
                                                      did_you_mean(target, names), fmt::join(names, ", "))};
}

EventInfo describe(const Backend& backend, const Event& event) {
  EventInfo info;
  info.name = event.name;
  info.code = event.codes.front().code;
  for (const CounterCode& entry : event.codes) info.counter_codes.emplace_back(entry.counter, entry.code);
  info.description = event.description;
  info.source = event.source;
  info.confirmed = event.confirmed;
  info.max_per_cycle = event.max_per_cycle;
  info.fixed_mask = event.fixed_mask;
  info.same_as = event.same_as;
  info.filters = event.filters;
  info.thread_type = event.thread_type;
  info.mask_is_fixed = event.mask_is_fixed;
  info.event_set = event.event_set;
  for (const UnitMask& mask : event.unit_masks)
    info.unit_masks.push_back({std::string(mask.name), mask.code, std::string(mask.description), mask.is_default});
  for (const Attribute& attribute : backend.attributes()) info.attributes.emplace_back(attribute.name);
  return info;
}

std::vector<EventInfo> describe(const Backend& backend, const std::vector<Event>& events) {
  std::vector<EventInfo> infos;
  infos.reserve(events.size());
  for (const Event& event : events) infos.push_back(describe(backend, event));
  return infos;
}

}  // namespace

std::span<const TargetInfo> targets() {
  static const std::vector<TargetInfo> infos = [] {
    std::vector<TargetInfo> all;
    for (const Backend* backend : backends()) all.push_back(backend->info());
    return all;
  }();
  return infos;
}

Result<Encoding> encode(std::string_view target, std::span<const std::string> events, const EncodeOptions& options) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  return encode(**backend, events, options);
}

Result<Qualifiers> parse_qualifiers(std::string_view target, const QualifierTexts& texts) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  return (*backend)->parse_qualifiers(texts);
}

Result<std::vector<std::vector<std::string>>> split_passes(std::string_view target, std::span<const std::string> events,
                                                           const EncodeOptions& options) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  std::vector<std::vector<std::string>> passes;
  for (const std::string& event : events) {
    const auto fits = [&](const std::vector<std::string>& pass) {
      std::vector<std::string> tried = pass;
      tried.push_back(event);
      return static_cast<bool>(encode(**backend, tried, options));
    };
    const auto home = std::find_if(passes.begin(), passes.end(), fits);
    if (home != passes.end()) {
      home->push_back(event);
      continue;
    }
    const auto alone = encode(**backend, std::span(&event, 1), options);
    if (!alone) return alone.error();
    passes.push_back({event});
  }
  return passes;
}

Result<std::vector<EventInfo>> events(std::string_view target) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  return describe(**backend, (*backend)->events());
}

Result<std::vector<EventInfo>> reserved_events(std::string_view target) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  return describe(**backend, (*backend)->reserved_events());
}

Result<std::vector<AttributeInfo>> attributes(std::string_view target) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  const auto list = (*backend)->attributes();
  return std::vector<AttributeInfo>(list.begin(), list.end());
}

Result<std::vector<RegisterValue>> registers(std::string_view target) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  std::vector<RegisterValue> values;
  for (const Register& reg : (*backend)->registers()) values.push_back(reg.holding(0));
  return values;
}

Result<DecodedRegister> decode(std::string_view target, std::string_view name, std::uint64_t value) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  const auto reg = match_register(**backend, {"", 0, std::string(name), 0, value});
  if (!reg) return reg.error();
  DecodedRegister decoded{(*reg)->holding(value), {}};
  for (const Field& field : (*reg)->fields) {
    const std::uint64_t content = field.get(value);
    decoded.fields.push_back({std::string(field.name), std::string(field.bits), content, field.meaning.of(content)});
  }
  return decoded;
}

Result<std::vector<Selection>> selections(std::string_view target, std::span<const RegisterValue> values) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  for (const RegisterValue& value : values)
    if (const auto reg = match_register(**backend, value); !reg) return reg.error();
  return (*backend)->selections(values);
}

Result<std::uint64_t> preset(std::string_view target, unsigned counter_index, std::uint64_t period) {
  const auto backend = backend_of(target);
  if (!backend) return backend.error();
  if (counter_index >= (*backend)->info().counters)
    return Error{ErrorCode::bad_value, fmt::format("counter {}: {} has counters 0 to {}", counter_index, target,
                                                   (*backend)->info().counters - 1)};
  return (*backend)->preset(counter_index, period);
}

}  // namespace pmusim::encoder
