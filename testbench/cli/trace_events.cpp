#include "testbench/cli/trace_events.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace pmusim::testbench {

TraceEvents::TraceEvents(const std::string& file) : out_(file) {
  out_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

std::string TraceEvents::quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string TraceEvents::object(const Values& values) {
  std::string text = "{";
  for (const auto& [name, value] : values) text += fmt::format("{}\"{}\":{}", text.size() > 1 ? "," : "", name, value);
  return text + "}";
}

void TraceEvents::event(std::string_view json) {
  if (!first_) out_.write(",\n");
  out_.write(json);
  first_ = false;
}

// A track's sort index is its number.
void TraceEvents::metadata(const char* what, const Track& track, std::string_view name) {
  const auto one = [&](std::string_view kind, const std::string& value) {
    event(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"ts":0,"name":"{}_{}","args":{{"{}":{}}}}})", track.process,
                      track.thread, what, kind, kind, value));
  };
  one("name", quoted(name));
  one("sort_index", std::to_string(track.thread == 0 ? track.process : track.thread));
}

void TraceEvents::name_process(unsigned process, std::string_view name) { metadata("process", {process, 0}, name); }

void TraceEvents::name_track(const Track& track, std::string_view name) { metadata("thread", track, name); }

void TraceEvents::slice(const Track& track, std::string_view kind, std::string_view name, std::uint64_t begin,
                        std::uint64_t end, const Values& values) {
  event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"cat":"{}","name":{},"ts":{},"dur":{},"args":{}}})", track.process,
                    track.thread, kind, quoted(name), begin, end - begin, object(values)));
}

void TraceEvents::instant(const Track& track, std::string_view kind, std::string_view name, std::uint64_t at,
                          const Values& values) {
  event(fmt::format(R"({{"ph":"i","s":"t","pid":{},"tid":{},"cat":"{}","name":{},"ts":{},"args":{}}})", track.process,
                    track.thread, kind, quoted(name), at, object(values)));
}

void TraceEvents::counter(unsigned process, std::string_view name, std::uint64_t at, std::uint64_t value) {
  event(fmt::format(R"({{"ph":"C","pid":{},"tid":0,"name":{},"ts":{},"args":{{"value":{}}}}})", process, quoted(name),
                    at, value));
}

void TraceEvents::close(const Values& about) {
  out_.write(fmt::format("\n],\"otherData\":{}}}\n", object(about)));
  out_.close();
}

}  // namespace pmusim::testbench
