// Data-cache accesses and misses of every recorded i386 program, line by line: cachegrind with the Athlon's cache
// shape against our core. What differs must be what the rules of rules.cpp say, to the last access.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "data_accesses.h"
#include "rules.h"

namespace {

using namespace pmusim::testbench;
namespace fs = std::filesystem;

constexpr int l1d_bytes = 65536, l1d_ways = 2;

struct Output {
  int status = -1;
  std::string text;
};
Output run(const std::string& command) {
  Output output;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error(command);
  char buffer[65536];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) output.text.append(buffer, n);
  const int status = ::pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

bool have_tools() {
  for (const char* tool : {"python3", "valgrind", "i686-linux-gnu-gcc"}) {
    if (run(fmt::format("command -v {}", tool)).status == 0) continue;
    if (std::getenv("PMUSIM_REQUIRE_CAPTURE") != nullptr) ADD_FAILURE() << tool << ": not installed";
    return false;
  }
  return true;
}

/// What scripts/cachegrind-lines says.
struct Cachegrind {
  Places places;
  LineCounts lines;
};
Cachegrind parse(const std::string& text) {
  Cachegrind result;
  std::istringstream in(text);
  for (std::string kind; in >> kind;) {
    std::string place;
    if (kind == "code") {
      std::uint64_t address = 0;
      in >> std::hex >> address >> std::dec >> place;
      result.places[address] = place;
    } else {
      Counts c;
      in >> place >> c.reads >> c.read_misses >> c.writes >> c.write_misses;
      result.lines[place] = c;
    }
  }
  return result;
}

std::string text_of(const Counts& c) {
  return fmt::format("{:+} reads {:+} read misses {:+} writes {:+} write misses", c.reads, c.read_misses, c.writes,
                     c.write_misses);
}

Counts sum(const LineCounts& lines) {
  Counts all;
  for (const auto& [place, counts] : lines) all += counts;
  return all;
}

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded")) {
    const std::string name = entry.path().stem();
    if (entry.path().extension() == ".pmt" && name.starts_with("i386-")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Instructions that valgrind cannot run: such a program is not compared.
struct Refused {
  std::string_view program, bytes, instruction;
};
constexpr Refused refused[] = {{"i386-segments", "0xC5 0x5", "lds"}, {"i386-units", "0xC8 0x10 0x0 0x0", "enter 16"}};

class CachegrindLines : public testing::TestWithParam<std::string> {};

TEST_P(CachegrindLines, EveryDifferenceHasARule) {
  if (!have_tools()) GTEST_SKIP() << "needs python3, valgrind and gcc-i686-linux-gnu";
  const std::string name = GetParam();
  const fs::path root = PMUSIM_SOURCE_DIR;
  const DataAccesses ours = data_accesses(root / "isa-traces" / "recorded" / (name + ".pmt"), l1d_ways);
  const Output said =
      run(fmt::format("'{}' {} --stack {:x} --size {} --ways {}", (root / "scripts" / "cachegrind-lines").string(),
                      name, ours.stack, l1d_bytes, l1d_ways));
  for (const Refused& r : refused) {
    if (name != r.program) continue;
    EXPECT_NE(said.status, 0) << name << " runs under valgrind; right: take it out of the refused ones";
    EXPECT_NE(said.text.find(r.bytes), std::string::npos) << said.text;
    return;
  }
  ASSERT_EQ(said.status, 0) << said.text;
  const Cachegrind theirs = parse(said.text);

  LineCounts expected = by_line(ours, theirs.places);
  fmt::print("  {:6}: {}\n", "probes", text_of(sum(expected)));
  for (const Rule& rule : rules()) {
    LineCounts more;
    rule.differences(ours, theirs.places, more);
    int touched = 0;
    Counts each;
    for (const auto& [place, counts] : more) {
      if (counts == Counts{}) continue;
      ++touched;
      expected[place] += counts;
    }
    if (touched != 0) fmt::print("  {:6}: {} lines, {}\n", rule.name, touched, text_of(sum(more)));
  }
  EXPECT_GT(sum(theirs.lines).writes, 0);
  LineCounts all = expected;
  all.insert(theirs.lines.begin(), theirs.lines.end());
  for (const auto& [place, unused] : all) {
    const auto found = theirs.lines.find(place);
    const Counts counted = found == theirs.lines.end() ? Counts{} : found->second;
    const Counts left = counted + -expected[place];
    EXPECT_EQ(left, Counts{}) << name << ", " << place << ": cachegrind counts " << text_of(counted)
                              << ", no rule explains " << text_of(left);
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, CachegrindLines, testing::ValuesIn(programs()), [](const auto& info) {
  std::string name = info.param.substr(5);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
