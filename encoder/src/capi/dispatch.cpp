// pfm_dispatch_events: translates the structures of the C API to engine requests and returns the registers.
#include <fmt/format.h>

#include <algorithm>

#include "encoder/src/text.h"
#include "session.h"

using namespace pmusim::encoder;
using namespace pmusim::encoder::capi;

namespace {

Request request_of(const Pmu& pmu, const pfmlib_event_t& event, unsigned default_levels) {
  Request request;
  request.event = &pmu.backend->events()[event.event];
  request.text = request.event->name;
  for (unsigned i = 0; i < event.num_masks; ++i)
    request.unit_mask |= request.event->bits(request.event->unit_masks[event.unit_masks[i]]);
  if (const UnitMask* default_mask = request.event->default_mask(); default_mask && event.num_masks == 0)
    request.unit_mask = request.event->bits(*default_mask);
  const unsigned levels = event.plm ? event.plm : default_levels;
  request.settings.set("k", (levels & PFM_PLM0) != 0);
  request.settings.set("u", (levels & (PFM_PLM1 | PFM_PLM2 | PFM_PLM3)) != 0);
  return request;
}

pfmlib_reg_t entry(const LogicalRegister& reg, std::uint64_t value) {
  pfmlib_reg_t result{};
  result.reg_value = value;
  result.reg_addr = reg.address;
  result.reg_num = reg.number;
  result.reg_alt_addr = reg.alternate;
  return result;
}

void add_pmc(const LogicalRegister& reg, std::uint64_t value, pfmlib_output_param_t& q) {
  q.pfp_pmcs[q.pfp_pmc_count++] = entry(reg, value);
  verbose(fmt::format("PMC{} at {:#x} = {:#x}", reg.number, reg.address, value));
}

std::uint64_t value_at(const Encoding& encoding, std::uint32_t address) {
  const auto found = std::find_if(encoding.registers.begin(), encoding.registers.end(),
                                  [&](const RegisterValue& reg) { return reg.number == address; });
  return found == encoding.registers.end() ? 0 : found->value;
}

/// If each counter has its own control register, entry i of both lists belongs to event i.
void fill_output(const Model& model, const Encoding& encoding, pfmlib_output_param_t& q) {
  for (const EncodedEvent& event : encoding.events) {
    if (model.selector_per_counter) {
      const LogicalRegister& selector = model.pmcs[event.counter_index];
      add_pmc(selector, value_at(encoding, selector.address), q);
    }
    q.pfp_pmds[q.pfp_pmd_count++] = entry(model.pmds[event.counter_index], 0);
    verbose(fmt::format("{} on {}", event.canonical, event.counter));
  }
  if (model.selector_per_counter) return;
  for (const RegisterValue& reg : encoding.registers)
    for (const LogicalRegister& logical : model.pmcs)
      if (logical.address == reg.number) add_pmc(logical, reg.value, q);
}

pfm_err_t check_input(const Pmu& pmu, const pfmlib_input_param_t& p) {
  if (p.pfp_dfl_plm == 0) return fail(PFMLIB_ERR_INVAL, "pfp_dfl_plm is 0; it needs at least one privilege level");
  if (p.pfp_event_count >= PFMLIB_MAX_PMCS)
    return fail(PFMLIB_ERR_INVAL,
                fmt::format("pfp_event_count is {}; it must be below {}", p.pfp_event_count, PFMLIB_MAX_PMCS));
  if (p.pfp_event_count > pmu.backend->info().counters)
    return fail(PFMLIB_ERR_NOASSIGN, fmt::format("{} events asked, but {} has {} counters", p.pfp_event_count,
                                                 pmu.model->backend, pmu.backend->info().counters));
  for (unsigned i = 0; i < p.pfp_event_count; ++i)
    if (const pfm_err_t code = check_event(pmu, p.pfp_events[i]); code != PFMLIB_SUCCESS) return code;
  return PFMLIB_SUCCESS;
}

}  // namespace

PMUSIM_C_API pfm_err_t pfm_dispatch_events(pfmlib_input_param_t* p, void* model_in, pfmlib_output_param_t* q,
                                           void* model_out) {
  return with_pmu([&](const Pmu& pmu) -> pfm_err_t {
    // libpfm-3 accepts NULL for one of each pair and then reads it; no program can rely on that.
    if (!p || !q) return null_argument();
    if (const pfm_err_t code = check_input(pmu, *p); code != PFMLIB_SUCCESS) return code;
    *q = {};
    if (pmu.model->dispatch) return pmu.model->dispatch(pmu, *p, model_in, *q, model_out);
    std::vector<Request> requests;
    for (unsigned i = 0; i < p->pfp_event_count; ++i)
      requests.push_back(request_of(pmu, p->pfp_events[i], p->pfp_dfl_plm));
    GroupOptions options;
    options.unavailable = pmu.model->counters_without(p->pfp_unavail_pmcs);
    if (model_in)
      if (const auto failure = pmu.model->read_input(model_in, requests, options)) return fail(*failure);
    const auto encoding = encode(*pmu.backend, requests, options);
    if (!encoding) return fail(code_of(encoding.error().code), encoding.error().message);
    fill_output(*pmu.model, *encoding, *q);
    return PFMLIB_SUCCESS;
  });
}
