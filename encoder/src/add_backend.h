// Adds a target to those of registry.cpp, for a program that has a family of its own.
#pragma once

#include <string_view>

#include "backend.h"

namespace pmusim::encoder {

/// Call it before the first use of the encoder. `name` must outlive the program; `get` is called at first use.
void add_backend(std::string_view name, const Backend& (*get)());

}  // namespace pmusim::encoder
