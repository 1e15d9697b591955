#include "testbench/faults/fault.h"

#include <array>
#include <cstddef>

namespace pmusim::testbench::faults {

std::string_view name_of(Verdict verdict) {
  static constexpr std::array<std::string_view, 5> names{"caught", "caught by all questions", "does not fit", "excused",
                                                         "MISSED"};
  return names[static_cast<std::size_t>(verdict)];
}

}  // namespace pmusim::testbench::faults
