// A foreign encoder: a child process that reads one request a line and answers one line, in order.
#include <fmt/format.h>

#include "testbench/validate/candidate.h"
#include "testbench/validate/line_process.h"
#include "testbench/validate/protocol.h"

namespace pmusim::testbench {
namespace {

class ForeignEncoder final : public Candidate {
 public:
  ForeignEncoder(std::string command, unsigned timeout_seconds) : process_(std::move(command), timeout_seconds) {}

  Answer encode(const std::string& target, const Group& group) override {
    const std::uint64_t id = ++last_id_;
    const std::string what = fmt::format("request {}", id);
    process_.send(request_of(id, target, group).dump(), what);
    const std::string line = process_.receive(what);
    try {
      return parse_answer(line, id, target, group.checks.size());
    } catch (const ProtocolError& error) {
      process_.fail(error.what());
    }
  }

 private:
  LineProcess process_;
  std::uint64_t last_id_ = 0;
};

}  // namespace

std::unique_ptr<Candidate> foreign_encoder(const std::string& command, unsigned timeout_seconds) {
  return std::make_unique<ForeignEncoder>(command, timeout_seconds);
}

}  // namespace pmusim::testbench
