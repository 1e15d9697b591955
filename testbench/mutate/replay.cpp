#include "testbench/mutate/replay.h"

#include <algorithm>

#include "testbench/driver/firmware.h"

namespace pmusim::testbench::mutate {

namespace {

/// Software reads the registers at this interval in cycles, or this often per run, whichever is rarer.
constexpr Cycle look_cycles = 512, looks = 96;

/// Comparators and clocks are not observed, nor are copies of observed registers.
bool is_observed(const pmu::RegisterInfo& info) {
  switch (info.kind) {
    case pmu::RegisterKind::counter:
    case pmu::RegisterKind::status:
      return true;
    case pmu::RegisterKind::data:
      return info.id.space == pmu::Space::pmd;
    default:
      return false;
  }
}

/// Counters that firmware programs are fields of a register; its other fields select their events.
std::uint64_t observed_bits(const models::Target& target, const pmu::RegisterInfo& info) {
  const Firmware* const firmware = find_firmware(target.name);
  if (firmware == nullptr || info.kind != pmu::RegisterKind::counter) return ~std::uint64_t{0};
  std::uint64_t bits = firmware->found_bits;
  for (const FirmwareCounter& counter : firmware->counters) bits |= counter.mask() << counter.shift;
  return bits;
}

}  // namespace

void Replay::begin_with(const pmu::Monitor& monitor) {
  fresh_ = pmu::Follower(monitor.clone());
  fresh_.monitor().record_pins(true);
  if (!log_->blocks().empty()) fresh_.start_at(log_->blocks().front().begin);
}

Replay::Replay(const models::Target& target, const models::Parameters& parameters, const ActivityLog& log)
    : log_(&log), fresh_(target.make_monitor(parameters)) {
  begin_with(*target.make_monitor(parameters));
  for (const pmu::RegisterInfo& info : fresh_.monitor().registers()) {
    if (info.kind == pmu::RegisterKind::counter) counters_.push_back(info.id);
    if (is_observed(info)) observed_.push_back({info.id, observed_bits(target, info)});
  }
}

bool Replay::differs(const Program& program, Run& promised) {
  if (!mutant_) mutant_.emplace(*this);
  mutant_->start(program);
  std::size_t at = 0;
  do {
    for (; at < mutant_->seen().size(); ++at) {
      while (at == promised.seen().size()) {
        if (!promised.go_on()) return true;
      }
      if (promised.seen()[at] != mutant_->seen()[at]) return true;
    }
  } while (mutant_->go_on());
  // The run of the promised program may have recorded more.
  while (at == promised.seen().size()) {
    if (!promised.go_on()) return false;
  }
  return true;
}

std::vector<std::uint64_t> Replay::counts(const Program& program) {
  Run run(*this);
  run.start(program);
  while (run.go_on()) {
  }
  std::vector<std::uint64_t> values;
  for (const pmu::RegisterId id : counters_) values.push_back(run.value_of(id));
  return values;
}

void Replay::Run::start(const Program& program) {
  program_ = &program;
  follower_ = replay_->fresh_;
  block_ = 0;
  seen_.clear();
  write();
}

// The handler is the same for every target: it reads the registers and restarts the counters.
bool Replay::Run::go_on() {
  const auto& blocks = replay_->log_->blocks();
  const Cycle every = std::max(look_cycles, replay_->cycles() / looks);
  while (block_ < blocks.size()) {
    const Block& block = blocks[block_];
    if (follower_.consumed() >= block.end) {
      ++block_;
      continue;
    }
    const Cycle next_look = std::min(block.end, follower_.consumed() / every * every + every);
    if (follower_.advance(block, next_look).taking) {
      const pmu::EntryState entry = follower_.take(block);
      seen_.push_back(entry.requested);
      seen_.push_back(entry.cycle);
      look();
      write();
      return true;
    }
    if (follower_.consumed() == next_look) {
      look();
      return true;
    }
  }
  return false;
}

void Replay::Run::write() {
  for (const auto* const writes : {&program_->setup, &program_->starts, &program_->registers}) {
    for (const RegisterWrite& write : *writes) {
      const pmu::AccessResult result = follower_.monitor().write(write.id, write.value, {});
      follower_.written();
      if (result.fault != pmu::Fault::none) seen_.push_back(static_cast<std::uint64_t>(result.fault));
    }
  }
}

void Replay::Run::look() {
  for (const pmu::PinEdge& edge : follower_.monitor().take_pin_edges()) {
    seen_.push_back(edge.at);
    seen_.push_back(edge.pin * 2 + (edge.level ? 1 : 0));
  }
  for (const Observed& reg : replay_->observed_) seen_.push_back(value_of(reg.id) & reg.bits);
  if (!replay_->counters_.empty()) return;
  // No register shows the counters of the 21064; their values are compared all the same.
  const pmu::Monitor& monitor = follower_.monitor();
  for (unsigned i = 0; i < monitor.counter_count(); ++i) seen_.push_back(monitor.probe(i).value);
}

}  // namespace pmusim::testbench::mutate
