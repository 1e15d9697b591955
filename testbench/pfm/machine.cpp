#include "testbench/pfm/machine.h"

#include <set>
#include <stdexcept>
#include <string>

#include "models/alpha/alpha.h"

namespace pmusim::testbench::pfm {
namespace {

using activity::State;

constexpr std::uint64_t profile_mode = 1u << 4;  // SL0 of PCTR_CTL
constexpr unsigned user_mode = 3;

pmu::AlphaChip chip_of(const models::Target& target) {
  const auto chip = pmu::alpha_chip(*target.make_monitor(target.parameters()));
  if (!chip) throw std::invalid_argument("pfm: " + std::string(target.name) + " is no Alpha");
  return *chip;
}

/// Sets the PME bit according to the process that runs.
void set_marks(Block& block, const Marks& marks) {
  activity::StateColumn column;
  const auto at = [&](Cycle cycle) {
    const auto found = marks.find(block.state_at(State::process, cycle));
    return found == marks.end() ? block.state_at(State::process_marked, cycle) : std::uint64_t{found->second};
  };
  std::set<std::uint32_t> offsets;
  for (const State state : {State::process, State::process_marked}) {
    for (const activity::Change& change : block.state(state).changes) offsets.insert(change.at);
  }
  column.initial = at(block.begin);
  std::uint64_t value = column.initial;
  for (const std::uint32_t offset : offsets) {
    const std::uint64_t next = at(block.begin + offset);
    if (next != value) column.changes.push_back({.at = offset, .value = next});
    value = next;
  }
  block.states[static_cast<std::size_t>(State::process_marked)] = std::move(column);
}

}  // namespace

ModelledProcessor::ModelledProcessor(const models::Target& target, const models::Parameters& parameters,
                                     std::unique_ptr<trace::Reader> trace)
    : chip_(chip_of(target)),
      only_mispredicts_retire_(chip_ == pmu::AlphaChip::ev67 && parameters.get("pmu.retiring_traps") != 0),
      squashed_aborts_(chip_ == pmu::AlphaChip::ev67 && parameters.get("pmu.squashed_aborts") != 0),
      source_(target.make_core(std::move(trace), parameters), Region{}, false),
      follower_(target.make_monitor(parameters)),
      palcode_(chip_, follower_.monitor()) {
  follower_.start_at(source_.now());
}

std::uint64_t ModelledProcessor::wrperfmon(Function function, std::uint64_t argument) {
  const std::uint64_t result = palcode_(static_cast<std::uint64_t>(function), argument);
  follower_.written();
  return result;
}

std::uint64_t ModelledProcessor::read(std::string_view name) {
  return follower_.monitor().read(pmu::find_register(follower_.monitor(), name)->id, {}).value;
}

std::optional<ProfileMe> ModelledProcessor::profile_sample() {
  if (chip_ != pmu::AlphaChip::ev67 || (read("PCTR_CTL") & profile_mode) == 0) return std::nullopt;
  ProfileMe sample{.i_stat = read("I_STAT"), .pctr_ctl = read("PCTR_CTL"), .pmpc = read("PMPC")};
  const std::uint32_t word = code_.at(sample.pmpc);
  sample.conditional_branch = is_conditional_branch(word);
  sample.unconditional = is_unconditional(word);
  sample.squashed = is_squashed(word);
  sample.squashed_aborts = squashed_aborts_;
  sample.only_mispredicts_retire = only_mispredicts_retire_;
  return sample;
}

void ModelledProcessor::consume(const Block& block, Device& device, unsigned cpu) {
  code_.consume(block);
  calls_.consume(block);
  while (follower_.consumed() < block.end) {
    if (!follower_.advance(block, block.end).taking) continue;
    const pmu::EntryState entry = follower_.take(block);
    const auto counter = pmu::alpha_interrupted_counter(follower_.monitor());
    if (!counter) continue;
    Tick tick;
    tick.counter = *counter;
    tick.pc = entry.pc;
    tick.caller = calls_.caller_at(entry.cycle);
    tick.ipl = static_cast<unsigned>(block.state_at(State::ipl, entry.cycle - 1));
    tick.user = entry.cpl == user_mode;
    tick.idle = tick.ipl == 0 && block.state_at(State::idle_thread, entry.cycle - 1) != 0;
    device.tick(cpu, tick, profile_sample());
  }
}

bool ModelledProcessor::run(Cycle limit, Device& device, unsigned cpu) {
  while (cycles() < limit) {
    const Block* const block = source_.next(limit - cycles());
    if (block == nullptr) return false;
    if (marks_.empty()) {
      consume(*block, device, cpu);
      continue;
    }
    marked_ = *block;
    set_marks(marked_, marks_);
    consume(marked_, device, cpu);
  }
  return true;
}

Machine::Machine(const models::Target& target, const models::Parameters& parameters,
                 std::vector<std::unique_ptr<trace::Reader>> traces, Setup setup)
    : profile_me_period_(setup.profile_me_period) {
  std::vector<Processor*> pointers;
  for (auto& trace : traces) {
    processors_.push_back(std::make_unique<ModelledProcessor>(target, parameters, std::move(trace)));
    pointers.push_back(processors_.back().get());
  }
  device_ = std::make_unique<Device>(std::move(pointers), std::move(setup));
}

bool Machine::run(Cycle cycles) {
  now_ += cycles;
  bool any = false;
  for (unsigned cpu = 0; cpu < processors_.size(); ++cpu) any |= processors_[cpu]->run(now_, *device_, cpu);
  return any;
}

}  // namespace pmusim::testbench::pfm
