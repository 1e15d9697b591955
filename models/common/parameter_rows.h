// One row per parameter: its description, and the fields of a core's or a monitor's settings that it sets. Each family
// has one table of rows, from which both the list of parameters and the settings are made.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/common/parameters.h"

namespace pmusim::models {

/// A function that writes the value of a parameter into settings.
template <class Settings>
using Put = void (*)(Settings& settings, std::int64_t value);

inline constexpr unsigned every_variant = ~0u;

/// A parameter and the fields that it sets.
template <class Settings>
struct ParameterRow {
  ParameterInfo info;
  std::array<Put<Settings>, 5> fields = {};  ///< up to the first null
  unsigned variants = every_variant;         ///< processors of the family with this parameter, one bit each
};

template <class Settings>
using ParameterRows = std::vector<ParameterRow<Settings>>;

namespace detail {

template <class Pointer>
struct OwnerOf;
template <class Owner, class Member>
struct OwnerOf<Member Owner::*> {
  using Type = Owner;
};
template <auto member>
using Owner = typename OwnerOf<decltype(member)>::Type;

template <auto member, auto... inner>
constexpr auto& reach(Owner<member>& settings) {
  if constexpr (sizeof...(inner) == 0) {
    return settings.*member;
  } else {
    return reach<inner...>(settings.*member);
  }
}

}  // namespace detail

/// Sets a field to the value: a number or an enumerator; a bool becomes true for every value except 0. Several members
/// name a nested field.
template <auto member, auto... inner>
inline constexpr Put<detail::Owner<member>> field = [](detail::Owner<member>& settings, std::int64_t value) {
  auto& place = detail::reach<member, inner...>(settings);
  place = static_cast<std::remove_reference_t<decltype(place)>>(value);
};

/// Sets a field to true if the parameter has this value, else to false.
template <std::int64_t wanted, auto member, auto... inner>
inline constexpr Put<detail::Owner<member>> is = [](detail::Owner<member>& settings, std::int64_t value) {
  detail::reach<member, inner...>(settings) = value == wanted;
};

/// A parameter for a behaviour that no source specifies. The first choice is the default.
[[nodiscard]] inline ParameterInfo open_choice(std::string_view name, std::string_view meaning, std::string_view source,
                                               std::vector<Choice> choices) {
  const std::int64_t least = 0, most = static_cast<std::int64_t>(choices.size()) - 1;
  return {name, choices.front().value, least, most, "", meaning, source, false, std::move(choices)};
}

/// One of two choices.
struct Way {
  std::string_view name, meaning;
};

/// A row of an open choice between two ways, 0 and 1. The first is the default.
template <class Settings>
[[nodiscard]] ParameterRow<Settings> either(std::string_view name, std::string_view meaning, std::string_view source,
                                            Way first, Way second, Put<Settings> put,
                                            unsigned variants = every_variant) {
  return {open_choice(name, meaning, source, {{first.name, 0, first.meaning}, {second.name, 1, second.meaning}}),
          {put},
          variants};
}

/// The choices of a parameter that is off or on.
[[nodiscard]] inline std::vector<Choice> off_on() { return {{"off", 0, "no"}, {"on", 1, "yes"}}; }

/// A row of a number, which sets one field.
template <auto member>
[[nodiscard]] ParameterRow<detail::Owner<member>> number(std::string_view name, std::int64_t default_value,
                                                         std::int64_t minimum, std::int64_t maximum,
                                                         std::string_view unit, std::string_view meaning,
                                                         std::string_view source, bool confirmed) {
  return {{name, default_value, minimum, maximum, unit, meaning, source, confirmed}, {field<member>}};
}

/// A row of a choice between these ways, whose values set one field.
template <auto member>
[[nodiscard]] ParameterRow<detail::Owner<member>> one_of(std::string_view name, std::int64_t default_value,
                                                         std::string_view meaning, std::string_view source,
                                                         bool confirmed, std::vector<Choice> choices) {
  const auto [least, most] = std::minmax_element(choices.begin(), choices.end(),
                                                 [](const Choice& a, const Choice& b) { return a.value < b.value; });
  const std::int64_t minimum = least->value, maximum = most->value;
  return {{name, default_value, minimum, maximum, "", meaning, source, confirmed, std::move(choices)}, {field<member>}};
}

/// The same, off or on.
template <auto member>
[[nodiscard]] ParameterRow<detail::Owner<member>> off_or_on(std::string_view name, std::int64_t default_value,
                                                            std::string_view meaning, std::string_view source,
                                                            bool confirmed) {
  return one_of<member>(name, default_value, meaning, source, confirmed, off_on());
}

/// The parameters of a table that apply to a variant of the processor.
template <class Settings>
[[nodiscard]] Parameters parameters_of(const ParameterRows<Settings>& rows, unsigned variant = every_variant) {
  std::vector<ParameterInfo> infos;
  for (const ParameterRow<Settings>& row : rows) {
    if ((row.variants & variant) != 0) infos.push_back(row.info);
  }
  return Parameters(std::move(infos));
}

/// Sets the fields of a variant's rows. A parameter that is not in `given` has its default; a field without a row keeps
/// its value.
template <class Settings>
void read_parameters(Settings& settings, const ParameterRows<Settings>& rows, const Parameters& given,
                     unsigned variant = every_variant) {
  for (const ParameterRow<Settings>& row : rows) {
    if ((row.variants & variant) == 0) continue;
    const std::string_view name = row.info.name;
    const std::int64_t value = given.has(name) ? given.get(name) : row.info.default_value;
    for (const Put<Settings> put : row.fields) {
      if (put == nullptr) break;
      put(settings, value);
    }
  }
}

}  // namespace pmusim::models
