#include "testbench/driver/session_facts.h"

namespace pmusim::testbench::targets::toy {
namespace {

/// An overflow is the carry out of bit 15, detected by bit 15 being clear.
constexpr SamplingRule sampling{16, 1u << 16, "", 15, false, 1u << 15, "", "", 0, 0};

}  // namespace

extern const SessionFacts sessions{&sampling};

}  // namespace pmusim::testbench::targets::toy
