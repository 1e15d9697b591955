#include "testbench/sweep/jobs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <vector>

#include "testbench/support/error.h"
#include "testbench/sweep/heap.h"

namespace pmusim::testbench {
namespace {

/// First byte of a message: a result, or the message of an exception.
constexpr char result_mark = '+';
constexpr char error_mark = '!';

void send_all(int pipe, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = write(pipe, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(3);
    data += n;
    size -= static_cast<std::size_t>(n);
  }
}

/// Appends what a pipe has; false at its end.
bool receive(int pipe, std::string& text) {
  std::array<char, 65536> chunk{};
  const ssize_t n = read(pipe, chunk.data(), chunk.size());
  if (n > 0) text.append(chunk.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

std::array<int, 2> new_pipe() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw UsageError("cannot make a pipe: {}", std::strerror(errno));
  return ends;
}

/// Forks; in the child returns 0. The child ends with its parent. It keeps `files` open, as descriptors 3, 4, ..., and
/// none of the parent's: otherwise a journal's lock would last as long as the child.
template <std::size_t N>
pid_t fork_with(std::array<int, N> files) {
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) throw UsageError("cannot start a process: {}", std::strerror(errno));
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(3);
  int next = STDERR_FILENO + 1;
  for (int& file : files) file = fcntl(file, F_DUPFD, 100);  // out of the way of the places
  for (const int file : files) dup2(file, next++);
  close_range(static_cast<unsigned>(next), ~0u, 0);
  return 0;
}
constexpr int first_file = STDERR_FILENO + 1;

std::string message_of_work(const std::function<std::string(std::size_t)>& work, std::size_t job) {
  try {
    return result_mark + work(job);
  } catch (const std::exception& error) {
    return std::string(1, error_mark) + message_of(error);
  }
}

/// The message of a job that a process of its own does.
std::string in_child(const std::function<std::string(std::size_t)>& work, std::size_t job) {
  const std::array<int, 2> ends = new_pipe();
  const UntouchedHeap heap;
  const pid_t pid = fork_with(std::array{ends[1]});
  if (pid == 0) {
    const std::string text = message_of_work(work, job);
    send_all(first_file, text.data(), text.size());
    _exit(0);  // no destructors of the parent's objects
  }
  close(ends[1]);
  std::string text;
  while (receive(ends[0], text)) continue;
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if (!text.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  return fmt::format("{}the job died ({})", error_mark,
                     WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "without a result");
}

/// A worker: gets the numbers of jobs, and answers with the size of a message and the message.
[[noreturn]] void serve(const Jobs& jobs) {
  constexpr int orders = first_file, answers = first_file + 1;
  for (std::uint64_t job = 0; read(orders, &job, sizeof job) == sizeof job;) {
    std::string text;
    try {
      const auto known = jobs.known ? jobs.known(job) : std::nullopt;
      text = known ? result_mark + *known : in_child(jobs.work, job);
    } catch (const std::exception& error) {
      text = std::string(1, error_mark) + message_of(error);
    }
    const std::uint64_t size = text.size();
    send_all(answers, reinterpret_cast<const char*>(&size), sizeof size);
    send_all(answers, text.data(), text.size());
  }
  _exit(0);
}

struct Worker {
  pid_t pid;
  int orders, answers;
  std::size_t job = 0;  ///< that it does
  std::string text = {};
  bool has_ended = false;
};

/// The workers; they end with this object.
class Workers {
 public:
  Workers(const Jobs& jobs, std::size_t count) {
    const UntouchedHeap heap;
    while (list.size() < count) {
      const std::array<int, 2> orders = new_pipe(), answers = new_pipe();
      const pid_t pid = fork_with(std::array{orders[0], answers[1]});
      if (pid == 0) serve(jobs);
      close(orders[0]);
      close(answers[1]);
      list.push_back({pid, orders[1], answers[0]});
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    for (const Worker& worker : list) {
      close(worker.orders);
      close(worker.answers);
      if (worker.has_ended) continue;
      kill(worker.pid, SIGTERM);
      waitpid(worker.pid, nullptr, 0);
    }
  }
  std::vector<Worker> list;
};

/// The message of a worker as soon as it is complete. Throws UsageError if the worker has died.
std::optional<std::string> message_from(Worker& worker, const Jobs& jobs) {
  if (!receive(worker.answers, worker.text)) {
    int status = 0;
    waitpid(worker.pid, &status, 0);
    worker.has_ended = true;
    throw UsageError("{}: the job died ({})", jobs.name(worker.job),
                     WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "without a result");
  }
  std::uint64_t size = 0;
  if (worker.text.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, worker.text.data(), sizeof size);
  if (worker.text.size() < sizeof size + size) return std::nullopt;
  std::string message = worker.text.substr(sizeof size);
  worker.text.clear();
  return message;
}

}  // namespace

std::function<void()>& signal_hook() {
  static std::function<void()> hook;
  return hook;
}

void run_jobs(const Jobs& jobs, unsigned parallel, const std::function<void(std::size_t, const std::string&)>& done) {
  Workers workers(jobs, std::min<std::size_t>(jobs.count, std::max(1u, parallel)));
  std::size_t next = 0, finished = 0;
  const auto order = [&](Worker& worker) {
    if (next == jobs.count) return;
    worker.job = next;
    const std::uint64_t number = next++;
    if (write(worker.orders, &number, sizeof number) != sizeof number)
      throw UsageError("{}: the job cannot be started: {}", jobs.name(worker.job), std::strerror(errno));
  };
  std::vector<pollfd> waiting;
  for (Worker& worker : workers.list) {
    order(worker);
    waiting.push_back({worker.answers, POLLIN, 0});
  }
  while (finished < jobs.count) {
    if (poll(waiting.data(), waiting.size(), -1) < 0) {
      if (errno != EINTR) throw UsageError(std::strerror(errno));
      if (signal_hook()) signal_hook()();
      continue;
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents == 0) continue;
      Worker& worker = workers.list[i];
      const auto message = message_from(worker, jobs);
      if (!message) continue;
      const std::size_t job = worker.job;
      if (message->front() == error_mark) throw UsageError("{}: {}", jobs.name(job), message->substr(1));
      ++finished;
      order(worker);
      done(job, message->substr(1));
    }
  }
}

}  // namespace pmusim::testbench
