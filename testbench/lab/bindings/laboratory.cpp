#include "testbench/lab/bindings/laboratory.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "testbench/driver/activity_file_source.h"
#include "testbench/lab/bindings/answers.h"

namespace pmusim::lab {
namespace {

/// The rows from number `from` on.
template <class T>
Json table(Rows& rows, const std::vector<T>& all, std::size_t from = 0) {
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
  const std::size_t count = all.size() - from;
  return {{"at", rows.place(all.data() + from, count * sizeof(T))}, {"count", count}};
}

}  // namespace

void Laboratory::load(testbench::ActivityLog activity) {
  stepper_.reset();
  timeline_ = {};
  activity_ = std::move(activity);
}

Json Laboratory::open(std::string_view content, const std::string& name) {
  testbench::ActivityFileSource source(std::make_unique<activity_file::Reader>(std::string(content), name));
  testbench::ActivityLog log;
  while (const activity::Block* const block = source.next(activity::never)) log.append(*block);
  const std::string target = source.properties().get("target").value_or("");
  if (models::find_target(target) == nullptr) throw std::invalid_argument(name + ": there is no target " + target);
  load(std::move(log));
  const unsigned threads = source.properties().get("threads").value_or("1") == "2" ? 2 : 1;
  return {{"target", target},
          {"threads", threads},
          {"cycles", activity_.cycles()},
          {"traces", source.properties().list("trace")}};
}

Json Laboratory::begin(const Json& request, Rows& rows) {
  stepper_.reset();
  threads_ = request.value("threads", 1u);
  timeline_ = timeline_of(activity_.blocks());
  return {{"cycles", activity_.cycles()},
          {"instructions", table(rows, timeline_.instructions)},
          {"requests", table(rows, timeline_.requests)}};
}

Json Laboratory::start_steps(const Json& request) {
  sent_.clear();
  stepper_ = std::make_unique<Stepper>(request, activity_.blocks(), threads_);
  Json initial = Json::array();
  for (unsigned thread = 0; thread < threads_; ++thread)
    for (unsigned i = 0; i < stepper_->counters(); ++i) initial.push_back(stepper_->initial(thread, i));
  return {{"counters", stepper_->counters()}, {"initial", initial}, {"levels", stepper_->level_names()}};
}

Json Laboratory::go_on(const Json& request, Rows& rows) {
  if (stepper_ == nullptr) throw std::logic_error("no steps were started");
  const bool more = stepper_->step(request.at("cycles").get<std::uint64_t>());
  const auto fresh = [&](const auto& all) {
    std::size_t& sent = sent_[&all];
    return table(rows, all, std::exchange(sent, all.size()));
  };
  Json counters = Json::array(), levels = Json::array();
  const std::size_t level_count = stepper_->level_names().size();
  for (unsigned thread = 0; thread < threads_; ++thread) {
    for (unsigned i = 0; i < stepper_->counters(); ++i) counters.push_back(fresh(stepper_->steps(thread, i)));
    for (std::size_t i = 0; i < level_count; ++i) levels.push_back(fresh(stepper_->levels(thread, i)));
  }
  Json answer{{"more", more},
              {"reached", stepper_->reached()},
              {"counters", counters},
              {"levels", levels},
              {"marks", fresh(stepper_->marks())}};
  if (!more) answer["causes"] = table(rows, stepper_->causes());
  return answer;
}

Json Laboratory::answer(const Json& request, Rows& rows) {
  const auto op = request.at("op").get<std::string>();
  if (op == "targets") return list_targets();
  if (op == "describe") return describe(request);
  if (op == "encode") return encode(request);
  if (op == "decode") return decode(request);
  if (op == "begin") return begin(request, rows);
  if (op == "run") return replay(request, activity_, threads_);
  if (op == "explain") return explain(request, activity_, threads_);
  if (op == "neighbours") return neighbours(request, activity_, threads_);
  if (op == "start_steps") return start_steps(request);
  if (op == "go_on") return go_on(request, rows);
  throw std::invalid_argument("there is no request '" + op + "'");
}

}  // namespace pmusim::lab
