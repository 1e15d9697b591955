// The calls that program and read the counters, by family.

#include "sys/pfcntr.h"
#include "testbench/pfm/device.h"

namespace pmusim::testbench::pfm {
namespace {

// Kernel masks of sys/pfcntr.h 1.1.47.1. The one for PCNT5MUX leaves out bit 31, PF5_MUX0_ISSUES; it is let through.
constexpr std::uint64_t ev5_mux_mask = 0xFF | PF5_MUX0_ISSUES, ev5_cbox_mask = 0x01F8000000000000;
constexpr unsigned ev5_cbox_shift = 32, pca56_cbox_shift = 43;
constexpr std::uint64_t ev5_context_mask = 0x40000301, ev5_frequency_mask = 0x3F0, ev5_frequency_force = 0x2A0,
                        ev5_frequency_fast = 0x150, ev5_write_mask = 0xFFFFFFFF3FFF0000;
constexpr std::uint64_t ev6_mux_mask = 0x1F, ev6_write_mask = 0x0000FFFFF3FFFFC3;
constexpr std::uint64_t ev4_disable_both = 3;

/// The bits of the selected counters in a register image, in the layout of the unions.
std::uint64_t ev5_values(unsigned select) {
  pmctrs_ev5 mask{};
  if ((select & PF5_SEL_COUNTER_0) != 0) mask.pmctrs_ev5_cntr0 = 0xFFFF;
  if ((select & PF5_SEL_COUNTER_1) != 0) mask.pmctrs_ev5_cntr1 = 0xFFFF;
  if ((select & PF5_SEL_COUNTER_2) != 0) mask.pmctrs_ev5_cntr2 = 0x3FFF;
  return mask.pmctrs_ev5_long;
}
std::uint64_t ev6_values() {
  pmctrs_ev6 mask{};
  mask.pmctrs_ev6_cntr0 = mask.pmctrs_ev6_cntr1 = 0xFFFFF;
  return mask.pmctrs_ev6_long;
}

/// True if a counter is selected that does not exist: bits outside the mask of sys/pfcntr.h.
bool selects_others(const pmctrs_ev5& which) { return which.pmctrs_ev5_struct.pmctrs_ev5_s_pad0 != 0; }
bool selects_others(const pmctrs_ev6& which) { return which.pmctrs_ev6_struct.pmctrs_ev6_s_pad0 != 0; }

// Uniform access to the members of the three structures of counts.
std::array<unsigned long*, 3> members(pfcntrs& c) { return {&c.pf_cntr0, &c.pf_cntr1, nullptr}; }
std::array<unsigned long*, 3> members(pfcntrs_ev5& c) { return {&c.pf_cntr0, &c.pf_cntr1, &c.pf_cntr2}; }
std::array<unsigned long*, 3> members(pfcntrs_ev6& c) { return {&c.pf_cntr0, &c.pf_cntr1, nullptr}; }

/// Width and present value of a counter in the image that WRPERFMON reads.
unsigned width_of(const pfcntrs_ev5&, unsigned counter) { return counter == 2 ? PF5_C2_WIDTH : PF5_C0_WIDTH; }
unsigned width_of(const pfcntrs_ev6&, unsigned) { return PF6_C0_WIDTH; }
unsigned width_of(const pfcntrs&, unsigned) { return 0; }  // EV4's counters cannot be read
std::uint64_t hardware(const pfcntrs_ev5&, unsigned counter, std::uint64_t image) {
  pmctrs_ev5 c{};
  c.pmctrs_ev5_long = image;
  return counter == 0 ? c.pmctrs_ev5_cntr0 : counter == 1 ? c.pmctrs_ev5_cntr1 : c.pmctrs_ev5_cntr2;
}
std::uint64_t hardware(const pfcntrs_ev6&, unsigned counter, std::uint64_t image) {
  pmctrs_ev6 c{};
  c.pmctrs_ev6_long = image;
  return counter == 0 ? c.pmctrs_ev6_cntr0 : c.pmctrs_ev6_cntr1;
}
std::uint64_t hardware(const pfcntrs&, unsigned, std::uint64_t) { return 0; }

}  // namespace

int Device::set_mux_ev4(const Call& call) {
  const auto wanted = value<iccsr>(call);
  if (!wanted) return -EFAULT;
  if (wanted->iccsr_disable == ev4_disable_both) return -EINVAL;  // R33
  iccsr image{};
  image.iccsr_pc0 = wanted->iccsr_pc0;
  image.iccsr_pc1 = wanted->iccsr_pc1;
  image.iccsr_mux0 = wanted->iccsr_mux0;
  image.iccsr_mux1 = wanted->iccsr_mux1;
  std::uint64_t argument = 0;
  std::memcpy(&argument, &image, sizeof argument);
  call.open.without_data = wanted->iccsr_disable;
  program(call.open, Function::select, argument);
  return 0;
}

int Device::contexts_ev5(const Call& call) {
  const auto contexts = value<long>(call);
  if (!contexts) return -EFAULT;
  if ((*contexts & PF5_CTXT_PME_THIS) != 0) mark(call.process, true);
  call.open.contexts = static_cast<std::uint64_t>(*contexts) & ev5_context_mask;
  program(call.open, Function::options, call.open.contexts);
  return 0;
}

int Device::mux_ev5(const Call& call) {
  const auto events = value<long>(call);
  if (!events) return -EFAULT;
  const auto word = static_cast<std::uint64_t>(*events);
  const unsigned shift = family_ == Family::pca56 ? pca56_cbox_shift : ev5_cbox_shift;
  program(call.open, Function::select, (word & ev5_mux_mask) | (word & ev5_cbox_mask) >> shift);
  return 0;
}

int Device::frequency_ev5(const Call& call) {
  const auto periods = value<long>(call);
  if (!periods) return -EFAULT;
  const auto word = static_cast<std::uint64_t>(*periods);
  if ((word & ev5_frequency_fast) != 0 && !call.process.superuser) return -EPERM;  // R78
  call.open.periods = {(word & PF5_C0_INT_EVERY_256) == PF5_C0_INT_EVERY_256 ? 256u : 1u << PF5_C0_WIDTH,
                       (word & PF5_C1_INT_EVERY_256) == PF5_C1_INT_EVERY_256 ? 256u : 1u << PF5_C0_WIDTH,
                       (word & PF5_C2_INT_EVERY_256) == PF5_C2_INT_EVERY_256 ? 256u : 1u << PF5_C2_WIDTH};
  // If the driver writes the counters it also makes short periods: the hardware's short periods would cut them at 256.
  program(call.open, Function::frequency,
          reloads() ? ev5_frequency_force : (word & ev5_frequency_mask) | ev5_frequency_force);
  return 0;
}

int Device::enable_ev5(const Call& call, Function function) {
  const auto which = value<pmctrs_ev5>(call);
  if (!which) return -EFAULT;
  if (which->pmctrs_ev5_cpu != PMCTRS_ALL_CPUS || selects_others(*which)) return -EINVAL;  // R82
  const auto select = static_cast<unsigned>(which->pmctrs_ev5_select);
  this->select(call.open, select, function != Function::disable);
  program(call.open, function, select);
  if (function == Function::enable_write) start(call.open, select);
  return 0;
}

int Device::enable_ev6(const Call& call, Function function, bool with_values) {
  const auto which = value<pmctrs_ev6>(call);
  if (!which) return -EFAULT;
  if (which->pmctrs_ev6_cpu != PMCTRS_ALL_CPUS || selects_others(*which)) return -EINVAL;  // R91
  if (function != Function::disable && !makes_sense(call.open)) return -EINVAL;
  const auto select = static_cast<unsigned>(which->pmctrs_ev6_select);
  this->select(call.open, select, function != Function::disable);
  program(call.open, function, with_values ? which->pmctrs_ev6_long & ev6_write_mask : select);
  if (function == Function::enable_write && !with_values) start(call.open, select);
  if (function != Function::disable && !with_values) first_sample(call.open, select);
  return 0;
}

// WRPERFMON writes all counters of an EV5 together: those not selected are rewritten with their old values.
int Device::write_ev5(const Call& call, bool zero) {
  const auto which = value<pmctrs_ev5>(call);
  if (!which) return -EFAULT;
  const auto cpus = chosen(call.open, static_cast<unsigned>(which->pmctrs_ev5_cpu));
  if (!cpus || selects_others(*which)) return -EINVAL;
  const std::uint64_t mask = ev5_values(static_cast<unsigned>(which->pmctrs_ev5_select));
  for (const unsigned cpu : *cpus) {
    const std::uint64_t had = cpus_[cpu]->wrperfmon(Function::read, 0);
    const std::uint64_t has = (had & ~mask) | (zero ? 0 : which->pmctrs_ev5_long & mask);
    cpus_[cpu]->wrperfmon(Function::write, has & ev5_write_mask);
  }
  return 0;
}

int Device::write_ev6(const Call& call, bool zero) {
  const auto which = value<pmctrs_ev6>(call);
  if (!which) return -EFAULT;
  const auto cpus = chosen(call.open, static_cast<unsigned>(which->pmctrs_ev6_cpu));
  if (!cpus || selects_others(*which)) return -EINVAL;
  const std::uint64_t argument =
      (zero ? which->pmctrs_ev6_long & ~ev6_values() : which->pmctrs_ev6_long) & ev6_write_mask;
  for (const unsigned cpu : *cpus) cpus_[cpu]->wrperfmon(Function::write, argument);
  return 0;
}

int Device::read_counters(const Call& call, bool ev5) {
  const auto word = value<std::uint64_t>(call);
  if (!word) return -EFAULT;
  pmctrs_ev5 five{};
  pmctrs_ev6 six{};
  five.pmctrs_ev5_long = six.pmctrs_ev6_long = *word;
  const auto cpu = static_cast<unsigned>(ev5 ? five.pmctrs_ev5_cpu : six.pmctrs_ev6_cpu);
  if (cpu == PMCTRS_ALL_CPUS || !chosen(call.open, cpu)) return -EINVAL;  // R87, R95
  const std::uint64_t mask = ev5 ? ev5_values(PF5_SEL_COUNTER_0 | PF5_SEL_COUNTER_1 | PF5_SEL_COUNTER_2) : ev6_values();
  const std::uint64_t image = cpus_[cpu]->wrperfmon(Function::read, 0);
  return give(call, call.argument, (*word & ~mask) | (image & mask));
}

template <class Counts>
int Device::counts(const Call& call, bool with_hardware) {
  if ((call.open.items & PFM_COUNTERS) == 0) return -EINVAL;  // R47
  const auto array = value<Counts*>(call);
  if (!array) return -EFAULT;
  const bool each = call.open.mode == PCNTOPENEACH;
  std::vector<Counts> all(each ? cpus_.size() : 1);
  for (const unsigned cpu : call.open.cpus) {
    Counts& entry = all[each ? cpu : 0];
    entry.pr_cycle += cycles_since_cleared(cpu);
    const std::uint64_t image = with_hardware ? cpus_[cpu]->wrperfmon(Function::read, 0) : 0;
    for (unsigned i = 0; i < counters_; ++i) {
      const Data& data = data_[cpu];
      const std::uint64_t ticks = data.ticks[i];
      if (!with_hardware) {
        *members(entry)[i] += ticks;
      } else if (reloads()) {
        *members(entry)[i] += (ticks << width_of(entry, i)) + hardware(entry, i, image) - data.moved[i];
      } else {
        *members(entry)[i] += ticks * call.open.periods[i] + hardware(entry, i, image) % call.open.periods[i];
      }
    }
  }
  return call.process.memory.copy_out(*array, all.data(), all.size() * sizeof(Counts)) ? 0 : -EFAULT;  // R45
}
template int Device::counts<pfcntrs>(const Call& call, bool with_hardware);
template int Device::counts<pfcntrs_ev5>(const Call& call, bool with_hardware);
template int Device::counts<pfcntrs_ev6>(const Call& call, bool with_hardware);

int Device::mux_ev6(const Call& call) {
  const auto events = value<long>(call);
  if (!events) return -EFAULT;
  Open next = call.open;
  next.mux = static_cast<std::uint64_t>(*events) & ev6_mux_mask;
  if (enabled(next) != 0 && !makes_sense(next)) return -EINVAL;
  call.open = std::move(next);
  program(call.open, Function::select, *call.open.mux);
  return 0;
}

}  // namespace pmusim::testbench::pfm
