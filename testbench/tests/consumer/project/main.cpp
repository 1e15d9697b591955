// Encodes an event, puts the registers into a modelled Athlon and counts two retired instructions.
#include <models/targets.h>
#include <pmusim/encoder/encoder.h>

#include <iostream>

int main() {
  using namespace pmusim;
  const models::Target* target = models::find_target("athlon");
  const auto monitor = target->make_monitor(target->parameters());
  const std::string events[] = {"RETIRED_INSTRUCTIONS:u"};
  const auto encoding = encoder::encode("athlon", events);
  for (const auto& reg : encoding->registers) monitor->write(pmu::find_register(*monitor, reg.name)->id, reg.value, {});
  activity::Block block;
  block.end = 10;
  block.states[static_cast<std::size_t>(activity::State::clock)].initial = 1;
  block.states[static_cast<std::size_t>(activity::State::cpl)].initial = 3;
  block.instructions.resize(1);
  block.columns[static_cast<std::size_t>(activity::Signal::retire)] = {{2, 0, 1, 0}, {5, 0, 1, 0}};
  monitor->consume(block, 0, 10);
  std::cout << monitor->read(pmu::find_register(*monitor, encoding->events[0].counter)->id, {}).value << '\n';
}
