#include "models/activity_file/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "pmusim/trace/byte_cursor.h"
#include "pmusim/trace/bytes.h"

namespace pmusim::activity_file {

using activity::Field;
using activity::Fields;
using activity::Name;
using trace::ByteCursor;
using trace::put_text;
using trace::put_varint;

namespace {

/// A longer list of names is taken as damage.
constexpr std::uint64_t most_names = 1u << 16;
constexpr std::uint64_t most_properties = 1u << 12;

void put_fields(std::string& out, const Fields& fields) {
  put_varint(out, fields.size());
  for (const Field& field : fields) {
    put_text(out, field.name);
    put_varint(out, field.mask);
    put_varint(out, field.values.size());
    for (const std::string& value : field.values) put_text(out, value);
  }
}

Fields get_fields(ByteCursor& from) {
  Fields fields;
  std::uint64_t taken = 0;
  for (std::uint64_t left = from.count(most_names, "fields"); left > 0; --left) {
    Field& field = fields.emplace_back();
    field.name = from.text();
    field.mask = from.varint();
    const std::uint64_t run = field.mask >> (std::countr_zero(field.mask) & 63);
    if (field.mask == 0 || (run & (run + 1)) != 0 || (field.mask & taken) != 0)
      from.fail(fmt::format("the bits {:#x} of field '{}' are not neighbours of its own", field.mask, field.name));
    taken |= field.mask;
    for (std::uint64_t values = from.count(most_names, "values"); values > 0; --values)
      field.values.emplace_back(from.text());
  }
  return fields;
}

void put_names(std::string& out, const std::vector<Name>& names) {
  put_varint(out, names.size());
  for (const Name& name : names) {
    put_text(out, name.name);
    put_fields(out, name.fields);
  }
}

std::vector<Name> get_names(ByteCursor& from) {
  std::vector<Name> names;
  for (std::uint64_t left = from.count(most_names, "names"); left > 0; --left) {
    Name& name = names.emplace_back();
    name.name = from.text();
    name.fields = get_fields(from);
  }
  return names;
}

}  // namespace

void Properties::set(std::string_view key, std::string value) {
  const auto found = std::find_if(list_.begin(), list_.end(), [&](const auto& entry) { return entry.first == key; });
  if (found != list_.end())
    found->second = std::move(value);
  else
    list_.emplace_back(key, std::move(value));
}

std::optional<std::string> Properties::get(std::string_view key) const {
  const auto found = std::find_if(list_.begin(), list_.end(), [&](const auto& entry) { return entry.first == key; });
  return found == list_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> Properties::list(std::string_view key) const {
  std::vector<std::string> values;
  while (const auto value = get(fmt::format("{}.{}", key, values.size()))) values.push_back(*value);
  return values;
}

std::string encode(const Description& description) {
  std::string out;
  put_varint(out, description.properties.all().size());
  for (const auto& [key, value] : description.properties.all()) {
    put_text(out, key);
    put_text(out, value);
  }
  put_names(out, description.signals);
  put_names(out, description.states);
  put_varint(out, description.tables.size());
  for (const TableName& table : description.tables) {
    put_text(out, table.name);
    put_varint(out, table.columns.size());
    for (const ColumnName& column : table.columns) {
      put_text(out, column.name);
      out.push_back(column.text ? '\1' : '\0');
      put_fields(out, column.fields);
    }
  }
  return out;
}

Description decode_description(std::string_view bytes) {
  ByteCursor from(bytes);
  Description description;
  for (std::uint64_t left = from.count(most_properties, "properties"); left > 0; --left) {
    const std::string key(from.text());
    description.properties.set(key, std::string(from.text()));
  }
  description.signals = get_names(from);
  description.states = get_names(from);
  for (std::uint64_t tables = from.count(most_names, "tables"); tables > 0; --tables) {
    TableName& table = description.tables.emplace_back();
    table.name = from.text();
    for (std::uint64_t left = from.count(most_names, "columns"); left > 0; --left) {
      ColumnName& column = table.columns.emplace_back();
      column.name = from.text();
      const std::uint8_t kind = from.byte();
      if (kind > 1) from.fail(fmt::format("column '{}' is of kind {}; 0 numbers, 1 texts", column.name, kind));
      column.text = kind == 1;
      column.fields = get_fields(from);
    }
  }
  if (from.left() != 0) from.fail("bytes after the description");
  return description;
}

Translation::Translation(const Fields& from, const Fields& to, std::span<const EarlierValue> earlier)
    : earlier_(earlier), changes_(from != to) {
  for (const Field& field : from) {
    const auto same = std::find_if(to.begin(), to.end(), [&](const Field& own) { return own.name == field.name; });
    parts_.push_back({field, same == to.end() ? std::nullopt : std::optional(*same)});
  }
}

const EarlierValue* Translation::find_earlier(const Part& part, std::uint64_t number) const {
  if (number >= part.from.values.size()) return nullptr;
  const auto found = std::find_if(earlier_.begin(), earlier_.end(), [&](const EarlierValue& value) {
    return value.field == part.from.name && value.value == part.from.values[number];
  });
  return found == earlier_.end() ? nullptr : &*found;
}

std::uint64_t Translation::operator()(std::uint64_t value) const {
  if (!changes_) return value;
  std::uint64_t result = 0;
  for (const Part& part : parts_) {
    std::uint64_t number = (value & part.from.mask) >> std::countr_zero(part.from.mask);
    value &= ~part.from.mask;
    const bool named = number < part.from.values.size();
    if (const EarlierValue* const earlier = find_earlier(part, number)) {
      result |= earlier->detail;
      continue;
    }
    const std::string what = named ? part.from.name + '=' + part.from.values[number] : part.from.name;
    if (!part.to) {
      if (number == 0) continue;
      throw std::invalid_argument(fmt::format("'{}' is not known to this program", what));
    }
    if (named && !part.to->values.empty()) {
      const auto& own = part.to->values;
      const auto same = std::find(own.begin(), own.end(), part.from.values[number]);
      if (same == own.end()) throw std::invalid_argument(fmt::format("'{}' is not known to this program", what));
      number = static_cast<std::uint64_t>(same - own.begin());
    }
    const std::uint64_t moved = number << std::countr_zero(part.to->mask);
    if ((moved & ~part.to->mask) != 0 || moved >> std::countr_zero(part.to->mask) != number)
      throw std::invalid_argument(fmt::format("'{}' of {} does not fit into this program's field", what, number));
    result |= moved;
  }
  if (value != 0) throw std::invalid_argument(fmt::format("bits {:#x} have no name in the file", value));
  return result;
}

}  // namespace pmusim::activity_file
