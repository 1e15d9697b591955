// Tables of this folder: lines of comma-separated fields behind a header, or plain lines. Lines that begin with "#" are
// comments.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace pmusim::timing {

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
