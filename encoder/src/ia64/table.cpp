#include "table.h"

#include <fmt/format.h>

#include <bit>

namespace pmusim::encoder::ia64 {

std::vector<Row> rows_of(std::span<const Family> families, std::uint32_t counters) {
  static constexpr Variant plain[] = {{}};
  std::vector<Row> rows;
  for (const Family& family : families)
    for (const Variant& variant : family.variants.empty() ? std::span<const Variant>(plain) : family.variants) {
      Row row;
      row.name = family.name;
      if (!variant.suffix.empty()) row.name += fmt::format("{}{}", family.joined ? "" : "_", variant.suffix);
      row.code = family.code;
      row.umask = variant.umask;
      row.kind = family.kind;
      row.counters = variant.counters ? variant.counters : counters;
      row.max_per_cycle = family.max_per_cycle;
      row.honours = family.honours;
      row.wires = family.wires;
      row.description = family.description;
      if (!variant.words.empty()) row.description += fmt::format(": {}", variant.words);
      rows.push_back(std::move(row));
    }
  return rows;
}

std::vector<Event> events_of(const std::vector<Row>& rows, std::string_view source) {
  std::vector<Event> events;
  for (const Row& row : rows) {
    Event event;
    event.name = row.name;
    event.description = row.description;
    event.source = source;
    event.max_per_cycle = row.max_per_cycle;
    event.fixed_mask = row.counter_umask();
    event.companion = row.companion();
    for (std::uint32_t left = row.counters; left != 0; left &= left - 1)
      event.codes.push_back({static_cast<unsigned>(std::countr_zero(left)), row.code});
    if (row.honours & kCode) event.filters.emplace_back("code range");
    if (row.honours & kData) event.filters.emplace_back("data range");
    if (row.honours & kOpcode) event.filters.emplace_back("opcode");
    for (std::size_t i = 0; i < events.size() && event.same_as.empty(); ++i)
      if (rows[i].code == row.code && rows[i].umask == row.umask && rows[i].kind == row.kind)
        event.same_as = rows[i].name;
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace pmusim::encoder::ia64
