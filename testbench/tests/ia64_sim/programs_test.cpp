// The 19 programs: exit status and executed slots must match two other implementations, the kernels compiled natively
// and the recorded traces.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <fstream>
#include <map>
#include <sstream>

#include "assembled.h"
#include "disassembly.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/as_word.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
namespace fs = std::filesystem;

const fs::path source = PMUSIM_SOURCE_DIR;
const fs::path programs = source / "isa-traces" / "programs" / "ia64";

struct Expected {
  std::string program;
  int exit = 0;
  std::uint64_t slots = 0;
};

std::vector<Expected> table() {
  std::vector<Expected> rows;
  std::ifstream file(source / "testbench" / "tests" / "ia64_sim" / "programs.csv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("program,")) continue;
    std::istringstream fields(line);
    Expected row;
    std::string exit, slots;
    std::getline(fields, row.program, ',');
    std::getline(fields, exit, ',');
    std::getline(fields, slots, ',');
    row.exit = std::stoi(exit);
    row.slots = std::stoull(slots);
    rows.push_back(row);
  }
  return rows;
}

TEST(Programs, ThereAreNineteen) { EXPECT_EQ(table().size(), 19U); }

class Program : public testing::TestWithParam<Expected> {};

TEST_P(Program, ExitsAndCountsAsOthersDo) {
  if (!pmusim::have_tools({"ia64-linux-gnu-as", "ia64-linux-gnu-ld"})) GTEST_SKIP() << "needs binutils-ia64-linux-gnu";
  const auto& [name, exit, slots] = GetParam();
  const auto result = trace::ia64::simulate(testbench::assemble({programs / "crt0.s", programs / (name + ".s")}), name);
  EXPECT_EQ(result.exit_status, exit);
  EXPECT_EQ(result.slots, slots);
}

/// The trace in the repository: masks and MLX bundles must give the same number of slots.
TEST_P(Program, IsRecordedWhole) {
  const auto reader = trace::open(source / "isa-traces" / "recorded" / ("ia64-" + GetParam().program + ".pmt"));
  std::uint64_t slots = 0;
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    for (const char state : item.instruction.mask) slots += state != '-';
  }
  EXPECT_EQ(slots, GetParam().slots);
}

INSTANTIATE_TEST_SUITE_P(All, Program, testing::ValuesIn(table()), [](const auto& info) {
  std::string name = info.param.program;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(Programs, KernelsGiveTheSameOnTheBuildMachine) {
  if (!pmusim::have_tools({"cc"})) GTEST_SKIP() << "needs a C compiler";
  const testbench::Scratch scratch;
  unsigned compared = 0;
  for (const Expected& row : table()) {
    if (!row.program.ends_with("-O2")) continue;
    const std::string name = row.program.substr(0, row.program.size() - 3), native = as_word(scratch / name);
    const std::string build = fmt::format("cc -O1 -o {} {}", native, as_word(programs / (name + ".c")));
    ASSERT_EQ(std::system(build.c_str()), 0);
    EXPECT_EQ(WEXITSTATUS(std::system(native.c_str())), row.exit) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 6U);
}

}  // namespace
