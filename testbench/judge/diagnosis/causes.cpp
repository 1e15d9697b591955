#include "testbench/judge/diagnosis/causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/support/words.h"

namespace pmusim::testbench::diagnose {
namespace {

/// True for a field that is a number, not a set of bits.
bool is_number(const std::string& field) {
  constexpr std::array<std::string_view, 3> numbers{"CNT_MASK", "THRESHOLD", "threshold"};
  return std::find(numbers.begin(), numbers.end(), field) != numbers.end();
}

/// What is wrong with a field of bits.
namespace of_bits {
constexpr std::string_view zero = " is 0", lost = " lacks bits", added = " has bits too many", wrong = " is wrong",
                           unset = " is not set", set = " is set";
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
  const auto is = [&](std::string_view what) { return field + std::string(what); };
  if (difference.given == 0 && std::has_single_bit(difference.right)) return is(of_bits::unset);
  if (difference.right == 0 && std::has_single_bit(difference.given)) return is(of_bits::set);
  if (difference.given == 0) return is(of_bits::zero);
  if (added == 0) return is(of_bits::lost);
  return is(lost == 0 ? of_bits::added : of_bits::wrong);
}

/// The problem without the text after a colon, without the numbers of registers (PerfCtr0), and with N for each other
/// number, decimal or hexadecimal.
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
    const bool of_name = i > 0 && is(i - 1, isalpha);
    const bool hexadecimal = text.compare(i, 2, "0x") == 0;
    if (hexadecimal) i += 2;
    while (is(i, hexadecimal ? isxdigit : isdigit)) ++i;
    if (!of_name) kind += 'N';
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

std::string kind_of(const std::string& reg) {
  std::string kind = reg;
  while (!kind.empty() && std::isdigit(static_cast<unsigned char>(kind.back())) != 0) kind.pop_back();
  return kind.empty() || kind == "MMCR" ? reg : kind;
}

std::string cause_of(const Diagnosis& diagnosis, const std::string& problem) {
  const auto& list = diagnosis.differences;
  if (!diagnosis.cause.empty()) return diagnosis.cause;
  if (list.empty()) {
    const bool of_a_count = problem.empty() || problem.starts_with("on the way ");
    return of_a_count ? "the registers are right, and the count is not" : kind_of_problem(problem);
  }
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

namespace {

/// A difference split at its verdict: "PerfEvtSel UNIT_MASK", " lacks bits".
struct Judged {
  std::string_view field, verdict;
};
Judged judged(std::string_view words) {
  for (const std::string_view verdict :
       {of_bits::zero, of_bits::lost, of_bits::added, of_bits::wrong, of_bits::unset, of_bits::set}) {
    if (words.ends_with(verdict)) return {words.substr(0, words.size() - verdict.size()), verdict};
  }
  return {words, {}};
}

/// A field without the number of its register: PerfEvtSel2 UNIT_MASK becomes PerfEvtSel UNIT_MASK.
std::string kind_of_field(std::string_view field) {
  const std::size_t end = std::min(field.find(' '), field.size());
  return kind_of(std::string(field.substr(0, end))) + std::string(field.substr(end));
}

/// One mistake in a field of several bits makes values that lack bits, or have too many, from row to row: such a field
/// is wrong. Gives each cause with the differences of these fields in one way of words.
std::map<std::string, std::string> with_one_verdict(const std::map<std::string, std::uint64_t>& causes) {
  std::map<std::string, std::set<std::string_view>> verdicts;
  for (const auto& [cause, count] : causes) {
    for (const std::string_view part : split(cause, separator))
      verdicts[kind_of_field(judged(part).field)].insert(judged(part).verdict);
  }
  const auto is_wrong = [&](const std::string& field) {
    const auto& all = verdicts.at(field);
    const bool is_flag = !all.contains(of_bits::zero) && !all.contains(of_bits::lost) &&
                         !all.contains(of_bits::added) && !all.contains(of_bits::wrong);
    return all.size() > 1 && !is_flag;
  };
  std::map<std::string, std::string> result;
  for (const auto& [cause, count] : causes) {
    std::set<std::string> parts;
    for (const std::string_view part : split(cause, separator)) {
      const std::string field = kind_of_field(judged(part).field);
      parts.insert(is_wrong(field) ? fmt::format("{}{}", field, of_bits::wrong) : std::string(part));
    }
    result.emplace(cause, fmt::format("{}", fmt::join(parts, separator)));
  }
  return result;
}

/// Removes from a cause of several differences those that are causes on their own.
std::map<std::string, std::string> without_others(const std::map<std::string, std::uint64_t>& causes) {
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

/// A start value is zero by chance, too: one too high for a period of 1, or without its high bits. Such a cause joins
/// the most frequent one about start values of that kind. Gives the other name of each cause that has one.
std::map<std::string, std::string> zeros_by_chance(const std::map<std::string, std::uint64_t>& causes) {
  constexpr std::string_view start = "the start value of ";
  std::map<std::string, std::string> joined;
  for (const auto& [zero, count] : causes) {
    if (!zero.starts_with(start) || !zero.ends_with(" is zero")) continue;
    const std::string prefix = zero.substr(0, zero.find(' ', start.size()) + 1);
    std::uint64_t most = count;
    for (const auto& [other, more] : causes) {
      if (!other.starts_with(prefix) || more <= most) continue;
      most = more;
      joined[zero] = other;
    }
  }
  return joined;
}

}  // namespace

std::map<std::string, std::string> simplest_causes(const std::map<std::string, std::uint64_t>& causes) {
  std::map<std::string, std::string> simplest = with_one_verdict(causes);
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [cause, words] : simplest) counts[words] += causes.at(cause);
  for (const auto& other_words : {zeros_by_chance(counts), without_others(counts)}) {
    for (auto& [cause, words] : simplest) {
      const auto found = other_words.find(words);
      if (found != other_words.end()) words = found->second;
    }
  }
  return simplest;
}

}  // namespace pmusim::testbench::diagnose
