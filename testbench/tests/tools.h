// Tests that run other programs. Without the program a test is skipped; if PMUSIM_REQUIRE_TOOLS is set, it fails. Large
// programs are installed for scripts/nightly only, which sets PMUSIM_REQUIRE_TOOLS=night.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace pmusim {

/// Returns `found`. If it is false and PMUSIM_REQUIRE_TOOLS is set, the test fails and names `what`.
[[nodiscard]] inline bool available(bool found, const std::string& what) {
  if (!found && std::getenv("PMUSIM_REQUIRE_TOOLS") != nullptr) ADD_FAILURE() << what << ": not installed";
  return found;
}

/// Checks that all of these commands are installed; the first one that is missing is reported as above.
[[nodiscard]] inline bool have_tools(const std::vector<std::string>& tools) {
  for (const std::string& tool : tools)
    if (!available(std::system(("command -v " + tool + " >/dev/null 2>&1").c_str()) == 0, tool)) return false;
  return true;
}

/// The same for programs that only the nightly run requires.
[[nodiscard]] inline bool have_night_tools(const std::vector<std::string>& tools) {
  const char* required = std::getenv("PMUSIM_REQUIRE_TOOLS");
  if (required != nullptr && std::string(required) == "night") return have_tools(tools);
  for (const std::string& tool : tools)
    if (std::system(("command -v " + tool + " >/dev/null 2>&1").c_str()) != 0) return false;
  return true;
}

/// True if this kernel runs 32-bit x86 programs, as valgrind's tools for i386 are. A kernel built without them cannot
/// be helped by a package, so a test that needs them is skipped even if PMUSIM_REQUIRE_TOOLS is set.
[[nodiscard]] inline bool kernel_runs_i386() {
  return std::system("sh -c '/usr/libexec/valgrind/cachegrind-x86-linux >/dev/null 2>&1; test $? -ne 126'") == 0;
}

// Paths in command lines: a checkout may be in a folder with a blank in its name.

/// The text as one word of a command line for `sh`, in quotes if it has other characters than names usually have.
[[nodiscard]] inline std::string as_word(const std::string& text) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+.,/:@";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return text;
  std::string word = text.empty() ? "''" : "";
  bool open = false;
  for (const char c : text) {
    if ((c != '\'') != open) {  // never quotes around nothing: wordexp() takes them for the end of a word
      word += '\'';
      open = !open;
    }
    word += c == '\'' ? std::string("\\'") : std::string(1, c);
  }
  return open ? word + "'" : word;
}

// Path of a program of the test's own build, relative to the folder of the test's program. It is determined at run
// time, so that a sanitized build can use the object files of a plain one (scripts/cmake/PmusimTest.cmake).

inline std::string built(const std::string& program) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
}

}  // namespace pmusim
