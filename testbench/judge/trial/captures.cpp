// Fields of the registers: Linux ia64 perfmon, pfmon's sample decoders and libpfm-3's header; SDM volume 2, 7.2, for
// the freeze.
#include "testbench/judge/trial/captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbench/driver/session_facts.h"
#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench {

namespace {

using activity::State;
using Unit = Captures::Unit;
using Outcome = oracle::RecordedBranch::Outcome;

constexpr std::uint64_t unmasked_vector = 0xee;
constexpr std::size_t listed_problems = 5;
constexpr std::uint64_t bundle_address = ~std::uint64_t{15};
/// With ds = 1 an entry that is not a branch has address bits 40:4 in place of the target, and bits 63:61. The
/// prediction bits between them are not modelled; they are 0.
constexpr std::uint64_t detail_address = 0xe00001fffffffff0;

LatchedRegisters registers_of(Unit unit, const CaptureRegisters& registers) {
  switch (unit) {
    case Unit::data_ear:  // a chk.a has no address and leaves the register unchanged
      return {{registers.data_address, registers.data_latency, registers.data_instruction},
              {registers.data_latency, registers.data_instruction}};
    case Unit::fetch_ear:
      return {{registers.fetch_address, registers.fetch_latency}, {registers.fetch_address}};
    default:
      return {{registers.ring.begin(), registers.ring.end()}, {registers.ring_index}};
  }
}

/// The stat field in TLB mode: the level that found the translation. In other modes: `other`.
std::uint64_t stat_of(activity::ia64::Translation found, std::uint64_t other) {
  return found == activity::ia64::Translation::first_level ? other : static_cast<std::uint64_t>(found);
}

/// A latency in a field of `bits` bits, with the overflow bit above it.
std::uint64_t latency_field(std::uint64_t latency, unsigned bits) {
  const std::uint64_t limit = std::uint64_t{1} << bits;
  return (latency & (limit - 1)) | (latency >= limit ? limit : 0);
}

struct RawEntry {
  std::uint64_t value, flags;
};
/// The entries of the ring in the order in which software reads them, oldest first.
std::vector<RawEntry> ring_of(const std::function<std::uint64_t(std::string_view)>& read,
                              const CaptureRegisters& registers, const RingLayout& layout) {
  const auto& ring = registers.ring;
  const std::uint64_t index = read(registers.ring_index), flags = read(ring.back());
  const auto size = static_cast<std::size_t>(std::find(ring.begin(), ring.end(), registers.ring_index) - ring.begin());
  const std::size_t next = index & (size - 1);
  const bool full = (index & layout.full) != 0;
  std::vector<RawEntry> entries;
  for (std::size_t i = full ? 0 : size - next; i < size; ++i) {
    const std::size_t at = (next + i) % size;
    entries.push_back({read(ring[at]), flags >> layout.flags_shift(at) & layout.flags});
  }
  return entries;
}

std::vector<oracle::BufferEntry> branches_of(const std::vector<RawEntry>& ring) {
  std::vector<oracle::BufferEntry> entries;
  for (const auto& [value, flags] : ring) {
    oracle::BufferEntry entry;
    entry.source = (value & 1) != 0;
    if (entry.source) {
      entry.bundle = (value & bundle_address) + (flags & 1) * 16;
      entry.slot = value >> 2 & 3;
      entry.outcome = (value & 2) != 0 ? Outcome::front_end : (flags & 2) != 0 ? Outcome::back_end : Outcome::right;
    } else {
      entry.bundle = value & bundle_address;
      entry.slot = 0;
    }
    entries.push_back(entry);
  }
  return entries;
}

// IP-EAR: cycles in 63:60 and, above them, flags 1:0; flag 2: a flush in between; 3: cut short, with the remaining
// delay in place of address bits 11:4.
std::vector<oracle::TracedBundle> traced_of(const std::vector<RawEntry>& ring) {
  std::vector<oracle::TracedBundle> entries;
  for (const auto& [value, flags] : ring) {
    oracle::TracedBundle entry;
    entry.bundle = value << 4;
    entry.cycles = static_cast<unsigned>(value >> 60 | (flags & 3) << 4);
    entry.flushed = (flags & 4) != 0;
    entry.cut_short = (flags & 8) != 0;
    if (entry.cut_short) {
      entry.delay_left = value & 0xff;
      entry.bundle &= ~std::uint64_t{0xfff};
    }
    entries.push_back(entry);
  }
  return entries;
}

std::string shown(const std::vector<oracle::TracedBundle>& entries) {
  std::string text;
  for (const oracle::TracedBundle& entry : entries) {
    text += fmt::format(" {:x}+{}{}", entry.bundle, entry.cycles, entry.flushed ? "f" : "");
    if (entry.cut_short) text += fmt::format("({} left)", entry.delay_left);
  }
  return text.empty() ? " nothing" : text;
}

std::string shown(const std::vector<oracle::BufferEntry>& entries) {
  std::string text;
  for (const oracle::BufferEntry& entry : entries) {
    text += entry.source ? fmt::format(" {:x}.{}/{}", entry.bundle, entry.slot, static_cast<int>(entry.outcome))
                         : fmt::format(" ->{:x}", entry.bundle);
  }
  return text.empty() ? " nothing" : text;
}

}  // namespace

