// Copies values from and to a program's memory.
#pragma once

#include <cerrno>
#include <cstring>
#include <optional>
#include <span>

#include "testbench/pfm/device.h"

namespace pmusim::testbench::pfm {

template <class T>
std::optional<T> Device::value(const Call& call) {
  T result;
  const auto bytes = std::as_writable_bytes(std::span(&result, 1));
  if (!call.process.memory.holds(call.argument, bytes.size())) return {};
  std::memcpy(bytes.data(), call.argument, bytes.size());
  return result;
}

template <class T>
int Device::give(const Call& call, void* place, const T& what) {
  if (!call.process.memory.holds(place, sizeof(T))) return -EFAULT;
  std::memcpy(place, &what, sizeof(T));
  return 0;
}

}  // namespace pmusim::testbench::pfm
