// What an error says to people.
#pragma once

#include <exception>
#include <string>

namespace pmusim::testbench {

/// what(), and of an allocation that failed a sentence.
[[nodiscard]] std::string message_of(const std::exception& error);

}  // namespace pmusim::testbench
