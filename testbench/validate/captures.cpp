// Layouts of the registers: pfmon's sample decoders and libpfm-3's header; SDM volume 2, 7.2, for the freeze.
#include "testbench/validate/captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace pmusim::testbench {
namespace {

using activity::State;
using Unit = Captures::Unit;
using Outcome = oracle::RecordedBranch::Outcome;

constexpr std::uint64_t unmasked_vector = 0xee;
constexpr std::size_t listed_problems = 5;
constexpr std::array<std::string_view, 8> entry_names{"PMD8",  "PMD9",  "PMD10", "PMD11",
                                                      "PMD12", "PMD13", "PMD14", "PMD15"};
constexpr std::uint64_t bundle_address = ~std::uint64_t{15};
/// With ds = 1 an entry that is no branch has address bits 40:4 in their place, and 63:61.
constexpr std::uint64_t detail_address = 0xe00001fffffffff0;

LatchedRegisters registers_of(Unit unit) {
  switch (unit) {
    case Unit::data_ear:
      return {{"PMD2", "PMD3", "PMD17"}, {"PMD3", "PMD17"}};  // a chk.a has no address and leaves PMD2 alone
    case Unit::fetch_ear:
      return {{"PMD0", "PMD1"}, {"PMD0"}};
    default:
      LatchedRegisters ring{{entry_names.begin(), entry_names.end()}, {"PMD16"}};
      ring.read.emplace_back("PMD16");
      return ring;
  }
}

/// stat of TLB mode: who found the translation; of other modes: 1.
std::uint64_t stat_of(activity::ia64::Translation found) {
  return found == activity::ia64::Translation::first_level ? 1 : static_cast<std::uint64_t>(found);
}

/// A latency in a field of so many bits, with the overflow bit behind it.
std::uint64_t latency_field(std::uint64_t latency, unsigned bits) {
  const std::uint64_t limit = std::uint64_t{1} << bits;
  return (latency & (limit - 1)) | (latency >= limit ? limit : 0);
}

/// The ring as software reads it, the oldest entry first.
std::vector<oracle::BufferEntry> entries_of(const std::function<std::uint64_t(std::string_view)>& read, bool details) {
  const std::uint64_t index = read("PMD16");
  const std::size_t next = index & 7;
  const bool full = (index & 8) != 0;
  std::vector<oracle::BufferEntry> entries;
  for (std::size_t i = full ? 0 : 8 - next; i < 8; ++i) {
    const std::size_t at = (next + i) % 8;
    const std::uint64_t value = read(entry_names[at]);
    const std::uint64_t flags = index >> (4 + 4 * at);
    oracle::BufferEntry entry;
    entry.source = (value & 1) != 0;
    if (entry.source) {
      entry.bundle = (value & bundle_address) + (flags & 1) * 16;
      entry.slot = value >> 2 & 3;
      entry.outcome = (value & 2) != 0 ? Outcome::front_end : (flags & 2) != 0 ? Outcome::back_end : Outcome::right;
    } else {
      entry.bundle = value & (details ? detail_address : bundle_address);
      entry.slot = 0;
    }
    entries.push_back(entry);
  }
  return entries;
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

CaptureWatch::CaptureWatch(const Task& task, const models::Target& target, const Group& group, const Answer& answer)
    : unit_(*group.captures), freeze_delay_(static_cast<Cycle>(task.parameters.get("pmu.freeze_delay"))) {
  const auto monitor = target.make_monitor(task.parameters);
  const auto write = [&](const std::string& name, std::uint64_t value) {
    const auto info = pmu::find_register(*monitor, name);
    if (!info) throw std::runtime_error(fmt::format("the model has no register '{}'", name));
    programming_.push_back({info->id, value});
  };
  write("PMV", unmasked_vector);
  for (const encoder::RegisterValue& reg : answer.registers) write(reg.name, reg.value);
  sampler_ = std::make_unique<Sampler>(
      target, task.parameters, std::vector<SampledCounter>{{answer.counters.at(0), unit_.period}},
      [this](const Sample& sample) { samples_.push_back(sample); }, nullptr, registers_of(unit_.unit));
  const auto lookup = [&task](std::string_view name) { return task.parameters.get(name); };
  const oracle::Request& request = group.checks.at(0).request;
  if (unit_.unit == Unit::branch_buffer) {
    branches_ = std::make_unique<oracle::BranchList>(request, lookup);
  } else {
    accesses_ = oracle::make_capture_list(request, lookup);
  }
}

MonitorSetup CaptureWatch::setup() {
  MonitorSetup setup{sampler_->presets(), std::ref(*sampler_)};
  setup.writes.insert(setup.writes.end(), programming_.begin(), programming_.end());
  return setup;
}

/// The processor status of a block with the monitor's gates shut while it was frozen.
activity::StateColumn CaptureWatch::shut(const Block& block) const {
  struct Frozen {
    Cycle from, to;
  };
  std::vector<Frozen> stretches;
  for (std::size_t i = next_; i < samples_.size() && samples_[i].requested < block.end; ++i) {
    stretches.push_back({samples_[i].requested + freeze_delay_ + 1, samples_[i].cycle});
  }
  const activity::StateColumn& open = block.state(State::psr);
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

/// Takes over the captures of [from, to) that the running monitor made.
void CaptureWatch::note(Cycle from, Cycle to) {
  if (branches_) {
    for (const oracle::RecordedBranch& branch : branches_->branches()) {
      if (branch.at >= from && branch.at < to) seen_.push_back(branch.at);
    }
    return;
  }
  for (const oracle::Capture& capture : accesses_->captures()) {
    if (capture.at < from || capture.at >= to) continue;
    seen_.push_back(capture.at);
    pending_.push_back(capture);
  }
}

void CaptureWatch::consume(Block& block) {
  activity::StateColumn& status = block.states[static_cast<std::size_t>(State::psr)];
  activity::StateColumn column = shut(block);
  std::swap(status, column);
  if (branches_) branches_->consume(block);
  if (accesses_) accesses_->consume(block);
  std::swap(status, column);
  Cycle from = block.begin;
  for (; next_ < samples_.size() && samples_[next_].cycle <= block.end; ++next_) {
    const Sample& sample = samples_[next_];
    const Cycle frozen = sample.requested + freeze_delay_ + 1;
    note(std::max(from, thawed_), std::min(frozen, block.end));  // what was followed before the freeze is dropped
    const auto read = [&](std::string_view name) {
      return std::find_if(sample.latched.begin(), sample.latched.end(),
                          [&](const auto& reg) { return reg.first == name; })
          ->second;
    };
    judge(read, sample.requested, fmt::format("sample {} in cycle {}", sample.index, sample.requested));
    if (branches_) branches_->forget(sample.cycle);
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
  const bool wraps = seen_.size() >= unit_.period;
  if (frozen != wraps) {
    problems_.push_back(fmt::format("the monitor is {}frozen at the end, behind {} of {} captures",
                                    frozen ? "" : "not ", seen_.size(), unit_.period));
    return;
  }
  std::optional<Cycle> wrap;
  if (wraps) wrap = seen_[unit_.period - 1];
  // What comes behind a freeze that no handler ended is not taken in.
  if (wraps) std::erase_if(pending_, [&](const oracle::Capture& c) { return c.at > *wrap + freeze_delay_; });
  judge(read, wrap, "the registers at the end");
}

void CaptureWatch::judge(const Read& read, std::optional<Cycle> wrap, const std::string& when) {
  std::string wrong;
  captured_ += seen_.size();
  if (wrap && seen_.size() < unit_.period) {
    wrong = fmt::format("is asked for behind {} of {} captures", seen_.size(), unit_.period);
  } else if (wrap && seen_[unit_.period - 1] != *wrap) {
    wrong = fmt::format("belongs to cycle {}", seen_[unit_.period - 1]);
  }
  if (wrong.empty()) wrong = branches_ ? wrong_branches(read, wrap.value_or(end_)) : wrong_access(read);
  if (!wrong.empty() && problems_.size() < listed_problems) problems_.push_back(when + ": " + wrong);
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
    return data ? differs("stat of PMD3", read("PMD3") >> 14 & 3, 0) : differs("stat of PMD0", read("PMD0") & 3, 0);
  }
  const oracle::Capture& last = pending_.back();
  if (!data) {
    constexpr std::uint64_t pair = ~std::uint64_t{31};
    const std::string wrong = differs("PMD0", read("PMD0"), (last.address & pair) | stat_of(last.translation));
    return wrong.empty() ? differs("PMD1", read("PMD1"), latency_field(last.latency, 12)) : wrong;
  }
  std::string wrong = differs("PMD2", read("PMD2"), kept_address_);
  if (wrong.empty()) {
    const std::uint64_t expected = latency_field(last.latency, 13) | stat_of(last.translation) << 14;
    wrong = differs("PMD3", read("PMD3"), expected);
  }
  const std::uint64_t origin = read("PMD17");
  if (wrong.empty()) wrong = differs("vl of PMD17", origin >> 3 & 1, last.ip_known ? 1 : 0);
  if (!wrong.empty() || !last.ip_known) return wrong;
  const std::uint64_t bundle = (origin & bundle_address) + (origin >> 2 & 1) * 16;
  return differs("the instruction of PMD17", bundle | (origin & 3), last.ip | last.slot);
}

std::string CaptureWatch::wrong_branches(const Read& read, Cycle wrap) const {
  const std::vector<oracle::BufferEntry> got = entries_of(read, unit_.prediction);
  std::vector<oracle::BufferEntry> expected = branches_->buffer_after(wrap);
  for (oracle::BufferEntry& entry : expected) {
    if (unit_.prediction && !entry.source) entry.bundle &= detail_address;
  }
  if (got == expected) return {};
  return fmt::format("the buffer has{}; expected{}", shown(got), shown(expected));
}

}  // namespace pmusim::testbench
