// A foreign encoder: a child process that reads one request a line and answers one line, in order.
#include <fmt/format.h>

#include <stdexcept>

#include "testbench/cli/command.h"
#include "testbench/validate/candidate.h"
#include "testbench/validate/line_process.h"
#include "testbench/validate/protocol.h"

namespace pmusim::testbench {
namespace {

/// A program that has failed so often is asked no more.
constexpr unsigned most_failures = 3;

class ForeignEncoder final : public Candidate {
 public:
  explicit ForeignEncoder(const ForeignProgram& program)
      : program_(program), process_(std::make_unique<LineProcess>(program)) {}

  Answer encode(const std::string& target, const Group& group) override {
    const std::uint64_t id = ++last_id_;
    if (failures_ == most_failures) return missing(fmt::format("not asked, for it has failed {} times", failures_));
    try {
      if (!process_) process_ = std::make_unique<LineProcess>(program_);
      return ask(id, target, group);
    } catch (const UsageError& error) {
      if (failures_++ == 0) first_failure_ = error.what();
      process_.reset();  // what it may still say answers no later request
      return missing(error.what());
    }
  }

  [[nodiscard]] std::string failure() const override {
    if (failures_ < 2) return first_failure_;
    return fmt::format("{}; it has failed {} times{}", first_failure_, failures_,
                       failures_ == most_failures ? " and was asked no more" : "");
  }

 private:
  Answer ask(std::uint64_t id, const std::string& target, const Group& group) {
    const std::string what = fmt::format("request {}", id);
    process_->send(request_of(id, target, group).dump(), what);
    const std::string line = process_->receive(what);
    try {
      return parse_usable_answer(line, id, target, group.checks.size());
    } catch (const ProtocolError& error) {
      process_->fail(error.what());
    }
  }
  static Answer missing(const std::string& why) {
    Answer answer;
    answer.status = Answer::Status::missing;
    answer.message = why;
    return answer;
  }

  ForeignProgram program_;
  std::unique_ptr<LineProcess> process_;
  std::uint64_t last_id_ = 0;
  unsigned failures_ = 0;
  std::string first_failure_;
};

}  // namespace

std::unique_ptr<Candidate> foreign_encoder(const ForeignProgram& program) {
  return std::make_unique<ForeignEncoder>(program);
}

}  // namespace pmusim::testbench
