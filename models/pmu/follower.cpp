#include "models/pmu/follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace pmusim::pmu {
namespace {

std::string register_names(const Monitor& monitor) {
  std::string names;
  for (const RegisterInfo& info : monitor.registers()) {
    if (!names.empty()) names += ", ";
    names += info.name;
  }
  return names;
}

}  // namespace

Follower::Follower(std::unique_ptr<Monitor> monitor, bool counter_reads_allowed)
    : monitor_(std::move(monitor)), counter_reads_allowed_(counter_reads_allowed) {}

Follower::Follower(const Follower& other)
    : monitor_(other.monitor_->clone()),
      port_(other.port_),
      consumed_(other.consumed_),
      counter_reads_allowed_(other.counter_reads_allowed_),
      taken_outside_(other.taken_outside_),
      reports_(other.reports_) {}

// A copy is made for every block, so the existing monitor object is reused.
Follower& Follower::operator=(const Follower& other) {
  if (this == &other) return *this;
  monitor_->assign(*other.monitor_);
  port_ = other.port_;
  consumed_ = other.consumed_;
  counter_reads_allowed_ = other.counter_reads_allowed_;
  taken_outside_ = other.taken_outside_;
  reports_ = other.reports_;
  return *this;
}

Stop Follower::advance(const Block& block, Cycle to) {
  std::size_t access = first_access(block);
  while (consumed_ < to) {
    const bool line_before = line();
    const Cycle from = consumed_;
    const Cycle access_at = access < block.accesses.size() ? block.begin + block.accesses[access].at : activity::never;
    Consumed done;
    if (access_at == from) {
      done = consume_accesses(block, access);
    } else {
      Cycle limit = std::min(to, access_at);
      if (port_.pending() && !taken_outside_) {
        const Cycle taking = port_.find(block, *monitor_, from, limit);
        if (taking != activity::never) limit = taking + 1;
      }
      done = monitor_->consume(block, from, limit);
    }
    consumed_ = done.reached;
    port_.pass(block, from, consumed_);
    if (done.interrupt_request) port_.request(consumed_ - 1);
    written();
    const bool taking =
        port_.pending() && !taken_outside_ && port_.find(block, *monitor_, consumed_ - 1, consumed_) != activity::never;
    if (taking || line() != line_before) return {consumed_, line() != line_before, taking};
  }
  return {consumed_, false, false};
}

EntryState Follower::take(const Block& block) {
  const EntryState entry = port_.take(block, consumed_ - 1);
  monitor_->interrupt_taken();
  return entry;
}

void Follower::accepted() {
  if (!port_.pending()) return;
  port_.drop();
  monitor_->interrupt_taken();
}

void Follower::reset() {
  monitor_->reset();
  port_.drop();
}

void Follower::written() {
  if (port_.pending() && !monitor_->interrupt_pending()) port_.drop();
}

std::vector<AccessReport> Follower::take_reports() { return std::exchange(reports_, {}); }

std::size_t Follower::first_access(const Block& block) const {
  const auto first =
      std::lower_bound(block.accesses.begin(), block.accesses.end(), consumed_ - block.begin,
                       [](const activity::RegisterAccess& access, Cycle offset) { return access.at < offset; });
  return static_cast<std::size_t>(first - block.accesses.begin());
}

bool Follower::of_another_thread(const Block& block, const activity::RegisterAccess& access) const {
  return access.ref != activity::no_ref &&
         monitor_->thread().value_or(block.instructions[access.ref].thread) != block.instructions[access.ref].thread;
}

// Makes all accesses of cycle consumed_, and consumes the cycle. Reads before the first write get the value after all
// earlier cycles, or, by the model's rule, after this one too. The first write is made at the end of the cycle, by the
// model's rule.
Consumed Follower::consume_accesses(const Block& block, std::size_t& index) {
  const std::uint32_t at = block.accesses[index].at;
  const Accessor who{static_cast<unsigned>(block.state_at(activity::State::cpl, consumed_)), counter_reads_allowed_};
  Consumed done;
  bool consumed = false;
  for (; index < block.accesses.size() && block.accesses[index].at == at; ++index) {
    const activity::RegisterAccess& access = block.accesses[index];
    if (of_another_thread(block, access)) continue;
    RegisterInfo info{};
    AccessReport& entry = report(block, access, info);
    AccessResult result;
    if (!access.write) {
      if (!consumed && monitor_->reads_own_cycle()) {
        done = monitor_->consume(block, consumed_, consumed_ + 1);
        consumed = true;
      }
      result = monitor_->read(info.id, who);
      entry.value = result.value;
    } else if (consumed) {
      result = monitor_->write(info.id, access.value, who);
    } else {
      done = monitor_->consume_with_write(block, consumed_, info.id, access.value, who, result);
      consumed = true;
    }
    entry.fault = result.fault;
  }
  return consumed ? done : monitor_->consume(block, consumed_, consumed_ + 1);
}

AccessReport& Follower::report(const Block& block, const activity::RegisterAccess& access, RegisterInfo& info) {
  const std::string_view name(access.name.data(), ::strnlen(access.name.data(), access.name.size()));
  const std::uint64_t ip = access.ref == activity::no_ref ? 0 : block.instructions[access.ref].ip;
  const auto found = find_register(*monitor_, name);
  if (!found) {
    throw std::invalid_argument(
        fmt::format("instruction at 0x{:x} in cycle {} accesses register '{}'; this target has {}", ip, consumed_, name,
                    register_names(*monitor_)));
  }
  info = *found;
  return reports_.emplace_back(
      AccessReport{consumed_, ip, std::string(info.name), access.write, access.value, Fault::none});
}

}  // namespace pmusim::pmu
