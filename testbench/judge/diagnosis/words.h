// Finds the fields in which registers differ, and describes the differences in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbench/judge/diagnosis/diagnose.h"

namespace pmusim::testbench::diagnose {

// The fields in which two values of a register differ, under the names of `pmusim decode`.

/// A difference and its bits in the register.
struct FieldDifference {
  Difference difference;
  std::uint64_t mask = 0;
};

/// From the top of the register down. Bits in `ignored` are not compared. Bits without a field are one difference whose
/// field is "bits".
[[nodiscard]] std::vector<FieldDifference> differing_fields(const std::string& target,
                                                            const encoder::RegisterValue& given,
                                                            const encoder::RegisterValue& right,
                                                            std::uint64_t ignored = 0);

/// The selections of registers; empty if the encoder cannot decode the values.
[[nodiscard]] std::vector<encoder::Selection> selections(const std::string& target,
                                                         const std::vector<encoder::RegisterValue>& registers);
[[nodiscard]] const encoder::Selection* find(const std::vector<encoder::Selection>& selections,
                                             const std::string& counter);
/// True if two counters count the same; null means a counter that is off.
[[nodiscard]] bool same(const encoder::Selection* a, const encoder::Selection* b);

/// The words in one text: "a, b and c".
[[nodiscard]] std::string join(const std::vector<std::string>& words, std::string_view last = " and ");

/// Merges differences of event select and unit mask of one register, because together they select one event.
void join_selectors(std::vector<FieldDifference>& fields);

/// Fields without effect on counts: they affect overflows, pins, or nothing.
[[nodiscard]] bool counts_nothing(std::string_view field, bool sampling);

/// The effect of a field: the selection of the event's counter with only this field wrong, and with all fields right.
struct Effect {
  const std::string& target;
  const std::string& counter;
  const encoder::Selection* given = nullptr;
  const encoder::Selection* right = nullptr;
};
/// "PerfEvtSel0 unit mask 0x1e does not select L2_INVALID".
[[nodiscard]] std::string text_of(const Difference& difference, const Effect& effect);

}  // namespace pmusim::testbench::diagnose
