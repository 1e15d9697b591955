// Compares data-cache accesses and misses of every recorded i386 program, line by line: cachegrind with the Athlon's
// cache shape against our core. The rules must explain every difference, to the last access.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <map>
#include <sstream>
#include <string_view>
#include <tuple>

#include "data_accesses.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/tools.h"

namespace pmusim::testbench::cachegrind_lines {
namespace {

// The reasons why cachegrind counts differently: named rules, each of which computes the difference, line by line.

/// Source lines (FILE:LINE) of instruction addresses.
using Places = std::map<std::uint64_t, std::string>;
using LineCounts = std::map<std::string, Counts>;

struct Rule {
  std::string_view name;
  std::string_view meaning;
  /// Adds the difference that this rule causes: positive where cachegrind counts more, negative where it counts less.
  void (*differences)(const DataAccesses& ours, const Places& places, LineCounts& more);
};

using trace::x86::Kind;
using trace::x86::Operation;

/// The core probes twice for an operand that crosses eight bytes. Cachegrind counts one access, and one miss if any
/// line of the operand is absent.
void split(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) more[places.at(ip)] += -i.second_halves;
}

/// Cachegrind counts a load and a store of the same operand by one instruction as one read.
void modify(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) more[places.at(ip)] += -i.modifies;
}

/// A store into code that is in flight kills and repeats the instructions after it: the core probes again.
void replay(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) more[places.at(ip)] += -i.replays;
}

/// The core's instruction fetch takes modified lines from the data cache; cachegrind's caches do not affect each other.
void code(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) more[places.at(ip)] += -i.lost_to_code;
}

/// Valgrind implements a locked operation as a load and a compare-and-exchange, which reads again.
void locked(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) {
    if (!i.operation.locked || i.operation.mnemonic.starts_with("cmpxchg")) continue;
    more[places.at(ip)] += {i.modifies.writes, 0, 0, 0};
  }
}

/// Valgrind drops a load whose value is unused: in these programs, the load of a string compare without repetition,
/// whose flags the next instruction replaces.
void unused(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) {
    const Operation& op = i.operation;
    if (op.kind == Kind::string && !op.repeats && op.mnemonic.starts_with("cmps")) more[places.at(ip)] += -i.probes;
  }
}

/// Valgrind merges the lines of two files that have the same number if the code of one ends where the other begins.
void joined(const DataAccesses& ours, const Places& places, LineCounts& more) {
  const auto number = [](const std::string& place) { return place.substr(place.rfind(':')); };
  const std::string* before = nullptr;
  std::uint64_t end = 0;
  for (const auto& [ip, i] : ours.instructions) {
    const std::string& place = places.at(ip);
    if (before != nullptr && end == ip && *before != place && number(*before) == number(place)) {
      more[*before] += i.probes;
      more[place] += -i.probes;
    }
    before = &place;
    end = ip + i.length;
  }
}

constexpr std::array<Rule, 7> rule_table = {{
    {"split", "an operand across eight bytes is probed twice, and is one access to cachegrind", split},
    {"modify", "load and store of one operand by one instruction are one read to cachegrind", modify},
    {"replay", "a store into code in flight makes the core probe again for what it kills", replay},
    {"code", "an instruction fetch takes modified lines out of the core's data cache", code},
    {"locked", "valgrind's compare-and-exchange reads the operand of a locked operation again", locked},
    {"unused", "valgrind drops loads whose value nothing uses", unused},
    {"joined", "valgrind joins lines of the same number where one file's code follows another's", joined},
}};

/// Adds up all probes by line.
LineCounts by_line(const DataAccesses& ours, const Places& places) {
  LineCounts lines;
  for (const auto& [ip, i] : ours.instructions) lines[places.at(ip)] += i.probes;
  return lines;
}

namespace fs = std::filesystem;

/// The Athlon's shape, and one so small that every program replaces lines all the time.
constexpr Shape shapes[] = {{65536, 2}, {2048, 2}};

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

/// The tools that the script below runs.
const std::vector<std::string> tools = {"python3", "valgrind", "i686-linux-gnu-gcc"};

/// The output of scripts/cachegrind-lines.
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
    if (entry.path().extension() != ".pmt" || !name.starts_with("i386-")) continue;
    if (pmusim::trace::open(entry.path())->info().instructions <= pmusim::longest_program) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Programs with an instruction that valgrind cannot run: they are not compared.
struct Refused {
  std::string_view program, bytes, instruction;
};
constexpr Refused refused[] = {{"i386-segments", "0xC5 0x5", "lds"}, {"i386-units", "0xC8 0x10 0x0 0x0", "enter 16"}};

fs::path trace_of(const std::string& program) {
  return fs::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded" / (program + ".pmt");
}

Output cachegrind(const std::string& program, std::uint64_t stack, const Shape& shape) {
  return run(fmt::format("'{}' {} --stack {:x} --size {} --ways {}",
                         (fs::path(PMUSIM_SOURCE_DIR) / "scripts" / "cachegrind-lines").string(), program, stack,
                         shape.bytes, shape.ways));
}

/// The differences between cachegrind and the core that the rules do not explain, for each line that has any.
LineCounts unexplained(const DataAccesses& ours, const Cachegrind& theirs) {
  LineCounts left = by_line(ours, theirs.places);
  fmt::print("  {:6}: {}\n", "probes", text_of(sum(left)));
  for (const Rule& rule : rule_table) {
    LineCounts more;
    rule.differences(ours, theirs.places, more);
    std::erase_if(more, [](const auto& line) { return line.second == Counts{}; });
    for (const auto& [place, counts] : more) left[place] += counts;
    if (!more.empty()) fmt::print("  {:6}: {} lines, {}\n", rule.name, more.size(), text_of(sum(more)));
  }
  for (auto& [place, counts] : left) counts = -counts;
  for (const auto& [place, counts] : theirs.lines) left[place] += counts;
  std::erase_if(left, [](const auto& line) { return line.second == Counts{}; });
  return left;
}

class CachegrindLines : public testing::TestWithParam<std::tuple<std::string, Shape>> {};

TEST_P(CachegrindLines, EveryDifferenceHasARule) {
  if (!pmusim::have_tools(tools)) GTEST_SKIP() << "needs python3, valgrind and gcc-i686-linux-gnu";
  if (!pmusim::kernel_runs_i386()) GTEST_SKIP() << "this kernel runs no 32-bit x86 programs";
  const auto& [name, shape] = GetParam();
  const DataAccesses ours = data_accesses(trace_of(name), shape);
  const Output said = cachegrind(name, ours.stack, shape);
  for (const Refused& r : refused) {
    if (name != r.program) continue;
    EXPECT_NE(said.status, 0) << name << " runs under valgrind; take it out of the refused ones";
    EXPECT_NE(said.text.find(r.bytes), std::string::npos) << said.text;
    return;
  }
  ASSERT_EQ(said.status, 0) << said.text;
  const Cachegrind theirs = parse(said.text);
  EXPECT_GT(sum(theirs.lines).writes, 0);
  for (const auto& [place, counts] : unexplained(ours, theirs)) {
    ADD_FAILURE() << name << ", " << place << ": no rule explains " << text_of(counts);
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, CachegrindLines,
                         testing::Combine(testing::ValuesIn(programs()), testing::ValuesIn(shapes)),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param).substr(5);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return fmt::format("{}_{}", name, std::get<1>(info.param).bytes);
                         });

}  // namespace
}  // namespace pmusim::testbench::cachegrind_lines
