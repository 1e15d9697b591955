#include "testbench/validate/line_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "testbench/cli/command.h"

namespace pmusim::testbench {
namespace {

using Clock = std::chrono::steady_clock;
/// Between two looks at a process that is to end.
constexpr std::chrono::milliseconds exit_poll{5};

}  // namespace

LineProcess::LineProcess(std::string command, unsigned timeout_seconds)
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

LineProcess::~LineProcess() {
  if (write_ >= 0) close(write_);
  close(read_);
  if (child_ > 0) {
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }
}

void LineProcess::fail(const std::string& what) const {
  throw UsageError(fmt::format("encoder '{}': {}", command_, what));
}

void LineProcess::send(const std::string& text, const std::string& what) {
  const std::string line = text + '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = write(write_, line.data() + sent, line.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(fmt::format("ended before {}", what));
    sent += static_cast<std::size_t>(n);
  }
}

std::string LineProcess::receive(const std::string& what) {
  const auto deadline = Clock::now() + std::chrono::seconds(timeout_seconds_);
  for (;;) {
    const std::size_t newline = buffer_.find('\n');
    if (newline != std::string::npos) {
      std::string line = buffer_.substr(0, newline);
      buffer_.erase(0, newline + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{read_, POLLIN, 0};
    const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) fail(fmt::format("no answer to {} within {} s", what, timeout_seconds_));
    std::array<char, 4096> chunk{};
    const ssize_t n = read(read_, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(fmt::format("ended without an answer to {}", what));
    buffer_.append(chunk.data(), static_cast<std::size_t>(n));
  }
}

std::optional<int> LineProcess::finish() {
  close(write_);
  write_ = -1;
  const auto deadline = Clock::now() + std::chrono::seconds(timeout_seconds_);
  for (;;) {
    int status = 0;
    if (waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    if (Clock::now() > deadline) return std::nullopt;
    std::this_thread::sleep_for(exit_poll);
  }
}

}  // namespace pmusim::testbench
