// The state of the libpfm-3 interface: the selected PMU and the options of the process, and the message of the last
// failure of each thread. All functions are thread-safe. A Model holds what the interface needs of a family in addition
// to its back end: logical register numbers and the input block.
#pragma once

#include <perfmon/pfmlib.h>

#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "encoder/src/engine.h"
#include "encoder/src/ia64/quirks.h"

/// Declares a function of the C API, which the shared library exports.
#define PMUSIM_C_API extern "C" __attribute__((visibility("default")))

namespace pmusim::encoder::capi {

/// A return code with its message.
struct Failure {
  pfm_err_t code;
  std::string message;
};

/// A register with its logical number in the C API.
struct LogicalRegister {
  unsigned number;
  std::uint32_t address;    ///< MSR or SPR
  unsigned long alternate;  ///< second number of the same register
};

struct Pmu;

struct Model {
  int type;                  ///< PFMLIB_..._PMU
  std::string_view backend;  ///< target name
  std::span<const LogicalRegister> pmcs;
  std::span<const LogicalRegister> pmds;  ///< the counters come first
  bool has_unit_masks;
  /// True: each counter has its own control register with the same number. False: the counters share all control
  /// registers, and every dispatch returns them all, in the order of writing.
  bool selector_per_counter;
  bool code_per_counter = true;  ///< the code of an event may differ between counters
  std::string_view cycle_event;
  std::string_view instruction_event;
  /// The counters, one bit for each, that cannot be used without the given control registers.
  std::uint32_t (*counters_without)(const pfmlib_regmask_t& unavailable_pmcs);
  /// Copies the model's input block to the requests and the settings of the run.
  std::optional<Failure> (*read_input)(const void* block, std::span<Request> requests, GroupOptions& options);
  /// Replaces the two functions above: all of pfm_dispatch_events after the checks that are common to all PMUs.
  pfm_err_t (*dispatch)(const Pmu& pmu, const pfmlib_input_param_t& p, const void* model_in, pfmlib_output_param_t& q,
                        void* model_out) = nullptr;
  std::string_view own_name = {};  ///< name of the PMU if it differs from the target's
  [[nodiscard]] constexpr std::string_view name() const { return own_name.empty() ? backend : own_name; }
};

/// All models, in the order of the list of PMUs. The first one is the default.
[[nodiscard]] std::span<const Model* const> models();

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
/// Gives a result to the caller.
template <class Value, class To>
pfm_err_t store(Value value, To* to) {
  if (!to) return null_argument();
  *to = static_cast<To>(value);
  return PFMLIB_SUCCESS;
}
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

// The PMUs of the C API, each defined beside its encoder (c_model.cpp).
namespace pmusim::encoder {
namespace alpha {
extern const capi::Model kCModelEv4, kCModelEv5, kCModelPca56, kCModelEv6, kCModelEv67;
}
namespace athlon {
extern const capi::Model kCModel;
}
namespace itanium2 {
extern const capi::Model kCModel;
}
namespace montecito {
extern const capi::Model kCModel;
}
namespace ppc750gx {
extern const capi::Model kCModel;
}
}  // namespace pmusim::encoder
