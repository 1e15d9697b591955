// The C API of the 750GX and 750GL.
#include <fmt/format.h>
#include <perfmon/pfmlib_ppc750gx.h>

#include <array>

#include "encoder/src/capi/session.h"
#include "registers.h"

namespace pmusim::encoder::ppc750gx {
namespace {

using capi::Failure;
using capi::LogicalRegister;

constexpr LogicalRegister numbered(unsigned number, std::uint32_t spr) {
  return {number, spr, spr - kUserCopyDistance};
}

constexpr std::array<LogicalRegister, 2> kPmcs{numbered(0, kMmcr0), numbered(1, kMmcr1)};
constexpr std::array<LogicalRegister, 5> kPmds{numbered(0, kPmc1), numbered(1, kPmc2), numbered(2, kPmc3),
                                               numbered(3, kPmc4), numbered(4, kSia)};

constexpr unsigned kAllFlags = PFM_PPC750GX_FL_MARKED | PFM_PPC750GX_FL_UNMARKED | PFM_PPC750GX_FL_DISCOUNT |
                               PFM_PPC750GX_FL_INTONBITTRANS | PFM_PPC750GX_FL_TRIGGER;

/// All four counters need MMCR0, which starts and stops them; PMC3 and PMC4 need MMCR1, which has their selectors.
std::uint32_t counters_without(const pfmlib_regmask_t& unavailable) {
  constexpr unsigned long mmcr0 = 1;
  constexpr unsigned long mmcr1 = 2;
  if (unavailable.bits[0] & mmcr0) return 0xf;
  return unavailable.bits[0] & mmcr1 ? 0xc : 0;
}

/// Checks a member of the block against the limit of its field in MMCR0.
std::optional<Failure> limited(std::string_view name, unsigned value, std::uint64_t limit) {
  if (value <= limit) return std::nullopt;
  return Failure{PFMLIB_ERR_INVAL, fmt::format("{} is {}; it may be 0 to {}", name, value, limit)};
}

std::optional<Failure> read_input(const void* block, std::span<Request> requests, GroupOptions& options) {
  const auto& input = *static_cast<const pfmlib_ppc750gx_input_param_t*>(block);
  const unsigned flags = input.pfp_ppc750gx_flags;
  if (flags & ~kAllFlags)
    return Failure{PFMLIB_ERR_INVAL,
                   fmt::format("pfp_ppc750gx_flags is {:#x}; the flags defined are {:#x}", flags, kAllFlags)};
  if ((flags & PFM_PPC750GX_FL_MARKED) && (flags & PFM_PPC750GX_FL_UNMARKED))
    return Failure{PFMLIB_ERR_FEATCOMB,
                   "PFM_PPC750GX_FL_MARKED and _UNMARKED together let nothing pass; give neither "
                   "to count both"};
  if (auto failure = limited("pfp_ppc750gx_threshold", input.pfp_ppc750gx_threshold, field::threshold.limit()))
    return failure;
  if (auto failure = limited("pfp_ppc750gx_rtcselect", input.pfp_ppc750gx_rtcselect, field::rtcselect.limit()))
    return failure;
  if (auto failure = limited("pfp_ppc750gx_unavail_counters", input.pfp_ppc750gx_unavail_counters, 0xf)) return failure;
  options.unavailable |= input.pfp_ppc750gx_unavail_counters;
  const auto set = [&](const Field& field, std::uint64_t value) { options.settings.set(field.name, value); };
  set(field::dmr, (flags & PFM_PPC750GX_FL_MARKED) != 0);
  set(field::dms, (flags & PFM_PPC750GX_FL_UNMARKED) != 0);
  set(field::discount, (flags & PFM_PPC750GX_FL_DISCOUNT) != 0);
  set(field::intonbittrans, (flags & PFM_PPC750GX_FL_INTONBITTRANS) != 0);
  set(field::pmctrigger, (flags & PFM_PPC750GX_FL_TRIGGER) != 0);
  set(field::threshold, input.pfp_ppc750gx_threshold);
  set(field::rtcselect, input.pfp_ppc750gx_rtcselect);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const unsigned counter_flags = input.pfp_ppc750gx_counters[i].flags;
    if (counter_flags & ~static_cast<unsigned>(PFM_PPC750GX_SEL_INT))
      return Failure{PFMLIB_ERR_INVAL,
                     fmt::format("pfp_ppc750gx_counters[{}].flags is {:#x}; the flag defined is {:#x}", i,
                                 counter_flags, PFM_PPC750GX_SEL_INT)};
    if (counter_flags & PFM_PPC750GX_SEL_INT) requests[i].settings.set("intr", 1);
  }
  return std::nullopt;
}

}  // namespace

constexpr capi::Model kCModel{
    .type = PFMLIB_PPC750GX_PMU,
    .backend = "ppc750gx",
    .pmcs = kPmcs,
    .pmds = kPmds,
    .has_unit_masks = false,
    .selector_per_counter = false,
    .cycle_event = "PROCESSOR_CYCLES",
    .instruction_event = "INSTRUCTIONS_COMPLETED",
    .counters_without = counters_without,
    .read_input = read_input,
};

}  // namespace pmusim::encoder::ppc750gx

PMUSIM_C_API pfm_err_t pfm_ppc750gx_get_event_maxincr(unsigned int idx, unsigned int* maxincr) {
  return pmusim::encoder::capi::most_per_cycle(PFMLIB_PPC750GX_PMU, idx, maxincr);
}

PMUSIM_C_API int pfm_ppc750gx_uses_threshold(unsigned int idx) {
  using namespace pmusim::encoder;
  const capi::Pmu* pmu = capi::current();
  if (!pmu || pmu->model->type != PFMLIB_PPC750GX_PMU || idx >= pmu->backend->events().size()) return 0;
  for (const ppc750gx::CounterTable& table : ppc750gx::tables())
    for (const ppc750gx::Row& row : table.rows)
      if (row.name == pmu->backend->events()[idx].name && row.uses == ppc750gx::Uses::threshold) return 1;
  return 0;
}
