#include "testbench/judge/encoder/encoder_under_test.h"

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

}  // namespace pmusim::testbench
