// Data of a family that the C API needs in addition to its back end: logical register numbers and the input block.
#pragma once

#include <perfmon/pfmlib.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "encoder/src/engine.h"

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

}  // namespace pmusim::encoder::capi
