// The state that libpfm-3's interface keeps for the process: the selected PMU and the options; and for each
// thread the sentence of its last failure. All of it may be used from many threads.
#pragma once

#include <new>
#include <string>

#include "encoder/src/ia64/quirks.h"
#include "model.h"

/// A function of the C API, shown by the shared library.
#define PMUSIM_C_API extern "C" __attribute__((visibility("default")))

namespace pmusim::encoder::capi {

struct Pmu {
  const Model* model;
  const Backend* backend;
};

/// The selected PMU; null before the first selection.
[[nodiscard]] const Pmu* current();
/// Selects by type. False, keeping the selection, when no PMU has this type.
bool select(int type);
/// Every PMU with its back end.
[[nodiscard]] std::span<const Pmu> pmus();
/// The PMU of a type, null when there is none.
[[nodiscard]] const Pmu* find_pmu(int type);

/// Remembers the sentence for pfm_last_error(), prints it when debugging is on, and returns the code.
pfm_err_t fail(pfm_err_t code, const std::string& message);
pfm_err_t fail(const Failure& failure);
/// Prints when LIBPFM_VERBOSE or the verbose option asks for it.
void verbose(const std::string& message);

/// `call()`, with memory running out turned into its code: no exception leaves the C API.
template <class Call>
pfm_err_t guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return PFMLIB_ERR_NOMEM;
  }
}

/// `call(pmu)` with the selected PMU, or PFMLIB_ERR_NOINIT.
template <class Call>
pfm_err_t with_pmu(Call call) {
  return guarded([&]() -> pfm_err_t {
    const Pmu* pmu = current();
    if (!pmu) return fail(PFMLIB_ERR_NOINIT, "no PMU is selected; call pfm_initialize or pfm_force_pmu first");
    return call(*pmu);
  });
}

/// A null pointer where the interface needs one that is not.
pfm_err_t null_argument();
/// Event `idx` of `pmu`, or null after remembering the failure.
[[nodiscard]] const Event* checked_event(const Pmu& pmu, unsigned int idx);
/// Checks descriptor and unit masks as dispatch does.
[[nodiscard]] pfm_err_t check_event(const Pmu& pmu, const pfmlib_event_t& event);
/// The C API's code of an engine error.
[[nodiscard]] pfm_err_t code_of(ErrorCode code);

/// The quirks that PFMLIB_QUIRKS or pfm_set_quirks asked for.
[[nodiscard]] ia64::Quirks quirks();
/// Reads PFMLIB_QUIRKS: always for pfm_initialize, else only the first time.
pfm_err_t read_quirks(bool again);

/// For the models' own calls: the most occurrences of an event in a cycle on the PMU of type `type`.
pfm_err_t most_per_cycle(int type, unsigned int idx, unsigned int* maxincr);

}  // namespace pmusim::encoder::capi
