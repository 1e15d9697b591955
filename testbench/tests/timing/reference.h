// The published figures with which the cores are compared, and the reasons why some are not met.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace pmusim::timing {

/// A line of references.csv.
struct Reference {
  std::string target, class_name, kind;
  std::string figure;          ///< as in the file: "4" or "4..6"
  double least = 0, most = 0;  ///< the figure
  double tolerance = 0;        ///< allowed below `least` and above `most`
  std::string source, how;     ///< the source of the figure; what is measured
  [[nodiscard]] bool holds(double measured) const {
    constexpr double rounding = 1e-9;
    return measured >= least - tolerance - rounding && measured <= most + tolerance + rounding;
  }
  /// A loop that others timed on the chip; other figures are of documents and of single instructions.
  [[nodiscard]] bool is_loop() const { return kind == "loop"; }
  [[nodiscard]] std::string name() const { return target + ", " + class_name + ", " + kind; }
};

/// A line of disagreements.csv.
struct Remark {
  std::string target, class_name, kind, why;
  [[nodiscard]] bool of(const Reference& r) const {
    return target == r.target && class_name == r.class_name && kind == r.kind;
  }
};

/// Each throws std::runtime_error with file and line for a malformed line.
std::vector<Reference> read_references();
std::vector<Remark> read_disagreements();

// Tables of this folder: lines of comma-separated fields behind a header, or plain lines. Lines that begin with "#" are
// comments.

/// The fields of a line; fields with commas are in double quotes.
std::vector<std::string> fields_of(const std::string& line);
double number_of(const std::string& text);

/// make(line) for each line of a file. Throws std::runtime_error with file and line for a malformed line.
template <class Row, class Make>
std::vector<Row> read_lines(const std::string& file, Make make) {
  const std::string path = std::string(PMUSIM_SOURCE_DIR) + "/testbench/tests/timing/" + file;
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<Row> rows;
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (line.starts_with('#')) continue;
    try {
      rows.push_back(make(line));
    } catch (const std::exception& e) {
      throw std::runtime_error(fmt::format("{}:{}: {}", path, number, e.what()));
    }
  }
  return rows;
}

/// make(fields) for each line behind the header.
template <class Row, class Make>
std::vector<Row> read_table(const std::string& file, const std::string& header, Make make) {
  const std::size_t columns = fields_of(header).size();
  bool first = true;
  auto rows = read_lines<std::vector<Row>>(file, [&](const std::string& line) {
    const std::vector<std::string> fields = fields_of(line);
    if (first && line != header) throw std::runtime_error("expected the header " + header);
    if (fields.size() != columns) throw std::runtime_error(fmt::format("expected {} fields", columns));
    std::vector<Row> made;
    if (!first) made.push_back(make(fields));
    first = false;
    return made;
  });
  std::vector<Row> all;
  for (auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

}  // namespace pmusim::timing
