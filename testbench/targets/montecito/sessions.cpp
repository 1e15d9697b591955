// The Itanium 2's capture units with other register numbers: Linux ia64 perfmon and libpfm-3.
#include "testbench/targets/ia64/sessions.h"

#include <array>

#include "models/montecito/montecito.h"

namespace pmusim::testbench::targets::montecito {
namespace {

constexpr std::array<std::string_view, 18> ring{"PMD48", "PMD49", "PMD50", "PMD51", "PMD52", "PMD53",
                                                "PMD54", "PMD55", "PMD56", "PMD57", "PMD58", "PMD59",
                                                "PMD60", "PMD61", "PMD62", "PMD63", "PMD38", "PMD39"};

pmu::ia64::BranchRingRegisters branches(std::span<const std::uint64_t> values) {
  return pmu::montecito_branch_ring(values.first<16>(), values[16], values[17]);
}

constexpr CaptureRegisters captures{37,      40,      39,      42,   "PMD34", "PMD35",
                                    "PMD32", "PMD33", "PMD36", ring, "PMD38", branches};

}  // namespace

extern const SessionFacts sessions{.sampling = &ia64::sampling, .captures = &captures, .delivery = &ia64::delivery};

}  // namespace pmusim::testbench::targets::montecito
