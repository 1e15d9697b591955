// Blocks of the C API with the same members on both IA-64 processors.
#pragma once

#include <perfmon/pfmlib.h>

#include <cstring>

#include "run.h"

namespace pmusim::encoder::ia64 {

/// Reads the generic part of a request. `rows` are the events by descriptor; the descriptors must be valid.
void read_generic(const pfmlib_input_param_t& p, const std::vector<Row>& rows, RunInput& in);

/// Writes the registers of a run to the lists of the output.
void write_generic(const RunOutput& out, pfmlib_output_param_t& q);

/// A register whose addresses are its number plus `shift`.
[[nodiscard]] pfmlib_reg_t numbered_register(unsigned number, std::uint64_t value, unsigned shift = 0);

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

}  // namespace pmusim::encoder::ia64
