// PC profiling: the range, the buckets, the callers, and read(2).
#include <algorithm>
#include <bit>

#include "models/alpha/wrperfmon.h"
#include "sys/pfcntr.h"
#include "testbench/pfm/device.h"
#include "testbench/pfm/profile_me.h"

namespace pmusim::testbench::pfm {

namespace {

constexpr std::uint64_t instruction_bytes = 4;
constexpr std::size_t most_caller_ranges = 4;

}  // namespace

std::size_t Device::buckets(const Open& open) {
  if (open.profiled == Profiled::nothing || open.range.end <= open.range.start) return 0;
  if (open.stride == 0) return 1;  // R61
  const std::uint64_t last = (open.range.end - open.range.start - 1) / instruction_bytes;
  return static_cast<std::size_t>(last / open.stride + 1);
}

std::size_t Device::words(const Open& open) { return buckets(open) * (is_per_retired(open.statistic) ? 2 : 1); }

std::size_t Device::sample_bytes(const Open& open) const {
  if ((open.items & PFM_PROFILING) == 0) return 0;  // R55
  return sizeof(std::uint32_t) * words(open) * (open.mode == PCNTOPENEACH ? cpus_.size() : 1);
}

int Device::read_size(const Call& call) {
  return give(call, call.argument, static_cast<long>(sample_bytes(call.open)));
}

int Device::to_caller(const Call& call) {
  if (call.open.profiled != Profiled::kernel) return -EINVAL;  // R64
  call.open.to_caller = true;
  return 0;
}

int Device::set_range(const Call& call, Profiled profiled, bool with_stride) {
  if ((call.open.items & PFM_PROFILING) == 0) return -EINVAL;  // R62
  addr_range_t wanted{};
  wanted.stride = call.open.stride;
  if (with_stride) {
    const auto range = value<addr_range_t>(call);
    if (!range) return -EFAULT;
    wanted = *range;
  } else {
    const auto range = value<addr_range>(call);
    if (!range) return -EFAULT;
    wanted.start = range->start;
    wanted.end = range->end;
  }
  const Range range{wanted.start, wanted.end};
  const bool kernel = profiled == Profiled::kernel;
  if (kernel) {  // R69
    const Range& text = setup_.kernel_text;
    const bool aligned = range.start % instruction_bytes == 0 && range.end % instruction_bytes == 0;
    if (!aligned || range.end <= range.start || range.start < text.start || range.end > text.end) return -EFAULT;
    if (call.open.to_caller) return add_caller_range(call.open, range);  // R66; the stride is ignored (R67)
  }
  if (wanted.stride != 0 && !std::has_single_bit(wanted.stride)) return -EINVAL;  // R60
  Open next = call.open;
  next.profiled = profiled;
  next.range = range;
  next.stride = wanted.stride;
  if (!kernel) next.to_caller = false;
  if (words(next) > setup_.most_sample_bytes / sizeof(std::uint32_t)) return -ENOMEM;  // R63
  call.open = std::move(next);
  for (const unsigned cpu : call.open.cpus) data_[cpu].samples.assign(words(call.open), 0);
  return 0;
}

int Device::add_caller_range(Open& open, const Range& range) {
  if (open.caller_ranges.size() >= most_caller_ranges) return -ENOSPC;  // R68
  open.caller_ranges.push_back(range);
  return 0;
}

void Device::profile(const Open& open, Data& data, const Tick& tick, const std::optional<ProfileMe>& sample) const {
  if (open.profiled != (tick.user ? Profiled::user : Profiled::kernel)) return;  // R24
  std::uint64_t pc = sample && !charged_to_frame(*sample) ? sample->pmpc & ~std::uint64_t{3} : tick.pc;
  const auto holds = [&](const Range& range) { return range.holds(pc); };
  if (open.to_caller &&
      (std::ranges::any_of(open.caller_ranges, holds) || std::ranges::any_of(setup_.utility_routines, holds))) {
    pc = tick.caller;  // R65, R66
  }
  if (!open.range.holds(pc) || data.samples.empty()) return;
  const std::size_t bucket =
      open.stride == 0 ? 0 : static_cast<std::size_t>((pc - open.range.start) / instruction_bytes / open.stride);
  if (open.statistic == PF67_PM_DISABLED || !sample) {
    ++data.samples[bucket];
  } else if (is_per_retired(open.statistic)) {
    data.samples[2 * bucket] += static_cast<std::uint32_t>(contribution(open.statistic, *sample));
    data.samples[2 * bucket + 1] += retired(*sample) ? 1 : 0;
  } else {
    data.samples[bucket] += static_cast<std::uint32_t>(contribution(open.statistic, *sample));
  }
}

long Device::read(Process& process, int descriptor, void* buffer, std::size_t size) {
  const auto found = opens_.find(descriptor);
  if (found == opens_.end()) return -EBADF;
  const Open& open = found->second;
  std::vector<std::uint32_t> all;
  if (sample_bytes(open) != 0) {
    for (const unsigned cpu : open.cpus) {
      const std::vector<std::uint32_t>& samples = data_[cpu].samples;
      if (open.mode == PCNTOPENEACH || all.empty()) {
        all.insert(all.end(), samples.begin(), samples.end());
      } else {
        std::ranges::transform(all, samples, all.begin(), std::plus<>());
      }
    }
  }
  const std::size_t bytes = std::min(size, all.size() * sizeof(std::uint32_t));
  if (bytes == 0) return 0;
  return process.memory.copy_out(buffer, all.data(), bytes) ? static_cast<long>(bytes) : -EFAULT;
}

// Writes of counters by the driver at a tick: always for the next profile-me sample, and for others if the set-up draws
// the distance of ticks, so that the samples of a loop do not all hit the same instruction.

bool Device::reloads() const { return setup_.spacing != Spacing::hardware && family_ != Family::ev4; }

bool Device::makes_sense(const Open& open) {
  if (!open.mux) return true;
  const auto wanted = modes_of(open.statistic);
  return std::ranges::find(wanted, *open.mux) != wanted.end() || wanted.empty();
}

std::uint64_t Device::draw(unsigned counter, std::uint64_t period, bool profile_me) {
  const pmu::AlphaCounter& place = pmu::alpha_counters(family_)[counter];
  const bool random = setup_.spacing == Spacing::drawn || (profile_me && setup_.spacing == Spacing::hardware);
  return within(random ? random_(counter, period) : period, least_period(family_, place), place.mask() + 1);
}

// Loads counters that PALcode has just cleared and enabled.
void Device::start(const Open& open, unsigned counters) {
  for (unsigned i = 0; i < counters_; ++i) {
    if (!reloads() || (counters >> i & 1) == 0) continue;
    for (const unsigned cpu : open.cpus) reload(open, cpu, i);
  }
}

void Device::reload(const Open& open, unsigned cpu, unsigned counter) {
  const pmu::AlphaCounter& place = pmu::alpha_counters(family_)[counter];
  const std::uint64_t period = counters_ == 3 ? open.periods[counter] : setup_.count_period;
  const std::uint64_t image = cpus_[cpu]->wrperfmon(Function::read, 0);
  const std::uint64_t held = image >> place.shift & place.mask();
  const std::uint64_t start = start_value(place, held, draw(counter, period, false));
  data_[cpu].starts[counter] = start;
  data_[cpu].moved[counter] += start - held;
  cpus_[cpu]->wrperfmon(Function::write, write_argument(family_, place, image, start));
}

// Counters that begin at 0 would select the first instruction after 2^20 of them.
void Device::first_sample(const Open& open, unsigned counters) {
  const bool profiles = open.mux && (*open.mux & PF67_PROFILE_ME_MODE) != 0 && family_ == Family::ev67;
  if (!profiles || (counters & PF6_SEL_COUNTER_0) == 0) return;
  for (const unsigned cpu : open.cpus) next_sample(cpu);
}

// Restarts both counters (21264A manual, 6.10.3).
void Device::next_sample(unsigned cpu) {
  pmctrs_ev6 next{};
  next.pmctrs_ev6_cntr0 = ((1u << PF6_C0_WIDTH) - draw(0, setup_.profile_me_period, true)) & ((1u << PF6_C0_WIDTH) - 1);
  next.pmctrs_ev6_select = PF6_SEL_COUNTER_0 | PF6_SEL_COUNTER_1;
  cpus_[cpu]->wrperfmon(Function::enable_write, next.pmctrs_ev6_long);
}

}  // namespace pmusim::testbench::pfm
