#include "command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "testbench/cli/command.h"
#include "testbench/tests/patterns.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {

namespace {

/// Opens a file of the current folder as a stream of this process.
void redirect(int stream, const char* name, int flags) {
  const int file = open(name, flags, 0666);
  if (file < 0 || dup2(file, stream) < 0) _exit(127);
  close(file);
}

/// Runs the body in a process of its own, in the scratch folder and with captured streams.
template <typename Body>
Outcome run_apart(const Body& body) {
  const std::string& folder = scratch();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(folder.c_str()) != 0) _exit(127);
    setenv("PMUSIM", (folder + "/.built/pmusim").c_str(), 1);
    setenv("PMUSIM_DATA", source_file(".").c_str(), 1);
    setenv("PMUSIM_CACHE", "off", 1);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, ".out", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, ".err", O_WRONLY | O_CREAT | O_TRUNC);
    const int code = body();
    std::fflush(nullptr);
    _exit(code);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(folder + "/.out"),
          read_file(folder + "/.err")};
}

int run_shell(const std::string& line) { return execl("/bin/sh", "sh", "-c", line.c_str(), nullptr); }

/// The words of a command line as the shell forms them; none if it has more than words, such as a pipe.
std::optional<std::vector<std::string>> words_of(const std::string& line) {
  wordexp_t found;
  if (wordexp(line.c_str(), &found, WRDE_NOCMD | WRDE_UNDEF) != 0) return {};
  return std::vector<std::string>(found.we_wordv, found.we_wordv + found.we_wordc);
}

}  // namespace

Outcome shell(const std::string& line) {
  return run_apart([&] { return run_shell(line); });
}

// Loading the program's libraries takes most of the time of a short command. This process has them.
Outcome pmusim(const std::string& arguments) {
  return run_apart([&] {
    const auto words = words_of(arguments);
    return words ? testbench::run_program(*words) : run_shell("\"$PMUSIM\" " + arguments);
  });
}

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

void write_wrong_encoder() {
  write_file("wrong.py", R"(
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "registers": [{"name": f"PerfEvtSel{n}", "value": "0x430076"} for n in range(4)],
                      "counters": [f"PerfCtr{n}" for n in range(len(request["events"]))]}), flush=True)
)");
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

std::vector<nlohmann::json> rows_of(const Outcome& outcome) {
  std::vector<nlohmann::json> rows;
  for (const std::string& line : lines_of(outcome.out)) rows.push_back(nlohmann::json::parse(line));
  return rows;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string Measured::options() const {
  std::string text = "-t " + target + " -e " + events;
  std::istringstream names(traces);
  for (std::string name; names >> name;) text += " --trace " + as_word(recorded(name));
  return text;
}

const std::vector<Measured>& measured() {
  static const std::vector<Measured> all{
      {"athlon", "i386-units", "RETIRED_INSTRUCTIONS,DATA_CACHE_MISSES,CPU_CLK_UNHALTED,DISPATCH_STALLS"},
      {"ppc750gx", "ppc-units", "INSTRUCTIONS_COMPLETED,L1_DCACHE_MISSES,PROCESSOR_CYCLES"},
      {"ppc750gl", "ppc-units", "INSTRUCTIONS_COMPLETED,PROCESSOR_CYCLES"},
      {"alpha-ev4", "alpha-units", "PF_ISSUES,PF_DCACHE"},
      {"alpha-ev5", "alpha-units", "PF5_MUX0_ISSUES,PF5_MUX0_CYCLES"},
      {"alpha-pca56", "alpha-pca56", "PF5_MUX0_CYCLES,PF5_MUX0_ISSUES"},
      {"alpha-ev6", "alpha-units", "PF6_MUX0_RET_INSTRUCTIONS"},
      {"alpha-ev67", "alpha-ev67", "RETINST,CYCLES0"},
      {"itanium2", "ia64-pipelined", "IA64_INST_RETIRED,LOADS_RETIRED,CPU_CYCLES,BACK_END_BUBBLE_ALL"},
      {"montecito", "ia64-pipelined", "IA64_INST_RETIRED,LOADS_RETIRED,BACK_END_BUBBLE_ALL"},
      {"montecito", "ia64-pipelined ia64-recursion-O2", "LOADS_RETIRED,CPU_OP_CYCLES_ALL"}};
  return all;
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

std::size_t characters(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string widest(const std::string& text) {
  std::string widest;
  for (const std::string& line : lines_of(text)) {
    if (characters(line) > characters(widest)) widest = line;
  }
  return widest;
}

std::string on_terminal(const std::string& arguments, unsigned columns) {
  const Outcome outcome = shell(
      "TERM=xterm COLUMNS=" + std::to_string(columns) + " script -qec " +
      as_word("stty cols " + std::to_string(columns) + "; \"$PMUSIM\" " + arguments + " 2>/dev/null") + " /dev/null");
  EXPECT_EQ(outcome.code, 0) << arguments;
  const std::string plain = Pattern("\033\\[[0-9;]*[mK]|\r").replaced(outcome.out, "");
  EXPECT_NE(plain, "") << arguments;
  return plain;
}

namespace {

constexpr std::uint64_t base = 0x4000000000000400, bundle_bytes = 16;
constexpr std::uint64_t nop = 1u << 27;  // nop.m 0, nop.i 0

/// The hexadecimal bytes of a bundle.
std::string bundle(unsigned format, std::uint64_t first, std::uint64_t second, std::uint64_t third) {
  std::string text;
  const std::uint64_t low = format | first << 5 | second << 46, high = second >> 18 | third << 23;
  for (const std::uint64_t half : {low, high})
    for (unsigned byte = 0; byte < 8; ++byte) text += fmt::format("{:02x}", half >> (8 * byte) & 0xff);
  return text;
}

}  // namespace

std::string ia64_nops(unsigned count) {
  constexpr unsigned mii_stop = 1;
  std::string text = "! isa ia64\n";
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("{:x} {} xxx\n", base + i * bundle_bytes, bundle(mii_stop, nop, nop, nop));
  return text;
}

std::string ia64_loop(unsigned rounds) {
  constexpr unsigned mii_stop = 1, mib_stop = 0x11;
  constexpr std::uint64_t load = 4ull << 37 | 3ull << 30 | 3 << 20 | 2 << 6;      // ld8 r2 = [r3]
  constexpr std::uint64_t back = 4ull << 37 | 1ull << 36 | 0xfffffull << 13 | 1;  // (p1) br.cond to the previous bundle
  std::string text = "! isa ia64\n";
  for (unsigned i = 0; i < rounds; ++i) {
    text += fmt::format("{:x} {} xxx L0 {:x} 8\n", base, bundle(mii_stop, load, nop, nop),
                        0x6000000000000000 + 4096ull * i);
    const bool last = i + 1 == rounds;
    text += fmt::format("{:x} {} {}\n", base + bundle_bytes, bundle(mib_stop, nop, nop, back),
                        last ? "xxp" : fmt::format("xxx T2 {:x}", base));
  }
  return text;
}

}  // namespace pmusim::cli_test
