// The state of the libpfm-3 interface: the selected PMU and the options of the process, and the message of the last
// failure of each thread. All functions are thread-safe.
#pragma once

#include <new>
#include <string>

#include "encoder/src/ia64/quirks.h"
#include "model.h"

/// Declares a function of the C API, which the shared library exports.
#define PMUSIM_C_API extern "C" __attribute__((visibility("default")))

namespace pmusim::encoder::capi {

struct Pmu {
  const Model* model;
  const Backend* backend;
};

/// The selected PMU; null before the first selection.
[[nodiscard]] const Pmu* current();
/// Selects the PMU of a type. If there is none, returns false and keeps the selection.
bool select(int type);
/// All PMUs with their back ends.
[[nodiscard]] std::span<const Pmu> pmus();
/// The PMU of a type; null if there is none.
[[nodiscard]] const Pmu* find_pmu(int type);

/// Stores the message for pfm_last_error(), prints it if debugging is on, and returns the code.
pfm_err_t fail(pfm_err_t code, const std::string& message);
pfm_err_t fail(const Failure& failure);
/// Prints the message if LIBPFM_VERBOSE or the verbose option is set.
void verbose(const std::string& message);

/// Returns `call()`, or PFMLIB_ERR_NOMEM on std::bad_alloc: no exception may leave the C API.
template <class Call>
pfm_err_t guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return PFMLIB_ERR_NOMEM;
  }
}

/// Returns `call(pmu)` for the selected PMU, or PFMLIB_ERR_NOINIT.
template <class Call>
pfm_err_t with_pmu(Call call) {
  return guarded([&]() -> pfm_err_t {
    const Pmu* pmu = current();
    if (!pmu) return fail(PFMLIB_ERR_NOINIT, "no PMU is selected; call pfm_initialize or pfm_force_pmu first");
    return call(*pmu);
  });
}

/// Reports a null pointer or an empty buffer as a failure.
pfm_err_t null_argument();
/// Event `idx` of `pmu`. Null if it does not exist; the failure is recorded.
[[nodiscard]] const Event* checked_event(const Pmu& pmu, unsigned int idx);
/// Checks the descriptor and the unit masks of an event.
[[nodiscard]] pfm_err_t check_event(const Pmu& pmu, const pfmlib_event_t& event);
/// The return code of the C API for an engine error.
[[nodiscard]] pfm_err_t code_of(ErrorCode code);

/// The quirks selected by PFMLIB_QUIRKS or pfm_set_quirks.
[[nodiscard]] ia64::Quirks quirks();
/// Reads PFMLIB_QUIRKS. With `again` false (all callers except pfm_initialize) only the first call reads it.
pfm_err_t read_quirks(bool again);

/// The maximum of occurrences of an event in a cycle; fails unless the selected PMU has type `type`. For the functions
/// of the models.
pfm_err_t most_per_cycle(int type, unsigned int idx, unsigned int* maxincr);

}  // namespace pmusim::encoder::capi
