// One set of values in three forms: aligned text, JSON lines and CSV.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench {

enum class Format { text, json, csv };

/// JSON whose keys keep the order of insertion.
using Json = nlohmann::ordered_json;

/// A table of named columns. Every cell is a JSON value; text and CSV print the same value.
class Table {
 public:
  struct Column {
    std::string key;     ///< JSON key and CSV header, snake_case
    std::string title;   ///< text header
    bool right = false;  ///< align right
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Cells in the order of the columns.
  void row(std::vector<Json> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Text: header and aligned rows; long cells are wrapped at blanks where a row is wider than the terminal, or than
  /// 120 characters in a file. JSON: one object per line. CSV: header line and rows (RFC 4180).
  void print(std::ostream& out, Format format) const;

 private:
  void print_text(std::ostream& out) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Json>> rows_;
};

/// 0x and lower-case digits, padded to the register's width.
[[nodiscard]] std::string hex(std::uint64_t value, unsigned width_bits);
/// {"space","number","name","value"}: the form of a register in the output of every command.
[[nodiscard]] Json to_json(const encoder::RegisterValue& reg);
/// The object on one line. Bytes that are not UTF-8, as in a file name, become \xNN.
[[nodiscard]] std::string line_of(const Json& object);
/// Digits in groups of three for text tables: 1,234,567.
[[nodiscard]] std::string grouped(std::uint64_t value);

}  // namespace pmusim::testbench
