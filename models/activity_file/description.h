// The description in a file's header: the origin of its activity, and the names of all numbers in its blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/activity/vocabulary.h"

namespace pmusim::activity_file {

// Values that files of earlier versions name and this program records in other fields.

/// A value of a field in the detail of a signal, as earlier versions named it.
struct EarlierValue {
  std::string_view signal;  ///< name of the signal
  std::string_view field;   ///< name of the field in the earlier version
  std::string_view value;   ///< name of the value in the earlier version
  std::uint16_t detail;     ///< the detail in this version
};

/// All such values of a signal, in no particular order. Empty for a signal whose fields have not changed.
[[nodiscard]] std::span<const EarlierValue> earlier_values(std::string_view signal);

/// Facts about a file by key, in the order in which they were added. docs/activity.md lists the keys.
class Properties {
 public:
  /// Sets the value of a key; an existing value is replaced.
  void set(std::string_view key, std::string value);
  /// The value of a key, or nullopt.
  [[nodiscard]] std::optional<std::string> get(std::string_view key) const;
  /// The values of `KEY.0`, `KEY.1`, ..., up to the first key that does not exist.
  [[nodiscard]] std::vector<std::string> list(std::string_view key) const;
  /// All keys and values, in the order in which they were added.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return list_; }
  friend bool operator==(const Properties&, const Properties&) = default;

 private:
  std::vector<std::pair<std::string, std::string>> list_;
};

/// A column of a table.
struct ColumnName {
  std::string name;         ///< name of the record's field
  bool text = false;        ///< true: the values are texts; false: numbers
  activity::Fields fields;  ///< names of the bits of a number
  friend bool operator==(const ColumnName&, const ColumnName&) = default;
};
/// A table of records.
struct TableName {
  std::string name;                 ///< kind of its records
  std::vector<ColumnName> columns;  ///< in the order of the payloads
  friend bool operator==(const TableName&, const TableName&) = default;
};

/// The whole description.
struct Description {
  Properties properties;                ///< origin of the activity
  std::vector<activity::Name> signals;  ///< the number of a signal in payloads is its index in this list
  std::vector<activity::Name> states;   ///< the same for states
  std::vector<TableName> tables;        ///< the same for tables
};

/// Encodes a description.
[[nodiscard]] std::string encode(const Description& description);
/// Decodes the bytes that encode() returned. Throws trace::Malformed.
[[nodiscard]] Description decode_description(std::string_view bytes);

/// Translates a number of a file to this program's numbering. Fields and values are matched by their names.
class Translation {
 public:
  /// Translates from a file's fields to this program's. `earlier`: values that this program has in other fields.
  Translation(const activity::Fields& from, const activity::Fields& to, std::span<const EarlierValue> earlier = {});
  /// False if both have the same fields, so that numbers are not changed.
  [[nodiscard]] bool changes() const { return changes_; }
  /// The translated number. Throws std::invalid_argument, which names the unknown field or value.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t value) const;

 private:
  struct Part {
    activity::Field from;
    std::optional<activity::Field> to;
  };
  [[nodiscard]] const EarlierValue* find_earlier(const Part& part, std::uint64_t number) const;
  std::vector<Part> parts_;
  std::span<const EarlierValue> earlier_;
  bool changes_;
};

}  // namespace pmusim::activity_file
