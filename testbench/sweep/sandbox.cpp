#include "testbench/sweep/sandbox.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "testbench/support/error.h"

namespace pmusim::testbench {
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
