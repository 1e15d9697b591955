// The text of an error for the user.
#pragma once

#include <exception>
#include <string>

namespace pmusim::testbench {

/// what(), or a sentence for a failed allocation.
[[nodiscard]] std::string message_of(const std::exception& error);

}  // namespace pmusim::testbench
