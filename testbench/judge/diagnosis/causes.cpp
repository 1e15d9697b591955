#include "testbench/judge/diagnosis/causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/support/words.h"

namespace pmusim::testbench::diagnose {
namespace {

/// Registers of one kind share a name: PerfEvtSel0 and PerfEvtSel3 become PerfEvtSel.
std::string kind_of(const std::string& reg) {
  std::string kind = reg;
  while (!kind.empty() && std::isdigit(static_cast<unsigned char>(kind.back())) != 0) kind.pop_back();
  return kind.empty() || kind == "MMCR" ? reg : kind;
}

/// True for a field that is a number, not a set of bits.
bool is_number(const std::string& field) {
  constexpr std::array<std::string_view, 3> numbers{"CNT_MASK", "THRESHOLD", "threshold"};
  return std::find(numbers.begin(), numbers.end(), field) != numbers.end();
}

/// The difference under a name of its register.
std::string words_of(const Difference& difference, const std::string& reg) {
  if (difference.kind == Kind::not_written) return difference.reg + " is not written";
  if (difference.kind == Kind::not_asked) return reg + " is written without need";
  if (difference.field.empty()) return reg + " differs";
  const std::string field = reg + ' ' + difference.field;
  if (is_number(difference.field)) {
    const bool low = difference.given < difference.right;
    const std::uint64_t apart = low ? difference.right - difference.given : difference.given - difference.right;
    return fmt::format("{} is {} {}", field, apart == 1 ? "one too" : "too", low ? "low" : "high");
  }
  constexpr std::uint64_t user_and_kernel = 9;
  if (difference.field == "plm" && ((difference.given ^ difference.right) & user_and_kernel) == user_and_kernel)
    return field + " is exchanged or inverted";
  const std::uint64_t lost = difference.right & ~difference.given, added = difference.given & ~difference.right;
  if (difference.given == 0 && std::has_single_bit(difference.right)) return field + " is not set";
  if (difference.right == 0 && std::has_single_bit(difference.given)) return field + " is set";
  if (difference.given == 0) return field + " is 0";
  if (added == 0) return field + " lacks bits";
  if (lost == 0) return field + " has bits too many";
  return field + " is wrong";
}

/// The problem with N for each number, decimal or hexadecimal, and without the text after a colon.
std::string kind_of_problem(const std::string& problem) {
  std::string kind;
  const std::string text = problem.substr(0, problem.find(':'));
  const auto is = [&](std::size_t i, auto test) {
    return i < text.size() && test(static_cast<unsigned char>(text[i])) != 0;
  };
  for (std::size_t i = 0; i < text.size();) {
    if (!is(i, isdigit)) {
      kind += text[i++];
      continue;
    }
    const bool hexadecimal = text.compare(i, 2, "0x") == 0;
    if (hexadecimal) i += 2;
    while (is(i, hexadecimal ? isxdigit : isdigit)) ++i;
    kind += 'N';
  }
  return kind;
}

/// Between the differences of a cause.
constexpr std::string_view separator = "; ";

/// True if the fields are the two privilege levels of one register and both are wrong. One answer does not tell whether
/// they are exchanged or inverted.
bool levels_inverted(const Difference& a, const Difference& b) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> levels{{{"OS", "USR"}, {"DP", "DU"}}};
  const auto [first, second] = std::minmax(a.field, b.field);
  return a.reg == b.reg && std::find(levels.begin(), levels.end(),
                                     std::pair<std::string_view, std::string_view>(first, second)) != levels.end();
}

/// True if the fields are two flags of which the wrong one is set.
bool exchanged(const Difference& a, const Difference& b) {
  return a.reg == b.reg && a.bits.find(':') == std::string::npos && b.bits.find(':') == std::string::npos &&
         a.given != a.right && b.given != b.right && a.given == b.right && b.given == a.right;
}

}  // namespace

std::string cause_of(const Diagnosis& diagnosis, const std::string& problem) {
  const auto& list = diagnosis.differences;
  if (list.empty()) return problem.empty() ? "the registers are right, and the count is not" : kind_of_problem(problem);
  if (list.size() == 2 && levels_inverted(list[0], list[1])) {
    const auto [first, second] = std::minmax(list[0].field, list[1].field);
    return fmt::format("{} and {} exchanged or inverted", first, second);
  }
  if (list.size() == 2 && exchanged(list[0], list[1])) {
    const auto [first, second] = std::minmax(list[0].field, list[1].field);
    return fmt::format("{} and {} exchanged", first, second);
  }
  std::vector<std::string> words;
  words.reserve(list.size());
  for (const Difference& difference : list) {
    const std::string kind = kind_of(difference.reg);
    // The register numbers are kept in "PerfEvtSel0 EN is not set; PerfEvtSel1 EN is set": without them the two
    // statements would contradict each other.
    const bool contradicted = std::any_of(list.begin(), list.end(), [&](const Difference& other) {
      return kind_of(other.reg) == kind && other.field == difference.field &&
             words_of(other, kind) != words_of(difference, kind);
    });
    words.push_back(words_of(difference, contradicted ? difference.reg : kind));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return fmt::format("{}", fmt::join(words, separator));
}

std::map<std::string, std::string> simplest_causes(const std::map<std::string, std::uint64_t>& causes) {
  std::vector<std::vector<std::string_view>> combined;
  std::map<std::string, std::uint64_t> alone;
  for (const auto& [cause, count] : causes) {
    std::vector<std::string_view> parts = split(cause, separator);
    if (parts.size() == 1)
      alone[cause] = count;
    else
      combined.push_back(std::move(parts));
  }
  std::stable_sort(combined.begin(), combined.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::map<std::string, std::string> simplest;
  for (const std::vector<std::string_view>& parts : combined) {
    std::vector<std::string> rest;
    std::string most;  // the most frequent part that is a cause by itself
    for (const std::string_view text : parts) {
      const std::string part(text);
      if (!alone.contains(part))
        rest.push_back(part);
      else if (most.empty() || alone[part] > alone[most])
        most = part;
    }
    if (!rest.empty()) most = fmt::format("{}", fmt::join(rest, separator));
    if (rest.size() == 1) alone.try_emplace(most, 0);
    simplest.emplace(fmt::format("{}", fmt::join(parts, separator)), most);
  }
  return simplest;
}

}  // namespace pmusim::testbench::diagnose
