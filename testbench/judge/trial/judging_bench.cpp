#include "testbench/judge/trial/judging_bench.h"

#include <stdexcept>

#include "pmusim/trace/reader.h"
#include "testbench/driver/session.h"
#include "testbench/judge/encoder/encoder_under_test.h"

namespace pmusim::testbench {

JudgingBench::JudgingBench(const std::string& target, models::Parameters parameters)
    : target_(target), model_(models::find_target(target)), parameters_(std::move(parameters)) {
  if (model_ == nullptr) throw std::invalid_argument("no target " + target);
}

ActivityLog JudgingBench::record(const InputFile& trace, const InputFile& second) const {
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(*model_, parameters_, options);
  ActivityLog log;
  session.add_observer([&](const Block& block) { log.append(block); });
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(trace.trace());
  if (!second.empty()) traces.push_back(second.trace());
  session.run(std::move(traces));
  return log;
}

JobVerdict JudgingBench::judge(const Recording& recording, std::vector<Group> plan, const Exchange& exchange) const {
  Task task;
  const std::unique_ptr<EncoderUnderTest> own = exchange.encode ? nullptr : own_encoder();
  for (const Group& group : plan) {
    task.answers.push_back(own == nullptr ? exchange.encode(group) : own->encode(target_, group));
  }
  task.plan = std::move(plan);
  return judge(std::move(task), recording, exchange);
}

std::vector<IdentityVerdict> JudgingBench::identities(const Recording& recording, const Exchange& exchange) const {
  Task task;
  task.identities = true;
  return judge(std::move(task), recording, exchange).identities;
}

JobVerdict JudgingBench::judge(Task task, const Recording& recording, const Exchange& exchange) const {
  task.target = target_;
  task.trace = recording.trace;
  task.second_trace = recording.second;
  task.parameters = parameters_;
  models::Target model = *model_;
  if (exchange.make_monitor != nullptr) model.make_monitor = exchange.make_monitor;
  task.model = &model;
  task.make_counter = exchange.make_counter;
  task.activity = recording.log;
  return testbench::judge(std::move(task));
}

}  // namespace pmusim::testbench
