// The functions that the module exports. lab_load() takes an activity image; lab_call() takes a request and returns an
// answer, both JSON: `op` names the operation, `error` is one sentence. Tables are returned as memory ranges: `at`,
// `count`.
#include <string>
#include <string_view>
#include <utility>

#include "testbench/driver/activity_file_source.h"
#include "testbench/lab/activity_image.h"
#include "testbench/lab/bindings/encoding.h"
#include "testbench/lab/bindings/replay.h"
#include "testbench/lab/bindings/steps.h"
#include "testbench/lab/bindings/timeline.h"
#include "testbench/lab/bindings/why.h"

namespace pmusim::lab {
namespace {

struct Laboratory {
  testbench::ActivityLog activity;
  Timeline timeline;
  unsigned threads = 1;
  std::unique_ptr<Stepper> stepper;
};

Laboratory& laboratory() {
  static Laboratory one;
  return one;
}

template <class T>
Json table(const std::vector<T>& rows) {
  return {{"at", reinterpret_cast<std::uintptr_t>(rows.data())}, {"count", rows.size()}};
}

/// Discards everything that belongs to the previous activity.
Json begin(const Json& request) {
  Laboratory& lab = laboratory();
  lab.stepper.reset();
  lab.threads = request.value("threads", 1u);
  lab.timeline = timeline_of(lab.activity.blocks());
  return {{"cycles", lab.activity.cycles()},
          {"instructions", table(lab.timeline.instructions)},
          {"requests", table(lab.timeline.requests)}};
}

Json start_steps(const Json& request) {
  Laboratory& lab = laboratory();
  lab.stepper = std::make_unique<Stepper>(request, lab.activity.blocks(), lab.threads);
  Json initial = Json::array();
  for (unsigned thread = 0; thread < lab.threads; ++thread)
    for (unsigned i = 0; i < lab.stepper->counters(); ++i) initial.push_back(lab.stepper->initial(thread, i));
  return {{"counters", lab.stepper->counters()}, {"initial", initial}, {"levels", lab.stepper->level_names()}};
}

Json go_on(const Json& request) {
  Laboratory& lab = laboratory();
  if (lab.stepper == nullptr) throw std::logic_error("no steps were started");
  const bool more = lab.stepper->step(request.at("cycles").get<std::uint64_t>());
  Json counters = Json::array();
  for (unsigned thread = 0; thread < lab.threads; ++thread)
    for (unsigned i = 0; i < lab.stepper->counters(); ++i) counters.push_back(table(lab.stepper->steps(thread, i)));
  Json levels = Json::array();
  for (unsigned thread = 0; thread < lab.threads; ++thread)
    for (std::size_t i = 0; i < lab.stepper->level_names().size(); ++i)
      levels.push_back(table(lab.stepper->levels(thread, i)));
  return {{"more", more},     {"reached", lab.stepper->reached()},    {"counters", counters},
          {"levels", levels}, {"marks", table(lab.stepper->marks())}, {"causes", table(lab.stepper->causes())}};
}

Json answer(const Json& request) {
  const auto op = request.at("op").get<std::string>();
  if (op == "targets") return list_targets();
  if (op == "describe") return describe(request);
  if (op == "encode") return encode(request);
  if (op == "decode") return decode(request);
  if (op == "begin") return begin(request);
  if (op == "run") return replay(request, laboratory().activity, laboratory().threads);
  if (op == "explain") return explain(request, laboratory().activity, laboratory().threads);
  if (op == "neighbours") return neighbours(request, laboratory().activity, laboratory().threads);
  if (op == "start_steps") return start_steps(request);
  if (op == "go_on") return go_on(request);
  throw std::invalid_argument("there is no request '" + op + "'");
}

/// If a file is refused the activity is unchanged.
Json open_file(std::string_view content, const std::string& name) {
  testbench::ActivityFileSource source(std::make_unique<activity_file::Reader>(std::string(content), name));
  testbench::ActivityLog log;
  while (const activity::Block* const block = source.next(activity::never)) log.append(*block);
  const std::string target = source.properties().get("target").value_or("");
  if (models::find_target(target) == nullptr) throw std::invalid_argument(name + ": there is no target " + target);
  Laboratory& lab = laboratory();
  lab.stepper.reset();
  lab.activity = std::move(log);
  const unsigned threads = source.properties().get("threads").value_or("1") == "2" ? 2 : 1;
  return {{"target", target},
          {"threads", threads},
          {"cycles", lab.activity.cycles()},
          {"traces", source.properties().list("trace")}};
}

std::string text;

}  // namespace
}  // namespace pmusim::lab

extern "C" {

/// Opens the content of an activity file; returns `target`, `threads`, `cycles`, `traces`; or `error`.
const char* lab_open(const char* content, unsigned size, const char* name) {
  using namespace pmusim::lab;
  try {
    text = open_file({content, size}, name).dump();
  } catch (const std::exception& error) {
    text = Json{{"error", error.what()}}.dump();
  }
  return text.c_str();
}

/// Returns null, or the reason why the image cannot be used.
const char* lab_load(const char* image, unsigned size) {
  using namespace pmusim::lab;
  try {
    laboratory().stepper.reset();
    laboratory().activity = {};
    for (const auto& block : blocks_of({image, size})) laboratory().activity.append(block);
    return nullptr;
  } catch (const std::exception& error) {
    text = error.what();
    return text.c_str();
  }
}

const char* lab_call(const char* request) {
  using namespace pmusim::lab;
  try {
    text = answer(Json::parse(request)).dump();
  } catch (const std::exception& error) {
    text = Json{{"error", error.what()}}.dump();
  }
  return text.c_str();
}
}
