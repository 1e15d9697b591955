#include "subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "capture.h"

namespace pmusim::trace {

namespace fs = std::filesystem;

namespace {

std::string name_beside(const fs::path& output) {
  return (fs::absolute(output).parent_path() / ".capture-XXXXXX").string();
}

[[noreturn]] void cannot_write(const fs::path& output) {
  throw CaptureError("{}: cannot be written; expected a file in a folder that exists and is writable", output.string());
}

}  // namespace

Workspace::Workspace(const fs::path& output) {
  std::string name = name_beside(output);
  if (::mkdtemp(name.data()) == nullptr) cannot_write(output);
  folder_ = name;
}

Workspace::~Workspace() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

UnnamedFile::UnnamedFile(const fs::path& output) {
  std::string name = name_beside(output);
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) cannot_write(output);
  ::unlink(name.c_str());
}

UnnamedFile::~UnnamedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int UnnamedFile::release() { return std::exchange(descriptor_, -1); }

fs::path UnnamedFile::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor_); }

namespace {

/// Executes the program in this process, which is killed when its parent ends. On failure, writes errno to the pipe.
[[noreturn]] void become(std::vector<char*>& argv, char** environment, pid_t parent, int pipe, Streams streams) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (streams.input != STDIN_FILENO) dup2(streams.input, STDIN_FILENO);
  if (streams.quiet) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);  // also what pmusim's own parent has left open
  if (getppid() == parent) execvpe(argv[0], argv.data(), environment);
  const int error = errno;
  static_cast<void>(!write(pipe, &error, sizeof error));
  _exit(127);
}

}  // namespace

int run_program(std::vector<std::string> words, const std::string& install, const std::string& what,
                bool empty_environment, Streams streams) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  char* no_environment[] = {nullptr};
  const auto fail = [&](int error) {
    throw CaptureError(error == ENOENT ? fmt::format("{}: not found; install {}", words[0], install)
                                       : fmt::format("{}: cannot be started: {}", words[0], std::strerror(error)));
  };
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) become(argv, empty_environment ? no_environment : environ, parent, ends[1], streams);
  close(ends[1]);
  int error = child < 0 ? errno : 0, status = 0;
  while (child > 0 && ::read(ends[0], &error, sizeof error) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (error != 0) fail(error);
  if (WIFSIGNALED(status)) {
    throw CaptureError("{}: killed by signal {} ({}); expected a program that runs to its end", what, WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  }
  return WEXITSTATUS(status);
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

namespace {

/// Copies standard input to `to` and to `kept` until the reader of `to` is gone.
[[noreturn]] void copy_input(int to, int kept) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (bytes.empty() || !write_all(kept, bytes) || !write_all(to, bytes)) _exit(0);
  }
}

}  // namespace

RepeatedInput::RepeatedInput(const std::filesystem::path& output) {
  struct stat status {};
  if (fstat(STDIN_FILENO, &status) != 0) return;
  if (S_ISREG(status.st_mode)) offset_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) return;
  kept_ = UnnamedFile(output).release();
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw CaptureError("no pipe: {}", std::strerror(errno));
  copier_ = fork();
  if (copier_ == 0) {
    close(ends[0]);
    copy_input(ends[1], kept_);
  }
  close(ends[1]);
  if (copier_ < 0) throw CaptureError("no process: {}", std::strerror(errno));
  first_ = ends[0];
}

void RepeatedInput::stop_copying() {
  if (copier_ < 0) return;
  close(first_);
  kill(copier_, SIGKILL);
  while (waitpid(copier_, nullptr, 0) < 0 && errno == EINTR) {
  }
  copier_ = -1;
}

int RepeatedInput::second() {
  stop_copying();
  if (offset_ >= 0) lseek(STDIN_FILENO, offset_, SEEK_SET);
  if (kept_ < 0) return STDIN_FILENO;
  lseek(kept_, 0, SEEK_SET);
  return kept_;
}

RepeatedInput::~RepeatedInput() {
  stop_copying();
  if (kept_ >= 0) close(kept_);
}

}  // namespace pmusim::trace
