#include "testbench/lab/bindings/steps.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/pmu/multiplexer.h"

namespace pmusim::lab {

using activity::Block;
using activity::Cycle;

namespace {

/// Records the occurrences that a monitor charges increments to.
class Namer final : public pmu::Probe {
 public:
  Namer(std::vector<Cause>& causes, unsigned thread, Cycle first) : causes_(causes), thread_(thread), first_(first) {}
  void looks_at(unsigned, activity::Signal, activity::State) override {}
  void left(unsigned, pmu::Step, const pmu::Run&) override {}
  void written(unsigned, std::uint64_t) override {}
  void named(unsigned counter, const Block& block, activity::Signal signal, const activity::Occurrence& occurrence,
             std::uint32_t amount) override {
    const Cycle cycle = block.begin + occurrence.at;
    if (!pmu::refers_to_request(signal)) {
      if (occurrence.ref < block.instructions.size()) note(counter, cycle, block.instructions[occurrence.ref], amount);
      return;
    }
    if (occurrence.ref >= block.requests.size()) return;
    const activity::RequestRecord& request = block.requests[occurrence.ref];
    causes_.push_back({since(cycle), counter | thread_ << 8 | 1u << 9, static_cast<std::uint32_t>(request.id), amount});
    const std::uint32_t owner =
        occurrence.ref < block.ia64_requests.size() ? block.ia64_requests[occurrence.ref].owner : activity::no_ref;
    if (owner < block.instructions.size()) {
      note(counter, cycle, block.instructions[owner], 0);
    } else if (request.has_instruction) {
      causes_.push_back({since(cycle), counter | thread_ << 8, static_cast<std::uint32_t>(request.instruction), 0});
    }
  }

 private:
  [[nodiscard]] std::uint32_t since(Cycle cycle) const { return static_cast<std::uint32_t>(cycle - first_); }
  void note(unsigned counter, Cycle cycle, const activity::InstructionRecord& record, std::uint32_t amount) {
    causes_.push_back({since(cycle), counter | thread_ << 8 | (record.slot & 3u) << 10,
                       static_cast<std::uint32_t>(record.id), amount});
  }
  std::vector<Cause>& causes_;
  unsigned thread_;
  Cycle first_;
};

}  // namespace

/// A PMU as a handler accesses it, with the steps of its counters.
class Stepper::Pmu final : public testbench::RegisterBus {
 public:
  Pmu(const Programme& programme, unsigned thread, Cycle first, std::vector<Cause>& causes)
      : thread(thread), first(first), namer(causes, thread, first), follower(monitor_of(programme, thread), true) {
    follower.monitor().watch(&namer);
    follower.start_at(first);
    follower.monitor().record_pins(true);
    steps.resize(follower.monitor().counter_count());
    levels.resize(follower.monitor().indicators().size() + follower.monitor().pin_count());
  }
  pmu::AccessResult try_read(pmu::RegisterId id) override { return follower.monitor().read(id, {}); }
  pmu::AccessResult try_write(pmu::RegisterId id, std::uint64_t value) override {
    const pmu::AccessResult result = follower.monitor().write(id, value, {});
    follower.written();
    return result;
  }
  [[nodiscard]] const pmu::Monitor& monitor() const override { return follower.monitor(); }
  void note(Cycle cycle) {
    for (unsigned i = 0; i < steps.size(); ++i) {
      const pmu::CounterProbe probe = follower.monitor().probe(i);
      const Step step{static_cast<std::uint32_t>(cycle - first), probe.occurrences,
                      (probe.condition ? 1u : 0u) | (probe.edge_flop ? 2u : 0u),
                      static_cast<std::uint32_t>(probe.value), static_cast<std::uint32_t>(probe.value >> 32)};
      if (!steps[i].empty() && same(steps[i].back(), step)) continue;
      steps[i].push_back(step);
    }
    note_levels(cycle);
  }

  const unsigned thread;
  const Cycle first;
  Namer namer;
  pmu::Follower follower;
  std::vector<std::vector<Step>> steps;
  std::vector<std::vector<Level>> levels;
  std::vector<std::uint64_t> initial;

