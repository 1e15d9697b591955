#include "models/activity_file/block_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/activity_file/format.h"

namespace pmusim::activity_file {

using activity::Block;
using activity::Change;
using activity::Occurrence;
using activity::RegisterAccess;
using activity::StateColumn;
using trace::ByteCursor;

namespace {

constexpr std::uint64_t most_16 = 0xffff, most_32 = 0xffffffff;

/// Throws trace::Malformed for the first value above `most`.
void check(const ByteCursor& from, const Numbers& values, std::uint64_t most, const std::string& what) {
  const auto wrong = std::find_if(values.begin(), values.end(), [most](std::uint64_t v) { return v > most; });
  if (wrong == values.end()) return;
  from.fail(fmt::format("{} {}: {} is above {}", what, wrong - values.begin(), *wrong, most));
}

int number_of(const std::vector<activity::Name>& names, const std::string& name) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& own) { return own.name == name; });
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

std::string_view BlockEncoder::encode(const Block& block) {
  Payload& out = columns_.out;
  out.clear();
  const auto has_rows = [](const auto& column) { return !column.empty(); };
  out.put_varint(static_cast<std::uint64_t>(std::count_if(block.columns.begin(), block.columns.end(), has_rows)));
  for (std::size_t s = 0; s < block.columns.size(); ++s) {
    const std::vector<Occurrence>& column = block.columns[s];
    if (column.empty()) continue;
    out.put_varint(s);
    out.put_varint(column.size());
    columns_.put(column, [](const Occurrence& one) { return one.at; });
    columns_.put(column, [](const Occurrence& one) { return one.amount; });
    columns_.put(column, [](const Occurrence& one) { return one.detail; });
    columns_.put(column, [](const Occurrence& one) { return static_cast<std::uint32_t>(one.ref + 1); });
  }
  const auto is_told = [](const StateColumn& column) { return column.initial != 0 || !column.changes.empty(); };
  out.put_varint(static_cast<std::uint64_t>(std::count_if(block.states.begin(), block.states.end(), is_told)));
  for (std::size_t s = 0; s < block.states.size(); ++s) {
    const StateColumn& column = block.states[s];
    if (!is_told(column)) continue;
    out.put_varint(s);
    out.put_varint(column.initial);
    out.put_varint(column.changes.size());
    columns_.put(column.changes, [](const Change& change) { return change.at; });
    columns_.put(column.changes, [](const Change& change) { return change.value; });
  }
  const std::vector<Table>& all = tables();
  out.put_varint(static_cast<std::uint64_t>(
      std::count_if(all.begin(), all.end(), [&](const Table& t) { return t.rows(block) != 0; })));
  for (std::size_t t = 0; t < all.size(); ++t) {
    const std::size_t rows = all[t].rows(block);
    if (rows == 0) continue;
    out.put_varint(t);
    out.put_varint(rows);
    for (const Column& column : all[t].columns) column.put(block, columns_);
    if (all[t].name != access_table) continue;
    for (const RegisterAccess& access : block.accesses) out.put_text(access.name.data());
  }
  return out.bytes();
}

BlockDecoder::BlockDecoder(const Description& description) {
  const Description& own = describe(description.properties.get("target").value_or(""));
  const auto take = [](const std::vector<activity::Name>& names, const std::vector<activity::Name>& known, bool signals,
                       std::vector<Named>& to) {
    for (const activity::Name& name : names) {
      const int number = number_of(known, name.name);
      to.push_back(
          {name.name, number,
           Translation(name.fields, number < 0 ? activity::Fields{} : known[static_cast<std::size_t>(number)].fields,
                       signals ? earlier_values(name.name) : std::span<const EarlierValue>())});
    }
  };
  take(description.signals, own.signals, true, signals_);
  take(description.states, own.states, false, states_);
  for (const TableName& table : description.tables) {
    const auto same =
        std::find_if(tables().begin(), tables().end(), [&](const Table& t) { return t.name == table.name; });
    FileTable& file = tables_.emplace_back(FileTable{table.name, same == tables().end() ? nullptr : &*same, {}});
    for (const ColumnName& column : table.columns) {
      const Column* known = nullptr;
      if (file.own != nullptr && !column.text) {
        const auto found = std::find_if(file.own->columns.begin(), file.own->columns.end(),
                                        [&](const Column& c) { return c.name.name == column.name; });
        if (found != file.own->columns.end()) known = &*found;
      }
      file.columns.push_back({column.name, column.text, known,
                              Translation(column.fields, known == nullptr ? activity::Fields{} : known->name.fields)});
    }
  }
}

