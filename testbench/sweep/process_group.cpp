#include "testbench/sweep/process_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "testbench/support/error.h"

namespace pmusim::testbench {

namespace {

using namespace std::chrono_literals;

/// Time that a program may take to end after SIGTERM.
constexpr std::chrono::milliseconds grace = 500ms;
constexpr int not_found = 127;  // exit code as shells report it

/// Signals that are sent to a whole group or session; the leader outlives them to report.
constexpr std::array group_signals{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE};

void handle_group_signals(void (*action)(int)) {
  for (const int number : group_signals) std::signal(number, action);
}

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    read = ends[0];
    write = ends[1];
  }
};

/// Closes all descriptors except these two and standard error.
void close_all_but(int one, int other) {
  const auto first = static_cast<unsigned>(std::min(one, other)), second = static_cast<unsigned>(std::max(one, other));
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  if (first > STDERR_FILENO + 1) close_range(STDERR_FILENO + 1, first - 1, 0);
  if (second > first + 1) close_range(first + 1, second - 1, 0);
  close_range(second + 1, ~0u, 0);
}

/// A command of the shell that may begin a line without other signs of a shell.
bool is_of_the_shell(const std::string& word) {
  static constexpr std::string_view words[] = {".",    ":",      "cd",  "command", "eval",
                                               "exec", "export", "set", "ulimit",  "umask"};
  return std::ranges::find(words, word) != std::end(words);
}

[[noreturn]] void become(const Launch& launch, std::vector<char*>& words, int input, int output) {
  handle_group_signals(SIG_DFL);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  close_range(STDERR_FILENO + 1, ~0u, 0);  // also what pmusim's own parent has left open
  if (!launch.words.empty()) {
    execvp(words.front(), words.data());
    if (errno == ENOENT && !is_of_the_shell(launch.words.front())) _exit(not_found);
    if (errno != ENOENT) {
      const std::string text = fmt::format("{}: {}\n", launch.words.front(), std::strerror(errno));
      static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
      _exit(not_found - 1);
    }
  }
  execl("/bin/sh", "sh", "-c", launch.shell.c_str(), static_cast<char*>(nullptr));
  _exit(not_found);
}

/// The leader: reports the program's exit status, and ends the group when no process holds the lifeline open.
[[noreturn]] void lead(pid_t program, int lifeline, int report) {
  int status = 0;
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, program, 0));
  bool runs = true;
  for (;;) {
    std::array<pollfd, 2> waiting{pollfd{lifeline, POLLIN, 0}, pollfd{handle, POLLIN, 0}};
    if (poll(waiting.data(), runs ? 2 : 1, handle < 0 && runs ? 50 : -1) < 0 && errno != EINTR) break;
    if (waiting[0].revents != 0) break;
    if (!runs || waitpid(program, &status, WNOHANG) != program) continue;
    runs = false;
    static_cast<void>(!write(report, &status, sizeof status));
    close(report);
  }
  kill(0, SIGKILL);
  _exit(0);
}

}  // namespace

ProcessGroup::ProcessGroup(const Launch& launch, int input, int output) {
  std::vector<std::string> texts = launch.words;
  std::vector<char*> words;
  words.reserve(texts.size() + 1);
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  const Pipe life, told;
  leader_ = fork();
  if (leader_ < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (leader_ == 0) {
    setpgid(0, 0);
    handle_group_signals(SIG_IGN);
    const pid_t program = fork();
    if (program == 0) become(launch, words, input, output);
    // Closes everything inherited from the parent: locks, and the parent's ends of the pipes.
    close_all_but(life.read, told.write);
    if (program < 0) _exit(not_found);
    lead(program, life.read, told.write);
  }
  setpgid(leader_, leader_);  // set by both processes, because either may run first
  close(life.read);
  close(told.write);
  lifeline_ = life.write;
  report_ = told.read;
}

std::optional<int> ProcessGroup::wait(std::chrono::milliseconds longest) {
  if (status_) return status_;
  const auto deadline = std::chrono::steady_clock::now() + longest;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waiting{report_, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max(left, 0ms).count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    int status = 0;
    if (read(report_, &status, sizeof status) == sizeof status) status_ = status;
    return status_;
  }
}

ProcessGroup::~ProcessGroup() {
  if (!wait(0ms)) {
    kill(-leader_, SIGTERM);
    static_cast<void>(wait(grace));
  }
  close(lifeline_);
  kill(-leader_, SIGKILL);
  waitpid(leader_, nullptr, 0);
  close(report_);
}

bool cannot_run(int status) {
  return WIFEXITED(status) && (WEXITSTATUS(status) == not_found || WEXITSTATUS(status) == not_found - 1);
}

std::string words_of_status(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("killed by SIG{} ({})", sigabbrev_np(WTERMSIG(status)), sigdescr_np(WTERMSIG(status)));
  const int code = WEXITSTATUS(status);
  return fmt::format("exit code {}{}", code, code == not_found ? ": not found" : "");
}

namespace {

namespace fs = std::filesystem;

/// The file that the first word of a command runs; empty if there is none.
fs::path program_of(const std::string& word) {
  if (word.find('/') != std::string::npos) return word;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / word;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

/// Folders whose contents a foreign program must not see.
std::vector<std::string> hidden_folders() {
  std::vector<std::string> folders{"/tmp", "/var/tmp", "/run", "/root", "/home"};
  if (const char* home = std::getenv("HOME");
      home != nullptr && fs::path(home).is_absolute() && home != std::string("/"))
    folders.emplace_back(home);
  std::erase_if(folders, [](const std::string& folder) {
    std::error_code ignored;
    return !fs::is_directory(folder, ignored);
  });
  return folders;
}

}  // namespace

std::vector<std::string> words_of_command(const std::string& command) {
  constexpr const char* of_a_shell = "|&;<>()$`\\\"'*?[]#~!{}\n\r";
  std::istringstream in(command);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  const bool assignment = !words.empty() && words.front().find('=') != std::string::npos;
  if (assignment || command.find_first_of(of_a_shell) != std::string::npos) words.clear();
  return words;
}

Launch sandboxed(const Launch& launch) {
  if (program_of("bwrap").empty())
    throw UsageError("--sandbox needs bubblewrap (Debian: bubblewrap); install it, or leave --sandbox out");
  std::vector<std::string> words{
      "bwrap",  "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/", "--dev", "/dev",
      "--proc", "/proc"};
  for (const std::string& folder : hidden_folders()) words.insert(words.end(), {"--tmpfs", folder});
  const std::string here = fs::current_path().string();
  words.insert(words.end(), {"--ro-bind", here, here});
  const fs::path program = launch.words.empty() ? fs::path() : fs::absolute(program_of(launch.words.front()));
  std::error_code ignored;
  if (launch.words.size() > 0 && fs::is_regular_file(program, ignored)) {
    const std::string folder = program.parent_path().string();
    words.insert(words.end(), {"--ro-bind", folder, folder});
  }
  words.insert(words.end(), {"--chdir", here, "--"});
  if (launch.words.empty()) {
    words.insert(words.end(), {"/bin/sh", "-c", launch.shell});
  } else {
    words.insert(words.end(), launch.words.begin(), launch.words.end());
  }
  return {words, {}};
}

}  // namespace pmusim::testbench
