// docs/generated/timing.md: for each target the references' figures, the core's, and the reasons for differences.
#pragma once

#include <string>
#include <vector>

#include "reference.h"

namespace pmusim::timing {

/// A reference, and the core's figure.
struct Row {
  Reference reference;
  double measured = 0;
  [[nodiscard]] bool holds() const { return reference.holds(measured); }
};

/// Measures each reference that has a measurement, in the order of the table.
std::vector<Row> measure_all();
/// The whole page.
std::string page(const std::vector<Row>& rows);

}  // namespace pmusim::timing
