#include "testbench/support/message.h"

#include <new>

namespace pmusim::testbench {

std::string message_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return error.what();
  return "there is not enough memory; more of it, or a higher limit (ulimit -v), is right";
}

}  // namespace pmusim::testbench
