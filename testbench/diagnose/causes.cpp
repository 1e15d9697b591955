#include "testbench/diagnose/causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <vector>

namespace pmusim::testbench::diagnose {
namespace {

/// Registers of one kind share a name: PerfEvtSel0 and PerfEvtSel3 become PerfEvtSel.
std::string kind_of(const std::string& reg) {
  std::string kind = reg;
  while (!kind.empty() && std::isdigit(static_cast<unsigned char>(kind.back())) != 0) kind.pop_back();
  return kind.empty() || kind == "MMCR" ? reg : kind;
}

/// The difference under a name of its register.
std::string words_of(const Difference& difference, const std::string& reg) {
  if (difference.kind == Kind::not_written) return reg + " is not written";
  if (difference.kind == Kind::not_asked) return reg + " is written without need";
  if (difference.field.empty()) return reg + " differs";
  const std::string field = reg + ' ' + difference.field;
  const std::uint64_t lost = difference.right & ~difference.given, added = difference.given & ~difference.right;
  if (difference.given == 0 && std::has_single_bit(difference.right)) return field + " is not set";
  if (difference.right == 0 && std::has_single_bit(difference.given)) return field + " is set";
  if (difference.given == 0) return field + " is 0";
  if (added == 0) return field + " lacks bits";
  if (lost == 0) return field + " has bits too many";
  return field + " is wrong";
}

/// The problem without numbers and without the text after a colon.
std::string kind_of_problem(const std::string& problem) {
  std::string kind;
  for (const char c : problem.substr(0, problem.find(':'))) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit)
      kind += c;
    else if (kind.empty() || kind.back() != 'N')
      kind += 'N';
  }
  return kind;
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
  if (list.size() == 2 && exchanged(list[0], list[1])) {
    const auto [first, second] = std::minmax(list[0].field, list[1].field);
    return fmt::format("{} and {} exchanged", first, second);
  }
  std::vector<std::string> words;
  words.reserve(list.size());
  for (const Difference& difference : list) {
    const std::string kind = kind_of(difference.reg);
    // "PerfEvtSel0 EN is not set; PerfEvtSel1 EN is set": only with their numbers the two make sense.
    const bool contradicted = std::any_of(list.begin(), list.end(), [&](const Difference& other) {
      return kind_of(other.reg) == kind && other.field == difference.field &&
             words_of(other, kind) != words_of(difference, kind);
    });
    words.push_back(words_of(difference, contradicted ? difference.reg : kind));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace pmusim::testbench::diagnose
