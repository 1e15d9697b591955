// Runs of an IA-64 core that the list models follow.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "models/core/core.h"

namespace pmusim::testbench::ia64::lists {

/// A core and how to make it.
struct Processor {
  bool split = false;  ///< L2 is two caches
  models::Parameters parameters;
  std::function<std::unique_ptr<core::Core>(std::unique_ptr<trace::Reader>, const models::Parameters&)> make;
};
[[nodiscard]] Processor itanium2();
[[nodiscard]] Processor montecito();
/// Of a test's parameter.
[[nodiscard]] inline std::string core_name(const testing::TestParamInfo<Processor (*)()>& core) {
  return core.param == itanium2 ? "itanium2" : "montecito";
}
/// The same with caches, TLBs, predictor and return stack so small that everything leaves them.
[[nodiscard]] Processor small(Processor processor);

using Source = std::function<std::unique_ptr<trace::Reader>()>;

struct Compared {
  std::uint64_t requests = 0, branches = 0, outside = 0, differences = 0;
};
/// Runs a trace and compares request by request and branch by branch. At a regular distance in bundles, unless it is 0,
/// another agent reads, writes or takes a line that the program has used.
Compared compare(const Processor& processor, const Source& source, unsigned disturb_every = 0, unsigned seed = 0);

/// A trace of loads, stores, semaphores, flushes and branches of all kinds.
[[nodiscard]] Source random_trace(unsigned seed, unsigned bundles, std::uint64_t bytes);

}  // namespace pmusim::testbench::ia64::lists