CaptureWatch::CaptureWatch(const models::Parameters& parameters, const models::Target& target, const Group& group,
                           const Answer& answer)
    : unit_(*group.captures),
      registers_(*find_session_facts(target.name)->captures),
      ring_(*judging_facts(target.name).ring),
      freeze_delay_(static_cast<Cycle>(parameters.get("pmu.freeze_delay"))),
      data_stat_(static_cast<std::uint64_t>(parameters.get("pmu.ear_stat"))),
      fetch_stat_(static_cast<std::uint64_t>(parameters.get("pmu.iear_stat"))) {
  const auto monitor = target.make_monitor(parameters);
  const auto write = [&](const std::string& name, std::uint64_t value) {
    const auto info = pmu::find_register(*monitor, name);
    if (!info) throw std::runtime_error(fmt::format("the model has no register '{}'", name));
    programming_.push_back({info->id, value});
  };
  write("PMV", unmasked_vector);
  for (const encoder::RegisterValue& reg : answer.registers) write(reg.name, reg.value);
  sampler_ = std::make_unique<Sampler>(
      target, parameters, std::vector<SampledCounter>{{answer.counters.at(0), unit_.period}},
      [this](const Sample& sample) { samples_.push_back(sample); }, nullptr, registers_of(unit_.unit, registers_));
  const auto lookup = [&parameters](std::string_view name) { return parameters.get(name); };
  const oracle::Request& request = group.checks.at(0).request;
  if (unit_.unit == Unit::branch_buffer) {
    branches_ = std::make_unique<oracle::BranchList>(request, lookup, target.name);
  } else if (unit_.unit == Unit::ip_ear) {
    trace_ = std::make_unique<oracle::AddressTrace>(request, lookup, target.name);
    counter_ = oracle::make_counter(target.name, {request}, lookup);
    // If the monitor continues after a wrap, the next period starts with what the counter has counted there.
    if (freeze_delay_ == 0) step_ = unit_.period;
    counter_->watch(0, step_, step_);
  } else {
    // The counter's gates are taken at the cycle of the capture, the list's at the cycle of the miss.
    accesses_ = oracle::make_capture_list(request, lookup, target.name);
    counter_ = oracle::make_counter(target.name, {request}, lookup);
    counter_->watch(0, step_, step_);
  }
  wanted_ = unit_.period;
}

MonitorSetup CaptureWatch::setup() {
  MonitorSetup setup{sampler_->presets(), std::ref(*sampler_)};
  setup.writes.insert(setup.writes.end(), programming_.begin(), programming_.end());
  return setup;
}

