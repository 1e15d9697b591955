// Facts about targets of a program that has a family of its own, besides those of targets.def.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace pmusim::testbench {

/// One kind of facts, by target. Add them before the first use.
template <class Facts>
std::map<std::string, const Facts*, std::less<>>& added_facts() {
  static std::map<std::string, const Facts*, std::less<>> by_target;
  return by_target;
}

}  // namespace pmusim::testbench
