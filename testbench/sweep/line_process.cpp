#include "testbench/sweep/line_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

namespace pmusim::testbench {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// An answer with all registers of a target has a few thousand bytes.
constexpr std::size_t longest_line = 65536;
/// What a program may take to start, at least: an interpreter reads its libraries first.
constexpr std::chrono::seconds starting = 10s;
/// Time between the end of a program's output and the end of the program.
constexpr std::chrono::milliseconds ending = 500ms;

}  // namespace

LineProcess::LineProcess(ForeignProgram program) : program_(std::move(program)) {
  std::array<int, 2> to{}, from{};
  if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0) fail(std::strerror(errno));
  write_ = to[1];
  read_ = from[0];
  try {
    Launch launch{words_of_command(program_.command), program_.command};
    if (program_.sandbox) launch = sandboxed(launch);
    group_ = std::make_unique<ProcessGroup>(launch, to[0], from[1]);
  } catch (const std::system_error& error) {
    fail(error.what());
  }
  close(to[0]);
  close(from[1]);
  fcntl(write_, F_SETFL, fcntl(write_, F_GETFL) | O_NONBLOCK);
  std::signal(SIGPIPE, SIG_IGN);
}

LineProcess::~LineProcess() {
  if (write_ >= 0) {  // most programs end by themselves then, after writing their remaining output
    close(write_);
    static_cast<void>(group_->wait(ending));
  }
  close(read_);
}

void LineProcess::fail(const std::string& what) const { throw UsageError("encoder '{}': {}", program_.command, what); }

/// Reports that the program closed its end of a pipe; it has probably ended, too.
void LineProcess::gone(const std::string& what) {
  const auto status = group_->wait(ending);
  if (status && cannot_run(*status))
    throw CannotRun(fmt::format("encoder '{}': cannot be run ({}); expected a command", program_.command,
                                words_of_status(*status)));
  fail(fmt::format("{} ({})", what, status ? words_of_status(*status) : "it closed its output, and still runs"));
}

LineProcess::Deadline LineProcess::deadline() const { return Clock::now() + std::chrono::seconds(program_.timeout); }

/// Waits for input while writing queued data. A descriptor of -1 means to write only. Returns false on a time-out.
bool LineProcess::ready(int descriptor, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    std::array<pollfd, 2> waiting{pollfd{descriptor, POLLIN, 0}, pollfd{queued_.empty() ? -1 : write_, POLLOUT, 0}};
    const int count = left > 0ms ? poll(waiting.data(), waiting.size(), static_cast<int>(left.count())) : 0;
    if (count < 0 && errno != EINTR) fail(std::strerror(errno));
    if (count == 0) return false;
    if (count < 0) continue;
    if (waiting[0].revents != 0) return true;
    if (!write_queued()) queued_.clear();  // requests that it has already read may still be answered
    if (queued_.empty() && descriptor < 0) return true;
  }
}

/// Writes as much as the program accepts now; false if it accepts nothing more.
bool LineProcess::write_queued() {
  while (!queued_.empty()) {
    const ssize_t n = write(write_, queued_.data(), queued_.size());
    if (n > 0) written_ += static_cast<std::size_t>(n);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return true;
    if (n <= 0) return false;
    queued_.erase(0, static_cast<std::size_t>(n));
  }
  return true;
}

void LineProcess::post(const std::string& text) {
  queued_ += text;
  queued_ += '\n';
}

void LineProcess::send(const std::string& text, const std::string& what) {
  post(text);
  if (!write_queued()) gone(fmt::format("ended before {}", what));
  if (!queued_.empty() && !ready(-1, deadline()))
    fail(fmt::format("does not read {} within {} s; --encoder-timeout sets the limit", what, program_.timeout));
}

/// True once the program has read input or written output. Until then it is still starting.
bool LineProcess::started() const {
  int unread = 0;
  pollfd output{read_, POLLIN, 0};
  return ioctl(write_, FIONREAD, &unread) != 0 || static_cast<std::size_t>(unread) < written_ ||
         poll(&output, 1, 0) != 0;
}

/// The time of an answer begins when the program has started.
void LineProcess::wait_for_start() {
  if (started_) return;
  const Deadline latest =
      Clock::now() + std::max<std::chrono::seconds>(starting, std::chrono::seconds(program_.timeout));
  while (!started() && Clock::now() < latest) static_cast<void>(ready(read_, Clock::now() + 20ms));
  started_ = true;
}

std::string LineProcess::receive(const std::string& what) {
  if (!write_queued()) queued_.clear();
  wait_for_start();
  const Deadline end = deadline();
  for (std::size_t searched = 0;;) {
    const std::size_t newline = buffer_.find('\n', searched);
    searched = buffer_.size();
    if (std::min(newline, searched) > longest_line)
      fail(fmt::format("answers {} with a line of more than {} bytes", what, longest_line));
    if (newline != std::string::npos) {
      std::string line = buffer_.substr(0, newline);
      buffer_.erase(0, newline + 1);
      return line;
    }
    if (!ready(read_, end))
      fail(fmt::format("no answer to {} within {} s; --encoder-timeout sets the limit", what, program_.timeout));
    std::array<char, 4096> chunk{};
    const ssize_t n = read(read_, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) gone(fmt::format("ended without an answer to {}", what));
    buffer_.append(chunk.data(), static_cast<std::size_t>(n));
  }
}

std::optional<int> LineProcess::finish() {
  close(std::exchange(write_, -1));
  const auto status = group_->wait(std::chrono::seconds(program_.timeout));
  if (!status) return std::nullopt;
  return WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
}

}  // namespace pmusim::testbench
