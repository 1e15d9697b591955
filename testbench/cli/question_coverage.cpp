#include "testbench/cli/question_coverage.h"

#include <fmt/format.h>

#include <bit>
#include <ostream>

#include "testbench/mutate/equivalence.h"
#include "testbench/questions/fields.h"

namespace pmusim::testbench {
namespace {

void add_missing(const std::string& reg, const mutate::Field& field, std::uint64_t bits, const char* value,
                 std::vector<std::string>& missing) {
  for (unsigned bit = field.low; bit < field.low + field.width; ++bit) {
    if ((bits >> bit & 1) != 0) missing.push_back(fmt::format("{} {}: bit {} never {}", reg, field.name, bit, value));
  }
}

}  // namespace

QuestionCoverage question_coverage(const TargetVerdict& verdict) {
  QuestionCoverage coverage;
  const auto registers = encoder::registers(verdict.target);
  if (!registers) return coverage;
  for (const encoder::RegisterValue& reg : *registers) {
    const auto found = verdict.wanted.find(reg.name);
    if (found == verdict.wanted.end()) continue;
    const std::uint64_t all = reg.width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << reg.width) - 1;
    const std::uint64_t live = all & ~mutate::reserved_bits(verdict.target, reg.name);
    coverage.live += static_cast<unsigned>(std::popcount(live));
    coverage.both += static_cast<unsigned>(std::popcount(live & found->second.ones & found->second.zeros));
    for (const mutate::Field& field : mutate::fields_of(verdict.target, reg.name, reg.width)) {
      add_missing(reg.name, field, live & ~found->second.ones, "1", coverage.missing);
      add_missing(reg.name, field, live & ~found->second.zeros, "0", coverage.missing);
    }
  }
  return coverage;
}

Json to_json(const QuestionCoverage& coverage) {
  return {{"live_bits", coverage.live}, {"wanted_bits", coverage.both}, {"missing", coverage.missing}};
}

void print_question_coverage(std::ostream& out, const std::vector<TargetVerdict>& verdicts, bool verbose) {
  for (const TargetVerdict& verdict : verdicts) {
    const QuestionCoverage coverage = question_coverage(verdict);
    if (coverage.live == 0) continue;
    out << fmt::format(
        "\nquestion coverage: {}: {} of {} live bits of the control registers are wanted as 0 and as 1{}\n",
        verdict.target, coverage.both, coverage.live,
        coverage.missing.empty() || verbose ? "" : "; --verbose names the others");
    if (!verbose) continue;
    for (const std::string& bit : coverage.missing) out << "  " << bit << '\n';
  }
}

}  // namespace pmusim::testbench
