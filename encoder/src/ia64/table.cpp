#include "table.h"

#include <fmt/format.h>

#include <algorithm>
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

namespace {

/// What the variants of a family add to it.
struct Added {
  std::string suffix;
  std::uint16_t umask = 0;
  std::string words;
  std::uint32_t counters = 0;
};

Added joined(const Added& first, const Variant& second, std::string_view between, std::string_view words_between) {
  const auto join = [](const std::string& a, std::string_view how, std::string_view b) {
    return a + std::string(a.empty() || b.empty() ? "" : how) + std::string(b);
  };
  return {join(first.suffix, between, second.suffix), static_cast<std::uint16_t>(first.umask | second.umask),
          join(first.words, words_between, second.words), first.counters | second.counters};
}

std::vector<Added> expanded(const Variants& variants) {
  std::vector<Added> all;
  for (const Variant& one : variants.first) {
    const std::size_t before = all.size();
    all.push_back(joined({}, one, "", ""));
    for (std::size_t i = 1; variants.any && i < before; ++i) all.push_back(joined(all[i], one, "_OR_", " or "));
  }
  if (variants.any) {
    all.pop_back();  // all others together, which the first one is
    std::sort(all.begin(), all.end(), [](const Added& a, const Added& b) { return a.suffix < b.suffix; });
  }
  if (all.empty()) all.emplace_back();
  if (variants.second.empty()) return all;
  std::vector<Added> pairs;
  for (const Added& one : all)
    for (const Variant& detail : variants.second) pairs.push_back(joined(one, detail, "_", ", "));
  return pairs;
}

}  // namespace

std::vector<Row> rows_of(std::span<const Family> families, std::uint32_t counters) {
  std::vector<Row> rows;
  for (const Family& family : families)
    for (const Added& variant : expanded(family.variants)) {
      std::string name(family.name), description(family.description);
      if (!variant.suffix.empty()) name += fmt::format("{}{}", family.joined ? "" : "_", variant.suffix);
      if (!variant.words.empty()) description += fmt::format(": {}", variant.words);
      rows.push_back({std::move(name), family.code, variant.umask, family.kind,
                      variant.counters  ? variant.counters
                      : family.counters ? family.counters
                                        : counters,
                      family.max_per_cycle, family.filters, family.wires, std::move(description), family.thread,
                      family.line_states});
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
