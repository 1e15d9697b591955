#include "testbench/support/message.h"

#include <new>

namespace pmusim::testbench {

std::string message_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return error.what();
  return "there is not enough memory; free some or raise the limit (ulimit -v)";
}

}  // namespace pmusim::testbench
