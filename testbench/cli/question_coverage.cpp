#include "testbench/cli/question_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ostream>

#include "testbench/cli/command_facts.h"
#include "testbench/mutate/equivalence.h"
#include "testbench/questions/fields.h"

namespace pmusim::testbench {
namespace {

void add_missing(const std::string& target, const std::string& reg, const questions::Field& field, std::uint64_t bits,
                 std::string_view value, QuestionCoverage& coverage) {
  const CommandFacts* const facts = find_command_facts(target);
  const std::span<const NeverAsked> excuses = facts == nullptr ? std::span<const NeverAsked>() : facts->never_asked;
  const auto excuse = std::find_if(excuses.begin(), excuses.end(), [&](const NeverAsked& e) {
    return reg.starts_with(e.reg) && (e.field.empty() || e.field == field.name) &&
           (e.never.empty() || e.never == value);
  });
  for (unsigned bit = field.low; bit < field.low + field.width; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    std::string text = fmt::format("{} {}: bit {} never {}", reg, field.name, bit, value);
    if (excuse == excuses.end()) {
      coverage.missing.push_back(std::move(text));
    } else {
      coverage.excused.push_back(fmt::format("{}: {}", text, excuse->why));
    }
  }
}

}  // namespace

QuestionCoverage question_coverage(const TargetVerdict& verdict, questions::Extent extent) {
  QuestionCoverage coverage;
  const auto registers = encoder::registers(verdict.target);
  if (!registers) return coverage;
  for (const encoder::RegisterValue& reg : *registers) {
    const auto found = verdict.wanted.find(reg.name);
    if (found == verdict.wanted.end()) continue;
    for (const questions::Field& field : questions::fields_of(verdict.target, reg.name, reg.width)) {
      if (field.name.starts_with("reserved") || field.name.starts_with("fixed")) continue;
      const std::uint64_t live = field.mask() & ~mutate::reserved_bits(verdict.target, reg.name);
      coverage.live += static_cast<unsigned>(std::popcount(live));
      coverage.both += static_cast<unsigned>(std::popcount(live & found->second.ones & found->second.zeros));
      add_missing(verdict.target, reg.name, field, live & ~found->second.ones, "1", coverage);
      add_missing(verdict.target, reg.name, field, live & ~found->second.zeros, "0", coverage);
    }
  }
  coverage.attributes = questions::attribute_coverage(questions::questions_of(verdict.target, extent));
  return coverage;
}

Json to_json(const QuestionCoverage& coverage) {
  const questions::AttributeCoverage& attributes = coverage.attributes;
  return {{"live_bits", coverage.live},
          {"wanted_bits", coverage.both},
          {"missing", coverage.missing},
          {"excused", coverage.excused},
          {"attribute_values", attributes.values},
          {"attribute_values_asked", attributes.values_asked},
          {"attribute_pairs", attributes.pairs},
          {"attribute_pairs_asked", attributes.pairs_asked},
          {"pairs_missing", attributes.missing}};
}

void print_question_coverage(std::ostream& out, const std::vector<TargetVerdict>& verdicts, questions::Extent extent,
                             bool verbose) {
  for (const TargetVerdict& verdict : verdicts) {
    const QuestionCoverage coverage = question_coverage(verdict, extent);
    if (coverage.live == 0) continue;
    const questions::AttributeCoverage& attributes = coverage.attributes;
    const bool complete = coverage.missing.empty() && attributes.missing.empty();
    out << fmt::format(
        "\n"
        "question coverage: {}: {} of {} live bits of the control registers are required as 0 and as 1, {} cannot be; "
        "{} of {} attribute values and {} of {} pairs are covered{}\n",
        verdict.target, coverage.both, coverage.live, coverage.live - coverage.both - coverage.missing.size(),
        attributes.values_asked, attributes.values, attributes.pairs_asked, attributes.pairs,
        complete || verbose ? "" : "; --verbose names the others");
    if (!verbose) continue;
    for (const auto* const list : {&coverage.missing, &coverage.excused, &attributes.missing}) {
      for (const std::string& line : *list) out << "  " << line << '\n';
    }
  }
}

}  // namespace pmusim::testbench
