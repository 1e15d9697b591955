// Parts of measurements on any Alpha.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "measures.h"
#include "programs.h"

namespace pmusim::timing::alpha {

inline constexpr unsigned kilobyte = 1024, page_bytes = 8 * kilobyte;

[[nodiscard]] inline Line load(const std::string& word, const std::string& place) {
  return {word, "L " + place + " 8"};
}
[[nodiscard]] inline Line store(const std::string& word, const std::string& place) {
  return {word, "S " + place + " 8"};
}
/// One instruction for each destination register from `first` on.
[[nodiscard]] Lines lines(unsigned first, unsigned count, const std::function<std::string(unsigned c)>& word);

[[nodiscard]] Programs programs_of(std::string_view target);

/// Nested calls and their returns: the largest depth at which all returns are predicted.
[[nodiscard]] Clocks return_stack(const Programs& chip);

}  // namespace pmusim::timing::alpha

namespace pmusim::timing {

/// Measurements of the loops that have a reference for the target.
[[nodiscard]] Measures alpha_loops(std::string_view target);

}  // namespace pmusim::timing
