#include "testbench/validate/conformance.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>

#include "testbench/cli/command.h"
#include "testbench/validate/line_process.h"
#include "testbench/validate/protocol.h"

namespace pmusim::testbench {
namespace {

using nlohmann::json;

/// Requests that are sent before the first answer is read.
constexpr std::uint64_t at_once = 50;

struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Group group_of(const Check& check, std::vector<unsigned> unavailable = {}) {
  Group group;
  group.checks.push_back(check);
  group.unavailable_counters = std::move(unavailable);
  return group;
}

/// One rule's conversation with a process of its own.
class Talk {
 public:
  Talk(const std::string& target, const ForeignProgram& program) : target_(target), process_(program) {}

  [[nodiscard]] json request(const Group& group) { return request_of(++id_, target_, group); }
  void send(const json& request) { process_.send(request.dump(), fmt::format("request {}", request.at("id").dump())); }
  void send_line(const std::string& line) { process_.send(line, "a line that is no request"); }
  [[nodiscard]] std::string receive() { return process_.receive("a line that is no request"); }
  [[nodiscard]] Answer receive(const json& request) {
    const auto id = request.at("id").get<std::uint64_t>();
    return parse_answer(process_.receive(fmt::format("request {}", id)), id, target_, request.at("events").size());
  }
  [[nodiscard]] Answer ask(const json& request) {
    send(request);
    return receive(request);
  }
  [[nodiscard]] Answer ask(const Group& group) { return ask(request(group)); }
  /// Fails unless the answer is an error.
  void refuses(const json& request, std::string_view what) {
    if (ask(request).status == Answer::Status::encoded) throw Broken(fmt::format("it gives registers for {}", what));
  }
  [[nodiscard]] std::optional<int> finish() { return process_.finish(); }

 private:
  std::string target_;
  LineProcess process_;
  std::uint64_t id_ = 0;
};

/// The target's events, each with its first unit mask.
std::vector<Check> plain_events(const std::string& target) {
  const auto events = encoder::events(target);
  if (!events) throw UsageError(events.error().message);
  std::vector<Check> checks(events->size());
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const encoder::EventInfo& event = events->at(i);
    checks[i].request.event = event.name;
    if (!event.unit_masks.empty()) checks[i].request.umasks.push_back(event.unit_masks.front().name);
  }
  return checks;
}

/// An event that the encoder knows.
std::optional<Check> known_event(const std::string& target, Talk& talk) {
  for (const Check& check : plain_events(target)) {
    if (talk.ask(group_of(check)).status == Answer::Status::encoded) return check;
  }
  return std::nullopt;
}

/// Numbers of the counters on which this project's encoder puts an event, by name.
std::map<std::string, unsigned> numbers_of_counters(const std::string& target, const Check& check) {
  std::map<std::string, unsigned> numbers;
  unsigned counters = 0;
  for (const encoder::TargetInfo& info : encoder::targets()) {
    if (info.name == target) counters = info.counters;
  }
  for (unsigned number = 0; number < counters; ++number) {
    std::vector<unsigned> others;
    for (unsigned other = 0; other < counters; ++other) {
      if (other != number) others.push_back(other);
    }
    const std::vector<std::string> events{check.text()};
    const auto encoding = encoder::encode(target, events, {.unavailable_counters = others});
    if (encoding) numbers[encoding->events.front().counter] = number;
  }
  return numbers;
}

bool same(const Answer& a, const Answer& b) {
  return a.status == b.status && a.registers == b.registers && a.counters == b.counters;
}

void unavailable(Talk& talk, const std::string& target, const Check& event) {
  const auto numbers = numbers_of_counters(target, event);
  std::vector<unsigned> taken;
  for (std::size_t i = 0; i <= numbers.size(); ++i) {
    const Answer answer = talk.ask(group_of(event, taken));
    if (answer.status != Answer::Status::encoded) return;
    const auto found = numbers.find(answer.counters.front());
    if (found == numbers.end())
      throw Broken(fmt::format("{} does not count {}", answer.counters.front(), event.text()));
    for (const unsigned number : taken) {
      if (number == found->second)
        throw Broken(fmt::format("{} is used though counter {} is unavailable", found->first, number));
    }
    taken.push_back(found->second);
  }
}

void too_many(Talk& talk, const std::string& target, const Check& event) {
  Group group;
  for (std::size_t i = 0; i <= numbers_of_counters(target, event).size(); ++i) group.checks.push_back(event);
  talk.refuses(talk.request(group), "more events than counters");
}

void order(Talk& talk, const Check& event) {
  std::vector<json> requests;
  for (std::uint64_t i = 0; i < at_once; ++i) {
    requests.push_back(talk.request(group_of(event)));
    talk.send(requests.back());
  }
  for (const json& request : requests) static_cast<void>(talk.receive(request));
}

void garbage(Talk& talk, const Check& event) {
  talk.send_line(R"({"v":1,"id":)");
  const std::string line = talk.receive();
  const json answer = json::parse(line, nullptr, false);
  if (!answer.is_object() || answer.value("error", "") != "invalid" || !answer.contains("id") ||
      !answer["id"].is_null())
    throw Broken(fmt::format(R"(it answers "{}", not {{"id":null,"error":"invalid"}})", line.substr(0, 200)));
  static_cast<void>(talk.ask(group_of(event)));
}

void ends(Talk& talk, const Check& event) {
  static_cast<void>(talk.ask(group_of(event)));
  const auto code = talk.finish();
  if (!code) throw Broken("it goes on when its input has ended");
  if (*code != 0) throw Broken(fmt::format("it ends with exit code {}", *code));
}

/// A request with one thing in it that no encoder knows.
json strange(Talk& talk, const Check& event, const std::function<void(json&)>& change) {
  json request = talk.request(group_of(event));
  change(request);
  return request;
}

}  // namespace

