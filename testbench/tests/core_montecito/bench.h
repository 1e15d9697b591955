// Runs one or two traces on the Montecito core and keeps all its activity.
#pragma once

#include "models/core/montecito/montecito.h"
#include "testbench/tests/core_itanium2/record.h"

namespace pmusim::testbench::montecito {

using namespace ia64;

/// Parameters for traces computed by hand: no prefetch; then the given changes.
inline models::Parameters bare(const Changes& changes = {}) {
  return changed(changed(core::montecito_parameters(), {{"core.instruction_prefetch", 0}}), changes);
}
/// A core with a thread for each text trace.
inline std::unique_ptr<core::Core> core_with(const std::vector<std::string>& texts,
                                             const models::Parameters& parameters = bare()) {
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.reserve(texts.size());
  for (const std::string& text : texts) traces.push_back(reader_of(text, trace::Isa::ia64));
  return core::make_montecito(std::move(traces), parameters);
}
inline Record run_alone(const Script& script, const models::Parameters& parameters = bare()) {
  return run(*core_with({script.text()}, parameters));
}
inline Record run_both(const Script& first, const Script& second, const models::Parameters& parameters = bare(),
                       Cycle cycles = 100000) {
  return run(*core_with({first.text(), second.text()}, parameters), cycles);
}

/// The cycles in which the core switches to the other thread.
inline std::vector<Cycle> switches(const Record& record) { return record.cycles(Signal::thread_switch); }
constexpr std::uint16_t cause_of(const Ia64Occurrence& h) { return h.detail & act::detail::switch_cause_mask; }
constexpr std::uint16_t number(act::SwitchCause cause) { return static_cast<std::uint16_t>(cause); }

/// hint.m 0, `hint @pause`.
constexpr Syllable pause = 0x0000c000000;

}  // namespace pmusim::testbench::montecito
