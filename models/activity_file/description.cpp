#include "models/activity_file/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>

#include "models/activity/ia64.h"
#include "models/activity/signals.h"
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

namespace {

namespace d = activity::detail;
namespace qc = activity::ia64::queue_cancel;
namespace fc = activity::ia64::fetch_cancel;
namespace rd = activity::ia64::recirculate;
using activity::L2Requester;
using activity::ia64::FetchCancel;
using activity::ia64::L3Cancel;
using activity::ia64::line_phase;
using activity::ia64::LinePhase;
using activity::ia64::queue_stage;
using activity::ia64::QueueCancel;
using activity::ia64::QueueStage;
using activity::ia64::Recirculate;

constexpr std::uint16_t detail(auto value, unsigned bits = 0) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(value) | bits);
}

// Version 1.0.0 recorded one value for each unit mask of an event. The values of one signal are adjacent.
// clang-format off
constexpr EarlierValue values[] = {
    {"fetch_cancel", "cause", "bypass", detail(FetchCancel::data, fc::first)},
    {"fetch_cancel", "cause", "did_not_recirculate", detail(FetchCancel::still_missing)},
    {"fetch_cancel", "cause", "recirculate_oversubscribed", detail(FetchCancel::recirculating)},
    {"fetch_cancel", "cause", "store_fill_write_back", detail(FetchCancel::fill_or_write_back)},
    {"fetch_cancel", "cause", "data_read", detail(FetchCancel::data)},
    {"fetch_cancel", "cause", "preempted", detail(FetchCancel::data, 3u << fc::after_data_shift)},
    {"fetch_cancel", "cause", "changed_priority", detail(FetchCancel::snoop)},
    {"fetch_cancel", "cause", "fetch_bypass", detail(FetchCancel::data, fc::first | fc::prefetch)},
    {"force_recirculate", "cause", "self_modifying_hit", detail(Recirculate::self_modifying)},
    {"force_recirculate", "cause", "l1_write", detail(Recirculate::l1d_line_written)},
    {"force_recirculate", "cause", "tag_not_ok", detail(Recirculate::tags_written)},
    {"force_recirculate", "cause", "transaction_prefetch", detail(Recirculate::line_under_way, rd::prefetch)},
    {"force_recirculate", "cause", "snoop_or_l3", detail(Recirculate::snoop)},
    {"force_recirculate", "cause", "victim_pending", detail(Recirculate::write_back)},
    {"force_recirculate", "cause", "fill_hit", detail(Recirculate::line_under_way, line_phase(LinePhase::arrives))},
    {"force_recirculate", "cause", "prefetch_miss", detail(Recirculate::line_under_way, rd::for_code_prefetch)},
    {"force_recirculate", "cause", "victim_buffer_full", detail(Recirculate::no_victim_buffer)},
    {"force_recirculate", "cause", "queue_miss", detail(Recirculate::miss)},
    {"force_recirculate", "cause", "same_index", detail(Recirculate::set_under_way)},
    {"force_recirculate", "cause", "forced", detail(Recirculate::no_fill_buffer)},
    {"force_recirculate", "cause", "limbo", detail(Recirculate::line_under_way, line_phase(LinePhase::requested))},
    {"force_recirculate", "cause", "tag_ok", detail(Recirculate::line_under_way, line_phase(LinePhase::in_tags))},
    {"force_recirculate", "cause", "secondary_read", detail(Recirculate::line_under_way, line_phase(LinePhase::accepted))},
    {"force_recirculate", "cause", "secondary_write", detail(Recirculate::line_under_way, line_phase(LinePhase::accepted) | rd::store)},
    {"l2_array", "operation", "tag_read", detail(L2Requester::load)},
    {"l2_array", "operation", "tag_write", detail(L2Requester::load, d::l2_array_write)},
    {"l2_array", "operation", "instruction_read", detail(L2Requester::fetch, d::l2_array_data)},
    {"l2_array", "operation", "load_read", detail(L2Requester::load, d::l2_array_data)},
    {"l2_array", "operation", "store_read", detail(L2Requester::store, d::l2_array_data)},
    {"l2_array", "operation", "system_write", detail(L2Requester::system, d::l2_array_data | d::l2_array_write)},
    {"l2_array", "operation", "data_cache_write", detail(L2Requester::data_cache, d::l2_array_data | d::l2_array_write)},
    {"l2_array", "operation", "self_write", detail(L2Requester::l2, d::l2_array_data | d::l2_array_write)},
    {"l3_cancel", "reason", "speculative_bypass", detail(L3Cancel::l2_hit)},
    {"l3_cancel", "reason", "fill_data_full", detail(L3Cancel::no_fill_buffer)},
    {"l3_cancel", "reason", "uncacheable_blocked", detail(L3Cancel::uncacheable_in_flight)},
    {"l3_cancel", "reason", "invalid_bypass", detail(L3Cancel::l3_busy)},
    {"l3_cancel", "reason", "bus_reject", detail(L3Cancel::bus_queue_full)},
    {"l3_cancel", "reason", "other", detail(L3Cancel::l3_busy, activity::ia64::l3_cancel_during_write_back)},
    {"l3_cancel", "reason", "fill_without_snoop", detail(L3Cancel::fill)},
    {"l3_cancel", "reason", "tail_disabled", detail(L3Cancel::write_back)},
    {"queue_cancel", "cause", "late_speculative_bypass", detail(QueueCancel::missed_bypass)},
    {"queue_cancel", "cause", "late_release", detail(QueueCancel::release, qc::first)},
    {"queue_cancel", "cause", "late_acquire", detail(QueueCancel::acquire, qc::first | qc::adjacent)},
    {"queue_cancel", "cause", "late_bypass_effective_release", detail(QueueCancel::bypass_of_release)},
    {"queue_cancel", "cause", "bank_conflict", detail(QueueCancel::bank)},
    {"queue_cancel", "cause", "l2d_store_match", detail(QueueCancel::store_data, queue_stage(QueueStage::l2d))},
    {"queue_cancel", "cause", "walker_or_fetch_conflict", detail(QueueCancel::fetch, qc::walker)},
    {"queue_cancel", "cause", "l2m_store_cancelled", detail(QueueCancel::store_order, queue_stage(QueueStage::l2m))},
    {"queue_cancel", "cause", "l1_fill_conflict", detail(QueueCancel::fill)},
    {"queue_cancel", "cause", "store_fill_conflict", detail(QueueCancel::fill, qc::store | qc::same_set)},
    {"queue_cancel", "cause", "ccv", detail(QueueCancel::compare_value)},
    {"queue_cancel", "cause", "l2m_store_match", detail(QueueCancel::store_data, queue_stage(QueueStage::l2m))},
    {"queue_cancel", "cause", "fence_acceptance", detail(QueueCancel::fence)},
    {"queue_cancel", "cause", "l2a_store_match", detail(QueueCancel::store_data, queue_stage(QueueStage::l2a))},
    {"queue_cancel", "cause", "l1d_fill_l2m", detail(QueueCancel::l1d_fill)},
    {"queue_cancel", "cause", "ecc", detail(QueueCancel::l2_error)},
    {"queue_cancel", "cause", "recirculate_oversubscribed", detail(QueueCancel::recirculating)},
    {"queue_cancel", "cause", "l2c_store_cancelled", detail(QueueCancel::store_order, queue_stage(QueueStage::l2c))},
    {"queue_cancel", "cause", "l2c_store_match", detail(QueueCancel::store_data, queue_stage(QueueStage::l2c))},
    {"queue_cancel", "cause", "scrub", detail(QueueCancel::system_error)},
    {"queue_cancel", "cause", "read_write_back_conflict", detail(QueueCancel::write_back_read)},
    {"queue_cancel", "cause", "data_conflict", detail(QueueCancel::return_port)},
    {"queue_cancel", "cause", "l2_fill_store_conflict", detail(QueueCancel::fill, qc::store)},
    {"queue_cancel", "cause", "did_not_recirculate", detail(QueueCancel::still_missing)},
    {"queue_cancel", "cause", "weird", detail(QueueCancel::uncacheable)},
    {"queue_cancel", "cause", "oversubscribed", detail(QueueCancel::no_attempt_left)},
    {"queue_cancel", "cause", "l2d_store_cancelled", detail(QueueCancel::store_order, queue_stage(QueueStage::l2d))},
    {"queue_cancel", "cause", "data_or_fetch", detail(QueueCancel::fetch)},
    {"queue_cancel", "cause", "preempted", detail(QueueCancel::recirculating, qc::first)},
    {"queue_cancel", "cause", "other_order", detail(QueueCancel::sync)},
    {"queue_cancel", "cause", "l2m_to_l2c_store", detail(QueueCancel::store_order)},
};
// clang-format on

}  // namespace

std::span<const EarlierValue> earlier_values(std::string_view signal) {
  const auto of_signal = [&](const EarlierValue& value) { return value.signal == signal; };
  const auto first = std::find_if(std::begin(values), std::end(values), of_signal);
  return {first, std::find_if_not(first, std::end(values), of_signal)};
}

}  // namespace pmusim::activity_file