std::vector<Conformance> check_conformance(const std::string& target, const ForeignProgram& program) {
  std::vector<Conformance> results;
  std::optional<Check> event;
  using Rule = std::function<void(Talk&)>;
  const auto check = [&](const std::string& rule, const Rule& rule_holds) {
    std::string problem;
    try {
      Talk talk(target, program);
      rule_holds(talk);
    } catch (const std::exception& error) {  // of the process, of the protocol, or of the rule
      problem = error.what();
    }
    results.push_back({rule, problem});
  };
  check("gives registers for an event of the target", [&](Talk& talk) {
    event = known_event(target, talk);
    if (!event) throw Broken("it knows no event of " + target);
  });
  if (!event) return results;
  const auto refused = [&](const std::string& what, const std::function<void(json&)>& change) {
    check("refuses " + what, [&](Talk& talk) { talk.refuses(strange(talk, *event, change), what); });
  };
  check("gives the same answer to the same question", [&](Talk& talk) {
    const Answer first = talk.ask(group_of(*event));
    if (!same(first, talk.ask(group_of(*event)))) throw Broken("the second answer differs");
  });
  check("answers in order when many requests wait", [&](Talk& talk) { order(talk, *event); });
  check("leaves unavailable counters alone", [&](Talk& talk) { unavailable(talk, target, *event); });
  check("refuses more events than counters", [&](Talk& talk) { too_many(talk, target, *event); });
  check("answers a request for sampling", [&](Talk& talk) {
    static_cast<void>(talk.ask(strange(talk, *event, [](json& request) { request["sampling"] = true; })));
  });
  refused("an event that it does not know", [](json& r) { r["events"][0]["name"] = "NO_SUCH_EVENT"; });
  refused("a unit mask that it does not know", [](json& r) { r["events"][0]["umasks"] = {"NO_SUCH_MASK"}; });
  refused("an attribute that it does not know", [](json& r) { r["events"][0]["attrs"]["no_such_attribute"] = 1; });
  refused("a qualifier that it does not know", [](json& r) { r["qualifiers"]["no_such_qualifier"] = true; });
  refused("a target that it does not know", [](json& r) { r["target"] = "no-such-target"; });
  refused("another version of the protocol", [](json& r) { r["v"] = 2; });
  check("passes over keys that it does not know", [&](Talk& talk) {
    const Answer plain = talk.ask(group_of(*event));
    const json request = strange(talk, *event, [](json& r) { r["comment"] = "for a later version"; });
    if (!same(plain, talk.ask(request))) throw Broken("the answer differs");
  });
  check("answers a line that is no JSON, and goes on", [&](Talk& talk) { garbage(talk, *event); });
  check("ends when its input ends", [&](Talk& talk) { ends(talk, *event); });
  return results;
}

}  // namespace pmusim::testbench
