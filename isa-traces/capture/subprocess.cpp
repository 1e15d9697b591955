#include "subprocess.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "capture.h"

namespace pmusim::trace {

int run_program(std::vector<std::string> words, const std::string& install, const std::string& what,
                bool empty_environment) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  char* no_environment[] = {nullptr};
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, words[0].c_str(), nullptr, nullptr, argv.data(),
                                     empty_environment ? no_environment : environ);
      error != 0) {
    throw CaptureError(error == ENOENT ? fmt::format("{}: not found; right: install {}", words[0], install)
                                       : fmt::format("{}: cannot be started: {}", words[0], std::strerror(error)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    throw CaptureError(fmt::format("{}: killed by signal {} ({}); right: a program that runs to its end", what,
                                   WTERMSIG(status), strsignal(WTERMSIG(status))));
  }
  return WEXITSTATUS(status);
}

}  // namespace pmusim::trace
