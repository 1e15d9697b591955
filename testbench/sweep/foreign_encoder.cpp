// A foreign encoder: a child process that reads requests and writes answers, one per line, in order.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "testbench/support/error.h"
#include "testbench/sweep/conformance.h"
#include "testbench/sweep/line_process.h"
#include "testbench/sweep/protocol.h"

namespace pmusim::testbench {
namespace {

/// A program that has failed this often gets no further requests.
constexpr unsigned most_failures = 3;
/// Requests that wait for answers. More are sent when half of the answers have arrived, so that neither side waits for
/// the other after each line.
constexpr std::size_t window = 64;

class ForeignEncoder final : public EncoderUnderTest {
 public:
  explicit ForeignEncoder(const ForeignProgram& program)
      : program_(program), process_(std::make_unique<LineProcess>(program)) {}

  Answer encode(const std::string& target, const Group& group) override {
    return std::move(encode_all(target, {&group}, [] {}).front());
  }

  std::vector<Answer> encode_all(const std::string& target, const std::vector<const Group*>& groups,
                                 const std::function<void()>& answered) override {
    std::vector<Answer> answers;
    std::size_t sent = 0;
    for (; answers.size() < groups.size(); answered()) {
      const std::size_t due = answers.size();
      try {
        if (failures_ == most_failures) {
          answers.push_back(missing(fmt::format("not asked, because it has failed {} times", failures_)));
          continue;
        }
        if (!process_) {  // the failed process had already received the requests after the current one
          process_ = std::make_unique<LineProcess>(program_);
          sent = due;
        }
        if (sent - due <= window / 2) {
          const std::size_t end = std::min(due + window, groups.size());
          for (; sent < end; ++sent) process_->post(request_of(last_id_ + sent + 1, target, *groups[sent]).dump());
        }
        answers.push_back(receive(last_id_ + due + 1, target, *groups[due]));
        ++answered_;
      } catch (const UsageError& error) {
        if (failures_++ == 0) first_failure_ = error.what();
        process_.reset();  // later output of this process answers no request
        // No program, or one that is no encoder: there is nothing to judge.
        const bool never_ran = dynamic_cast<const CannotRun*>(&error) != nullptr;
        if (answered_ == 0 && (never_ran || failures_ == most_failures)) throw UsageError(first_failure_);
        answers.push_back(missing(error.what()));
      }
    }
    last_id_ += groups.size();
    return answers;
  }

  [[nodiscard]] std::string failure() const override {
    if (failures_ < 2) return first_failure_;
    return fmt::format("{}; it has failed {} times{}", first_failure_, failures_,
                       failures_ == most_failures ? " and was asked no more" : "");
  }

 private:
  Answer receive(std::uint64_t id, const std::string& target, const Group& group) {
    const std::string line = process_->receive(fmt::format("request {}", id));
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
  std::uint64_t answered_ = 0;
  unsigned failures_ = 0;
  std::string first_failure_;
};

}  // namespace

std::unique_ptr<EncoderUnderTest> foreign_encoder(const ForeignProgram& program) {
  return std::make_unique<ForeignEncoder>(program);
}

}  // namespace pmusim::testbench
