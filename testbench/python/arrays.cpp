// Traces and activity as NumPy arrays: each array is a view of the memory of a C++ object, which it keeps alive.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "models/activity/vocabulary.h"
#include "pmusim/trace/numbering.h"
#include "testbench/driver/activity_source.h"
#include "testbench/python/module.h"

namespace pmusim::python {
namespace {

namespace py = pybind11;
using activity::Block;

/// A read-only view that keeps its owner alive.
template <class T>
py::array_t<T> view(const std::vector<T>& column, const py::object& owner) {
  py::array_t<T> array(static_cast<py::ssize_t>(column.size()), column.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// A static instruction.
struct CodeRow {
  std::uint64_t pc;
  std::array<std::uint8_t, 16> bytes;
  std::uint8_t length;
};
/// A memory access and the line that made it.
struct AccessRow {
  std::uint64_t address;
  std::uint64_t instruction;
  std::uint16_t size;
  bool store;
  std::uint8_t slot;
};
/// Slots of an IA-64 bundle: x executed, p predicated off, - not reached.
struct MaskRow {
  std::array<char, 3> mask;
};

/// A whole trace with one column per property, and an entry for each line.
struct TraceColumns {
  std::string file, program, isa, unit;
  std::uint64_t instructions = 0;  ///< that have ended (numbering.h)
  std::vector<std::uint64_t> pc, target, first_access, number;
  std::vector<std::uint32_t> code;
  std::vector<std::uint8_t> taken;
  std::vector<MaskRow> mask;
  std::vector<CodeRow> codes;
  std::vector<AccessRow> accesses;
  std::vector<std::pair<std::uint64_t, std::string>> directives;  ///< index of the following line, and the name
};

std::unique_ptr<TraceColumns> read_trace(const std::string& file, const std::optional<std::string>& isa) {
  trace::ReadOptions options;
  if (isa) {
    options.isa = trace::isa_by_name(*isa);
    if (!options.isa)
      throw std::invalid_argument("unknown instruction set '" + *isa + "'; there are alpha, i386, ia64, ppc");
  }
  const auto reader = trace::open(file, options);
  auto columns = std::make_unique<TraceColumns>();
  columns->file = file;
  const bool bundles = reader->info().isa == trace::Isa::ia64;
  trace::Numbering numbering(reader->info().isa);
  trace::Item item;
  while (reader->next(item)) {
    if (item.directive != nullptr) {
      columns->directives.emplace_back(columns->pc.size(), item.directive->name);
      continue;
    }
    const trace::Instruction& instruction = item.instruction;
    const trace::Code& code = *instruction.code;
    if (code.id == columns->codes.size()) columns->codes.push_back({code.pc, code.bytes, code.length});
    columns->first_access.push_back(columns->accesses.size());
    for (const trace::Access& access : instruction.accesses)
      columns->accesses.push_back({access.address, columns->pc.size(), access.size, access.store, access.slot});
    columns->pc.push_back(code.pc);
    columns->number.push_back(numbering.take(instruction));
    columns->code.push_back(code.id);
    columns->taken.push_back(instruction.taken ? 1 : 0);
    columns->target.push_back(instruction.taken ? instruction.target : 0);
    if (bundles) columns->mask.push_back({instruction.mask});
  }
  columns->instructions = numbering.instructions();
  columns->program = reader->info().program;
  columns->isa = trace::name_of(reader->info().isa);
  columns->unit = trace::unit_of(reader->info().isa);
  return columns;
}

/// Activity of a core on a trace, block by block.
class ActivityRun {
 public:
  ActivityRun(const std::string& target, const std::vector<std::string>& files, const Settings& settings,
              std::uint64_t cycles, std::uint64_t warmup)
      : cycles_(cycles) {
    if (cycles == 0) throw std::invalid_argument("cycles must be at least 1");
    Opened opened(target, files, settings);
    source_ = std::make_unique<testbench::CoreSource>(
        testbench::core_of(*opened.target, opened.parameters, std::move(opened.traces)), testbench::Region{warmup},
        false);
  }
  std::shared_ptr<Block> next() {
    const Block* block = source_->next(cycles_);
    if (block == nullptr) throw py::stop_iteration();
    return std::make_shared<Block>(*block);  // the source reuses its block
  }

 private:
  std::uint64_t cycles_;
  std::unique_ptr<testbench::CoreSource> source_;
};

/// Names of signals or states in the order of their enumeration. They are the same for every target.
std::vector<std::string> names_of(const std::vector<activity::Name>& vocabulary) {
  std::vector<std::string> names;
  names.reserve(vocabulary.size());
  for (const activity::Name& name : vocabulary) names.push_back(name.name);
  return names;
}
const std::vector<std::string>& signals() {
  static const auto names = names_of(activity::signal_names(models::targets()[0].name));
  return names;
}
const std::vector<std::string>& states() {
  static const auto names = names_of(activity::state_names(models::targets()[0].name));
  return names;
}

/// The index of a name; raises KeyError for an unknown one.
std::size_t place_of(const std::vector<std::string>& names, const std::string& name, const std::string& kind) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw py::key_error("no " + kind + " '" + name + "'; pmusim." + kind + "s() lists them");
  return static_cast<std::size_t>(found - names.begin());
}
activity::Signal signal_of(const std::string& name) {
  return static_cast<activity::Signal>(place_of(signals(), name, "signal"));
}
activity::State state_of(const std::string& name) {
  return static_cast<activity::State>(place_of(states(), name, "state"));
}

template <class T>
void add_view(py::class_<TraceColumns>& type, const char* name, std::vector<T> TraceColumns::*column) {
  type.def_property_readonly(
      name, [column](const py::object& self) { return view(self.cast<const TraceColumns&>().*column, self); });
}

void add_trace(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(CodeRow, pc, bytes, length);
  PYBIND11_NUMPY_DTYPE(AccessRow, address, instruction, size, store, slot);
  PYBIND11_NUMPY_DTYPE(MaskRow, mask);
  py::class_<TraceColumns> type(module, "Trace");
  needs_init(type);
  type.def(py::init(&read_trace), py::arg("file"), py::arg("isa") = py::none())
      .def_readonly("file", &TraceColumns::file)
      .def_readonly("program", &TraceColumns::program)
      .def_readonly("isa", &TraceColumns::isa)
      .def_readonly("unit", &TraceColumns::unit)
      .def_readonly("instructions", &TraceColumns::instructions)
      .def_readonly("directives", &TraceColumns::directives)
      .def_property_readonly(
          "taken",
          [](const py::object& self) { return view(self.cast<const TraceColumns&>().taken, self).attr("view")("?"); })
      .def_property_readonly("mask",
                             [](const py::object& self) -> py::object {
                               const auto& columns = self.cast<const TraceColumns&>();
                               if (columns.mask.empty()) return py::none();
                               return view(columns.mask, self).attr("__getitem__")("mask");
                             })
      .def("__len__", [](const TraceColumns& columns) { return columns.pc.size(); });
  add_view(type, "pc", &TraceColumns::pc);
  add_view(type, "number", &TraceColumns::number);
  add_view(type, "target", &TraceColumns::target);
  add_view(type, "code", &TraceColumns::code);
  add_view(type, "first_access", &TraceColumns::first_access);
  add_view(type, "codes", &TraceColumns::codes);
  add_view(type, "accesses", &TraceColumns::accesses);
}

void add_blocks(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(activity::Occurrence, at, ref, amount, detail);
  PYBIND11_NUMPY_DTYPE(activity::Change, at, value);
  PYBIND11_NUMPY_DTYPE(activity::InstructionRecord, id, ip, next_ip, encoding, tagged, traits, length, operations, unit,
                       thread, slot, wrong_path, predicted_taken, taken, mispredicted, conditional_success);
  PYBIND11_NUMPY_DTYPE(activity::RequestRecord, id, address, instruction, ip, start, end, size, thread, has_instruction,
                       store, oldest_in_queue, crosses_word, crosses_octet, multiple_or_string, wrong_path, cpl, mode,
                       fill_lag);
  py::class_<Block, std::shared_ptr<Block>> type(module, "Block");
  needs_init(type);
  type.def_readonly("begin", &Block::begin)
      .def_readonly("end", &Block::end)
      .def("__getitem__",
           [](const py::object& self, const std::string& name) {
             return view(self.cast<const Block&>().column(signal_of(name)), self);
           })
      .def("signals",
           [](const Block& block) {
             std::vector<std::string> names;
             for (std::size_t i = 0; i < activity::signal_count; ++i) {
               if (!block.columns[i].empty()) names.push_back(signals()[i]);
             }
             return names;
           })
      .def("initial", [](const Block& block, const std::string& state) { return block.state(state_of(state)).initial; })
      .def("changes",
           [](const py::object& self, const std::string& state) {
             return view(self.cast<const Block&>().state(state_of(state)).changes, self);
           })
      .def_property_readonly("instructions",
                             [](const py::object& self) { return view(self.cast<const Block&>().instructions, self); })
      .def_property_readonly("requests",
                             [](const py::object& self) { return view(self.cast<const Block&>().requests, self); });
  py::class_<ActivityRun> run(module, "Activity");
  needs_init(run);
  run.def(
         py::init<const std::string&, const std::vector<std::string>&, const Settings&, std::uint64_t, std::uint64_t>(),
         py::arg("target"), py::arg("traces"), py::arg("parameters"), py::arg("cycles"), py::arg("warmup"))
      .def("__iter__", [](ActivityRun& run) -> ActivityRun& { return run; })
      .def("__next__", &ActivityRun::next);
  module.def("signals", signals);
  module.def("states", states);
}

}  // namespace

void add_arrays(py::module_& module) {
  add_trace(module);
  add_blocks(module);
}

}  // namespace pmusim::python
