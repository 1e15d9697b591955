// Copies values from and to a program's memory.
#pragma once

#include <cerrno>
#include <optional>

#include "testbench/pfm/device.h"

namespace pmusim::testbench::pfm {

template <class T>
std::optional<T> Device::value(const Call& call) {
  T result;
  if (!call.process.memory.copy_in(&result, call.argument, sizeof(T))) return {};
  return result;
}

template <class T>
int Device::give(const Call& call, void* place, const T& what) {
  return call.process.memory.copy_out(place, &what, sizeof(T)) ? 0 : -EFAULT;
}

}  // namespace pmusim::testbench::pfm
