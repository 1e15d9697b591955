#include "c_blocks.h"

namespace pmusim::encoder::ia64 {

void read_generic(const pfmlib_input_param_t& p, const std::vector<Row>& rows, RunInput& in) {
  in.default_levels = p.pfp_dfl_plm;
  in.system_wide = (p.pfp_flags & PFMLIB_PFP_SYSTEMWIDE) != 0;
  in.unavailable = p.pfp_unavail_pmcs.bits[0];
  for (unsigned i = 0; i < p.pfp_event_count; ++i) {
    CounterInput event;
    event.row = &rows[p.pfp_events[i].event];
    event.levels = p.pfp_events[i].plm ? p.pfp_events[i].plm : p.pfp_dfl_plm;
    for (unsigned mask = 0; mask < p.pfp_events[i].num_masks; ++mask)
      event.line_states |= 1u << p.pfp_events[i].unit_masks[mask];
    in.events.push_back(event);
  }
}

pfmlib_reg_t numbered_register(unsigned number, std::uint64_t value, unsigned shift) {
  pfmlib_reg_t reg{};
  reg.reg_value = value;
  reg.reg_addr = number + shift;
  reg.reg_num = number;
  reg.reg_alt_addr = number + shift;
  return reg;
}

void write_generic(const RunOutput& out, pfmlib_output_param_t& q) {
  for (const ControlValue& control : out.controls) {
    q.pfp_pmcs[q.pfp_pmc_count++] = numbered_register(control.number, control.value);
    capi::verbose(fmt::format("PMC{} = {:#x}", control.number, control.value));
  }
  for (const unsigned number : out.data) q.pfp_pmds[q.pfp_pmd_count++] = numbered_register(number, 0);
}

}  // namespace pmusim::encoder::ia64
