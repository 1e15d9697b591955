// Runs one or two traces on the Montecito core and keeps all its activity.
#pragma once

#include "models/core/montecito/montecito.h"
#include "testbench/tests/core_itanium2/record.h"

namespace pmusim::testbench::montecito {

using namespace ia64;

/// Parameters for traces computed by hand: no prefetch; then the given changes.
models::Parameters bare(const std::vector<std::pair<std::string, std::int64_t>>& changes = {});
/// A core with a thread for each text trace.
std::unique_ptr<core::Core> core_with(const std::vector<std::string>& texts,
                                      const models::Parameters& parameters = bare());
Record run_alone(const Script& script, const models::Parameters& parameters = bare());
Record run_both(const Script& first, const Script& second, const models::Parameters& parameters = bare(),
                Cycle cycles = 100000);

/// The cycles in which the core switches to the other thread.
std::vector<Cycle> switches(const Record& record);
constexpr std::uint16_t cause_of(const LoggedOccurrence& h) { return h.detail & act::detail::switch_cause_mask; }
constexpr std::uint16_t number(act::SwitchCause cause) { return static_cast<std::uint16_t>(cause); }

/// hint.m 0, `hint @pause`.
constexpr Syllable pause = 0x0000c000000;

}  // namespace pmusim::testbench::montecito
