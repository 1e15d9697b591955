#include "testbench/judge/trial/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbench/driver/programming.h"
#include "testbench/driver/session_facts.h"
#include "testbench/judge/encoder/answers.h"

namespace pmusim::testbench::questions {
Bench::Bench(const Family& family, const models::Parameters& parameters)
    : family_(family),
      target_(*models::find_target(family.target)),
      fresh_(target_.make_monitor(parameters)),
      follower_(fresh_) {
  fresh_.monitor().record_pins(true);
  unsigned bits = 0;
  for (const pmu::RegisterInfo& info : fresh_.monitor().registers()) {
    registers_.emplace(info.name, info.id);
    if (info.kind == pmu::RegisterKind::counter) bits = std::max(bits, info.width);
  }
  const Firmware* const firmware = find_firmware(family.target);
  has_firmware_ = firmware != nullptr;
  for (const std::string& name : family.counters) {
    CounterField place;
    if (const FirmwareCounter* const counter = firmware ? find_counter(*firmware, name) : nullptr) {
      if (!counter->reg.empty()) place.reg = registers_.at(std::string(counter->reg));
      place.shift = counter->shift;
      place.bits = counter->reg.empty() ? counter->bits + 1 : counter->bits;
      place.per_event = counter->reg.empty() ? 2 : 1;
    } else {
      place.reg = registers_.at(name);
      place.bits = bits >= 64 ? family.count_bits : bits;
    }
    counters_.push_back(place);
  }
}

std::size_t Bench::number_of(const std::string& counter) const {
  const auto found = std::find(family_.counters.begin(), family_.counters.end(), counter);
  return static_cast<std::size_t>(found - family_.counters.begin());
}

std::uint64_t Bench::start_for(std::size_t counter, std::uint64_t events, std::uint64_t period) const {
  if (!counters_[counter].reg) return 0;
  if (period != 0) return period - events;
  const unsigned bits = has_firmware_ ? counters_[counter].bits : family_.count_bits;
  return (std::uint64_t{1} << bits) - events;
}

std::uint64_t Bench::resting(std::size_t counter) const {
  constexpr std::uint64_t value = 0x242;
  return counters_[counter].reg ? value : 0;
}

std::uint64_t Bench::mask(std::size_t counter) const { return (std::uint64_t{1} << counters_[counter].bits) - 1; }

std::vector<std::optional<std::uint64_t>> Bench::starts_in(const Answer& answer) const {
  const auto written = written_starts(target_, fresh_.monitor(), answer);
  std::vector<std::optional<std::uint64_t>> starts;
  for (const std::string& name : family_.counters) {
    const auto found = written.find(name);
    starts.push_back(found == written.end() ? std::nullopt : std::optional(found->second));
  }
  return starts;
}

std::string Bench::load_in(const Answer& answer) const {
  const Programming programming(target_, fresh_.monitor().clone());
  const auto found = std::find_if(answer.registers.begin(), answer.registers.end(),
                                  [&](const auto& reg) { return programming.loads_counters(reg.name); });
  return found == answer.registers.end() ? "" : found->name;
}

std::uint64_t Bench::shown(std::size_t counter, const oracle::Tally& tally) const {
  return (tally.expected * counters_[counter].per_event + (tally.half ? 1 : 0)) & mask(counter);
}

RegisterWrite Bench::write_of(const std::string& reg, std::uint64_t value) const {
  const auto found = registers_.find(reg);
  if (found == registers_.end()) throw std::invalid_argument(fmt::format("the model has no register '{}'", reg));
  return {found->second, value};
}

RegisterWrite Bench::start_of(std::size_t counter, std::uint64_t start) const {
  const bool negative = family_.signed_starts && (start >> (family_.count_bits - 1) & 1) != 0;
  const std::uint64_t above = negative ? ~std::uint64_t{0} << family_.count_bits : 0;
  return write_of(family_.counters[counter], start | above);
}

std::vector<Bench::Writes> Bench::writes_of(const Question& question, const Answer& answer,
                                            const std::vector<std::uint64_t>& starts) const {
  std::vector<Writes> writes(1);
  if (!family_.stop.reg.empty()) writes[0].push_back(write_of(family_.stop.reg, family_.stop.value));
  if (const InterruptEntry* const entry = interrupt_entry(family_.target))
    writes[0].push_back(write_of(std::string(entry->reg), entry->value));
  for (const ExtraWrite& extra : question.group.extra) writes[0].push_back(write_of(extra.reg, extra.value));
  if (!has_firmware_) {
    for (std::size_t i = 0; i < counters_.size(); ++i) writes[0].push_back(start_of(i, starts[i]));
    for (const encoder::RegisterValue& reg : answer.registers) {
      // A counter that the answer writes keeps the start value of the run.
      const std::size_t counter = number_of(reg.name);
      writes.push_back(
          {counter == counters_.size() ? write_of(reg.name, reg.value) : start_of(counter, starts[counter])});
    }
    return writes;
  }
  Programming calls(target_, fresh_.monitor().clone());
  std::size_t known = 0;
  const auto take = [&](Writes& to) {
    to.insert(to.end(), calls.writes().begin() + static_cast<std::ptrdiff_t>(known), calls.writes().end());
    known = calls.writes().size();
  };
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    if (counters_[i].reg) calls.write(family_.counters[i], starts[i]);
  }
  take(writes[0]);
  for (const encoder::RegisterValue& reg : answer.registers) {
    (void)write_keeping_counters(calls, reg.name, reg.value);
    take(writes.emplace_back());
  }
  return writes;
}

void Bench::make(pmu::Follower& follower, const Writes& writes) {
  for (const RegisterWrite& write : writes) {
    (void)follower.monitor().write(write.id, write.value, {});
    follower.written();
  }
}

