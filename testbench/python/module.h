// The parts of the extension _pmusim.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "models/targets.h"
#include "pmusim/trace/reader.h"

namespace pmusim::python {

void add_commands(pybind11::module_& module);
void add_arrays(pybind11::module_& module);
void add_monitor(pybind11::module_& module);

/// Objects of the type that __new__ made without __init__ raise TypeError when they are used. pybind11 would give them
/// memory without contents.
template <class T, class... Options>
void needs_init(const pybind11::class_<T, Options...>& type) {
  pybind11::detail::get_type_info(reinterpret_cast<PyTypeObject*>(type.ptr()))->operator_new =
      [](std::size_t) -> void* {
    throw pybind11::type_error("the object was made by __new__ alone; expected a call of its class");
  };
}

/// Parameters of a target by name, with values as on the command line.
using Settings = std::map<std::string, std::string>;

/// A target, its parameters and its opened traces. Throws as the command does.
struct Opened {
  Opened(const std::string& target_name, const std::vector<std::string>& files, const Settings& settings);
  const models::Target* target;
  models::Parameters parameters;
  std::vector<std::unique_ptr<trace::Reader>> traces;
};

}  // namespace pmusim::python
