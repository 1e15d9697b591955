// What a file says of itself in its header: where its activity comes from, and the names of all numbers in its blocks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/activity/vocabulary.h"

namespace pmusim::activity_file {

/// Facts about a file by key, in the order in which they were put; docs/activity-format.md lists the keys.
class Properties {
 public:
  /// Puts a value under a key, over one that is there.
  void set(std::string_view key, std::string value);
  /// The value of a key, if there is one.
  [[nodiscard]] std::optional<std::string> get(std::string_view key) const;
  /// Values of `KEY.0`, `KEY.1`, ...
  [[nodiscard]] std::vector<std::string> list(std::string_view key) const;
  /// Keys and values in their order.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return list_; }
  friend bool operator==(const Properties&, const Properties&) = default;

 private:
  std::vector<std::pair<std::string, std::string>> list_;
};

/// A column of a table.
struct ColumnName {
  std::string name;         ///< name of the record's field
  bool text = false;        ///< its values are texts, else numbers
  activity::Fields fields;  ///< of a number
  friend bool operator==(const ColumnName&, const ColumnName&) = default;
};
/// A table of records.
struct TableName {
  std::string name;                 ///< what its records are
  std::vector<ColumnName> columns;  ///< in the order in which payloads have them
  friend bool operator==(const TableName&, const TableName&) = default;
};

/// All of a header.
struct Description {
  Properties properties;                ///< where the activity comes from
  std::vector<activity::Name> signals;  ///< numbers of signals in payloads are places in this list
  std::vector<activity::Name> states;   ///< the same of states
  std::vector<TableName> tables;        ///< the same of tables
};

/// The bytes of it, which decode_description() reads.
[[nodiscard]] std::string encode(const Description& description);
/// Throws trace::Malformed.
[[nodiscard]] Description decode_description(std::string_view bytes);

/// A number of a file as this program has it: fields and values of the same name change places.
class Translation {
 public:
  /// From a file's fields to this program's.
  Translation(const activity::Fields& from, const activity::Fields& to);
  /// False: every number stays as it is.
  [[nodiscard]] bool changes() const { return changes_; }
  /// Throws std::invalid_argument, naming what this program does not know.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t value) const;

 private:
  struct Part {
    activity::Field from;
    std::optional<activity::Field> to;
  };
  std::vector<Part> parts_;
  bool changes_;
};

}  // namespace pmusim::activity_file
