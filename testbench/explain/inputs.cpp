#include "testbench/explain/inputs.h"

#include "testbench/driver/programming.h"

namespace pmusim::testbench {

EventInputs inputs_of(const models::Target& target, const std::vector<encoder::RegisterValue>& registers,
                      unsigned counter) {
  const models::Parameters parameters = target.parameters();
  Programming programming(target, parameters);
  for (const encoder::RegisterValue& reg : registers) programming.write(reg.name, reg.value);
  const auto monitor = target.make_monitor(parameters);
  for (const RegisterWrite& write : programming.writes()) (void)monitor->write(write.id, write.value, {});
  Recorder recorder(monitor->counter_count());
  monitor->watch(&recorder);
  activity::Block nothing;
  nothing.end = 1;
  (void)monitor->consume(nothing, 0, 1);
  return {recorder.counter(counter).signals, recorder.counter(counter).states};
}

}  // namespace pmusim::testbench
