// The C API of the Itanium 2: libpfm_itanium2(3).
#include <perfmon/pfmlib_itanium2.h>

#include <array>

#include "dispatch.h"
#include "encoder/src/capi/session.h"
#include "encoder/src/ia64/c_blocks.h"
#include "registers.h"

namespace pmusim::encoder::itanium2 {
namespace {

constexpr auto kPmcs = ia64::numbered<PMU_ITA2_NUM_PMCS, 1>({{{0, 15}}});
/// The counters, PMD4 to PMD7, come first.
constexpr auto kPmds = ia64::numbered<PMU_ITA2_NUM_PMDS, 3>({{{4, 7}, {0, 3}, {8, 17}}});

ia64::EarInput read_ear(const pfmlib_ita2_ear_t& block) {
  return {block.ear_used != 0, block.ear_used == 1, ia64::raw_number(block.ear_mode), ia64::raw_number(block.ear_ism),
          block.ear_plm,       block.ear_umask};
}

MatcherInput read_matcher(const pfmlib_ita2_opcm_t& block) { return {block.opcm_used != 0, block.pmc_val}; }

void read_model(const pfmlib_ita2_input_param_t& block, Input& in) {
  in.has_model = true;
  for (std::size_t i = 0; i < in.events.size(); ++i) {
    const pfmlib_ita2_counter_t& counter = block.pfp_ita2_counters[i];
    in.events[i].unchecked = (counter.flags & PFMLIB_ITA2_FL_EVT_NO_QUALCHECK) != 0;
    in.events[i].threshold = counter.thres;
    in.events[i].instruction_set = ia64::raw_number(counter.ism);
  }
  in.pmc8 = read_matcher(block.pfp_ita2_pmc8);
  in.pmc9 = read_matcher(block.pfp_ita2_pmc9);
  in.instruction_ear = read_ear(block.pfp_ita2_iear);
  in.data_ear = read_ear(block.pfp_ita2_dear);
  const pfmlib_ita2_btb_t& btb = block.pfp_ita2_btb;
  in.buffer = {btb.btb_used != 0, btb.btb_ds, btb.btb_tm, btb.btb_ptm, btb.btb_ppm, btb.btb_brt, btb.btb_plm};
  in.code = ia64::read_ranges(block.pfp_ita2_irange, PFMLIB_ITA2_RR_INV, PFMLIB_ITA2_RR_NO_FINE_MODE);
  in.data = ia64::read_ranges(block.pfp_ita2_drange, PFMLIB_ITA2_RR_INV, PFMLIB_ITA2_RR_NO_FINE_MODE);
}

pfm_err_t dispatch_events(const capi::Pmu& /*pmu*/, const pfmlib_input_param_t& p, const void* model_in,
                          pfmlib_output_param_t& q, void* model_out) {
  Input in;
  ia64::read_generic(p, rows(), in);
  in.quirks = capi::quirks();
  in.has_model_output = model_out != nullptr;
  if (model_in) read_model(*static_cast<const pfmlib_ita2_input_param_t*>(model_in), in);
  const auto result = dispatch(in);
  if (!result) return capi::fail(capi::code_of(result.error().code), result.error().message);
  ia64::write_generic(*result, q);
  auto* out = static_cast<pfmlib_ita2_output_param_t*>(model_out);
  if (out && in.code.used) ia64::write_ranges(result->code_ranges, out->pfp_ita2_irange);
  if (out && in.data.used) ia64::write_ranges(result->data_ranges, out->pfp_ita2_drange);
  return PFMLIB_SUCCESS;
}

constexpr ia64::CEvents kEvents{"itanium2", rows};

}  // namespace

constexpr capi::Model kCModel{
    .type = PFMLIB_ITANIUM2_PMU,
    .backend = "itanium2",
    .pmcs = kPmcs,
    .pmds = kPmds,
    .has_unit_masks = false,
    .selector_per_counter = true,
    .code_per_counter = false,
    .cycle_event = "CPU_CYCLES",
    .instruction_event = "IA64_INST_RETIRED",
    .counters_without = nullptr,
    .read_input = nullptr,
    .dispatch = dispatch_events,
};

}  // namespace pmusim::encoder::itanium2

using namespace pmusim::encoder;
using namespace pmusim::encoder::itanium2;
using namespace ia64;
using enum EventKind;

PMUSIM_IA64_EVENT_FUNCTIONS(ita2, btb)

PMUSIM_C_API int pfm_ita2_get_event_group(unsigned int i, int* grp) {
  return kEvents.store(i, grp, [](const Row& found) { return found.wires.group; });
}
PMUSIM_C_API int pfm_ita2_get_event_set(unsigned int i, int* set) {
  return kEvents.store(i, set, [](const Row& found) { return found.wires.set; });
}
PMUSIM_C_API int pfm_ita2_irange_is_fine(pfmlib_output_param_t* outp, pfmlib_ita2_output_param_t* mod_out) {
  return ia64::is_fine(outp, mod_out ? &mod_out->pfp_ita2_irange : nullptr, 14);
}
