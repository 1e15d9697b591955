// A foreign encoder: a child process that reads one request a line and answers one line, in order.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "testbench/cli/command.h"
#include "testbench/validate/candidate.h"

namespace pmusim::testbench {
namespace {

using nlohmann::json;

json request_of(std::uint64_t id, const std::string& target, const Group& group) {
  json events = json::array();
  for (const Check& check : group.checks) {
    json attributes = json::object();
    for (const auto& [name, value] : check.attributes) attributes[name] = value;
    json event{{"name", check.request.event}, {"umasks", check.request.umasks}, {"attrs", attributes}};
    if (!check.raw.empty()) event["raw"] = check.raw;
    events.push_back(event);
  }
  json qualifiers = json::object();
  if (!group.unavailable_counters.empty()) qualifiers["unavailable_counters"] = group.unavailable_counters;
  const auto add = [&](const char* name, const std::vector<std::string>& texts) {
    if (!texts.empty()) qualifiers[name] = texts;
  };
  add("irange", group.filters.irange);
  add("drange", group.filters.drange);
  add("opcode", group.filters.opcode);
  add("ear", group.filters.ear);
  add("btb", group.filters.btb);
  if (group.filters.no_fine) qualifiers["no_fine"] = true;
  if (group.filters.inverse) qualifiers["inverse"] = true;
  return {{"v", 1},
          {"id", id},
          {"target", target},
          {"events", events},
          {"qualifiers", qualifiers},
          {"sampling", group.captures || group.sampled}};
}

class ForeignEncoder final : public Candidate {
 public:
  ForeignEncoder(std::string command, unsigned timeout_seconds)
      : command_(std::move(command)), timeout_seconds_(timeout_seconds) {
    std::array<int, 2> to{}, from{};
    if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0) fail(std::strerror(errno));
    child_ = fork();
    if (child_ < 0) fail(std::strerror(errno));
    if (child_ == 0) {
      dup2(to[0], STDIN_FILENO);
      dup2(from[1], STDOUT_FILENO);
      execl("/bin/sh", "sh", "-c", command_.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    write_ = to[1];
    read_ = from[0];
    std::signal(SIGPIPE, SIG_IGN);
  }
  ForeignEncoder(const ForeignEncoder&) = delete;
  ForeignEncoder& operator=(const ForeignEncoder&) = delete;

  ~ForeignEncoder() override {
    close(write_);
    close(read_);
    if (child_ > 0) {
      kill(child_, SIGTERM);
      waitpid(child_, nullptr, 0);
    }
  }

  Answer encode(const std::string& target, const Group& group) override {
    const std::uint64_t id = ++last_id_;
    send(request_of(id, target, group).dump() + '\n');
    const std::string line = receive(id);
    try {
      return answer_of(json::parse(line), id, target, group);
    } catch (const json::exception&) {
      fail(fmt::format(R"(answer to request {} is malformed: "{}"; right: {{"id":{},"registers":[{{"name":"...",)"
                       R"("value":"0x..."}}],"counters":["..."]}} or {{"id":{},"error":"unsupported|invalid"}})",
                       id, line.substr(0, 200), id, id));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("encoder '{}': {}", command_, what));
  }

  void send(const std::string& line) {
    for (std::size_t sent = 0; sent < line.size();) {
      const ssize_t n = write(write_, line.data() + sent, line.size() - sent);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail(fmt::format("ended before request {}", last_id_));
      sent += static_cast<std::size_t>(n);
    }
  }

  std::string receive(std::uint64_t id) {
    using clock = std::chrono::steady_clock;
    const auto deadline = clock::now() + std::chrono::seconds(timeout_seconds_);
    for (;;) {
      const std::size_t newline = buffer_.find('\n');
      if (newline != std::string::npos) {
        std::string line = buffer_.substr(0, newline);
        buffer_.erase(0, newline + 1);
        return line;
      }
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now()).count();
      pollfd waiting{read_, POLLIN, 0};
      const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0) fail(fmt::format("no answer to request {} within {} s", id, timeout_seconds_));
      std::array<char, 4096> chunk{};
      const ssize_t n = read(read_, chunk.data(), chunk.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail(fmt::format("ended without an answer to request {}", id));
      buffer_.append(chunk.data(), static_cast<std::size_t>(n));
    }
  }

  Answer answer_of(const json& object, std::uint64_t id, const std::string& target, const Group& group) const {
    if (object.at("id").get<std::uint64_t>() != id)
      fail(fmt::format("answer {} where {} was due", object.at("id").dump(), id));
    Answer answer;
    if (object.contains("error")) {
      const std::string kind = object.at("error").get<std::string>();
      if (kind != "unsupported" && kind != "invalid")
        fail(fmt::format("error '{}' in answer {}; legal: unsupported, invalid", kind, id));
      answer.status = kind == "unsupported" ? Answer::Status::unsupported : Answer::Status::invalid;
      answer.message = object.value("message", kind);
      return answer;
    }
    for (const json& reg : object.at("registers")) answer.registers.push_back(register_of(reg, target, id));
    answer.counters = object.at("counters").get<std::vector<std::string>>();
    if (answer.counters.size() != group.checks.size()) {
      fail(fmt::format("answer {} names {} counters for {} events", id, answer.counters.size(), group.checks.size()));
    }
    return answer;
  }

  /// A register by its manual name; bits that the encoder does not care about are left as it gave them.
  encoder::RegisterValue register_of(const json& object, const std::string& target, std::uint64_t id) const {
    const std::string name = object.at("name").get<std::string>();
    const std::string text = object.at("value").get<std::string>();
    std::uint64_t value = 0;
    const char* digits = text.data() + (text.starts_with("0x") ? 2 : 0);
    const auto [end, error] = std::from_chars(digits, text.data() + text.size(), value, 16);
    if (!text.starts_with("0x") || error != std::errc{} || end != text.data() + text.size()) {
      fail(fmt::format("answer {}: value '{}' of {} is not 0x and hexadecimal digits", id, text, name));
    }
    const auto registers = encoder::registers(target);
    for (encoder::RegisterValue known : *registers) {
      if (known.name != name) continue;
      known.value = value;
      return known;
    }
    fail(fmt::format("answer {}: target {} has no register '{}'", id, target, name));
  }

  std::string command_;
  std::string buffer_;
  unsigned timeout_seconds_;
  std::uint64_t last_id_ = 0;
  pid_t child_ = -1;
  int write_ = -1;
  int read_ = -1;
};

}  // namespace

std::unique_ptr<Candidate> foreign_encoder(const std::string& command, unsigned timeout_seconds) {
  return std::make_unique<ForeignEncoder>(command, timeout_seconds);
}

}  // namespace pmusim::testbench
