#include "testbench/sweep/jobs.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "testbench/support/error.h"
#include "testbench/support/message.h"

namespace pmusim::testbench {
namespace {

/// First byte of a child's message: a result line, or the message of an exception.
constexpr char result_mark = '+';
constexpr char error_mark = '!';

struct Child {
  std::size_t job;
  pid_t pid;
  int pipe;
  std::string text;
};

void send_all(int pipe, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(pipe, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(3);
    sent += static_cast<std::size_t>(n);
  }
}

Child start(std::size_t job, const std::function<std::string(std::size_t)>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw UsageError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) throw UsageError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (pid != 0) {
    close(ends[1]);
    return {job, pid, ends[0], {}};
  }
  // The child ends with its parent and keeps none of the parent's files open; otherwise a journal's lock would last as
  // long as the child.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(3);
  constexpr int answers = STDERR_FILENO + 1;
  if (ends[1] != answers) dup2(ends[1], answers);
  close_range(answers + 1, ~0u, 0);
  std::string text;
  try {
    text = result_mark + work(job);
  } catch (const std::exception& error) {
    text = std::string(1, error_mark) + message_of(error);
  }
  send_all(answers, text);
  _exit(0);  // no destructors of the parent's objects
}

/// Ends the remaining children when an exception is thrown.
class Children {
 public:
  ~Children() {
    for (const Child& child : list) {
      kill(child.pid, SIGTERM);
      close(child.pipe);
      waitpid(child.pid, nullptr, 0);
    }
  }
  std::vector<Child> list;
};

}  // namespace

std::function<void()>& signal_hook() {
  static std::function<void()> hook;
  return hook;
}

void run_jobs(std::size_t count, unsigned parallel, const std::function<std::string(std::size_t)>& work,
              const std::function<void(std::size_t, const std::string&)>& done,
              const std::function<std::string(std::size_t)>& name) {
  Children children;
  for (std::size_t next = 0; next < count || !children.list.empty();) {
    while (next < count && children.list.size() < std::max(1u, parallel)) children.list.push_back(start(next++, work));
    std::vector<pollfd> waiting;
    for (const Child& child : children.list) waiting.push_back({child.pipe, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), -1) < 0) {
      if (errno != EINTR) throw UsageError(std::strerror(errno));
      if (signal_hook()) signal_hook()();
      continue;
    }
    for (std::size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0) continue;
      Child& child = children.list[i];
      std::array<char, 65536> chunk{};
      const ssize_t n = read(child.pipe, chunk.data(), chunk.size());
      if (n > 0) {
        child.text.append(chunk.data(), static_cast<std::size_t>(n));
        continue;
      }
      if (n < 0 && errno == EINTR) continue;
      const Child ended = std::move(child);
      children.list.erase(children.list.begin() + static_cast<std::ptrdiff_t>(i));
      close(ended.pipe);
      int status = 0;
      waitpid(ended.pid, &status, 0);
      if (ended.text.empty() || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw UsageError(fmt::format("{}: the job died ({})", name(ended.job),
                                     WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "without a result"));
      }
      if (ended.text[0] == error_mark) throw UsageError(fmt::format("{}: {}", name(ended.job), ended.text.substr(1)));
      done(ended.job, ended.text.substr(1));
    }
  }
}

}  // namespace pmusim::testbench