 private:
  void note_level(std::size_t i, Cycle cycle, std::uint64_t value) {
    std::vector<Level>& all = levels[i];
    const auto now = static_cast<std::uint32_t>(value);
    if (now != (all.empty() ? 0 : all.back().value)) all.push_back({static_cast<std::uint32_t>(cycle - first), now});
  }
  // A pin changes at the beginning of a cycle, and is known before it.
  void note_levels(Cycle cycle) {
    const std::size_t indicators = follower.monitor().indicators().size();
    for (std::size_t i = 0; i < indicators; ++i) note_level(i, cycle, follower.monitor().indicator(i));
    for (const pmu::PinEdge& edge : follower.monitor().take_pin_edges())
      note_level(indicators + edge.pin, edge.at, edge.level ? 1 : 0);
  }
  static bool same(const Step& a, const Step& b) {
    return a.n == b.n && a.flags == b.flags && a.low == b.low && a.high == b.high;
  }
  static std::unique_ptr<pmu::Monitor> monitor_of(const Programme& programme, unsigned thread) {
    models::Parameters parameters = programme.parameters();
    if (const auto& of = programme.setups()[thread].thread) parameters.set("pmu.thread", std::int64_t{*of});
    return programme.target().make_monitor(parameters);
  }
};

Stepper::Stepper(const Json& request, const std::vector<Block>& blocks, unsigned threads)
    : blocks_(blocks), programme_(request, threads) {
  const Cycle first = blocks.empty() ? 0 : blocks.front().begin;
  for (unsigned thread = 0; thread < threads; ++thread) {
    Pmu& pmu = *pmus_.emplace_back(std::make_unique<Pmu>(programme_, thread, first, causes_));
    for (const testbench::RegisterWrite& write : programme_.setups()[thread].writes) pmu.write(write.id, write.value);
    for (unsigned i = 0; i < pmu.steps.size(); ++i) pmu.initial.push_back(pmu.monitor().probe(i).value);
  }
}

Stepper::~Stepper() = default;

Cycle Stepper::reached() const {
  if (block_ < blocks_.size()) return blocks_[block_].begin - blocks_.front().begin;
  return blocks_.empty() ? 0 : blocks_.back().end - blocks_.front().begin;
}

unsigned Stepper::counters() const { return static_cast<unsigned>(pmus_.front()->steps.size()); }

std::uint64_t Stepper::initial(unsigned thread, unsigned counter) const {
  return pmus_.at(thread)->initial.at(counter);
}

const std::vector<Step>& Stepper::steps(unsigned thread, unsigned counter) const {
  return pmus_.at(thread)->steps.at(counter);
}

std::vector<std::string> Stepper::level_names() const {
  const pmu::Monitor& monitor = pmus_.front()->monitor();
  std::vector<std::string> names;
  for (const pmu::Indicator& one : monitor.indicators()) names.emplace_back(one.name);
  for (unsigned pin = 0; pin < monitor.pin_count(); ++pin) names.push_back(fmt::format("pin PM{}", pin));
  return names;
}

const std::vector<Level>& Stepper::levels(unsigned thread, std::size_t i) const {
  return pmus_.at(thread)->levels.at(i);
}

bool Stepper::step(Cycle cycles) {
  for (const Cycle goal = reached() + cycles; block_ < blocks_.size() && reached() < goal; ++block_) {
    const Block& block = blocks_[block_];
    for (const auto& pmu : pmus_)
      while (pmu->follower.consumed() < block.end) clock(*pmu, block, pmu->follower.consumed() + 1);
  }
  return block_ < blocks_.size();
}

void Stepper::clock(Pmu& pmu, const Block& block, Cycle to) {
  const auto mark = [&](Cycle cycle, Mark::Kind kind, std::uint64_t value) {
    marks_.push_back({static_cast<std::uint32_t>(cycle - pmu.first), kind, pmu.thread,
                      static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)});
  };
  while (pmu.follower.consumed() < to) {
    const pmu::Stop stop = pmu.follower.advance(block, to);
    if (stop.line_changed) mark(stop.at - 1, pmu.follower.line() ? Mark::request : Mark::withdrawn, 0);
    if (!stop.taking) continue;
    pmu.note(to - 1);
    const pmu::EntryState entry = pmu.follower.take(block);
    mark(stop.at - 1, Mark::taken, entry.pc);
    if (const auto& handler = programme_.setups()[pmu.thread].handler) handler(pmu, entry);
  }
  pmu.note(to - 1);
  for (const pmu::AccessReport& report : pmu.follower.take_reports()) mark(report.cycle, Mark::access, report.ip);
}

}  // namespace pmusim::lab
