// The published figures with which the cores are compared, and the reasons why some are not met.
#pragma once

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

}  // namespace pmusim::timing
