// The extension _pmusim. The package around it defines the names and types of its functions.
#include "testbench/python/module.h"

#include <cstdlib>

#include "testbench/cli/session_options.h"
#include "testbench/support/arguments.h"
#include "testbench/support/version.h"
#include "testbench/support/words.h"

namespace pmusim::python {
namespace {

namespace py = pybind11;

/// The exception pmusim.Error. It is never released, because a module is never unloaded.
PyObject* error_type = nullptr;

/// Converts C++ exceptions to pmusim.Error with the command's one-line message. Python's own exceptions pass.
void translate(std::exception_ptr pointer) {
  try {
    std::rethrow_exception(pointer);
  } catch (const py::error_already_set&) {
    throw;
  } catch (const py::builtin_exception&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    PyErr_SetString(error_type, testbench::printable(error.what()).c_str());
  }
}

}  // namespace

Opened::Opened(const std::string& target_name, const std::vector<std::string>& files, const Settings& settings) {
  testbench::check_target(target_name);
  testbench::SessionSetup setup;
  setup.target = target = models::find_target(target_name);
  parameters = target->parameters();
  for (const auto& [name, value] : settings) parameters.set(name, std::string_view(value));
  testbench::check_traces(*target, files);
  setup.traces = files;
  traces = testbench::open_traces(setup);
}

}  // namespace pmusim::python

PYBIND11_MODULE(_pmusim, module) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);  // SystemC would print a banner into every output
  pmusim::python::error_type = PyErr_NewExceptionWithDoc(
      "pmusim.Error", "What the command says in one line, and ends with exit code 2.", PyExc_ValueError, nullptr);
  module.add_object("Error", pybind11::handle(pmusim::python::error_type));
  pybind11::register_local_exception_translator(pmusim::python::translate);
  module.attr("__version__") = pmusim::testbench::version;
  pmusim::python::add_commands(module);
  pmusim::python::add_arrays(module);
  pmusim::python::add_monitor(module);
}
