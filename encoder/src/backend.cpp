#include "backend.h"

#include <fmt/format.h>

#include <algorithm>

#include "text.h"

namespace pmusim::encoder {

std::uint32_t Event::counters() const {
  std::uint32_t mask = 0;
  for (const CounterCode& entry : codes) mask |= 1u << entry.counter;
  return mask;
}

std::optional<std::uint32_t> Event::code_on(unsigned counter) const {
  for (const CounterCode& entry : codes)
    if (entry.counter == counter) return entry.code;
  return std::nullopt;
}

const UnitMask* Event::default_mask() const {
  for (const UnitMask& mask : unit_masks)
    if (mask.is_default) return &mask;
  return nullptr;
}

std::string Meaning::of(std::uint64_t value) const {
  if (function_ != nullptr) return function_(value);
  return count_ == 0 ? "" : fmt::format(fmt::runtime(words_[std::min<std::uint64_t>(value, count_ - 1)]), value);
}

std::vector<ForeignAttribute> joined(std::span<const ForeignAttribute> family, std::span<const ForeignAttribute> own) {
  std::vector<ForeignAttribute> all(family.begin(), family.end());
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

std::vector<std::string_view> names_of(std::span<const Register> registers, std::string_view space, unsigned first,
                                       unsigned count) {
  std::vector<std::string_view> names(count);
  for (const Register& reg : registers)
    if (reg.space == space && reg.number >= first && reg.number - first < count) names[reg.number - first] = reg.name;
  return names;
}

Result<Levels> levels_of(const Request& request) {
  const auto user = request.settings.get("u");
  const auto kernel = request.settings.get("k");
  const auto mask = request.settings.get("plm");
  if (mask) {
    const Levels levels{(*mask & 0xe) != 0, (*mask & 1) != 0};
    if (user.value_or(levels.user) != levels.user || kernel.value_or(levels.kernel) != levels.kernel)
      return Error{ErrorCode::attribute_conflict,
                   fmt::format("{}: plm={} and u or k ask for different levels; name one or the other",
                               in_quotes(request.text), *mask)};
    return levels;
  }
  if (!user && !kernel) return Levels{};
  return Levels{user.value_or(0) != 0, kernel.value_or(0) != 0};
}

Result<std::uint64_t> Backend::start_value(unsigned counter, std::uint64_t period, std::uint64_t longest,
                                           std::uint64_t least, std::string_view ends) const {
  if (period < least || period > longest)
    return Error{ErrorCode::bad_value, fmt::format("period {}: {} {} after {} to {} events", period,
                                                   counter_name(counter), ends, least, longest)};
  return longest - period;
}

}  // namespace pmusim::encoder
