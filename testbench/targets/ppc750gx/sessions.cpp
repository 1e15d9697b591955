#include "testbench/driver/session_facts.h"

namespace pmusim::testbench::targets {
namespace {

constexpr std::uint64_t one = 1, enint = 0x04000000;
/// Overflow is bit 0 (the most significant) set; the monitor clears MMCR0[ENINT] when it signals (User's Manual,
/// chapter 11).
constexpr SamplingRule sampling{32, one << 31, "", 31, true, one << 31, "SIA", "MMCR0", ~std::uint64_t{0}, enint};

}  // namespace

const SessionFacts ppc750gx::sessions{&sampling};
const SessionFacts ppc750gl::sessions{&sampling};

}  // namespace pmusim::testbench::targets
