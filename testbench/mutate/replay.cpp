#include "testbench/mutate/replay.h"

#include <algorithm>

#include "testbench/driver/alpha.h"

namespace pmusim::testbench::mutate {

/// Writes an observation down, or compares it with the one that was promised.
class Replay::Witness {
 public:
  explicit Witness(const Observation* promised = nullptr) : promised_(promised) {}
  void see(std::uint64_t value) {
    if (promised_ == nullptr) {
      seen_.push_back(value);
    } else if (at_ == promised_->size() || (*promised_)[at_++] != value) {
      differs_ = true;
    }
  }
  [[nodiscard]] bool differs() const { return differs_; }
  /// The promise may have gone on.
  [[nodiscard]] bool differs_at_end() const { return differs_ || at_ != promised_->size(); }
  Observation take() { return std::move(seen_); }

 private:
  const Observation* promised_;
  std::size_t at_ = 0;
  bool differs_ = false;
  Observation seen_;
};

namespace {

/// Software looks every so many cycles, or so many times.
constexpr Cycle look_cycles = 512, looks = 96;

/// Comparators and clocks are no observables, nor are copies of what is observed already.
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

/// Counters of an Alpha are fields of a register whose other fields say what they count; of the 21264A it shows,
/// beside, what became of a profiled instruction.
std::uint64_t observed_bits(const models::Target& target, const pmu::RegisterInfo& info) {
  constexpr std::uint64_t profiled = 1u << 27 | 1u << 26 | 3;
  const auto chip = alpha_chip(target.name);
  if (!chip || info.kind != pmu::RegisterKind::counter) return ~std::uint64_t{0};
  std::uint64_t bits = *chip == pmu::AlphaChip::ev67 ? profiled : 0;
  for (const AlphaCounter& counter : alpha_counters(*chip)) bits |= counter.mask() << counter.shift;
  return bits;
}

}  // namespace

void Replay::begin_with(const pmu::Monitor& monitor) { fresh_ = monitor.clone(); }

Replay::Replay(const models::Target& target, const models::Parameters& parameters, const ActivityLog& log)
    : log_(&log), fresh_(target.make_monitor(parameters)), follower_(fresh_->clone()) {
  fresh_->record_pins(true);
  for (const pmu::RegisterInfo& info : fresh_->registers()) {
    if (info.kind == pmu::RegisterKind::counter) counters_.push_back(info.id);
    if (is_observed(info)) observed_.push_back({info.id, observed_bits(target, info)});
  }
}

Observation Replay::observe(const Program& program) {
  Witness witness;
  run(program, witness);
  return witness.take();
}

bool Replay::differs(const Program& program, const Observation& promised) {
  Witness witness(&promised);
  run(program, witness);
  return witness.differs_at_end();
}

std::vector<std::uint64_t> Replay::counts(const Program& program) {
  Witness witness;
  run(program, witness);
  std::vector<std::uint64_t> values;
  for (const pmu::RegisterId id : counters_) values.push_back(follower_.monitor().read(id, {}).value);
  return values;
}

// The handler of every target is the same: it looks, and starts over.
void Replay::run(const Program& program, Witness& witness) {
  follower_ = pmu::Follower(fresh_->clone());
  if (!log_->blocks().empty()) follower_.start_at(log_->blocks().front().begin);
  this->program(program, witness);
  const Cycle every = std::max(look_cycles, log_->cycles() / looks);
  for (const Block& block : log_->blocks()) {
    while (follower_.consumed() < block.end && !witness.differs()) {
      const Cycle next_look = std::min(block.end, follower_.consumed() / every * every + every);
      if (!follower_.advance(block, next_look).taking) {
        if (follower_.consumed() == next_look) look(witness);
        continue;
      }
      const pmu::EntryState entry = follower_.take(block);
      witness.see(entry.requested);
      witness.see(entry.cycle);
      look(witness);
      this->program(program, witness);
    }
    if (witness.differs()) return;
  }
  look(witness);
}

void Replay::program(const Program& program, Witness& witness) {
  for (const auto* const writes : {&program.setup, &program.starts, &program.registers}) {
    for (const RegisterWrite& write : *writes) {
      const pmu::AccessResult result = follower_.monitor().write(write.id, write.value, {});
      follower_.written();
      if (result.fault != pmu::Fault::none) witness.see(static_cast<std::uint64_t>(result.fault));
    }
  }
}

void Replay::look(Witness& witness) {
  for (const pmu::PinEdge& edge : follower_.monitor().take_pin_edges()) {
    witness.see(edge.at);
    witness.see(edge.pin * 2 + (edge.level ? 1 : 0));
  }
  for (const Observed& reg : observed_) witness.see(follower_.monitor().read(reg.id, {}).value & reg.bits);
  if (!counters_.empty()) return;
  // No register shows the counters of the 21064; that they count right is compared all the same.
  for (unsigned i = 0; i < fresh_->counter_count(); ++i) witness.see(follower_.monitor().probe(i).value);
}

}  // namespace pmusim::testbench::mutate
