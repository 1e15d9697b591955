// A PMU beside a core, advanced cycle by cycle.
#include <pybind11/stl.h>

#include "testbench/driver/direct_engine.h"
#include "testbench/driver/programming.h"
#include "testbench/python/module.h"
#include "testbench/support/arguments.h"
#include "testbench/support/error.h"

namespace pmusim::python {
namespace {

namespace py = pybind11;
using testbench::Stepper;

struct Monitor {
  Monitor(const std::string& target_name, const std::vector<std::string>& files, const Settings& settings,
          std::uint64_t warmup, unsigned thread)
      : Monitor(Opened(target_name, files, settings), warmup, thread) {}
  Monitor(Opened opened, std::uint64_t warmup, unsigned thread)
      : target(opened.target), parameters(opened.parameters), stepper(make(opened, warmup, thread)) {}

  std::unique_ptr<Stepper> make(Opened& opened, std::uint64_t warmup, unsigned thread) {
    if (thread >= opened.traces.size()) {
      throw testbench::UsageError("thread " + std::to_string(thread) + " has no trace; give one for each thread");
    }
    if (opened.traces.size() > 1) parameters.set("pmu.thread", std::int64_t{thread});
    testbench::SessionOptions options;
    options.warmup = warmup;
    return std::make_unique<Stepper>(*target, parameters, std::move(opened.traces), options);
  }
  [[nodiscard]] const pmu::Monitor& pmu() const { return stepper->follower().monitor(); }
  [[nodiscard]] pmu::RegisterInfo find(const std::string& name) const {
    if (const auto info = pmu::find_register(pmu(), name)) return *info;
    throw testbench::UsageError("target " + std::string(target->name) + " has no register '" + name + "'" +
                                testbench::did_you_mean(name, pmu().registers(), &pmu::RegisterInfo::name));
  }
  /// Programs as run() does: from the state after a reset, therefore before the first cycle.
  void program(const std::vector<std::pair<std::string, py::int_>>& values) {
    if (programmed)
      throw testbench::UsageError("a monitor is programmed once, before its first cycle; write() writes at any time");
    testbench::Programming programming(*target, parameters);
    for (const auto& [name, value] : values)
      programming.write(name, number(name, value, pmu::find_register(pmu(), name)));
    for (const testbench::RegisterWrite& write : programming.writes()) stepper->bus().write(write.id, write.value);
    programmed = true;
  }
  /// The number as `run --write` takes it; calls of firmware have 64 bits.
  static std::uint64_t number(const std::string& name, const py::int_& value,
                              const std::optional<pmu::RegisterInfo>& info) {
    const unsigned width = info ? info->width : 64;
    const unsigned carried = testbench::carried_bits(info ? pmu::name_of(info->id.space) : "");
    const std::string text = py::cast<std::string>(py::str(py::handle(value)));
    return testbench::register_number(name, width, carried, text, "write").value;
  }
  py::object step(std::uint64_t cycles) {
    programmed = true;
    const auto entry = stepper->advance(cycles);
    if (!entry) return py::none();
    py::dict interrupt;
    interrupt["cycle"] = entry->cycle;
    interrupt["requested"] = entry->requested;
    interrupt["ip"] = entry->pc_valid ? py::object(py::int_(entry->pc)) : py::none();
    interrupt["last_ip"] = entry->last_ip;
    interrupt["cpl"] = entry->cpl;
    interrupt["thread"] = entry->thread;
    interrupt["process"] = entry->process;
    return interrupt;
  }
  [[nodiscard]] std::map<std::string, std::uint64_t> registers() const {
    std::map<std::string, std::uint64_t> values;
    for (const pmu::RegisterInfo& info : pmu().registers()) {
      const pmu::AccessResult result = stepper->bus().try_read(info.id);
      if (result.fault == pmu::Fault::none) values.emplace(info.name, result.value);
    }
    return values;
  }
  [[nodiscard]] py::list counters() const {
    py::list list;
    for (unsigned i = 0; i < pmu().counter_count(); ++i) {
      const pmu::CounterProbe probe = pmu().probe(i);
      py::dict counter;
      counter["occurrences"] = probe.occurrences;
      counter["condition"] = probe.condition;
      counter["edge_flop"] = probe.edge_flop;
      counter["value"] = probe.value;
      list.append(counter);
    }
    return list;
  }

  const models::Target* target;
  models::Parameters parameters;
  std::unique_ptr<Stepper> stepper;
  bool programmed = false;
};

}  // namespace

void add_monitor(py::module_& module) {
  py::class_<Monitor> type(module, "Monitor");
  needs_init(type);
  type.def(py::init<const std::string&, const std::vector<std::string>&, const Settings&, std::uint64_t, unsigned>(),
           py::arg("target"), py::arg("traces"), py::arg("parameters"), py::arg("warmup"), py::arg("thread"))
      .def("program_values", &Monitor::program, py::arg("values"))
      .def("advance", &Monitor::step, py::arg("cycles"))
      .def(
          "read", [](Monitor& self, const std::string& name) { return self.stepper->bus().read(self.find(name).id); },
          py::arg("name"))
      .def(
          "write",
          [](Monitor& self, const std::string& name, const py::int_& value) {
            const pmu::RegisterInfo& info = self.find(name);
            self.stepper->bus().write(info.id, Monitor::number(name, value, info));
          },
          py::arg("name"), py::arg("value"))
      .def_property_readonly("registers", &Monitor::registers)
      .def_property_readonly("counters", &Monitor::counters)
      .def_property_readonly("cycle", [](const Monitor& self) { return self.stepper->now(); })
      .def_property_readonly("ended", [](const Monitor& self) { return self.stepper->ended(); })
      .def_property_readonly("line", [](const Monitor& self) { return self.stepper->follower().line(); });
}

}  // namespace pmusim::python
