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
  void set(std::string_view key, std::string value);
  [[nodiscard]] std::optional<std::string> get(std::string_view key) const;
  /// Values of `KEY.0`, `KEY.1`, ...
  [[nodiscard]] std::vector<std::string> list(std::string_view key) const;
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return list_; }
  friend bool operator==(const Properties&, const Properties&) = default;

 private:
  std::vector<std::pair<std::string, std::string>> list_;
};

struct ColumnName {
  std::string name;
  bool text = false;
  activity::Fields fields;  ///< of a number
  friend bool operator==(const ColumnName&, const ColumnName&) = default;
};
struct TableName {
  std::string name;
  std::vector<ColumnName> columns;
  friend bool operator==(const TableName&, const TableName&) = default;
};

struct Description {
  Properties properties;
  std::vector<activity::Name> signals;
  std::vector<activity::Name> states;
  std::vector<TableName> tables;
};

[[nodiscard]] std::string encode(const Description& description);
/// Throws trace::Malformed.
[[nodiscard]] Description decode_description(std::string_view bytes);

/// A number of a file as this program has it: fields and values of the same name change places.
class Translation {
 public:
  Translation(const activity::Fields& from, const activity::Fields& to);
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
