#include "subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "capture.h"

namespace pmusim::trace {
namespace {

/// Becomes the program, which ends with its parent; writes why not into the pipe.
[[noreturn]] void become(std::vector<char*>& argv, char** environment, pid_t parent, int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent) execvpe(argv[0], argv.data(), environment);
  const int error = errno;
  static_cast<void>(!write(pipe, &error, sizeof error));
  _exit(127);
}

}  // namespace

int run_program(std::vector<std::string> words, const std::string& install, const std::string& what,
                bool empty_environment) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  char* no_environment[] = {nullptr};
  const auto fail = [&](int error) {
    throw CaptureError(error == ENOENT ? fmt::format("{}: not found; right: install {}", words[0], install)
                                       : fmt::format("{}: cannot be started: {}", words[0], std::strerror(error)));
  };
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) become(argv, empty_environment ? no_environment : environ, parent, ends[1]);
  close(ends[1]);
  int error = child < 0 ? errno : 0, status = 0;
  while (child > 0 && read(ends[0], &error, sizeof error) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (error != 0) fail(error);
  if (WIFSIGNALED(status)) {
    throw CaptureError(fmt::format("{}: killed by signal {} ({}); right: a program that runs to its end", what,
                                   WTERMSIG(status), strsignal(WTERMSIG(status))));
  }
  return WEXITSTATUS(status);
}

}  // namespace pmusim::trace
