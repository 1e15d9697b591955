// The C API of the Alpha implementations.
#include <fmt/format.h>
#include <perfmon/pfmlib_alpha.h>

#include <array>

#include "encoder/src/capi/session.h"
#include "registers.h"

namespace pmusim::encoder::alpha {
namespace {

using capi::Failure;
using capi::LogicalRegister;

constexpr std::array<LogicalRegister, 4> kCalls5{
    {{0, select, select}, {1, options, options}, {2, frequency, frequency}, {3, enable, enable}}};
constexpr std::array<LogicalRegister, 3> kCalls46{{{0, select, select}, {1, options, options}, {3, enable, enable}}};
constexpr std::array<LogicalRegister, 3> kCounterList{{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}};
constexpr std::span<const LogicalRegister> kTwo = std::span(kCounterList).first<2>();

constexpr unsigned kAllFlags = PFM_ALPHA_FL_MARKED | PFM_ALPHA_FL_PAL | PFM_ALPHA_FL_ES;

/// If one call is unavailable, no counter can be used.
std::uint32_t counters_without(const pfmlib_regmask_t& unavailable) {
  return (unavailable.bits[0] & 0xFU) != 0 ? 7U : 0U;
}

/// `modes`: the implementation can select processor modes; `periods`: it has selectable interrupt periods.
template <bool modes, bool periods>
std::optional<Failure> read_block(const void* block, std::span<Request> requests, GroupOptions& group) {
  const auto& input = *static_cast<const pfmlib_alpha_input_param_t*>(block);
  const unsigned flags = input.pfp_alpha_flags;
  const unsigned legal = modes ? kAllFlags : static_cast<unsigned>(PFM_ALPHA_FL_MARKED);
  if ((flags & ~legal) != 0)
    return Failure{PFMLIB_ERR_INVAL,
                   fmt::format("pfp_alpha_flags is {:#x}; the flags of this PMU are {:#x}", flags, legal)};
  if (input.pfp_alpha_unavail_counters > 7)
    return Failure{PFMLIB_ERR_INVAL,
                   fmt::format("pfp_alpha_unavail_counters is {}; it may be 0 to 7", input.pfp_alpha_unavail_counters)};
  group.unavailable |= input.pfp_alpha_unavail_counters;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Settings& settings = requests[i].settings;
    settings.set("pme", (flags & PFM_ALPHA_FL_MARKED) != 0);
    if (modes) {
      const bool es = (flags & PFM_ALPHA_FL_ES) != 0;
      settings.set("pal", (flags & PFM_ALPHA_FL_PAL) != 0);
      settings.set("es", es);
      if (es)
        for (const char* level : {"k", "u"}) settings.set(level, 0);
    }
    const unsigned freq = input.pfp_alpha_counters[i].freq;
    if (freq != 0 && !periods)
      return Failure{PFMLIB_ERR_INVAL,
                     fmt::format("pfp_alpha_counters[{}].freq is {}; the period of this PMU is the counter's start "
                                 "value, so it may be 0 only",
                                 i, freq)};
    if (freq != 0) settings.set("freq", freq);
  }
  return std::nullopt;
}

constexpr capi::Model model(int type, std::string_view target, std::span<const LogicalRegister> calls,
                            std::span<const LogicalRegister> counters, std::string_view cycles,
                            std::string_view instructions, decltype(capi::Model::read_input) read) {
  return {.type = type,
          .backend = target,
          .pmcs = calls,
          .pmds = counters,
          .has_unit_masks = false,
          .selector_per_counter = false,
          .cycle_event = cycles,
          .instruction_event = instructions,
          .counters_without = counters_without,
          .read_input = read};
}

/// True if the selected PMU is an Alpha.
bool selected(const capi::Pmu* pmu) {
  return pmu != nullptr && pmu->model->type >= PFMLIB_ALPHA_EV4_PMU && pmu->model->type <= PFMLIB_ALPHA_EV67_PMU;
}

}  // namespace

constexpr capi::Model kCModelEv4 =
    model(PFMLIB_ALPHA_EV4_PMU, "alpha-ev4", kCalls46, kTwo, "PF_CYCLES", "PF_ISSUES", read_block<false, true>);
constexpr capi::Model kCModelEv5 = model(PFMLIB_ALPHA_EV5_PMU, "alpha-ev5", kCalls5, kCounterList, "PF5_MUX2_C_CYCLES",
                                         "PF5_MUX0_ISSUES", read_block<true, true>);
constexpr capi::Model kCModelPca56 = model(PFMLIB_ALPHA_PCA56_PMU, "alpha-pca56", kCalls5, kCounterList,
                                           "PF5_MUX2_C_CYCLES", "PF5_MUX0_ISSUES", read_block<true, true>);
constexpr capi::Model kCModelEv6 = model(PFMLIB_ALPHA_EV6_PMU, "alpha-ev6", kCalls46, kTwo, "PF6_MUX1_CYCLES",
                                         "PF6_MUX0_RET_INSTRUCTIONS", read_block<false, false>);
constexpr capi::Model kCModelEv67 =
    model(PFMLIB_ALPHA_EV67_PMU, "alpha-ev67", kCalls46, kTwo, "CYCLES1", "RETINST", read_block<false, false>);

}  // namespace pmusim::encoder::alpha

PMUSIM_C_API pfm_err_t pfm_alpha_get_event_maxincr(unsigned int idx, unsigned int* maxincr) {
  const auto* pmu = pmusim::encoder::capi::current();
  return pmusim::encoder::capi::most_per_cycle(
      pmusim::encoder::alpha::selected(pmu) ? pmu->model->type : PFMLIB_ALPHA_EV4_PMU, idx, maxincr);
}

PMUSIM_C_API int pfm_alpha_get_profileme_statistic(unsigned int idx) {
  const auto* pmu = pmusim::encoder::capi::current();
  if (!pmusim::encoder::alpha::selected(pmu) || idx >= pmu->backend->events().size()) return 0;
  return static_cast<int>(pmu->backend->events()[idx].companion);
}
