#include "command.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "testbench/tests/built.h"

namespace pmusim::cli_test {

Outcome shell(const std::string& line) {
  const std::string out = scratch() + "/.out";
  const std::string err = scratch() + "/.err";
  const std::string whole = "cd " + as_word(scratch()) + "; export PMUSIM=" + as_word(scratch() + "/.built/pmusim") +
                            " PMUSIM_DATA=" + as_word(source_file(".")) + " PMUSIM_CACHE=off; { " + line +
                            "\n} > .out 2> .err < /dev/null";
  const int status = std::system(whole.c_str());
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_file(out);
  outcome.err = read_file(err);
  return outcome;
}

Outcome pmusim(const std::string& arguments) { return shell("\"$PMUSIM\" " + arguments); }

const std::string& scratch() {
  static const std::string folder = [] {
    const std::string name = testing::TempDir() + "pmusim cli-" + std::to_string(getpid());
    std::filesystem::remove_all(name);
    std::filesystem::create_directories(name);
    std::filesystem::create_directory_symlink(PMUSIM_SOURCE_DIR, name + "/.sources");
    std::filesystem::create_directory_symlink(built("."), name + "/.built");
    return name;
  }();
  return folder;
}

std::string write_file(const std::string& name, const std::string& content) {
  const std::string path = scratch() + "/" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string source_file(const std::string& name) { return scratch() + "/.sources/" + name; }
std::string recorded(const std::string& name) { return source_file("isa-traces/recorded/" + name + ".pmt"); }
std::string micro_trace(const std::string& name) {
  const std::size_t slash = name.find('/');
  return source_file("isa-traces/micro/" + name.substr(0, slash) + ".pmt" + name.substr(slash));
}

nlohmann::json json_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  auto value = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_FALSE(value.is_discarded()) << outcome.out;
  return value;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

namespace {
std::string straight(const char* isa, unsigned count, unsigned bytes, const char* code) {
  std::ostringstream text;
  text << "! isa " << isa << '\n' << std::hex;
  for (unsigned i = 0; i < count; ++i) text << 0x10000 + i * bytes << ' ' << code << '\n';
  return text.str();
}
}  // namespace

std::string nops(unsigned count) { return straight("i386", count, 1, "90"); }
std::string idle_nops(unsigned cycles) {
  std::string text = nops(13);
  return text.insert(text.find("1000a "), "! idle cycles=" + std::to_string(cycles) + "\n");
}
std::string ppc_nops(unsigned count) { return straight("ppc", count, 4, "60000000"); }

}  // namespace pmusim::cli_test
