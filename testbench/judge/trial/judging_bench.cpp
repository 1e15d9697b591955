#include "testbench/judge/trial/judging_bench.h"

#include <stdexcept>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/stimulus/task_activity.h"

namespace pmusim::testbench {

JudgingBench::JudgingBench(const std::string& target, models::Parameters parameters)
    : target_(target), model_(models::find_target(target)), parameters_(std::move(parameters)) {
  if (model_ == nullptr) throw std::invalid_argument("no target " + target);
}

ActivityLog JudgingBench::record(const InputFile& trace, const InputFile& second) const {
  return testbench::record(*model_, parameters_, traces_of(trace, second));
}

JobVerdict JudgingBench::judge(const Recording& recording, std::vector<Group> plan, const Exchange& exchange) const {
  Task task;
  const std::unique_ptr<EncoderUnderTest> own = exchange.encode ? nullptr : own_encoder();
  for (const Group& group : plan) {
    task.answers.push_back(own == nullptr ? exchange.encode(group) : own->encode(target_, group));
  }
  task.plan = std::move(plan);
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
