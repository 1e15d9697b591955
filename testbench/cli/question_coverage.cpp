#include "testbench/cli/question_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "testbench/cli/command_facts.h"
#include "testbench/faults/equivalence.h"
#include "testbench/faults/fields.h"
#include "testbench/judge/encoder/encoder_under_test.h"

namespace pmusim::testbench {
namespace {

/// Bits of a register that are 1 in some answer, and bits that are 0 in some answer.
struct WantedBits {
  std::uint64_t ones = 0, zeros = 0;
};

std::map<std::string, WantedBits> wanted_bits(const std::string& target,
                                              const std::vector<questions::Question>& questions) {
  std::map<std::string, WantedBits> wanted;
  const std::unique_ptr<EncoderUnderTest> encoder = own_encoder();
  for (const questions::Question& question : questions) {
    for (const encoder::RegisterValue& reg : encoder->encode(target, question.group).registers) {
      wanted[reg.name].ones |= reg.value;
      wanted[reg.name].zeros |= ~reg.value;
    }
  }
  return wanted;
}

/// Lists bits of a field that are never `value`. Returns those that are not excused.
std::uint64_t add_missing(const std::string& target, const std::string& reg, const faults::Field& field,
                          std::uint64_t bits, std::string_view value, QuestionCoverage& coverage) {
  const std::span<const NeverAsked> excuses = facts_of(target).never_asked;
  const auto excuse = std::ranges::find_if(excuses, [&](const NeverAsked& e) {
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
  return excuse == excuses.end() ? bits : 0;
}

}  // namespace

QuestionCoverage question_coverage(const std::string& target, const std::vector<questions::Question>& questions) {
  QuestionCoverage coverage;
  const auto registers = encoder::registers(target);
  if (!registers) return coverage;
  const auto wanted = wanted_bits(target, questions);
  for (const encoder::RegisterValue& reg : *registers) {
    const auto found = wanted.find(reg.name);
    if (found == wanted.end()) continue;  // a counter, or what holds data
    const WantedBits bits = found->second;
    for (const faults::Field& field : faults::fields_of(target, reg.name, reg.width)) {
      if (field.name.starts_with("reserved") || field.name.starts_with("fixed")) continue;
      const std::uint64_t live = field.mask() & ~faults::reserved_bits(target, reg.name);
      const std::uint64_t both = live & bits.ones & bits.zeros;
      const std::uint64_t missing = add_missing(target, reg.name, field, live & ~bits.ones, "1", coverage) |
                                    add_missing(target, reg.name, field, live & ~bits.zeros, "0", coverage);
      coverage.live += static_cast<unsigned>(std::popcount(live));
      coverage.both += static_cast<unsigned>(std::popcount(both));
      coverage.never += static_cast<unsigned>(std::popcount(live & ~both & ~missing));
    }
  }
  coverage.attributes = questions::attribute_coverage(questions);
  return coverage;
}

std::optional<QuestionCoverage> question_coverage(const TargetVerdict& verdict) {
  if (verdict.questions.empty()) return std::nullopt;
  // A run has a verdict for each of its questions, and selects some of them or asks all.
  for (const auto extent : {questions::Extent::quick, questions::Extent::full}) {
    const auto shipped = questions::questions_of(verdict.target, extent);
    if (shipped.size() == verdict.questions.size()) return question_coverage(verdict.target, shipped);
  }
  return std::nullopt;
}

Json to_json(const std::optional<QuestionCoverage>& coverage) {
  if (!coverage) return nullptr;
  const questions::AttributeCoverage& attributes = coverage->attributes;
  return {{"live_bits", coverage->live},           {"wanted_bits", coverage->both},
          {"missing", coverage->missing},          {"excused", coverage->excused},
          {"attribute_values", attributes.values}, {"attribute_values_asked", attributes.values_asked},
          {"attribute_pairs", attributes.pairs},   {"attribute_pairs_asked", attributes.pairs_asked},
          {"pairs_missing", attributes.missing}};
}

void print_question_coverage(std::ostream& out, const std::vector<TargetVerdict>& verdicts) {
  for (const TargetVerdict& verdict : verdicts) {
    const std::optional<QuestionCoverage> coverage = question_coverage(verdict);
    if (!coverage) continue;
    const questions::AttributeCoverage& attributes = coverage->attributes;
    out << fmt::format(
        "\n"
        "question coverage: {}: {} of {} live bits of the control registers are required as 0 and as 1, {} cannot be; "
        "{} of {} attribute values and {} of {} pairs are covered\n",
        verdict.target, coverage->both, coverage->live, coverage->never, attributes.values_asked, attributes.values,
        attributes.pairs_asked, attributes.pairs);
    for (const auto* const list : {&coverage->missing, &coverage->excused, &attributes.missing}) {
      for (const std::string& line : *list) out << "  " << line << '\n';
    }
  }
}

}  // namespace pmusim::testbench
