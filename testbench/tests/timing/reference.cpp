#include "reference.h"

#include <stdexcept>

namespace pmusim::timing {

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

double number_of(const std::string& text) {
  std::size_t end = 0;
  const double value = std::stod(text, &end);
  if (end != text.size()) throw std::runtime_error("expected a number, not " + text);
  return value;
}

std::vector<Reference> read_references() {
  return read_table<Reference>("references.csv", "target,class,kind,reference,tolerance,source,how", [](const auto& f) {
    Reference r{f[0], f[1], f[2], f[3], 0, 0, number_of(f[4]), f[5], f[6]};
    const std::size_t dots = r.figure.find("..");
    r.least = number_of(r.figure.substr(0, dots));
    r.most = dots == std::string::npos ? r.least : number_of(r.figure.substr(dots + 2));
    return r;
  });
}

std::vector<Remark> read_disagreements() {
  return read_table<Remark>("disagreements.csv", "target,class,kind,why", [](const auto& f) {
    return Remark{f[0], f[1], f[2], f[3]};
  });
}

}  // namespace pmusim::timing
