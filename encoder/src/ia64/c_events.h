// The properties of events that the model functions of the C API return, for the tables of both processors.
#pragma once

#include <fmt/format.h>
#include <perfmon/pfmlib.h>

#include "encoder/src/capi/session.h"
#include "run.h"
#include "table.h"

namespace pmusim::encoder::ia64 {

/// The events of one processor by descriptor, independent of the selected PMU.
class CEvents {
 public:
  constexpr CEvents(std::string_view target, const std::vector<Row>& (*rows)()) : target_(target), rows_(rows) {}

  /// True if the event has the property; false for an invalid descriptor.
  [[nodiscard]] bool is(unsigned int i, bool (*property)(const Row&)) const {
    const Row* found = row(i);
    return found && property(*found);
  }

  /// Stores `value(row)` for a valid descriptor.
  template <class To, class Value>
  int store(unsigned int i, To* to, Value value) const {
    return capi::guarded([&]() -> pfm_err_t {
      if (!to) return capi::null_argument();
      const Row* found = row(i);
      if (!found)
        return capi::fail(PFMLIB_ERR_INVAL,
                          fmt::format("event descriptor {}: {} has events 0 to {}", i, target_, rows_().size() - 1));
      *to = value(*found);
      return PFMLIB_SUCCESS;
    });
  }

  /// Stores the EAR mode of an EAR event.
  template <class Mode>
  int store_ear_mode(unsigned int i, Mode* to) const {
    return capi::guarded([&]() -> pfm_err_t {
      if (!to) return capi::null_argument();
      const Row* found = row(i);
      if (!found || !found->is_ear())
        return capi::fail(PFMLIB_ERR_INVAL, fmt::format("descriptor {} is no EAR event", i));
      *to = static_cast<Mode>(mode_of(found->kind));
      return PFMLIB_SUCCESS;
    });
  }

 private:
  [[nodiscard]] const Row* row(unsigned int i) const { return i < rows_().size() ? &rows_()[i] : nullptr; }

  std::string_view target_;
  const std::vector<Row>& (*rows_)();
};

inline bool is_ear(const Row& row) { return row.is_ear(); }
inline bool is_data_ear(const Row& row) { return row.is_data_ear(); }
inline bool is_instruction_ear(const Row& row) { return row.is_instruction_ear(); }

template <Kind Wanted>
bool has_kind(const Row& row) {
  return row.kind == Wanted;
}

template <Filter which>
bool filtered_by(const Row& row) {
  return (row.filters & which) != 0;
}

/// 1 if an answer restricts the code in fine mode. `control` is the number of the control register of code ranges,
/// `ranges` the model's block of code ranges, or null.
template <class Ranges>
int is_fine(const pfmlib_output_param_t* answer, const Ranges* ranges, unsigned control) {
  constexpr unsigned fine_bit = 13;
  if (!answer || !ranges || answer->pfp_pmc_count >= PFMLIB_MAX_PMCS || ranges->rr_nbr_used == 0) return 0;
  for (unsigned i = 0; i < answer->pfp_pmc_count; ++i)
    if (answer->pfp_pmcs[i].reg_num == control) return static_cast<int>(answer->pfp_pmcs[i].reg_value >> fine_bit & 1);
  return 0;
}

}  // namespace pmusim::encoder::ia64
