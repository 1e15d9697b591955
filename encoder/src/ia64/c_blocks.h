// Blocks of the C API with the same members on both IA-64 processors.
#pragma once

#include <fmt/format.h>
#include <perfmon/pfmlib.h>

#include <cstring>
#include <functional>

#include "encoder/src/capi/session.h"
#include "run.h"
#include "table.h"

namespace pmusim::encoder::ia64 {

/// Reads the generic part of a request. `rows` are the events by descriptor; the descriptors must be valid.
void read_generic(const pfmlib_input_param_t& p, const std::vector<Row>& rows, RunInput& in);

/// Writes the registers of a run to the lists of the output.
void write_generic(const RunOutput& out, pfmlib_output_param_t& q);

/// A register whose addresses are its number plus `shift`.
[[nodiscard]] pfmlib_reg_t numbered_register(unsigned number, std::uint64_t value, unsigned shift = 0);

/// Registers with the numbers from the first to the last of each pair.
template <std::size_t Count, std::size_t Runs>
constexpr std::array<capi::LogicalRegister, Count> numbered(
    const std::array<std::pair<unsigned, unsigned>, Runs>& runs) {
  std::array<capi::LogicalRegister, Count> all{};
  std::size_t next = 0;
  for (const auto& [first, last] : runs)
    for (unsigned number = first; number <= last; ++number) all.at(next++) = {number, number, number};
  return all;
}

/// The value of an enumeration of a C block, which may be outside the enumerators.
template <class Enumeration>
std::uint32_t raw_number(const Enumeration& value) {
  static_assert(sizeof value == sizeof(std::uint32_t));
  std::uint32_t number = 0;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

/// Reads a pfmlib_..._input_rr_t.
template <class Block>
RangeRequest read_ranges(const Block& block, unsigned inverse, unsigned no_fine) {
  RangeRequest request;
  request.used = block.rr_used != 0;
  request.used_is_one = block.rr_used == 1;
  request.inverse = (block.rr_flags & inverse) != 0;
  request.no_fine = (block.rr_flags & no_fine) != 0;
  for (unsigned i = 0; i < kRanges; ++i)
    request.limits[i] = {block.rr_limits[i].rr_start, block.rr_limits[i].rr_end, block.rr_limits[i].rr_plm};
  return request;
}

/// Overwrites a pfmlib_..._output_rr_t. (libpfm 3.10 appends to its contents, therefore its result is useful only for a
/// block of zeros.)
template <class Block>
void write_ranges(const std::optional<RangeRegisters>& found, Block& block) {
  block = {};
  if (!found) return;
  const RangeRegisters& ranges = *found;
  for (unsigned i = 0; i < kRanges; ++i) {
    block.rr_infos[i].rr_soff = ranges.offsets[i].start;
    block.rr_infos[i].rr_eoff = ranges.offsets[i].end;
  }
  for (const DebugRegister& reg : ranges.registers)
    block.rr_br[block.rr_nbr_used++] = numbered_register(reg.number, reg.value, ranges.address_shift);
}

// The properties of events that the model functions of the C API return, for the tables of both processors.

/// The events of one processor by descriptor, independent of the selected PMU.
class CEvents {
 public:
  constexpr CEvents(std::string_view target, const std::vector<Row>& (*rows)()) : target_(target), rows_(rows) {}

  /// True if the event has the property; false for an invalid descriptor.
  template <class Property>
  [[nodiscard]] bool is(unsigned int i, Property property) const {
    const Row* found = row(i);
    return found && std::invoke(property, *found);
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
      *to = std::invoke(value, *found);
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

template <EventKind Wanted>
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

/// The functions about events that the C APIs of both processors have, for a file with the events as kEvents and the
/// names of EventKind. `buffer`: what the API calls the branch buffer.
#define PMUSIM_IA64_EVENT_FUNCTIONS(chip, buffer)                                                                    \
  PMUSIM_C_API int pfm_##chip##_is_ear(unsigned int i) { return kEvents.is(i, &Row::is_ear); }                       \
  PMUSIM_C_API int pfm_##chip##_is_dear(unsigned int i) { return kEvents.is(i, &Row::is_data_ear); }                 \
  PMUSIM_C_API int pfm_##chip##_is_dear_tlb(unsigned int i) { return kEvents.is(i, has_kind<data_tlb>); }            \
  PMUSIM_C_API int pfm_##chip##_is_dear_cache(unsigned int i) { return kEvents.is(i, has_kind<data_cache>); }        \
  PMUSIM_C_API int pfm_##chip##_is_dear_alat(unsigned int i) { return kEvents.is(i, has_kind<data_alat>); }          \
  PMUSIM_C_API int pfm_##chip##_is_iear(unsigned int i) { return kEvents.is(i, &Row::is_instruction_ear); }          \
  PMUSIM_C_API int pfm_##chip##_is_iear_tlb(unsigned int i) { return kEvents.is(i, has_kind<instruction_tlb>); }     \
  PMUSIM_C_API int pfm_##chip##_is_iear_cache(unsigned int i) { return kEvents.is(i, has_kind<instruction_cache>); } \
  PMUSIM_C_API int pfm_##chip##_is_##buffer(unsigned int i) { return kEvents.is(i, has_kind<branch_buffer>); }       \
  PMUSIM_C_API int pfm_##chip##_support_opcm(unsigned int i) { return kEvents.is(i, filtered_by<kOpcode>); }         \
  PMUSIM_C_API int pfm_##chip##_support_iarr(unsigned int i) { return kEvents.is(i, filtered_by<kCode>); }           \
  PMUSIM_C_API int pfm_##chip##_support_darr(unsigned int i) { return kEvents.is(i, filtered_by<kData>); }           \
  PMUSIM_C_API int pfm_##chip##_get_ear_mode(unsigned int i, pfmlib_##chip##_ear_mode_t* m) {                        \
    return kEvents.store_ear_mode(i, m);                                                                             \
  }                                                                                                                  \
  PMUSIM_C_API int pfm_##chip##_get_event_maxincr(unsigned int i, unsigned int* maxincr) {                           \
    return kEvents.store(i, maxincr, &Row::max_per_cycle);                                                           \
  }                                                                                                                  \
  PMUSIM_C_API int pfm_##chip##_get_event_umask(unsigned int i, unsigned long* umask) {                              \
    return kEvents.store(i, umask, &Row::umask);                                                                     \
  }
