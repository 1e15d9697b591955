#include "reference.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

namespace pmusim::timing {
namespace {

/// Fields of a line; fields with commas are in double quotes.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

template <class Row, class Make>
std::vector<Row> read(const std::string& file, const std::string& header, Make make) {
  const std::string path = std::string(PMUSIM_SOURCE_DIR) + "/testbench/tests/timing/" + file;
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line) || line != header) {
    throw std::runtime_error(fmt::format("{}:1: expected the header {}", path, header));
  }
  const std::size_t columns = fields_of(header).size();
  std::vector<Row> rows;
  for (unsigned number = 2; std::getline(in, line); ++number) {
    const std::vector<std::string> fields = fields_of(line);
    try {
      if (fields.size() != columns) throw std::runtime_error(fmt::format("expected {} fields", columns));
      rows.push_back(make(fields));
    } catch (const std::exception& e) {
      throw std::runtime_error(fmt::format("{}:{}: {}", path, number, e.what()));
    }
  }
  return rows;
}

double number(const std::string& text) {
  std::size_t end = 0;
  const double value = std::stod(text, &end);
  if (end != text.size()) throw std::runtime_error("expected a number, not " + text);
  return value;
}

}  // namespace

std::vector<Reference> read_references() {
  return read<Reference>("references.csv", "target,class,kind,reference,tolerance,source,how", [](const auto& f) {
    Reference r{f[0], f[1], f[2], f[3], 0, 0, number(f[4]), f[5], f[6]};
    const std::size_t dots = r.figure.find("..");
    r.least = number(r.figure.substr(0, dots));
    r.most = dots == std::string::npos ? r.least : number(r.figure.substr(dots + 2));
    return r;
  });
}

std::vector<Remark> read_disagreements() {
  return read<Remark>("disagreements.csv", "target,class,kind,why", [](const auto& f) {
    return Remark{f[0], f[1], f[2], f[3]};
  });
}

}  // namespace pmusim::timing
