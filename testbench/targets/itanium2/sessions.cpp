// Layout of the registers: Linux ia64 perfmon and libpfm-3.
#include "testbench/targets/ia64/sessions.h"

#include <array>

#include "models/itanium2/itanium2.h"

namespace pmusim::testbench::targets::itanium2 {
namespace {

constexpr std::array<std::string_view, 9> ring{"PMD8",  "PMD9",  "PMD10", "PMD11", "PMD12",
                                               "PMD13", "PMD14", "PMD15", "PMD16"};

pmu::ia64::BranchRingRegisters branches(std::span<const std::uint64_t> values) {
  return pmu::itanium2_branch_ring(values.first<8>(), values[8]);
}

constexpr CaptureRegisters captures{10, 11, 12, 0, "PMD0", "PMD1", "PMD2", "PMD3", "PMD17", ring, "PMD16", branches};

}  // namespace

extern const SessionFacts sessions{.sampling = &ia64::sampling, .captures = &captures, .delivery = &ia64::delivery};

}  // namespace pmusim::testbench::targets::itanium2
