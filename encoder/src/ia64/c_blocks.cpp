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
    in.events.push_back(event);
  }
}

pfmlib_reg_t numbered_register(unsigned number, std::uint64_t value) {
  pfmlib_reg_t reg{};
  reg.reg_value = value;
  reg.reg_addr = number;
  reg.reg_num = number;
  reg.reg_alt_addr = number;
  return reg;
}

void write_generic(const RunOutput& out, pfmlib_output_param_t& q) {
  for (const ControlValue& control : out.controls)
    q.pfp_pmcs[q.pfp_pmc_count++] = numbered_register(control.number, control.value);
  for (const unsigned number : out.data) q.pfp_pmds[q.pfp_pmd_count++] = numbered_register(number, 0);
}

}  // namespace pmusim::encoder::ia64
