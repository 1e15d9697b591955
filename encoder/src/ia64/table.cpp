#include "table.h"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace pmusim::encoder::ia64 {

std::string_view name_of(ThreadType type) {
  static constexpr std::array<std::string_view, 5> names{"", "active", "floating", "causal", "self-floating"};
  return names.at(static_cast<std::size_t>(type));
}

std::span<const UnitMask> line_state_masks() {
  static constexpr std::array<UnitMask, 4> masks{{{"I", 0, "lines that are invalid"},
                                                  {"S", 1, "lines that are shared"},
                                                  {"E", 2, "lines that are exclusive"},
                                                  {"M", 3, "lines that are modified"}}};
  return masks;
}

std::vector<Row> rows_of(std::span<const Family> families, std::uint32_t counters) {
  static constexpr Variant plain[] = {{}};
  const auto or_plain = [](std::span<const Variant> list) {
    return list.empty() ? std::span<const Variant>(plain) : list;
  };
  std::vector<Row> rows;
  for (const Family& family : families)
    for (const Variant& variant : or_plain(family.variants.first))
      for (const Variant& detail : or_plain(family.variants.second)) {
        Row row;
        row.name = family.name;
        if (!variant.suffix.empty()) row.name += fmt::format("{}{}", family.joined ? "" : "_", variant.suffix);
        if (!detail.suffix.empty()) row.name += fmt::format("_{}", detail.suffix);
        row.code = family.code;
        row.umask = variant.umask | detail.umask;
        row.kind = family.kind;
        row.counters = variant.counters ? variant.counters : family.counters ? family.counters : counters;
        row.max_per_cycle = family.max_per_cycle;
        row.filters = family.filters;
        row.wires = family.wires;
        row.thread = family.thread;
        row.line_states = family.line_states;
        row.description = family.description;
        if (!variant.words.empty()) row.description += fmt::format(": {}", variant.words);
        if (!detail.words.empty()) row.description += fmt::format(", {}", detail.words);
        rows.push_back(std::move(row));
      }
  return rows;
}

std::vector<Event> events_of(const std::vector<Row>& rows, std::string_view source,
                             std::span<const std::string_view> groups) {
  std::vector<Event> events;
  for (const Row& row : rows) {
    Event event;
    event.name = row.name;
    event.description = row.description;
    event.source = source;
    event.max_per_cycle = row.max_per_cycle;
    event.fixed_mask = row.counter_umask();
    event.companion = row.companion();
    event.thread_type = name_of(row.thread);
    event.mask_is_fixed = true;
    if (row.wires.group != 0) event.event_set = fmt::format("{} set {}", groups[row.wires.group], row.wires.set);
    if (row.line_states) event.unit_masks = line_state_masks();
    event.masks_are_places = row.line_states;
    for (std::uint32_t left = row.counters; left != 0; left &= left - 1)
      event.codes.push_back({static_cast<unsigned>(std::countr_zero(left)), row.code});
    if (row.filters & kCode) event.filters.emplace_back("code range");
    if (row.filters & kData) event.filters.emplace_back("data range");
    if (row.filters & kOpcode) event.filters.emplace_back("opcode");
    for (std::size_t i = 0; i < events.size() && event.same_as.empty(); ++i)
      if (rows[i].code == row.code && rows[i].umask == row.umask && rows[i].kind == row.kind)
        event.same_as = rows[i].name;
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace pmusim::encoder::ia64
