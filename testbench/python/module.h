// The parts of the extension _pmusim.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/activity/activity.h"
#include "models/common/parameters.h"
#include "models/targets.h"
#include "pmusim/trace/reader.h"

namespace pmusim::python {

void add_commands(pybind11::module_& module);
void add_arrays(pybind11::module_& module);
void add_monitor(pybind11::module_& module);

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
