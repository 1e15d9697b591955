// The C API of the Athlon.
#include <fmt/format.h>
#include <perfmon/pfmlib_athlon.h>

#include <array>

#include "encoder/src/capi/session.h"
#include "registers.h"

namespace pmusim::encoder::athlon {
namespace {

using capi::Failure;
using capi::LogicalRegister;

constexpr std::array<LogicalRegister, kCounters> kPmcs{{{0, kPerfEvtSel0, kPerfEvtSel0},
                                                        {1, kPerfEvtSel0 + 1, kPerfEvtSel0 + 1},
                                                        {2, kPerfEvtSel0 + 2, kPerfEvtSel0 + 2},
                                                        {3, kPerfEvtSel0 + 3, kPerfEvtSel0 + 3}}};
/// The alternate number is the counter number of RDPMC.
constexpr std::array<LogicalRegister, kCounters> kPmds{
    {{0, kPerfCtr0, 0}, {1, kPerfCtr0 + 1, 1}, {2, kPerfCtr0 + 2, 2}, {3, kPerfCtr0 + 3, 3}}};

constexpr unsigned kAllFlags = PFM_ATHLON_SEL_INV | PFM_ATHLON_SEL_EDGE | PFM_ATHLON_SEL_PC | PFM_ATHLON_SEL_INT;

std::uint32_t counters_without(const pfmlib_regmask_t& unavailable) {
  return static_cast<std::uint32_t>(unavailable.bits[0]) & ((1u << kCounters) - 1);
}

std::optional<Failure> read_input(const void* block, std::span<Request> requests, GroupOptions& /*options*/) {
  const auto& input = *static_cast<const pfmlib_athlon_input_param_t*>(block);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const pfmlib_athlon_counter_t& counter = input.pfp_athlon_counters[i];
    if (counter.cnt_mask > field::cnt_mask.limit())
      return Failure{PFMLIB_ERR_INVAL, fmt::format("pfp_athlon_counters[{}].cnt_mask is {}; it may be 0 to {}", i,
                                                   counter.cnt_mask, field::cnt_mask.limit())};
    if (counter.flags & ~kAllFlags)
      return Failure{PFMLIB_ERR_INVAL,
                     fmt::format("pfp_athlon_counters[{}].flags is {:#x}; the flags defined are {:#x}", i,
                                 counter.flags, kAllFlags)};
    Settings& settings = requests[i].settings;
    settings.set("c", counter.cnt_mask);
    settings.set("i", (counter.flags & PFM_ATHLON_SEL_INV) != 0);
    settings.set("e", (counter.flags & PFM_ATHLON_SEL_EDGE) != 0);
    settings.set("pc", (counter.flags & PFM_ATHLON_SEL_PC) != 0);
    settings.set("intr", (counter.flags & PFM_ATHLON_SEL_INT) != 0);
  }
  return std::nullopt;
}

}  // namespace

constexpr capi::Model kCModel{
    .type = PFMLIB_ATHLON_PMU,
    .backend = "athlon",
    .pmcs = kPmcs,
    .pmds = kPmds,
    .has_unit_masks = true,
    .selector_per_counter = true,
    .cycle_event = "CPU_CLK_UNHALTED",
    .instruction_event = "RETIRED_INSTRUCTIONS",
    .counters_without = counters_without,
    .read_input = read_input,
};

}  // namespace pmusim::encoder::athlon

PMUSIM_C_API pfm_err_t pfm_athlon_get_event_maxincr(unsigned int idx, unsigned int* maxincr) {
  return pmusim::encoder::capi::most_per_cycle(PFMLIB_ATHLON_PMU, idx, maxincr);
}