void BlockDecoder::decode(std::string_view payload, Block& block) {
  const activity::Cycle end = block.end;
  block.restart(block.begin);
  block.end = end;
  for (StateColumn& state : block.states) state.initial = 0;
  ByteCursor from(payload);
  for (std::uint64_t left = from.count(signals_.size(), "signals"); left > 0; --left) read_signal(from, block);
  for (std::uint64_t left = from.count(states_.size(), "states"); left > 0; --left) read_state(from, block);
  for (std::uint64_t left = from.count(tables_.size(), "tables"); left > 0; --left) read_table(from, block);
  if (from.left() != 0) from.fail(fmt::format("{} bytes after the last table", from.left()));
}

void BlockDecoder::translate(const ByteCursor& from, const Translation& translation, const std::string& what,
                             Numbers& values) const {
  if (!translation.changes()) return;
  try {
    for (std::uint64_t& value : values) value = translation(value);
  } catch (const std::invalid_argument& error) {
    from.fail(fmt::format("{}: {}", what, error.what()));
  }
}

void BlockDecoder::read_signal(ByteCursor& from, Block& block) {
  const std::uint64_t number = from.varint();
  if (number >= signals_.size()) from.fail(fmt::format("signal {}; the header names {}", number, signals_.size()));
  const Named& named = signals_[number];
  const std::string what = "signal " + named.name;
  if (named.number < 0) from.fail(fmt::format("{}: not known to this program", what));
  std::vector<Occurrence>& column = block.columns[static_cast<std::size_t>(named.number)];
  if (!column.empty()) from.fail(fmt::format("{}: a second time", what));
  const std::size_t rows = from.count(most_rows, "occurrences");
  get_column(from, rows, at_);
  get_column(from, rows, amounts_);
  get_column(from, rows, details_);
  get_column(from, rows, values_);
  check(from, at_, most_32, what + ": cycle of occurrence");
  check(from, amounts_, most_16, what + ": amount of occurrence");
  check(from, values_, most_32, what + ": reference of occurrence");
  translate(from, named.translation, what, details_);
  check(from, details_, most_16, what + ": detail of occurrence");
  column.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    column[i] = {static_cast<std::uint32_t>(at_[i]), static_cast<std::uint32_t>(values_[i] - 1),
                 static_cast<std::uint16_t>(amounts_[i]), static_cast<std::uint16_t>(details_[i])};
  }
}

void BlockDecoder::read_state(ByteCursor& from, Block& block) {
  const std::uint64_t number = from.varint();
  if (number >= states_.size()) from.fail(fmt::format("state {}; the header names {}", number, states_.size()));
  const Named& named = states_[number];
  const std::string what = "state " + named.name;
  if (named.number < 0) from.fail(fmt::format("{}: not known to this program", what));
  StateColumn& column = block.states[static_cast<std::size_t>(named.number)];
  if (column.initial != 0 || !column.changes.empty()) from.fail(fmt::format("{}: a second time", what));
  details_.assign(1, from.varint());
  translate(from, named.translation, what, details_);
  column.initial = details_.front();
  const std::size_t rows = from.count(most_rows, "changes");
  get_column(from, rows, at_);
  get_column(from, rows, values_);
  check(from, at_, most_32, what + ": cycle of change");
  translate(from, named.translation, what, values_);
  column.changes.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) column.changes[i] = {static_cast<std::uint32_t>(at_[i]), values_[i]};
}

void BlockDecoder::read_table(ByteCursor& from, Block& block) {
  const std::uint64_t number = from.varint();
  if (number >= tables_.size()) from.fail(fmt::format("table {}; the header names {}", number, tables_.size()));
  const FileTable& table = tables_[number];
  const std::string what = "table " + table.name;
  if (table.own == nullptr) from.fail(fmt::format("{}: not known to this program", what));
  if (table.own->rows(block) != 0) from.fail(fmt::format("{}: a second time", what));
  const std::size_t rows = from.count(most_rows, "rows");
  if (rows > from.left() && table.columns.empty()) from.fail(fmt::format("{}: {} rows of nothing", what, rows));
  bool made = false;
  for (const FileColumn& column : table.columns) {
    const std::string field = fmt::format("{}: {} of row", what, column.name);
    if (column.text) {
      if (!std::exchange(made, true)) table.own->resize(block, rows);
      for (std::size_t row = 0; row < rows; ++row) {
        const std::string_view text = from.text();
        if (table.name != access_table || column.name != "name") from.fail(fmt::format("{}: not a text here", field));
        auto& name = block.accesses[row].name;
        if (text.size() >= name.size())
          from.fail(fmt::format("{} {}: longer than {} bytes", field, row, name.size() - 1));
        std::copy(text.begin(), text.end(), name.begin());
      }
      continue;
    }
    get_column(from, rows, values_);
    if (column.own == nullptr) {
      check(from, values_, 0, field + " (not known to this program)");
      continue;
    }
    translate(from, column.translation, field, values_);
    check(from, values_, column.own->most, field);
    if (!std::exchange(made, true)) table.own->resize(block, rows);
    column.own->set(block, values_);
  }
}

}  // namespace pmusim::activity_file
