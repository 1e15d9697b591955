// Encodes events, writes the registers to modelled PMUs and counts two retired instructions on each; reads a branch
// trace buffer.
#include <models/itanium2/itanium2.h>
#include <models/targets.h>
#include <pmusim/encoder/encoder.h>

#include <cstdint>
#include <iostream>
#include <string>

namespace {

using namespace pmusim;

/// Two instructions retire at user level with the IA-64 monitors enabled.
activity::Block two_instructions() {
  activity::Block block;
  block.end = 10;
  const auto set = [&](activity::State state, std::uint64_t value) {
    block.states[static_cast<std::size_t>(state)].initial = value;
  };
  set(activity::State::clock, 1);
  set(activity::State::cpl, 3);
  set(activity::State::psr, activity::ia64::psr::up);
  block.instructions.resize(1);
  block.syllables.resize(1);
  block.columns[static_cast<std::size_t>(activity::Signal::retire)] = {{2, 0, 1, 0}, {5, 0, 1, 0}};
  return block;
}

std::uint64_t count(std::string_view name, const std::string& event) {
  const models::Target* target = models::find_target(name);
  const auto monitor = target->make_monitor(target->parameters());
  const std::string events[] = {event};
  const auto encoding = encoder::encode(name, events);
  for (const auto& reg : encoding->registers) monitor->write(pmu::find_register(*monitor, reg.name)->id, reg.value, {});
  monitor->consume(two_instructions(), 0, 10);
  return monitor->read(pmu::find_register(*monitor, encoding->events[0].counter)->id, {}).value;
}

}  // namespace

int main() {
  const std::uint64_t entries[8] = {0x4000 | 2 << 2 | 1, 0x5000 | 2};  // a taken branch in slot 2 and its target
  const auto branches = pmu::ia64::decode_branch_ring(pmu::itanium2_branch_ring(entries, 2));
  std::cout << count("athlon", "RETIRED_INSTRUCTIONS:u") << ' ' << count("itanium2", "IA64_INST_RETIRED:u") << ' '
            << branches.size() << '\n';
}
