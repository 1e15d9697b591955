// What the C API needs of a family beyond its back end: logical register numbers and its own input block.
#pragma once

#include <perfmon/pfmlib.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "encoder/src/engine.h"

namespace pmusim::encoder::capi {

/// A return code and the sentence after it.
struct Failure {
  pfm_err_t code;
  std::string message;
};

/// A register under the number that the C API gives it.
struct LogicalRegister {
  unsigned number;
  std::uint32_t address;    ///< MSR or SPR
  unsigned long alternate;  ///< another number of the same register
};

struct Pmu;

struct Model {
  int type;                  ///< PFMLIB_..._PMU
  std::string_view backend;  ///< target name
  std::span<const LogicalRegister> pmcs;
  std::span<const LogicalRegister> pmds;  ///< the first ones are the counters
  bool has_unit_masks;
  /// Each counter has a control register of its own, under its own number. Else all control registers are
  /// shared and every dispatch returns them all, in the order of writing.
  bool selector_per_counter;
  bool code_per_counter = true;  ///< the code of an event may differ between counters
  std::string_view cycle_event;
  std::string_view instruction_event;
  /// Bit per counter that cannot work without the control registers named.
  std::uint32_t (*counters_without)(const pfmlib_regmask_t& unavailable_pmcs);
  /// Reads the model's input block into the requests and the run's settings.
  std::optional<Failure> (*read_input)(const void* block, std::span<Request> requests, GroupOptions& options);
  /// Instead of the two calls above: the whole of pfm_dispatch_events after the checks that all PMUs share.
  pfm_err_t (*dispatch)(const Pmu& pmu, const pfmlib_input_param_t& p, const void* model_in, pfmlib_output_param_t& q,
                        void* model_out) = nullptr;
  std::string_view own_name = {};  ///< where the PMU has another name than the target
  [[nodiscard]] constexpr std::string_view name() const { return own_name.empty() ? backend : own_name; }
};

/// Every model, in the order of the list of PMUs; the first is chosen when nothing else says.
[[nodiscard]] std::span<const Model* const> models();

}  // namespace pmusim::encoder::capi
