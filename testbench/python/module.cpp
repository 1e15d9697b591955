// The extension _pmusim: its errors, and calls of the subcommands, whose output is returned as text. The package around
// it defines the names and types of its functions.
#include "testbench/python/module.h"

#include <pybind11/stl.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "testbench/cli/command.h"
#include "testbench/cli/session_options.h"
#include "testbench/faults/encoder_trials.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/store/data_folder.h"
#include "testbench/support/arguments.h"
#include "testbench/support/output.h"
#include "testbench/support/version.h"
#include "testbench/support/words.h"
#include "testbench/sweep/jobs.h"
#include "testbench/sweep/protocol.h"

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

namespace {

using testbench::Json;

/// Redirects standard output and error of C++ to strings during its lifetime.
class Captured {
 public:
  Captured() : output_(std::cout.rdbuf(out.rdbuf())), errors_(std::cerr.rdbuf(err.rdbuf())) {}
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  ~Captured() {
    std::cout.rdbuf(output_);
    std::cerr.rdbuf(errors_);
  }
  std::ostringstream out, err;

 private:
  std::streambuf *output_, *errors_;
};

/// Exit code, standard output and standard error.
using Outcome = std::tuple<int, std::string, std::string>;

/// Ctrl-C ends a running call. Holds the interpreter's lock during the check.
void check_signals() {
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// Runs a command in a child process: SystemC allows one simulation per process, and a crash only affects this call.
Outcome command(const std::vector<std::string>& arguments) {
  const auto work = [&](std::size_t) {
    const Captured captured;
    Json result = Json::object();
    try {
      result["code"] = testbench::dispatch(arguments);
    } catch (const std::exception& error) {
      result["error"] = error.what();
    }
    result["out"] = captured.out.str();
    result["err"] = captured.err.str();
    return testbench::line_of(result);
  };
  Json result;
  {
    const py::gil_scoped_release unlocked;
    testbench::signal_hook() = check_signals;
    const auto name = [&](std::size_t) { return "pmusim " + (arguments.empty() ? "" : arguments[0]); };
    testbench::run_jobs({1, work, name}, 1, [&](std::size_t, const std::string& line) { result = Json::parse(line); });
  }
  if (result.contains("error")) throw testbench::UsageError(result["error"].get<std::string>());
  return {result["code"], result["out"], result["err"]};
}

/// Runs a command in this process: for subcommands without a simulation.
Outcome quick_command(const std::vector<std::string>& arguments) {
  const Captured captured;
  const int code = testbench::dispatch(arguments);
  return {code, captured.out.str(), captured.err.str()};
}

/// An encoder in Python: a function from the request's JSON to the answer's.
class PythonEncoder final : public testbench::EncoderUnderTest {
 public:
  explicit PythonEncoder(py::function ask) : ask_(std::move(ask)) {}
  testbench::Answer encode(const std::string& target, const testbench::Group& group) override {
    const std::uint64_t id = ++last_id_;
    const py::object line = ask_(testbench::request_of(id, target, group).dump());
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return testbench::parse_usable_answer(line.cast<std::string>(), id, target, group.checks.size());
  }

 private:
  py::function ask_;
  std::uint64_t last_id_ = 0;
};

/// The encoder is called in this process; traces run in child processes, which never enter Python.
Outcome validate(const py::function& ask, const std::vector<std::string>& arguments) {
  PythonEncoder encoder(ask);
  const Captured captured;
  testbench::signal_hook() = check_signals;
  const int code = testbench::run_validate(arguments, encoder);
  return {code, captured.out.str(), captured.err.str()};
}

/// The answer of this project's encoder to a line of the protocol.
std::string own_answer(const std::string& request) {
  std::istringstream in(request + '\n');
  std::ostringstream out;
  testbench::faults::serve(in, out, nullptr);
  return out.str();
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const testbench::Command& command : testbench::commands()) names.emplace_back(command.name);
  return names;
}

}  // namespace

void add_commands(py::module_& module) {
  module.def("command", command, py::arg("arguments"));
  module.def("quick_command", quick_command, py::arg("arguments"));
  module.def("own_answer", own_answer, py::arg("request"));
  module.def("command_names", command_names);
  module.def("data_folder", [] { return testbench::data_folder().string(); });
  module.def("validate", validate, py::arg("ask"), py::arg("arguments"));
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
