// What the configuration registers mean: fields decoded into selected events, gates, tags and capture rules.
#include <algorithm>

#include "models/itanium2/itanium2.h"
#include "models/itanium2/monitor.h"

namespace pmusim::pmu {

ia64::BranchRingRegisters itanium2_branch_ring(std::span<const std::uint64_t, 8> entries, std::uint64_t index) {
  using namespace itanium2;
  ia64::BranchRingRegisters ring;
  ring.size = static_cast<unsigned>(entries.size());
  ring.next = static_cast<unsigned>(index & pmd16::next);
  ring.full = (index & pmd16::full) != 0;
  for (unsigned i = 0; i < ring.size; ++i) {
    ring.entries[i] = entries[i];
    ring.flags[i] =
        static_cast<std::uint8_t>(index >> (pmd16::flags_shift + i * pmd16::flags_distance) & pmd16::flags_mask);
  }
  return ring;
}

namespace itanium2 {
namespace {

using ia64::Group;

constexpr unsigned field(std::uint64_t value, unsigned shift, std::uint64_t mask) {
  return static_cast<unsigned>(value >> shift & mask);
}

/// The 27 bits of a matcher field at their places in a syllable: 13 low ones, and those from bit 27 on.
constexpr std::uint64_t syllable_bits(std::uint64_t field27) {
  constexpr std::uint64_t low = (std::uint64_t{1} << matcher::low_bits) - 1;
  return (field27 & low) | (field27 >> matcher::low_bits) << matcher::high_shift;
}

ia64::OpcodeMatcher opcode_matcher(std::uint64_t pmc) {
  ia64::OpcodeMatcher result;
  constexpr std::uint64_t compared = syllable_bits(matcher::field_mask);
  const std::uint64_t ignored = syllable_bits(pmc >> matcher::mask_shift & matcher::field_mask);
  result.match = syllable_bits(pmc >> matcher::match_shift & matcher::field_mask);
  result.ignored = ignored | ~compared;  // instruction bits 26:13 cannot be matched
  result.types = field(pmc, matcher::types_shift, 0xf);
  return result;
}

/// The gate of PMC4-7 and PMC11, whose fields are at the same places; PMC12 has no ism.
ia64::Gate gate(std::uint64_t pmc, bool has_isa) {
  return {static_cast<unsigned>(pmc & config::plm), (pmc & config::pm) != 0,
          has_isa ? field(pmc, config::ism_shift, 3) : 0};
}

}  // namespace

void Itanium2Monitor::configure_all() {
  select();
  set_tags();
  set_data_ear();
  set_fetch_ear();
  set_branch_ring();
}

void Itanium2Monitor::configure(std::uint32_t pmc_number) {
  switch (pmc_number) {
    case 4:
    case 5:
    case 6:
    case 7:
      select();
      break;
    case 10:
      set_fetch_ear();
      break;
    case 11:
      set_data_ear();
      break;
    case 12:
      set_branch_ring();
      set_data_ear();
      break;
    default:
      set_tags();
  }
}

// Events that have no unit mask, and those of sets 1 and 2, do not share.
unsigned Itanium2Monitor::umask_of(unsigned i) const {
  const std::uint64_t own = pmc_[first_counter + i];
  const unsigned code = field(own, config::event_shift, 0xff);
  const bool shares =
      behaviour_.shares_umask && std::any_of(events_.begin(), events_.end(), [&](const auto& event) {
        return event.code == code && event.group == Group::l2 && event.set != 1 && event.set != 2 && event.umasks != 1;
      });
  return field(shares ? pmc_[first_counter] : own, config::umask_shift, 0xf);
}

// Sets: those of PMC5 (L1D) and PMC4 (L2). Only one of L2_OZQ_CANCELS0 to 2 at a time: that of the lowest counter.
bool Itanium2Monitor::breaks_rules(unsigned i, const ia64::Event& event) const {
  constexpr unsigned l1d_chooser = 1, l2_chooser = 0;
  if (event.group == Group::none) return false;
  if (event.first_counter_only && i != 0) return true;
  const auto event_of = [&](unsigned counter) {
    return ia64::find_event(events_, field(pmc_[first_counter + counter], config::event_shift, 0xff),
                            umask_of(counter));
  };
  const ia64::Event* const chooser = event_of(event.group == Group::l1d ? l1d_chooser : l2_chooser);
  if (chooser == nullptr || chooser->group != event.group || chooser->set != event.set) return true;
  const auto cancels = [](unsigned code) { return code == 0xa0 || code == 0xa8 || code == 0xac; };
  if (!cancels(event.code)) return false;
  for (unsigned other = 0; other < i; ++other) {
    const ia64::Event* const before = event_of(other);
    if (before != nullptr && cancels(before->code)) return before->code != event.code;
  }
  return false;
}

void Itanium2Monitor::select() {
  for (unsigned i = 0; i < counters; ++i) {
    const std::uint64_t value = pmc_[first_counter + i];
    gates_[i] = gate(value, true);
    lines_[i].umask = umask_of(i);
    lines_[i].threshold = field(value, config::threshold_shift, 7);
    lines_[i].event = ia64::find_event(events_, field(value, config::event_shift, 0xff), lines_[i].umask);
  }
  if (!behaviour_.enforces_sets) return;
  for (unsigned i = 0; i < counters; ++i) {
    if (lines_[i].event != nullptr && breaks_rules(i, *lines_[i].event)) lines_[i].event = nullptr;
  }
}

void Itanium2Monitor::set_tags() {
  ia64::TagRegisters tags;
  for (unsigned k = 0; k < ia64::channels; ++k) {
    tags.code[k] = {ibr_[2 * k], ibr_[2 * k + 1]};
    tags.data[k] = {dbr_[2 * k], dbr_[2 * k + 1]};
    tags.code_ignored[k] = field(pmc_[14], pmc14::ibrp_shift + k * pmc14::ibrp_distance, 1) != 0;
    tags.opcode_ignored[k] = field(pmc_[15], k, 1) != 0;
    tags.data_rules[k] = static_cast<ia64::DataRule>(field(pmc_[13], pmc13::cfg_shift + k * pmc13::cfg_distance, 3));
    tags.data_enabled[k] = field(pmc_[13], pmc13::ena_shift + k, 1) != 0;
  }
  tags.channel0_ignored = (pmc_[8] & matcher::ig_ad) != 0;
  tags.inverted = (pmc_[8] & matcher::inv) != 0;
  tags.fine = (pmc_[14] & pmc14::fine) != 0;
  tags.matchers = {opcode_matcher(pmc_[8]), opcode_matcher(pmc_[9])};
  tagger_.set(tags);
}

void Itanium2Monitor::set_data_ear() {
  using ia64::DataEarMode;
  ia64::DataEarSetup setup = behaviour_.data_ear;
  data_ear_gate_ = gate(pmc_[11], true);
  const unsigned mode = field(pmc_[11], pmc11::mode_shift, 3);
  static constexpr DataEarMode modes[4] = {DataEarMode::cache, DataEarMode::tlb, DataEarMode::alat, DataEarMode::alat};
  setup.mode = modes[mode];
  if (data_ear_gate_.levels == 0 || (mode == 3 && !behaviour_.alat_mode_3)) setup.mode = DataEarMode::off;
  setup.umask = field(pmc_[11], config::umask_shift, 0xf);
  setup.after_branches = pmc_[12] != 0;
  capturing_.data_ear.set(setup);
}

void Itanium2Monitor::set_fetch_ear() {
  using ia64::FetchEarMode;
  ia64::FetchEarSetup setup = behaviour_.fetch_ear;
  fetch_ear_gate_ = {static_cast<unsigned>(pmc_[10] & config::plm), (pmc_[10] & pmc10::pm) != 0,
                     field(pmc_[10], pmc10::ism_shift, 3)};
  const unsigned ct = field(pmc_[10], pmc10::ct_shift, 3);
  setup.mode = (ct & 2) != 0 ? FetchEarMode::cache : ct == 0 ? FetchEarMode::tlb : FetchEarMode::off;
  if (fetch_ear_gate_.levels == 0) setup.mode = FetchEarMode::off;
  setup.umask =
      field(pmc_[10], pmc10::umask_shift, setup.mode == FetchEarMode::cache ? pmc10::cache_umask : pmc10::tlb_umask);
  capturing_.fetch_ear.set(setup);
}

void Itanium2Monitor::set_branch_ring() {
  ia64::BranchRingSetup setup = behaviour_.branch_ring;
  branch_ring_gate_ = gate(pmc_[12], false);
  setup.details = (pmc_[12] & pmc12::ds) != 0;
  setup.taken_mask = branch_ring_gate_.levels == 0 ? 0 : field(pmc_[12], pmc12::tm_shift, 3);
  setup.target_mask = field(pmc_[12], pmc12::ptm_shift, 3);
  setup.path_mask = field(pmc_[12], pmc12::ppm_shift, 3);
  setup.type = field(pmc_[12], pmc12::brt_shift, 3);
  capturing_.branch_ring.set(setup);
}

}  // namespace itanium2
}  // namespace pmusim::pmu
