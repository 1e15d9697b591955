#include "testbench/judge/encoder/encoder_under_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace pmusim::testbench {
namespace {

class OwnEncoder final : public EncoderUnderTest {
 public:
  Answer encode(const std::string& target, const Group& group) override {
    const auto question = question_of(target, group);
    if (!question) return answer_of(question.error());
    return answer_of(encoder::encode(target, question->events, question->options), target, group.period);
  }
};

/// A policy, and what it costs its users.
struct Cost {
  std::string_view name;
  bool Policy::*is_set;  ///< null: it has a number
  std::string_view sentence;
};
constexpr std::array costs{
    Cost{"both levels", &Policy::both_levels, "a request for one level counts the other one, too"},
    Cost{"interrupts", &Policy::interrupts, "a plain count is interrupted at every overflow"},
    Cost{"stops at interrupt", &Policy::stops, "events between an interrupt and its handler are not counted"},
    Cost{"no filters", &Policy::no_filters, "a request for a range, an opcode or a data address counts everything"},
    Cost{"unmarked only", &Policy::unmarked_only, "marked processes are not counted"},
    Cost{"period", nullptr, "every sample stands for the same number of events, whatever period was asked for"},
};

/// Privilege levels 0 and 3 of IA-64.
constexpr unsigned both_levels_of_ia64 = 9;

/// Changes what a check asks for, in the oracle's words and in those of its event string.
void apply(const Policy& policy, Check& check) {
  oracle::Request& request = check.request;
  const auto leave_out = [&](std::initializer_list<std::string_view> names) {
    std::erase_if(check.attributes, [&](const Attribute& attribute) {
      return std::find(names.begin(), names.end(), attribute.first) != names.end();
    });
  };
  if (policy.both_levels) {
    request.user = request.kernel = request.alpha.pal = true;
    request.alpha.executive_and_supervisor = false;
    request.ia64.levels = both_levels_of_ia64;
    leave_out({"u", "k", "pal", "es", "plm"});
  }
  if (policy.unmarked_only) {
    request.marked = false;
    leave_out({"marked", "unmarked"});
    check.attributes.emplace_back("unmarked", 1);
  }
  if (policy.interrupts) leave_out({"intr"});
}

}  // namespace

Answer Answer::with_ignored_bits(bool ones) const {
  Answer answer = *this;
  for (encoder::RegisterValue& reg : answer.registers) {
    const auto ignored = dont_care.find(reg.name);
    if (ignored != dont_care.end()) reg.value = ones ? reg.value | ignored->second : reg.value & ~ignored->second;
  }
  return answer;
}

encoder::Result<diagnose::Request> question_of(const std::string& target, const Group& group) {
  const auto qualifiers = encoder::parse_qualifiers(target, group.filters);
  if (!qualifiers) return qualifiers.error();
  diagnose::Request question{
      target,
      {},
      {.sampling = group.samples(), .unavailable_counters = group.unavailable_counters, .qualifiers = *qualifiers}};
  for (const Check& check : group.checks) question.events.push_back(check.text());
  return question;
}

Answer answer_of(const encoder::Result<encoder::Encoding>& encoding, const std::string& target, std::uint64_t period) {
  Answer answer;
  if (!encoding) {
    answer.status = Answer::Status::invalid;
    answer.message = encoding.error().message;
    return answer;
  }
  answer.registers = encoding->registers;
  for (const encoder::EncodedEvent& event : encoding->events) {
    answer.counters.push_back(event.counter);
    if (period == 0) continue;
    const auto preset = encoder::preset(target, event.counter_index, period);
    if (!preset) return answer_of(preset.error());
    answer.presets.push_back(*preset);
  }
  return answer;
}

std::unique_ptr<EncoderUnderTest> own_encoder() { return std::make_unique<OwnEncoder>(); }

std::vector<std::string> names_of(const Policy& policy) {
  std::vector<std::string> names;
  for (const Cost& cost : costs) {
    if (cost.is_set != nullptr && policy.*cost.is_set) names.emplace_back(cost.name);
  }
  if (policy.period) names.push_back(fmt::format("period {}", *policy.period));
  return names;
}

std::string_view cost_of(std::string_view name) {
  const auto found = std::find_if(costs.begin(), costs.end(), [&](const Cost& c) { return name.starts_with(c.name); });
  return found == costs.end() ? "" : found->sentence;
}

void apply(const Policy& policy, Group& group) {
  if (policy == Policy{}) return;
  group.asked = group.question();
  for (Check& check : group.checks) apply(policy, check);
  if (policy.interrupts) group.sampling = true;
  if (policy.no_filters) {
    group.filters = {};
    group.filter = 0;
  }
  if (policy.period && group.period != 0) group.period = *policy.period;
  if (policy.period && group.sampled) group.sampled->period = *policy.period;
}

}  // namespace pmusim::testbench
