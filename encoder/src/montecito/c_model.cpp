// The C API of Montecito: libpfm_montecito(3).
#include <perfmon/pfmlib_montecito.h>

#include <array>

#include "dispatch.h"
#include "encoder/src/capi/session.h"
#include "encoder/src/ia64/c_blocks.h"
#include "registers.h"

namespace pmusim::encoder::montecito {
namespace {

constexpr auto kPmcs = ia64::numbered<PMU_MONT_NUM_PMCS, 2>({{{0, 15}, {32, 42}}});
/// Includes PMD37, which libpfm has but the processor does not.
constexpr auto kPmds = ia64::numbered<PMU_MONT_NUM_PMDS, 3>({{{4, 15}, {32, 39}, {48, 63}}});

ia64::EarInput read_ear(const pfmlib_mont_ear_t& block) {
  return {block.ear_used != 0, block.ear_used == 1, ia64::raw_number(block.ear_mode), 0,
          block.ear_plm,       block.ear_umask};
}

MatcherInput read_matcher(const pfmlib_mont_opcm_t& block) {
  return {block.opcm_used != 0,    (block.opcm_m & 1) != 0, (block.opcm_i & 1) != 0, (block.opcm_f & 1) != 0,
          (block.opcm_b & 1) != 0, block.opcm_match,        block.opcm_mask};
}

void read_model(const pfmlib_mont_input_param_t& block, Input& in) {
  in.has_model = true;
  for (std::size_t i = 0; i < in.events.size(); ++i) {
    const pfmlib_mont_counter_t& counter = block.pfp_mont_counters[i];
    in.events[i].unchecked = (counter.flags & PFMLIB_MONT_FL_EVT_NO_QUALCHECK) != 0;
    in.events[i].all_threads = (counter.flags & PFMLIB_MONT_FL_EVT_ALL_THRD) != 0;
    in.events[i].threshold = counter.thres;
  }
  in.matcher1 = read_matcher(block.pfp_mont_opcm1);
  in.matcher2 = read_matcher(block.pfp_mont_opcm2);
  in.instruction_ear = read_ear(block.pfp_mont_iear);
  in.data_ear = read_ear(block.pfp_mont_dear);
  // etb_ds is not read: programs compiled for libpfm leave this byte uninitialized.
  const pfmlib_mont_etb_t& etb = block.pfp_mont_etb;
  in.buffer = {etb.etb_used != 0, 0, etb.etb_tm, etb.etb_ptm, etb.etb_ppm, etb.etb_brt, etb.etb_plm};
  const pfmlib_mont_ipear_t& ipear = block.pfp_mont_ipear;
  in.ip_ear = {ipear.ipear_used != 0, ipear.ipear_plm, ipear.ipear_delay};
  in.code = ia64::read_ranges(block.pfp_mont_irange, PFMLIB_MONT_RR_INV, PFMLIB_MONT_RR_NO_FINE_MODE);
  in.code.demand_fetches = (block.pfp_mont_irange.rr_flags & PFMLIB_MONT_IRR_DEMAND_FETCH) != 0;
  in.code.prefetches = (block.pfp_mont_irange.rr_flags & PFMLIB_MONT_IRR_PREFETCH_MATCH) != 0;
  in.data = ia64::read_ranges(block.pfp_mont_drange, PFMLIB_MONT_RR_INV, PFMLIB_MONT_RR_NO_FINE_MODE);
}

pfm_err_t dispatch_events(const capi::Pmu& /*pmu*/, const pfmlib_input_param_t& p, const void* model_in,
                          pfmlib_output_param_t& q, void* model_out) {
  Input in;
  ia64::read_generic(p, rows(), in);
  for (ia64::CounterInput& event : in.events) event.interrupt = false;  // the kernel sets oi
  in.quirks = capi::quirks();
  in.refuse_all_threads = true;
  in.has_model_output = model_out != nullptr;
  if (model_in) read_model(*static_cast<const pfmlib_mont_input_param_t*>(model_in), in);
  const auto result = dispatch(in);
  if (!result) return capi::fail(capi::code_of(result.error().code), result.error().message);
  ia64::write_generic(*result, q);
  auto* out = static_cast<pfmlib_mont_output_param_t*>(model_out);
  if (out && in.code.used) ia64::write_ranges(result->code_ranges, out->pfp_mont_irange);
  if (out && in.data.used) ia64::write_ranges(result->data_ranges, out->pfp_mont_drange);
  return PFMLIB_SUCCESS;
}

constexpr ia64::CEvents kEvents{"montecito", rows};

/// The set number that the C API returns: libpfm doubles it.
int published_set(const ia64::Row& row) {
  return row.wires.set == ia64::kNoSet ? PFMLIB_MONT_EVT_NO_SET : 2 * set_of(row, capi::quirks());
}

int published_group(const ia64::Row& row) {
  constexpr int ungrouped = 7;
  if (row.wires.group == 0 && capi::quirks().has(ia64::Quirk::ungrouped_seven)) return ungrouped;
  return row.wires.group;
}

/// The thread type that the C API returns; PFMLIB_MONT_EVT_ACTIVE is 0.
int published_type(const ia64::Row& row) {
  return static_cast<int>(row.thread) - static_cast<int>(ia64::ThreadType::active);
}

}  // namespace

constexpr capi::Model kCModel{
    .type = PFMLIB_MONTECITO_PMU,
    .backend = "montecito",
    .pmcs = kPmcs,
    .pmds = kPmds,
    .has_unit_masks = true,
    .selector_per_counter = true,
    .code_per_counter = false,
    .cycle_event = "CPU_OP_CYCLES_ALL",
    .instruction_event = "IA64_INST_RETIRED",
    .counters_without = nullptr,
    .read_input = nullptr,
    .dispatch = dispatch_events,
    .own_name = "dual-core Itanium 2",
};

}  // namespace pmusim::encoder::montecito

using namespace pmusim::encoder;
using namespace pmusim::encoder::montecito;
using namespace ia64;
using enum EventKind;

PMUSIM_IA64_EVENT_FUNCTIONS(mont, etb)

PMUSIM_C_API int pfm_mont_support_all(unsigned int /*i*/) { return 0; }
PMUSIM_C_API int pfm_mont_get_event_group(unsigned int i, int* grp) { return kEvents.store(i, grp, published_group); }
PMUSIM_C_API int pfm_mont_get_event_set(unsigned int i, int* set) { return kEvents.store(i, set, published_set); }
PMUSIM_C_API int pfm_mont_get_event_type(unsigned int i, int* type) { return kEvents.store(i, type, published_type); }
PMUSIM_C_API int pfm_mont_irange_is_fine(pfmlib_output_param_t* outp, pfmlib_mont_output_param_t* mod_out) {
  return ia64::is_fine(outp, mod_out ? &mod_out->pfp_mont_irange : nullptr, 38);
}
