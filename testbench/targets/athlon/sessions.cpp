#include "testbench/driver/session_facts.h"

namespace pmusim::testbench::targets::athlon {
namespace {

constexpr std::uint64_t one = 1;
/// Overflow is the carry out of bit 47, seen as bit 47 clear (22007, appendix D).
constexpr SamplingRule sampling{48, one << 48, "", 47, false, one << 47, "", "", 0, 0};
/// The APIC entry of the counters: as NMI and not masked.
constexpr InterruptEntry delivery{"LVTPC", 4 << 8};

}  // namespace

extern const SessionFacts sessions{.sampling = &sampling, .delivery = &delivery};

}  // namespace pmusim::testbench::targets::athlon
