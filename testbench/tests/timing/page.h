// docs/generated/timing.md: per target what the references say, what the core takes, and why they differ.
#pragma once

#include <string>
#include <vector>

#include "reference.h"

namespace pmusim::timing {

/// A reference, and what its target's core does.
struct Row {
  Reference reference;
  double measured = 0;
  [[nodiscard]] bool holds() const { return reference.holds(measured); }
};

/// Measures each reference that something measures, in the order of the table.
std::vector<Row> measure_all();
/// The whole page.
std::string page(const std::vector<Row>& rows);

}  // namespace pmusim::timing
