#include "testbench/cli/question_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <ostream>

#include "testbench/mutate/equivalence.h"
#include "testbench/questions/fields.h"

namespace pmusim::testbench {
namespace {

/// Bits that no legal question wants otherwise.
struct Excuse {
  std::string_view target;  ///< the beginning of its name
  std::string_view reg;     ///< ... of the register's
  std::string_view field;
  std::string_view never;  ///< 0 or 1; empty: either
  std::string_view why;
};
constexpr std::string_view no_word = "a request has no word for it; an answer that sets it counts otherwise";
constexpr std::string_view started = "the last write lets the counters go";
constexpr std::string_view arms = "it arms a breakpoint, which is none of the monitor's";
constexpr std::string_view no_levels = "the monitor does not look at the levels of a data range";
constexpr std::array excuses{
    Excuse{"ppc750", "MMCR0", "DIS", "1", started},
    Excuse{"ppc750", "MMCR0", "DISCOUNT", "1", no_word},
    Excuse{"ppc750", "MMCR0", "INTONBITTRANS", "1", no_word},
    Excuse{"ppc750", "MMCR0", "PMCTRIGGER", "1", no_word},
    Excuse{"ppc750", "MMCR0", "PMC1SELECT", "1", "there is no such select of PMC1"},
    Excuse{"ppc750", "MMCR0", "PMC2SELECT", "1", "there is no such select of PMC2"},
    Excuse{"alpha-ev6", "WRPERFMON_SELECT", "SL1", "1", "selects from 8 on have no event"},
    Excuse{"itanium2", "PMC0", "fr", "1", started},
    Excuse{"itanium2", "PMC0", "overflow", "1", started},
    Excuse{"itanium2", "PMC4", "enable", "0", "no counter runs without it"},
    Excuse{"itanium2", "DBR", "r", "1", arms},
    Excuse{"itanium2", "DBR", "w", "1", arms},
    Excuse{"itanium2", "IBR", "x", "1", arms},
    Excuse{"itanium2", "DBR", "plm", "", no_levels},
    Excuse{"montecito", "PMC0", "fr", "1", started},
    Excuse{"montecito", "PMC0", "overflow", "1", started},
    Excuse{"montecito", "PMC36", "", "1", "a matcher that is not asked for matches everything"},
    Excuse{"montecito", "PMC39", "ds", "1", "the trace buffer keeps no predictions"},
    Excuse{"montecito", "PMC42", "mode", "1", "there is one mode"},
    Excuse{"montecito", "DBR", "r", "1", arms},
    Excuse{"montecito", "DBR", "w", "1", arms},
    Excuse{"montecito", "IBR", "x", "1", arms},
    Excuse{"montecito", "DBR", "plm", "", no_levels},
};

void add_missing(const std::string& target, const std::string& reg, const questions::Field& field, std::uint64_t bits,
                 std::string_view value, QuestionCoverage& coverage) {
  const auto excuse = std::find_if(excuses.begin(), excuses.end(), [&](const Excuse& e) {
    return target.starts_with(e.target) && reg.starts_with(e.reg) && (e.field.empty() || e.field == field.name) &&
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
        "\nquestion coverage: {}: {} of {} live bits of the control registers are wanted as 0 and as 1, {} cannot "
        "be; {} of {} values of attributes are asked and {} of {} pairs{}\n",
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
