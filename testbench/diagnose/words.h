// Differences of fields in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbench/diagnose/fields.h"

namespace pmusim::testbench::diagnose {

/// What registers select; nothing for values that the encoder cannot read back.
[[nodiscard]] std::vector<encoder::Selection> selections(const std::string& target,
                                                         const std::vector<encoder::RegisterValue>& registers);
[[nodiscard]] const encoder::Selection* find(const std::vector<encoder::Selection>& selections,
                                             const std::string& counter);
/// Whether two counters, which may be off (null), count the same.
[[nodiscard]] bool same(const encoder::Selection* a, const encoder::Selection* b);

/// Event select and unit mask of a register that differ both become one difference, for they name one event together.
void join_selectors(std::vector<FieldDifference>& fields);

/// Fields that change what happens at an overflow or on a pin, or nothing at all, and no count.
[[nodiscard]] bool counts_nothing(std::string_view field, bool sampling);

/// What a field does: the selection of the event's counter with the field alone wrong, and with all of it right.
struct Effect {
  const std::string& target;
  const std::string& counter;
  const encoder::Selection* given = nullptr;
  const encoder::Selection* right = nullptr;
};
/// "PerfEvtSel0 unit mask 0x1e does not select L2_INVALID".
[[nodiscard]] std::string text_of(const Difference& difference, const Effect& effect);

}  // namespace pmusim::testbench::diagnose