/// The processor status of a block, with the monitor's gates shut while it was frozen.
activity::StateColumn CaptureWatch::shut(const Block& block, State status) const {
  struct Frozen {
    Cycle from, to;
  };
  std::vector<Frozen> stretches;
  for (std::size_t i = next_; i < samples_.size() && samples_[i].requested < block.end; ++i) {
    stretches.push_back({samples_[i].requested + freeze_delay_ + 1, samples_[i].cycle});
  }
  const activity::StateColumn& open = block.state(status);
  if (stretches.empty()) return open;
  std::vector<Cycle> points{block.begin};
  for (const activity::Change& change : open.changes) points.push_back(block.begin + change.at);
  for (const Frozen& stretch : stretches) {
    for (const Cycle at : {stretch.from, stretch.to}) {
      if (at > block.begin && at < block.end) points.push_back(at);
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  activity::StateColumn column;
  std::size_t change = 0;
  std::uint64_t value = open.initial;
  for (const Cycle at : points) {
    for (; change < open.changes.size() && block.begin + open.changes[change].at <= at; ++change) {
      value = open.changes[change].value;
    }
    const bool frozen =
        std::any_of(stretches.begin(), stretches.end(), [&](const Frozen& s) { return at >= s.from && at < s.to; });
    constexpr std::uint64_t gates = activity::ia64::psr::up | activity::ia64::psr::pp;
    const std::uint64_t seen = frozen ? value & ~gates : value;
    if (at == block.begin) {
      column.initial = seen;
    } else {
      column.changes.push_back({static_cast<std::uint32_t>(at - block.begin), seen});
    }
  }
  return column;
}

/// Records the captures that the running monitor made in [from, to).
void CaptureWatch::note(Cycle from, Cycle to) {
  if (counter_) {
    for (const Cycle at : counter_->crossings(0)) {
      if (at >= from && at < to) seen_.insert(seen_.end(), step_, at);
    }
  }
  if (branches_) {
    for (const oracle::RecordedBranch& branch : branches_->branches()) {
      if (branch.at >= from && branch.at < to) seen_.push_back(branch.at);
    }
  }
  if (accesses_) {
    for (const oracle::Capture& capture : accesses_->captures()) {
      if (capture.at >= from && capture.at < to) pending_.push_back(capture);
    }
  }
}

void CaptureWatch::consume(Block& block) {
  if (trace_) trace_->consume(block);  // continues for its delay after the monitor is frozen
  // The status of the thread, whether it is active or not.
  activity::StateColumn active = shut(block, State::psr), background = shut(block, State::background_psr);
  const auto swap = [&] {
    std::swap(block.states[static_cast<std::size_t>(State::psr)], active);
    std::swap(block.states[static_cast<std::size_t>(State::background_psr)], background);
  };
  swap();
  if (branches_) branches_->consume(block);
  if (accesses_) accesses_->consume(block);
  if (counter_) counter_->consume(block);
  swap();
  Cycle from = block.begin;
  for (; next_ < samples_.size() && samples_[next_].cycle <= block.end; ++next_) {
    const Sample& sample = samples_[next_];
    const Cycle frozen = sample.requested + freeze_delay_ + 1;
    // Captures between the wrap and the freeze are included. A handler that comes before the freeze prevents it.
    note(std::max(from, thawed_), std::min({frozen, block.end, sample.cycle}));
    const auto read = [&](std::string_view name) {
      return std::find_if(sample.latched.begin(), sample.latched.end(),
                          [&](const auto& reg) { return reg.first == name; })
          ->second;
    };
    judge(read, sample.requested, sample.cycle - 1,
          fmt::format("sample {} in cycle {}", sample.index, sample.requested));
    if (branches_) branches_->forget(sample.cycle);
    if (trace_) trace_->forget(sample.cycle);
    thawed_ = from = sample.cycle;
  }
  const bool waits = next_ < samples_.size() && samples_[next_].requested < block.end;
  const Cycle to = waits ? std::min(block.end, samples_[next_].requested + freeze_delay_ + 1) : block.end;
  note(std::max(from, thawed_), to);
  if (accesses_) accesses_->forget();
  end_ = block.end;
}

void CaptureWatch::finish(const MonitorResult& result) {
  const auto read = [&](std::string_view name) { return result.value(name); };
  const bool frozen = (result.value("PMC0") & 1) != 0;
  const bool wraps = seen_.size() >= wanted_;
  std::optional<Cycle> wrap;
  if (wraps) wrap = seen_[wanted_ - 1];
  if (frozen != (wraps && *wrap + freeze_delay_ < end_)) {
    problems_.push_back(fmt::format("the monitor is {}frozen at the end, after {} of {} captures", frozen ? "" : "not ",
                                    seen_.size(), wanted_));
    return;
  }
  // After a freeze that no handler ended, nothing is captured.
  if (wraps) std::erase_if(pending_, [&](const oracle::Capture& c) { return c.at > *wrap + freeze_delay_; });
  judge(read, wrap, activity::never, "the registers at the end");
}

void CaptureWatch::judge(const Read& read, std::optional<Cycle> wrap, Cycle taken, const std::string& when) {
  std::string wrong;
  captured_ += seen_.size();
  if (wrap && seen_.size() < wanted_) {
    wrong = fmt::format("is asked for after {} of {} captures", seen_.size(), wanted_);
  } else if (wrap && seen_[wanted_ - 1] != *wrap) {
    wrong = fmt::format("belongs to cycle {}", seen_[wanted_ - 1]);
  }
  if (wrong.empty()) {
    const Cycle until = wrap.value_or(end_);
    wrong = branches_ ? wrong_branches(read, until, taken)
            : trace_  ? wrong_trace(read, until, taken)
                      : wrong_access(read);
  }
  if (!wrong.empty() && problems_.size() < listed_problems) problems_.push_back(when + ": " + wrong);
  // The handler subtracts what was counted after the wrap from the next period. If that is a whole period or more,
  // samples are lost.
  const std::uint64_t behind = seen_.size() - std::min<std::uint64_t>(wanted_, seen_.size());
  wanted_ = unit_.period - (behind < unit_.period ? behind : 0);
  seen_.clear();
  pending_.clear();
}

std::string CaptureWatch::wrong_access(const Read& read) {
  const bool data = unit_.unit == Unit::data_ear;
  for (const oracle::Capture& capture : pending_) {
    if (capture.own_address) kept_address_ = capture.address;
  }
  const auto differs = [](std::string_view what, std::uint64_t got, std::uint64_t expected) {
    return got == expected ? std::string() : fmt::format("{} is {:#x}, expected {:#x}", what, got, expected);
  };
  if (pending_.empty()) {
    return data ? differs("stat of the data EAR", read(registers_.data_latency) >> 14 & 3, 0)
                : differs("stat of the instruction EAR", read(registers_.fetch_address) & 3, 0);
  }
  const oracle::Capture& last = pending_.back();
  if (!data) {
    constexpr std::uint64_t pair = ~std::uint64_t{31};
    const std::string wrong = differs(registers_.fetch_address, read(registers_.fetch_address),
                                      (last.address & pair) | stat_of(last.translation, fetch_stat_));
    return wrong.empty()
               ? differs(registers_.fetch_latency, read(registers_.fetch_latency), latency_field(last.latency, 12))
               : wrong;
  }
  std::string wrong = differs(registers_.data_address, read(registers_.data_address), kept_address_);
  if (wrong.empty()) {
    const std::uint64_t expected = latency_field(last.latency, 13) | stat_of(last.translation, data_stat_) << 14;
    wrong = differs(registers_.data_latency, read(registers_.data_latency), expected);
  }
  const std::uint64_t origin = read(registers_.data_instruction);
  if (wrong.empty()) wrong = differs("vl of the data EAR", origin >> 3 & 1, last.ip_known ? 1 : 0);
  if (!wrong.empty() || !last.ip_known) return wrong;
  const std::uint64_t bundle = (origin & bundle_address) + (origin >> 2 & 1) * 16;
  return differs("the instruction of the data EAR", bundle | (origin & 3), last.ip | last.slot);
}

std::string CaptureWatch::wrong_branches(const Read& read, Cycle wrap, Cycle taken) const {
  const std::vector<oracle::BufferEntry> got = branches_of(ring_of(read, registers_, ring_));
  std::vector<oracle::BufferEntry> expected = branches_->buffer_after(wrap, taken);
  for (oracle::BufferEntry& entry : expected) {
    if (unit_.prediction && !entry.source) entry.bundle &= detail_address;
  }
  if (got == expected) return {};
  return fmt::format("the buffer has{}; expected{}", shown(got), shown(expected));
}

std::string CaptureWatch::wrong_trace(const Read& read, Cycle wrap, Cycle taken) const {
  const std::vector<oracle::TracedBundle> got = traced_of(ring_of(read, registers_, ring_));
  std::vector<oracle::TracedBundle> expected = trace_->buffer_after(wrap, taken);
  for (oracle::TracedBundle& entry : expected) entry.at = 0;  // the registers do not contain it
  if (got == expected) return {};
  return fmt::format("the buffer has{}; expected{}", shown(got), shown(expected));
}

}  // namespace pmusim::testbench
