// The functions that the WebAssembly module exports. Requests and answers are JSON; `error` is one sentence. Tables are
// ranges of the module's memory.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "testbench/lab/activity_image.h"
#include "testbench/lab/bindings/laboratory.h"

namespace pmusim::lab {
namespace {

/// The rows stay where they are.
class InMemory final : public Rows {
 public:
  std::uint64_t place(const void* bytes, std::size_t) override { return reinterpret_cast<std::uintptr_t>(bytes); }
};

Laboratory& laboratory() {
  static Laboratory one;
  return one;
}

std::string text;

}  // namespace
}  // namespace pmusim::lab

extern "C" {

/// Opens the content of an activity file; returns `target`, `threads`, `cycles`, `traces`; or `error`.
const char* lab_open(const char* content, unsigned size, const char* name) {
  using namespace pmusim::lab;
  try {
    text = laboratory().open({content, size}, name).dump();
  } catch (const std::exception& error) {
    text = Json{{"error", error.what()}}.dump();
  }
  return text.c_str();
}

/// Loads an activity image. Returns null, or the reason why it cannot be used.
const char* lab_load(const char* image, unsigned size) {
  using namespace pmusim::lab;
  try {
    pmusim::testbench::ActivityLog activity;
    for (auto& block : blocks_of({image, size})) activity.append(std::move(block));
    laboratory().load(std::move(activity));
    return nullptr;
  } catch (const std::exception& error) {
    text = error.what();
    return text.c_str();
  }
}

/// Answers a request.
const char* lab_call(const char* request) {
  using namespace pmusim::lab;
  try {
    InMemory rows;
    text = laboratory().answer(Json::parse(request), rows).dump();
  } catch (const std::exception& error) {
    text = Json{{"error", error.what()}}.dump();
  }
  return text.c_str();
}
}
