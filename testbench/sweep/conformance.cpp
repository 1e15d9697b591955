#include "testbench/sweep/conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "testbench/judge/question/question.h"
#include "testbench/sweep/protocol.h"

namespace pmusim::testbench::questions {
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

/// A conversation with a new process, to check one rule.
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
  /// Throws Broken unless the answer is an error.
  void refuses(const json& request, std::string_view what) {
    if (ask(request).status == Answer::Status::encoded) throw Broken(fmt::format("it gives registers for {}", what));
  }
  [[nodiscard]] std::optional<int> finish() { return process_.finish(); }

 private:
  std::string target_;
  LineProcess process_;
  std::uint64_t id_ = 0;
};

/// An event that the encoder knows: that of a legal question about a single event without attributes.
std::optional<Check> known_event(const std::string& target, Talk& talk) {
  for (const Question& question : questions_of(target, Extent::quick)) {
    const Check& check = question.group.checks.front();
    const bool is_plain = question.illegal.empty() && question.group.checks.size() == 1 && check.attributes.empty() &&
                          check.raw.empty() && !question.group.samples() && question.group.filters.empty();
    if (is_plain && talk.ask(group_of(check)).status == Answer::Status::encoded) return check;
  }
  return std::nullopt;
}

bool same(const Answer& a, const Answer& b) {
  return a.status == b.status && a.registers == b.registers && a.counters == b.counters;
}

void unavailable(Talk& talk, const std::string& target, const Check& event) {
  const std::vector<std::string>& counters = family_of(target)->counters;
  std::vector<unsigned> taken;
  for (std::size_t i = 0; i <= counters.size(); ++i) {
    const Answer answer = talk.ask(group_of(event, taken));
    if (answer.status != Answer::Status::encoded) return;
    const std::string& counter = answer.counters.front();
    const auto found = std::ranges::find(counters, counter);
    if (found == counters.end()) throw Broken(fmt::format("'{}' is no counter of {}", counter, target));
    const auto number = static_cast<unsigned>(found - counters.begin());
    if (std::ranges::find(taken, number) != taken.end())
      throw Broken(fmt::format("{} is used though counter {} is unavailable", counter, number));
    taken.push_back(number);
  }
}

void too_many(Talk& talk, const std::string& target, const Check& event) {
  Group group;
  for (std::size_t i = 0; i <= family_of(target)->counters.size(); ++i) group.checks.push_back(event);
  talk.refuses(talk.request(group), "more events than counters");
}

/// Every question of `pmusim validate` must get an answer in the form of the protocol.
void every_kind(Talk& talk, const std::string& target) {
  for (const Question& question : questions_of(target, Extent::quick)) {
    try {
      static_cast<void>(talk.ask(question.group));
    } catch (const std::exception& error) {
      throw Broken(fmt::format("{}: {}", question.group.question(), error.what()));
    }
  }
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
  if (!code) throw Broken("it continues when its input has ended");
  if (*code != 0) throw Broken(fmt::format("it ends with exit code {}", *code));
}

/// A request with one element that no encoder knows.
json strange(Talk& talk, const Check& event, const std::function<void(json&)>& change) {
  json request = talk.request(group_of(event));
  change(request);
  return request;
}

}  // namespace

std::vector<Conformance> check_conformance(const std::string& target, const ForeignProgram& program,
                                           const std::function<void(const std::string&)>& begins) {
  std::vector<Conformance> results;
  std::optional<Check> event;
  using Rule = std::function<void(Talk&)>;
  const auto check = [&](const std::string& rule, const Rule& rule_holds) {
    std::string problem;
    begins(rule);
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
  check("does not use unavailable counters", [&](Talk& talk) { unavailable(talk, target, *event); });
  check("answers every kind of question in the form of the protocol", [&](Talk& talk) { every_kind(talk, target); });
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
  check("ignores unknown keys", [&](Talk& talk) {
    const Answer plain = talk.ask(group_of(*event));
    const json request = strange(talk, *event, [](json& r) { r["comment"] = "for a later version"; });
    if (!same(plain, talk.ask(request))) throw Broken("the answer differs");
  });
  check("answers a line that is not JSON, and continues", [&](Talk& talk) { garbage(talk, *event); });
  check("ends when its input ends", [&](Talk& talk) { ends(talk, *event); });
  return results;
}

}  // namespace pmusim::testbench::questions
