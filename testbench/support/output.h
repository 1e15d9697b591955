// One set of values in three forms: aligned text, with colours on terminals, JSON lines and CSV.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench {

/// JSON whose keys keep the order of insertion. A source that makes or reads a value includes <nlohmann/json.hpp>.
using Json = nlohmann::ordered_json;

enum class Format { text, json, csv };

/// A table of named columns. Every cell is a JSON value; text and CSV print the same value.
class Table {
 public:
  /// What happens to a column of a text table that is wider than the line.
  enum class Fit : std::uint8_t {
    wrap,   ///< cells are wrapped at blanks
    cut,    ///< cells end with an ellipsis
    drop,   ///< left out, the last such column first; a line below the table names it and the format that has it
    below,  ///< cells follow in lines of their own
  };
  struct Column {
    std::string key;     ///< JSON key and CSV header, snake_case
    std::string title;   ///< text header
    bool right = false;  ///< align right
    Fit fit = Fit::wrap;
    bool share = false;            ///< a percentage, in colour on a terminal if it is large
    std::size_t comfortable = 24;  ///< Fit::cut: the characters that are shown before other columns are left out
  };
  explicit Table(std::vector<Column> columns);

  /// The format that has the columns that a text leaves out; at first csv.
  void complete_in(std::string_view format) { complete_ = format; }
  /// Cells in the order of the columns.
  void row(std::vector<Json> cells);
  /// A row of the values that the object has under the columns' keys; a value that it has not is empty.
  void row_of(const Json& object);
  [[nodiscard]] bool empty() const;
  /// Text: header and aligned rows, no wider than the terminal, or than 120 characters in a file (Fit). JSON: one
  /// object per line. CSV: header line and rows (RFC 4180).
  void print(std::ostream& out, Format format) const;
  /// The text in parts. Each ends with a newline and may have several lines.
  struct Text {
    std::string titles;
    std::vector<std::string> rows;
    std::string note;  ///< on columns without room; may be empty
  };
  [[nodiscard]] Text text(std::size_t width, bool colour) const;

 private:
  void print_text(std::ostream& out) const;

  std::vector<Column> columns_;
  std::string_view complete_ = "csv";
  std::vector<std::vector<Json>> rows_;
};

/// A line of text, wrapped at blanks where it is wider than the width; further lines are indented. Ends with a newline.
[[nodiscard]] std::string wrapped_text(std::string_view text, std::size_t width);
/// Prints a line of text, wrapped at blanks where it is wider than the terminal, or than 120 characters in a file;
/// further lines are indented.
void print_wrapped(std::ostream& out, std::string_view text);
/// Prints a text that is laid out in lines; where one is wider than that, the paragraphs are laid out anew. Indented
/// lines stay as they are.
void print_paragraphs(std::ostream& out, std::string_view text);

/// A cell without quotes: `-` for null, yes or no for true and false.
[[nodiscard]] std::string cell_text(const Json& cell);
/// 0x and lower-case digits, padded to the register's width.
[[nodiscard]] std::string hex(std::uint64_t value, unsigned width_bits);
/// {"space","number","name","value"}: the form of a register in the output of every command.
[[nodiscard]] Json to_json(const encoder::RegisterValue& reg);
/// The object on one line. Bytes that are not UTF-8, as in a file name, become \xNN.
[[nodiscard]] std::string line_of(const Json& object);
/// Prints the object on one line of standard output; returns exit_good.
int print_object(const Json& object);
/// Digits in groups of three for text tables: 1,234,567.
[[nodiscard]] std::string grouped(std::uint64_t value);

enum class Tint { strong, good, bad };

/// Whether output to this descriptor may have colours: on terminals only, and not if NO_COLOR is set or TERM is dumb.
[[nodiscard]] bool shows_colour(int descriptor);
/// The text, enclosed in the escape sequences of the colour.
[[nodiscard]] std::string tinted(std::string_view text, Tint tint);
/// The colour of a verdict such as `ok` or `MISMATCH`; none for other words. Verdicts that need attention are in
/// capitals.
[[nodiscard]] const Tint* tint_of_verdict(std::string_view word);
/// The colour of a share such as `12.3%`, with the limits of perf report: from 5 % bad, from 0.5 % good; else none.
[[nodiscard]] const Tint* tint_of_share(std::string_view percent);

}  // namespace pmusim::testbench
