// The laboratory's sessions run without SystemC.
#include <stdexcept>

#include "testbench/driver/engine.h"

namespace pmusim::testbench {

std::unique_ptr<TimeKeeper> make_systemc(std::vector<EngineMonitor>, const SessionOptions&, Cycle) {
  throw std::logic_error("this build has no SystemC; sessions run with Engine::direct");
}

}  // namespace pmusim::testbench
