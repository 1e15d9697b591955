// Exports, opened by the tools that they are for, or checked against these tools' schemas; sums must equal the counter.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "testbench/tests/cli/command.h"
#include "testbench/tests/patterns.h"
#include "testbench/tests/tools.h"
#include "tools.h"

namespace pmusim::cli_test {
namespace {

using Json = nlohmann::json;

const std::string& options() {
  static const std::string text = " -t athlon --trace " + as_word(recorded("i386-recursion-O2")) +
                                  " -e RETIRED_INSTRUCTIONS -e DATA_CACHE_ACCESSES";
  return text;
}
constexpr const char* sampled = " --period 997";

Json report(const std::string& more) { return json_of(pmusim("report" + options() + more + " --format json")); }

std::string exported(const std::string& format, const std::string& more = "") {
  const std::string file = "profile." + format;
  const Outcome outcome = pmusim("report" + options() + more + " --export " + format + " -o " + file);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return scratch() + '/' + file;
}

/// Reads 1,234 as 1234.
std::uint64_t number(std::string text) {
  std::erase(text, ',');
  return std::stoull(text);
}

TEST(Callgrind, OpensIt) {
  if (!have_tools({"callgrind_annotate"})) GTEST_SKIP() << "no callgrind_annotate";
  const std::string text = output_of("callgrind_annotate --threshold=100 " + as_word(exported("callgrind")));
  const Json expected = report("");
  const std::string number_and_share = R"( *([0-9,]+)( \([^)]*\))?)";
  std::string totals;
  for (int i = 0; i < 4; ++i) totals += number_and_share;
  const Match match = Pattern("\n" + totals + " +PROGRAM TOTALS").first_in(text);
  ASSERT_FALSE(match.empty()) << text;
  EXPECT_EQ(number(match[1]), expected.at("cycles").get<std::uint64_t>());
  EXPECT_EQ(number(match[3]), expected.at("instructions").get<std::uint64_t>());
  EXPECT_EQ(number(match[5]), expected.at("events")[0].at("counted").get<std::uint64_t>());
  EXPECT_EQ(number(match[7]), expected.at("events")[1].at("counted").get<std::uint64_t>());
}

/// Inclusive costs (cycles, instructions, events) of the calls in a callgrind file by `CALLER CALLEE`, with the number
/// of calls first.
std::map<std::string, std::vector<std::uint64_t>> calls_of(const std::string& file) {
  std::map<std::string, std::vector<std::uint64_t>> calls;
  std::string caller, callee;
  std::uint64_t count = 0;
  for (const std::string& line : lines_of(read_file(file))) {
    if (line.starts_with("fn=")) caller = line.substr(3);
    if (line.starts_with("cfn=")) callee = line.substr(4);
    if (line.starts_with("calls=")) {
      count = std::stoull(line.substr(6));
      continue;
    }
    if (count == 0) continue;
    std::istringstream words(line);
    std::string position, source;
    words >> position >> source;
    std::vector<std::uint64_t> costs{std::exchange(count, 0)};
    for (std::uint64_t cost = 0; words >> cost;) costs.push_back(cost);
    std::vector<std::uint64_t>& sums = calls[caller + ' ' + callee];
    sums.resize(costs.size());
    for (std::size_t i = 0; i < costs.size(); ++i) sums[i] += costs[i];
  }
  return calls;
}

/// An i386 program as a text trace.
struct Listing {
  std::string text = "! isa i386\n";
  void line(unsigned pc, const std::string& code) { text += fmt::format("{:x} {}\n", pc, code); }
  void nops(unsigned pc, unsigned n) {
    for (unsigned i = 0; i < n; ++i) line(pc + i, "90");
  }
};

// main calls f twice, f calls g once each time: 300 no-operations in f, 60 in g. The Athlon retires at most three
// instructions in a cycle, so that those of the cycles in which a call begins and ends are at most four.
TEST(Callgrind, HasTheInclusiveCostsOfCalls) {
  Listing code;
  for (const unsigned at : {0x1000u, 0x1005u}) {  // call f: f is at 0x2000, g at 0x3000
    code.line(at, at == 0x1000 ? "e8fb0f0000 S 8100000 4 T 2000" : "e8f60f0000 S 8100000 4 T 2000");
    code.nops(0x2000, 300);
    code.line(0x212c, "e8cf0e0000 S 8100000 4 T 3000");
    code.nops(0x3000, 60);
    code.line(0x303c, "c3 L 8100000 4 T 2131");
    code.line(0x2131, at == 0x1000 ? "c3 L 8100000 4 T 1005" : "c3 L 8100000 4 T 100a");
  }
  code.line(0x100a, "90");
  write_file("calls.txt", code.text);
  write_file("calls.nm", "00001000 T main\n00002000 T f\n00003000 T g\n00004000 T end\n");
  const Outcome outcome = pmusim(
      "report -t athlon --trace calls.txt --symbols calls.nm -e RETIRED_INSTRUCTIONS --export callgrind -o calls.out");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto calls = calls_of(scratch() + "/calls.out");
  ASSERT_EQ(calls.size(), 2u);
  for (const auto& [name, instructions] : {std::pair<const char*, unsigned>{"main f", 2 * 363}, {"f g", 2 * 61}}) {
    ASSERT_TRUE(calls.contains(name)) << name;
    const auto& costs = calls.at(name);
    ASSERT_EQ(costs.size(), 4u);
    EXPECT_EQ(costs[0], 2u) << name;
    EXPECT_NEAR(static_cast<double>(costs[2]), instructions, 2 * 4) << name;
    EXPECT_EQ(costs[2], costs[3]) << "retired instructions, as the event counts them";
    EXPECT_GE(3 * costs[1], costs[2]) << name;
  }
  if (!have_tools({"callgrind_annotate"})) GTEST_SKIP() << "no callgrind_annotate";
  const std::string shown = output_of("callgrind_annotate --inclusive=yes --threshold=100 calls.out");
  EXPECT_THAT(shown, testing::ContainsRegex("\\?\\?\\?:main"));
}

// A loop of main calls f eight times. Taken branches stand only near the ends of f, 20 at each, a few cycles away from
// the call and the return; around the call main has no-operations alone. So the costs of f are those 320, and of each
// call and its return, which belong to the cycles in which the call begins and ends, what these cycles have.
TEST(Callgrind, HasTheEventsOfACallFromItsBeginToItsEnd) {
  constexpr unsigned times = 8, jumps = 20;
  Listing code;
  const auto branches = [&](unsigned pc) {  // each over one byte
    for (unsigned i = 0; i < jumps; ++i) code.line(pc + 3 * i, fmt::format("eb01 T {:x}", pc + 3 * i + 3));
  };
  for (unsigned time = 1; time <= times; ++time) {
    code.nops(0x1000, 60);
    code.line(0x103c, "e8bf0f0000 S 8100000 4 T 2000");
    code.nops(0x2000, 6);
    branches(0x2006);
    code.nops(0x2042, 60);
    branches(0x207e);
    code.nops(0x20ba, 6);
    code.line(0x20c0, "c3 L 8100000 4 T 1041");
    code.nops(0x1041, 60);
    if (time != times) code.line(0x107d, "eb81 T 1000");
  }
  write_file("ends.txt", code.text);
  write_file("ends.nm", "00001000 T main\n00002000 T f\n00003000 T end\n");
  const Outcome outcome = pmusim(
      "report -t athlon --trace ends.txt --symbols ends.nm -e RETIRED_TAKEN_BRANCH_INSTRUCTIONS --export callgrind "
      "-o ends.out");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto calls = calls_of(scratch() + "/ends.out");
  ASSERT_TRUE(calls.contains("main f"));
  const auto& costs = calls.at("main f");
  ASSERT_EQ(costs.size(), 4u);
  EXPECT_EQ(costs[0], times);
  EXPECT_GE(costs[3], times * 2 * jumps);
  EXPECT_LE(costs[3], times * (2 * jumps + 2));
}

// fibonacci calls itself: the cost of its recursion is that of the first call.
TEST(Callgrind, CountsARecursionOnce) {
  const auto calls = calls_of(exported("callgrind"));
  const Json expected = report("");
  for (const auto& [name, costs] : calls) EXPECT_LE(costs[1], expected.at("cycles").get<std::uint64_t>()) << name;
  std::uint64_t recursive = 0;
  for (const auto& [name, costs] : calls) {
    const std::size_t blank = name.find(' ');
    if (name.substr(0, blank) != name.substr(blank + 1)) continue;
    recursive += costs[0];
    EXPECT_EQ(costs[1], 0u) << name;
  }
  EXPECT_GT(recursive, 0u);
}

// Decoded with protoc and the format's own description.
TEST(Pprof, Decodes) {
  const std::string folder = "/usr/share/gocode/src/github.com/google/pprof/proto";
  if (!have_tools({"protoc", folder + "/profile.proto"})) GTEST_SKIP() << "no protoc with profile.proto";
  for (const std::string more : {"", sampled}) {
    const std::string text = output_of("protoc --decode=perftools.profiles.Profile -I " + folder + " profile.proto < " +
                                       as_word(exported("pprof", more)));
    std::istringstream lines(text);
    std::vector<std::uint64_t> sums(2);
    std::size_t values = 0, samples = 0, locations = 0;
    bool in_sample = false;
    for (std::string line; std::getline(lines, line);) {
      if (line == "sample {") in_sample = true, values = 0, ++samples;
      if (line == "}") {
        if (in_sample) {
          EXPECT_EQ(values, 2u);
        }
        in_sample = false;
      }
      if (line == "location {") ++locations;
      if (in_sample && line.starts_with("  value: ")) sums.at(values++) += std::stoull(line.substr(9));
    }
    const Json events = report(more).at("events");
    const char* const key = more.empty() ? "counted" : "estimated";
    EXPECT_EQ(sums[0], events[0].at(key).get<std::uint64_t>()) << more;
    EXPECT_EQ(sums[1], events[1].at(key).get<std::uint64_t>()) << more;
    EXPECT_GT(samples, 10u);
    EXPECT_GT(locations, 10u);
    EXPECT_THAT(text, testing::HasSubstr("string_table: \"\"\nstring_table: \"RETIRED_INSTRUCTIONS"));
  }
}

TEST(Speedscope, FitsItsFormat) {
  const std::string schema = source_file("testbench/tests/profile/speedscope-format.json");
  const bool checked = available(shell("python3 -c 'import jsonschema'").code == 0, "python3-jsonschema");
  for (const std::string more : {"", sampled}) {
    const std::string file = exported("speedscope", more);
    if (checked)
      (void)output_of(
          "python3 -c 'import json, sys, jsonschema; "
          "jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' " +
          as_word(file) + ' ' + as_word(schema));
    const Json profile = Json::parse(read_file(file));
    const Json events = report(more).at("events");
    for (std::size_t i = 0; i < 2; ++i) {
      std::uint64_t sum = 0;
      for (const Json& weight : profile.at("profiles").at(i).at("weights")) sum += weight.get<std::uint64_t>();
      EXPECT_EQ(sum, events[i].at(more.empty() ? "counted" : "estimated").get<std::uint64_t>());
      EXPECT_EQ(profile.at("profiles").at(i).at("samples").size(), profile.at("profiles").at(i).at("weights").size());
    }
  }
}

// A line `STACK COUNT` for each stack, the input of flame graphs.
TEST(Folded, AddsUp) {
  for (const std::string more : {"", sampled}) {
    std::uint64_t sum = 0;
    for (const std::string& line : lines_of(read_file(exported("folded", more)))) {
      const Match match = Pattern("^([^;]+;)*[^;]+ ([0-9]+)$").first_in(line);
      ASSERT_FALSE(match.empty()) << line;
      sum += std::stoull(match[2]);
    }
    const Json events = report(more).at("events");
    const char* const key = more.empty() ? "counted" : "estimated";
    EXPECT_EQ(sum, events[0].at(key).get<std::uint64_t>() + events[1].at(key).get<std::uint64_t>());
  }
}

/// A sample of `perf script` with its fields comm, pid, tid, cpu, time, period, event, ip, sym and dso.
struct PerfSample {
  std::string event, stack;  ///< outermost frame first, separated by ';'
  std::uint64_t tid = 0, period = 0;
  double time = 0;
};

/// Parses as stackcollapse-perf.pl and speedscope do: command and library have no blanks, a sample's line begins in the
/// first column, its frames are indented, innermost first, and an empty line ends it. Any other line is an error.
std::vector<PerfSample> perf_samples(const std::string& text) {
  static const Pattern head(
      R"(^(\S+)\s+([0-9]+)/([0-9]+)\s+\[([0-9]{3})\]\s+([0-9]+\.[0-9]+):\s+([0-9]+)\s+(\S+):\s*$)");
  static const Pattern frame(R"(^\s+([0-9a-f]+)\s+(\S.*) \((\S+)\)$)");
  std::vector<PerfSample> samples;
  std::vector<std::string> frames;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    if (const Match match = head.first_in(line); !match.empty()) {
      EXPECT_FALSE(inside) << "no empty line before: " << line;
      inside = true;
      samples.push_back({match[7], "", std::stoull(match[3]), std::stoull(match[6]), std::stod(match[5])});
    } else if (const Match called = frame.first_in(line); !called.empty()) {
      EXPECT_TRUE(inside) << "no sample before: " << line;
      frames.insert(frames.begin(), called[2]);
    } else {
      EXPECT_EQ(line, "");
      EXPECT_TRUE(inside && !frames.empty()) << "an empty sample";
      for (const std::string& name : frames) samples.back().stack += (samples.back().stack.empty() ? "" : ";") + name;
      frames.clear();
      inside = false;
    }
  }
  EXPECT_FALSE(inside) << "the last sample has no end";
  return samples;
}

// No tool that reads this text is packaged, so that the test contains a strict reader: folded, the samples must equal
// the output of --export folded.
TEST(PerfScript, FoldsToTheSameStacks) {
  const std::string name = "a trace.pmt";  // comm and dso have no blanks
  (void)output_of("cp '" + recorded("i386-recursion-O2") + "' '" + scratch() + '/' + name + "'");
  const std::string command =
      "report -t athlon --trace '" + name + "' -e RETIRED_INSTRUCTIONS -e DATA_CACHE_ACCESSES" + sampled + " --export ";
  const std::vector<PerfSample> samples = perf_samples(pmusim(command + "perf-script").out);
  std::map<std::string, std::uint64_t> folds, expected;
  double last = 0;
  for (const PerfSample& sample : samples) {
    EXPECT_GE(sample.time, last);
    last = sample.time;
    EXPECT_EQ(sample.tid, 1u);
    folds[sample.event + ';' + sample.stack] += sample.period;
  }
  for (const std::string& line : lines_of(pmusim(command + "folded").out)) {
    const auto blank = line.find_last_of(' ');
    expected[line.substr(0, blank)] = std::stoull(line.substr(blank + 1));
  }
  EXPECT_GT(expected.size(), 10u);
  EXPECT_EQ(folds, expected);
  const Json events = report(sampled).at("events");
  EXPECT_EQ(samples.size(),
            events[0].at("samples").get<std::uint64_t>() + events[1].at("samples").get<std::uint64_t>());
}

}  // namespace
}  // namespace pmusim::cli_test
