// Adds a target to those of models/targets.cpp, for a program that has a family of its own.
#pragma once

#include "models/targets.h"

namespace pmusim::models {

/// Call it before the first use of targets(). The target comes last.
void add_target(const Target& target);

}  // namespace pmusim::models
