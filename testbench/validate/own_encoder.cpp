#include "testbench/validate/candidate.h"

namespace pmusim::testbench {
namespace {

class OwnEncoder final : public Candidate {
 public:
  Answer encode(const std::string& target, const Group& group) override {
    std::vector<std::string> texts;
    for (const Check& check : group.checks) texts.push_back(check.text());
    const auto qualifiers = encoder::parse_qualifiers(target, group.filters);
    if (!qualifiers) return answer_of(qualifiers.error());
    return answer_of(encoder::encode(target, texts,
                                     {.sampling = group.captures || group.sampled,
                                      .unavailable_counters = group.unavailable_counters,
                                      .qualifiers = *qualifiers}));
  }
};

}  // namespace

Answer answer_of(const encoder::Result<encoder::Encoding>& encoding) {
  Answer answer;
  if (!encoding) {
    answer.status = Answer::Status::invalid;
    answer.message = encoding.error().message;
    return answer;
  }
  answer.registers = encoding->registers;
  for (const encoder::EncodedEvent& event : encoding->events) answer.counters.push_back(event.counter);
  return answer;
}

std::unique_ptr<Candidate> own_encoder() { return std::make_unique<OwnEncoder>(); }

}  // namespace pmusim::testbench
