#include "testbench/pfm/device.h"

#include <algorithm>
#include <stdexcept>

#include "sys/pfcntr.h"

namespace pmusim::testbench::pfm {
namespace {

constexpr unsigned ev4 = 1, ev5 = 2, ev6 = 4, any = ev4 | ev5 | ev6;

unsigned group_of(Family family) {
  switch (family) {
    case Family::ev4:
      return ev4;
    case Family::ev5:
    case Family::pca56:
      return ev5;
    default:
      return ev6;
  }
}

/// Events between two ticks of a counter that uses its full width.
std::array<std::uint64_t, 3> whole_periods(Family family) {
  if (group_of(family) == ev5) return {1u << PF5_C0_WIDTH, 1u << PF5_C0_WIDTH, 1u << PF5_C2_WIDTH};
  return {1u << PF6_C0_WIDTH, 1u << PF6_C1_WIDTH, 0};
}

constexpr unsigned known_items = PFM_COUNTERS | PFM_IPL | PFM_PROFILING;
constexpr unsigned level_highest = 5, level_idle = 7, level_user = 8;  // level 6 is that of the interrupts themselves
                                                                       // (R21)

}  // namespace

struct Device::CallRow {
  std::uint32_t request;
  unsigned families;
  int (*call)(Device&, const Call&);
};

const std::vector<Device::CallRow>& Device::calls() {
  static const std::vector<CallRow> rows{
      {PCNTRDISABLE, any, [](Device& d, const Call& c) { return d.set_enabled(c, false); }},
      {PCNTRENABLE, any, [](Device& d, const Call& c) { return d.set_enabled(c, true); }},
      {PCNTLOGALL, any, [](Device& d, const Call& c) { return d.log(c, false); }},
      {PCNTLOGSELECT, any, [](Device& d, const Call& c) { return d.log(c, true); }},
      {PCNTCLEARCNT, any, [](Device& d, const Call& c) { return d.clear(c); }},
      {PCNTCLEARPCBPME, any, [](Device& d, const Call& c) { return d.unmark(c); }},
      {PCNTCALLER, any, [](Device& d, const Call& c) { return d.to_caller(c); }},
      {PCNTGETRSIZE, any, [](Device& d, const Call& c) { return d.read_size(c); }},
      {PCNTGETIPLHIS, any, [](Device& d, const Call& c) { return d.levels(c); }},
      {PCNTSETITEMS, any, [](Device& d, const Call& c) { return d.set_items(c); }},
      {PCNTSETUADDR, any, [](Device& d, const Call& c) { return d.set_range(c, Profiled::user, false); }},
      {PCNTSETKADDR, any, [](Device& d, const Call& c) { return d.set_range(c, Profiled::kernel, false); }},
      {PCNTSETURANGE, any, [](Device& d, const Call& c) { return d.set_range(c, Profiled::user, true); }},
      {PCNTSETKRANGE, any, [](Device& d, const Call& c) { return d.set_range(c, Profiled::kernel, true); }},
      {PCNTSETMUX, ev4, [](Device& d, const Call& c) { return d.set_mux_ev4(c); }},
      {PCNTGETCNT, ev4, [](Device& d, const Call& c) { return d.counts<pfcntrs>(c, false); }},
      {PCNT5CTXTS, ev5, [](Device& d, const Call& c) { return d.contexts_ev5(c); }},
      {PCNT5MUX, ev5, [](Device& d, const Call& c) { return d.mux_ev5(c); }},
      {PCNT5FREQ, ev5, [](Device& d, const Call& c) { return d.frequency_ev5(c); }},
      {PCNT5DISABLE, ev5, [](Device& d, const Call& c) { return d.enable_ev5(c, Function::disable); }},
      {PCNT5ENABLE, ev5, [](Device& d, const Call& c) { return d.enable_ev5(c, Function::enable); }},
      {PCNT5RESTART, ev5, [](Device& d, const Call& c) { return d.enable_ev5(c, Function::enable_write); }},
      {PCNT5CLEAR, ev5, [](Device& d, const Call& c) { return d.write_ev5(c, true); }},
      {PCNT5SETCNTRS, ev5, [](Device& d, const Call& c) { return d.write_ev5(c, false); }},
      {PCNT5GETCNTRS, ev5, [](Device& d, const Call& c) { return d.read_counters(c, true); }},
      {PCNT5GETCNT, ev5, [](Device& d, const Call& c) { return d.counts<pfcntrs_ev5>(c, false); }},
      {PCNT5READCNTRS, ev5, [](Device& d, const Call& c) { return d.counts<pfcntrs_ev5>(c, true); }},
      {PCNT6MUX, ev6, [](Device& d, const Call& c) { return d.mux_ev6(c); }},
      {PCNT6ENABWRITE, ev6, [](Device& d, const Call& c) { return d.enable_ev6(c, Function::enable_write, true); }},
      {PCNT6DISABLE, ev6, [](Device& d, const Call& c) { return d.enable_ev6(c, Function::disable, false); }},
      {PCNT6ENABLE, ev6, [](Device& d, const Call& c) { return d.enable_ev6(c, Function::enable, false); }},
      {PCNT6RESTART, ev6, [](Device& d, const Call& c) { return d.enable_ev6(c, Function::enable_write, false); }},
      {PCNT6CLEAR, ev6, [](Device& d, const Call& c) { return d.write_ev6(c, true); }},
      {PCNT6SETCNTRS, ev6, [](Device& d, const Call& c) { return d.write_ev6(c, false); }},
      {PCNT6GETCNTRS, ev6, [](Device& d, const Call& c) { return d.read_counters(c, false); }},
      {PCNT6GETCNT, ev6, [](Device& d, const Call& c) { return d.counts<pfcntrs_ev6>(c, false); }},
      {PCNT6READCNTRS, ev6, [](Device& d, const Call& c) { return d.counts<pfcntrs_ev6>(c, true); }},
  };
  return rows;
}

Device::Device(std::vector<Processor*> cpus, Setup setup)
    : cpus_(std::move(cpus)), setup_(std::move(setup)), random_(setup_.seed), data_(cpus_.size()) {
  if (cpus_.empty() || cpus_.size() >= PMCTRS_ALL_CPUS)
    throw std::invalid_argument("pfm: expected 1 to 254 processors");
  family_ = cpus_.front()->family();
  for (const Processor* cpu : cpus_) {
    if (cpu->family() != family_) throw std::invalid_argument("pfm: expected processors of one family");
  }
  counters_ = group_of(family_) == ev5 ? 3 : 2;
}

int Device::open(Process& process, unsigned flags) {
  if (!setup_.configured) return -ENXIO;  // R1
  const unsigned mode = flags & PCNTOPENMASK;
  if (mode == 0) return -EINVAL;
  const auto cpu = static_cast<unsigned>(process.cpu);
  if (mode == PCNTOPENONE && (process.cpu < 0 || cpu >= cpus_.size())) return -EINVAL;  // R6
  if (taken_ && !process.superuser) return -EBUSY;                                      // R11
  for (const auto& [descriptor, other] : opens_) {
    if (other.process != process.id || mode != PCNTOPENONE || other.mode != PCNTOPENONE) return -EBUSY;  // R8, R10
    if (other.cpus.front() == cpu) return -EBUSY;                                                        // R9
  }
  taken_ = false;  // R12
  Open open;
  open.mode = mode;
  open.process = process.id;
  open.items = PFM_COUNTERS;
  open.periods = whole_periods(family_);
  for (unsigned i = 0; i < cpus_.size(); ++i) {
    if (mode == PCNTOPENONE && i != cpu) continue;
    open.cpus.push_back(i);
    data_[i].samples.clear();
    data_[i].cleared_at = cpus_[i]->cycles();
  }
  program(open, Function::disable, family_ == Family::ev4 ? 0 : all_counters());
  set_process_option(open, false);
  if (group_of(family_) == ev5) program(open, Function::frequency, 0x2A0);  // long periods (R77)
  opens_.emplace(next_descriptor_, std::move(open));
  return next_descriptor_++;
}

int Device::close(int descriptor) {
  const auto found = opens_.find(descriptor);
  if (found == opens_.end()) return -EBADF;
  program(found->second, Function::disable, family_ == Family::ev4 ? 0 : all_counters());
  opens_.erase(found);
  return 0;
}

int Device::ioctl(Process& process, int descriptor, std::uint32_t request, void* argument) {
  const auto found = opens_.find(descriptor);
  if (found == opens_.end()) return -EBADF;
  const auto& rows = calls();
  const auto row = std::ranges::find(rows, request, &CallRow::request);
  if (row == rows.end() || (row->families & group_of(family_)) == 0) return -EINVAL;
  return row->call(*this, {found->second, process, argument});
}

void Device::tick(unsigned cpu, const Tick& tick, const std::optional<ProfileMe>& sample) {
  const auto found = std::ranges::find_if(
      opens_, [&](const auto& entry) { return std::ranges::find(entry.second.cpus, cpu) != entry.second.cpus.end(); });
  if (found == opens_.end() || tick.counter >= counters_) return;
  const Open& open = found->second;
  const unsigned bit = 1u << tick.counter;
  if ((enabled(open) & bit & ~open.without_data) == 0) return;  // R32, R70
  Data& data = data_[cpu];
  if ((open.items & PFM_COUNTERS) != 0) ++data.ticks[tick.counter];
  if ((open.items & PFM_IPL) != 0) {
    ++data.levels[tick.user ? level_user : tick.idle ? level_idle : std::min(tick.ipl, level_highest)];
  }
  if ((open.items & PFM_PROFILING) != 0) profile(open, data, tick, sample);
  if (sample) {
    next_sample(cpu);
  } else if (reloads()) {
    reload(open, cpu, tick.counter);
  }
}

void Device::program(const Open& open, Function function, std::uint64_t argument) {
  for (const unsigned cpu : open.cpus) cpus_[cpu]->wrperfmon(function, argument);
}

// EV4 has one option bit per choice. The others have one bit, set for marked processes only; on EV5 it is combined with
// the mode filter.
void Device::set_process_option(const Open& open, bool marked_only) {
  const std::uint64_t option = marked_only ? 1 : 0;
  program(open, Function::options, family_ == Family::ev4 ? option + 1 : (open.contexts & ~std::uint64_t{1}) | option);
}

void Device::mark(Process& process, bool marked) {
  process.marked = marked;
  for (Processor* const cpu : cpus_) cpu->mark(process.id, marked);
}

Process Device::fork(const Process& parent, int child) {
  Process process = parent.fork(child);
  mark(process, parent.marked);
  return process;
}

int Device::set_enabled(const Call& call, bool on) {
  if (on && !makes_sense(call.open)) return -EINVAL;
  call.open.on = on;
  program(call.open, on ? Function::enable : Function::disable,
          family_ == Family::ev4 ? 0
          : on                   ? enabled(call.open)
                                 : all_counters());
  if (on) first_sample(call.open, enabled(call.open));
  return 0;
}

// PCNT5ENABLE and its like select counters, and PCNTENABLE turns the interrupts of the selected ones on.
void Device::select(Open& open, unsigned counters, bool on) {
  const unsigned before = enabled(open);
  open.selected = on ? before | counters : before & ~counters;
  open.on = *open.selected != 0;
}

int Device::log(const Call& call, bool marked_only) {
  if (marked_only) mark(call.process, true);
  set_process_option(call.open, marked_only);
  call.open.contexts = (call.open.contexts & ~std::uint64_t{1}) | (marked_only ? 1 : 0);
  return 0;
}

int Device::unmark(const Call& call) {
  mark(call.process, false);
  return 0;
}

int Device::set_items(const Call& call) {
  const auto items = value<long>(call);
  if (!items) return -EFAULT;
  const auto word = static_cast<std::uint64_t>(*items);
  const std::uint64_t statistic = (word & PFM_PROFME_MODE_MASK) >> PFM_PROFME_MODE_SHIFT;
  if ((word & known_items) == 0) return -EINVAL;  // R36
  if ((word & ~std::uint64_t{known_items | PFM_PROFME_MODE_MASK}) != 0) return -EINVAL;
  if (statistic != 0 && (family_ != Family::ev67 || statistic >= PF67_PM_COUNT_)) return -EINVAL;
  Open next = call.open;
  next.items = static_cast<unsigned>(word & known_items);
  next.statistic = static_cast<unsigned>(statistic);
  if (enabled(next) != 0 && !makes_sense(next)) return -EINVAL;
  const bool other_buckets = statistic != call.open.statistic;
  call.open = std::move(next);
  if (other_buckets) {
    for (const unsigned cpu : call.open.cpus) data_[cpu].samples.assign(words(call.open), 0);
  }
  return 0;
}

int Device::clear(const Call& call) {
  if ((call.open.items & (PFM_COUNTERS | PFM_IPL)) == 0) return -EINVAL;  // R43
  for (const unsigned cpu : call.open.cpus) {
    if ((call.open.items & PFM_COUNTERS) != 0) {
      data_[cpu].ticks = {};
      data_[cpu].moved = data_[cpu].starts;
      data_[cpu].cleared_at = cpus_[cpu]->cycles();
    }
    if ((call.open.items & PFM_IPL) != 0) data_[cpu].levels = {};
  }
  return 0;
}

int Device::levels(const Call& call) {
  if ((call.open.items & PFM_IPL) == 0) return -EINVAL;  // R51
  const auto array = value<pfipls*>(call);
  if (!array) return -EFAULT;
  std::vector<pfipls> all(call.open.mode == PCNTOPENEACH ? cpus_.size() : 1);
  for (const unsigned cpu : call.open.cpus) {
    pfipls& entry = all[call.open.mode == PCNTOPENEACH ? cpu : 0];
    for (std::size_t level = 0; level < data_[cpu].levels.size(); ++level) entry.ipl[level] += data_[cpu].levels[level];
  }
  return call.process.memory.copy_out(*array, all.data(), all.size() * sizeof(pfipls)) ? 0 : -EFAULT;  // R49
}

std::uint64_t Device::cycles_since_cleared(unsigned cpu) const { return cpus_[cpu]->cycles() - data_[cpu].cleared_at; }

std::optional<std::vector<unsigned>> Device::chosen(const Open& open, unsigned cpu) const {
  if (cpu == PMCTRS_ALL_CPUS) return open.cpus;
  if (std::ranges::find(open.cpus, cpu) == open.cpus.end()) return {};
  return std::vector{cpu};
}

}  // namespace pmusim::testbench::pfm