std::vector<std::uint64_t> Bench::counts(pmu::Follower& follower) const {
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const CounterField& place = counters_[i];
    const std::uint64_t value = place.reg ? follower.monitor().read(*place.reg, {}).value >> place.shift
                                          : follower.monitor().probe(static_cast<unsigned>(i)).value;
    values.push_back(value & mask(i));
  }
  return values;
}

void Bench::write_now(const encoder::RegisterValue& reg, std::uint64_t value, FirmwareCalls* calls,
                      const std::vector<std::uint64_t>& starts) {
  if (!has_firmware_) {
    const std::size_t counter = number_of(reg.name);
    make(follower_, {counter == counters_.size() ? write_of(reg.name, value) : start_of(counter, starts[counter])});
    return;
  }
  const std::vector<std::uint64_t> before = counts(follower_);
  if (registers_.contains(reg.name))
    make(follower_, {write_of(reg.name, value)});
  else
    (void)calls->make(reg.name, value);  // one that firmware refuses has failed in writes_of()
  const std::vector<std::uint64_t> after = counts(follower_);
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    if (after[i] != before[i] && counters_[i].reg) start_again(counters_[i], starts[i]);
  }
}

void Bench::start_again(const CounterField& place, std::uint64_t start) {
  const std::uint64_t field = ((std::uint64_t{1} << place.bits) - 1) << place.shift;
  const std::uint64_t others = follower_.monitor().read(*place.reg, {}).value & ~field;
  make(follower_, {{*place.reg, others | (start << place.shift & field)}});
}

// A counter that counts before the last write has started too early. A call of firmware reads registers of the running
// monitor, so it is made here and not taken from writes_of().
void Bench::follow_in_steps(const Answer& answer, const std::vector<Writes>& writes,
                            const std::vector<std::uint64_t>& starts, const Stimulus& stimulus) {
  const auto& blocks = stimulus.log.blocks();
  follower_ = fresh_;
  follower_.start_at(blocks.front().begin);
  make(follower_, writes.front());
  std::unique_ptr<FirmwareCalls> calls;
  if (const Firmware* const firmware = find_firmware(family_.target)) {
    calls = firmware->calls({[this](pmu::RegisterId id) { return follower_.monitor().read(id, {}).value; },
                             [this](pmu::RegisterId id, std::uint64_t value) {
                               make(follower_, {{id, value}});
                             }});
  }
  // The writes spread over the length of the stimulus, so that all its activity occurs between them.
  const Cycle apart = stimulus.log.cycles() / writes.size() + 1;
  auto block = blocks.begin();
  for (const encoder::RegisterValue& reg : answer.registers) {
    write_now(reg, reg.value, calls.get(), starts);
    if (&reg == &answer.registers.back()) continue;
    for (const Cycle until = follower_.consumed() + apart; follower_.consumed() < until && block != blocks.end();) {
      if (follower_.consumed() >= block->end)
        ++block;
      else if (follower_.advance(*block, std::min(until, block->end)).taking)
        (void)follower_.take(*block);
    }
  }
}

namespace {

/// Adds the data registers of a capture unit.
void add_registers(const CaptureRegisters& layout, Captures::Unit unit, std::vector<std::string_view>& names) {
  switch (unit) {
    case Captures::Unit::data_ear:
      names.insert(names.end(), {layout.data_address, layout.data_latency, layout.data_instruction});
      return;
    case Captures::Unit::fetch_ear:
      names.insert(names.end(), {layout.fetch_address, layout.fetch_latency});
      return;
    case Captures::Unit::branch_buffer:
    case Captures::Unit::ip_ear:
      names.insert(names.end(), layout.ring.begin(), layout.ring.end());
  }
}

}  // namespace

Seen Bench::run(const Question& question, const Answer& answer, const std::vector<std::uint64_t>& starts,
                const Stimulus& stimulus, bool in_steps) {
  Seen seen;
  const auto& blocks = stimulus.log.blocks();
  const std::vector<Writes> writes = writes_of(question, answer, starts);
  if (in_steps && family_.started_at_once) {
    follow_in_steps(answer, writes, starts, stimulus);
    seen.at_start = counts(follower_);
  }
  follower_ = fresh_;
  follower_.start_at(blocks.front().begin);
  for (const Writes& together : writes) make(follower_, together);
  for (const Block& block : blocks) {
    while (follower_.consumed() < block.end) {
      const pmu::Stop stop = follower_.advance(block, block.end);
      if (stop.line_changed && follower_.line()) seen.requests.push_back(stop.at - 1);
      if (stop.taking) (void)follower_.take(block);
    }
    seen.counts.push_back(counts(follower_));
    for (const pmu::PinEdge& edge : follower_.monitor().take_pin_edges()) seen.edges.push_back(edge);
  }
  if (!family_.freezes) return seen;
  seen.status = follower_.monitor().read(registers_.at(family_.stop.reg), {}).value;
  std::vector<std::string_view> expected;
  const auto expect = [&](std::optional<Captures::Unit> unit) {
    if (unit) add_registers(*find_session_facts(family_.target)->captures, *unit, expected);
  };
  for (const Check& check : question.group.checks) expect(family_.unit_of(check.request));
  if (question.group.captures) expect(question.group.captures->unit);
  for (const pmu::RegisterInfo& reg : follower_.monitor().registers()) {
    if (reg.kind == pmu::RegisterKind::data &&
        std::find(expected.begin(), expected.end(), reg.name) == expected.end() &&
        follower_.monitor().read(reg.id, {}).value != fresh_.monitor().read(reg.id, {}).value)
      seen.captured = reg.name;
  }
  return seen;
}

}  // namespace pmusim::testbench::questions
