// Decodes the fields of the configuration registers into selected events, gates, tags and capture rules.
#include <algorithm>

#include "models/ia64/monitor.h"

namespace pmusim::pmu::ia64 {

/// The gate of a counter, the data EAR or the ring. Their plm and pm fields have the same positions; the ring has no
/// ism.
Gate Ia64Monitor::gate(std::uint64_t pmc, bool has_isa) const {
  return {static_cast<unsigned>(pmc & config::plm), (pmc & config::pm) != 0,
          has_isa && family_->has_ia32 ? field(pmc, config::ism_shift, 3) : 0};
}

void Ia64Monitor::configure_all() {
  select();
  set_tags();
  set_fetch_ear();
  set_ring();
  set_data_ear();
}

void Ia64Monitor::configure(std::uint32_t pmc_number) {
  const ConfigurationNumbers& numbers = family_->numbers;
  if (is_counter(pmc_number)) {
    select();
  } else if (pmc_number == numbers.fetch_ear) {
    set_fetch_ear();
  } else if (pmc_number == numbers.data_ear) {
    set_data_ear();
  } else if (pmc_number == numbers.branch_ring || (numbers.ip_ear != 0 && pmc_number == numbers.ip_ear)) {
    set_ring();
    set_data_ear();
  } else {
    set_tags();
  }
}

void Ia64Monitor::select() {
  std::array<Selected, most_counters> all;
  const std::span<Selected> selected = std::span(all).first(family_->counters);
  for (unsigned i = 0; i < family_->counters; ++i) {
    const std::uint64_t value = pmc_[first_counter + i];
    const unsigned code = field(value, config::event_shift, 0xff), umask = field(value, config::umask_shift, 0xf);
    selected[i] = {code, umask, find_event(family_->events, code, umask)};
  }
  family_->settle(family_->events, behaviour_, selected);
  for (unsigned i = 0; i < family_->counters; ++i) {
    const std::uint64_t value = pmc_[first_counter + i];
    gates_[i] = gate(value, true);
    broken_[i] = selected[i].event != nullptr && family_->breaks_rules(selected, i);
    lines_[i].event = broken_[i] && behaviour_.enforces_sets ? nullptr : selected[i].event;
    lines_[i].umask = selected[i].umask;
    lines_[i].threshold = field(value, config::threshold_shift, 7);
    if (!family_->has_thread_fields) continue;
    both_threads_[i] = (value & config::all) != 0;
    lines_[i].line_states = field(value, config::mesi_shift, EventLine::every_state);
  }
}

void Ia64Monitor::set_tags() {
  const std::uint64_t code = pmc_[family_->numbers.code_ranges], data = pmc_[family_->numbers.data_ranges];
  TagRegisters tags;
  for (unsigned k = 0; k < channels; ++k) {
    tags.code[k] = {ibr_[2 * k], ibr_[2 * k + 1]};
    tags.data[k] = {dbr_[2 * k], dbr_[2 * k + 1]};
    tags.code_ignored[k] = field(code, code_ranges::ignored_shift + k * code_ranges::ignored_distance, 1) != 0;
    tags.opcode_ignored[k] = field(pmc_[family_->numbers.opcode_routing], k, 1) != 0;
    tags.data_rules[k] = static_cast<DataRule>(field(data, data_ranges::cfg_shift + k * data_ranges::cfg_distance, 3));
    tags.data_enabled[k] = field(data, data_ranges::ena_shift + k, 1) != 0;
  }
  tags.fine = (code & code_ranges::fine) != 0;
  tags.page_bits = family_->page_bits;
  tags.granule_bits = family_->granule_bits;
  family_->decode_matchers(pmc_, tags);
  tagger_.set(tags);
}

void Ia64Monitor::set_data_ear() {
  const std::uint64_t value = pmc_[family_->numbers.data_ear];
  DataEarSetup setup = behaviour_.data_ear;
  data_ear_gate_ = gate(value, true);
  const unsigned mode = field(value, data_config::mode_shift, 3);
  static constexpr DataEarMode modes[4] = {DataEarMode::cache, DataEarMode::tlb, DataEarMode::alat, DataEarMode::alat};
  setup.mode = modes[mode];
  if (data_ear_gate_.levels == 0 || (mode == 3 && !behaviour_.alat_mode_3)) setup.mode = DataEarMode::off;
  setup.umask = field(value, config::umask_shift, 0xf);
  setup.after_branches = (pmc_[family_->numbers.branch_ring] & ring_config::used) != 0;
  capturing_.data_ear.set(setup);
}

void Ia64Monitor::set_fetch_ear() {
  const std::uint64_t value = pmc_[family_->numbers.fetch_ear];
  FetchEarSetup setup = behaviour_.fetch_ear;
  fetch_ear_gate_ = {static_cast<unsigned>(value & config::plm), (value & fetch_config::pm) != 0,
                     family_->has_ia32 ? field(value, fetch_config::ism_shift, 3) : 0};
  const unsigned ct = field(value, fetch_config::ct_shift, 3);
  setup.mode = (ct & 2) != 0 ? FetchEarMode::cache : ct == 0 ? FetchEarMode::tlb : FetchEarMode::off;
  if (fetch_ear_gate_.levels == 0) setup.mode = FetchEarMode::off;
  setup.umask = field(value, fetch_config::umask_shift,
                      setup.mode == FetchEarMode::cache ? fetch_config::cache_umask : fetch_config::tlb_umask);
  capturing_.fetch_ear.set(setup);
}

// If the instruction pointer EAR is on, the ring does not record branches.
void Ia64Monitor::set_ring() {
  const std::uint64_t branches = pmc_[family_->numbers.branch_ring], ips = pmc_[family_->numbers.ip_ear];
  IpEarSetup ip = behaviour_.ip_ear;
  const bool asked = field(ips, ip_config::mode_shift, 7) == ip_config::mode_on;
  ip.on = family_->numbers.ip_ear != 0 && asked && !(ip.yields_to_branches && branches != 0);
  ip.delay = field(ips, ip_config::delay_shift, ip_entry::delay);
  capturing_.ip_ear.set(ip);
  ring_gate_ = gate(ip.on ? ips : branches, false);
  BranchRingSetup setup = behaviour_.branch_ring;
  setup.details = (branches & ring_config::ds) != 0;
  setup.taken_mask = ip.on || ring_gate_.levels == 0 ? 0 : field(branches, ring_config::tm_shift, 3);
  setup.target_mask = field(branches, ring_config::ptm_shift, 3);
  setup.path_mask = field(branches, ring_config::ppm_shift, 3);
  setup.type = field(branches, ring_config::brt_shift, 3);
  capturing_.branch_ring.set(setup);
}

}  // namespace pmusim::pmu::ia64
