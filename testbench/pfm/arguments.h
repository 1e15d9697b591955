// How values come from a program's memory and go there.
#pragma once

#include <cerrno>
#include <cstring>

#include "testbench/pfm/device.h"

namespace pmusim::testbench::pfm {

template <class T>
std::optional<T> Device::value(const Call& call) {
  if (!call.process.memory.holds(call.argument, sizeof(T))) return {};
  T result;
  std::memcpy(&result, call.argument, sizeof(T));
  return result;
}

template <class T>
int Device::give(const Call& call, void* place, const T& what) {
  if (!call.process.memory.holds(place, sizeof(T))) return -EFAULT;
  std::memcpy(place, &what, sizeof(T));
  return 0;
}

}  // namespace pmusim::testbench::pfm
