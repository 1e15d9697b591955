// Exports, opened by the tools that they are for, or checked against these tools' schemas; sums are the counter's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "../cli/command.h"
#include "tools.h"

namespace pmusim::cli_test {
namespace {

using Json = nlohmann::json;

const std::string& options() {
  static const std::string text =
      " -t athlon --trace " + recorded("i386-recursion-O2") + " -e RETIRED_INSTRUCTIONS -e DATA_CACHE_ACCESSES";
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

/// 1,234 as 1234.
std::uint64_t number(std::string text) {
  std::erase(text, ',');
  return std::stoull(text);
}

TEST(Callgrind, OpensIt) {
  if (!have_tools({"callgrind_annotate"})) GTEST_SKIP() << "no callgrind_annotate";
  const std::string text = output_of("callgrind_annotate --threshold=100 " + exported("callgrind"));
  const Json expected = report("");
  std::smatch match;
  ASSERT_TRUE(std::regex_search(
      text, match,
      std::regex(R"(\n *([0-9,]+)[^\n]*? +([0-9,]+)[^\n]*? +([0-9,]+)[^\n]*? +([0-9,]+)[^\n]*PROGRAM TOTALS)")))
      << text;
  EXPECT_EQ(number(match[1]), expected.at("cycles").get<std::uint64_t>());
  EXPECT_EQ(number(match[2]), expected.at("instructions").get<std::uint64_t>());
  EXPECT_EQ(number(match[3]), expected.at("events")[0].at("counted").get<std::uint64_t>());
  EXPECT_EQ(number(match[4]), expected.at("events")[1].at("counted").get<std::uint64_t>());
}

// By protoc and the format's own description.
TEST(Pprof, Decodes) {
  const std::string folder = "/usr/share/gocode/src/github.com/google/pprof/proto";
  if (!have_tools({"protoc", folder + "/profile.proto"})) GTEST_SKIP() << "no protoc with profile.proto";
  for (const std::string more : {"", sampled}) {
    const std::string text = output_of("protoc --decode=perftools.profiles.Profile -I " + folder + " profile.proto < " +
                                       exported("pprof", more));
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
  const std::string schema = PMUSIM_SOURCE_DIR "/testbench/tests/profile/speedscope-format.json";
  const bool checked = shell("python3 -c 'import jsonschema'").code == 0;
  EXPECT_TRUE(checked || std::getenv("PMUSIM_REQUIRE_TOOLS") == nullptr) << "python3-jsonschema: not installed";
  for (const std::string more : {"", sampled}) {
    const std::string file = exported("speedscope", more);
    if (checked)
      (void)output_of(
          "python3 -c 'import json, sys, jsonschema; "
          "jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' " +
          file + ' ' + schema);
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

// `STACK COUNT` a line, as flame graphs are drawn from.
TEST(Folded, AddsUp) {
  for (const std::string more : {"", sampled}) {
    std::uint64_t sum = 0;
    for (const std::string& line : lines_of(read_file(exported("folded", more)))) {
      std::smatch match;
      ASSERT_TRUE(std::regex_match(line, match, std::regex(R"(^((?:[^;]+;)*[^;]+) (\d+)$)"))) << line;
      sum += std::stoull(match[2]);
    }
    const Json events = report(more).at("events");
    const char* const key = more.empty() ? "counted" : "estimated";
    EXPECT_EQ(sum, events[0].at(key).get<std::uint64_t>() + events[1].at(key).get<std::uint64_t>());
  }
}

// As stackcollapse-perf.pl and speedscope read it: a line with command, process, time, period and event; a frame a
// line, innermost first; an empty line.
TEST(PerfScript, HasItsShape) {
  static const std::regex head(R"(^(\S.+?)\s+(\d+)/(\d+)\s+\[\d+\]\s+(\d+\.\d+):\s+(\d+)\s+(\S+):\s*$)");
  static const std::regex frame(R"(^\s*([0-9a-f]+)\s+(.+) \((.*)\)$)");
  std::uint64_t events = 0, samples = 0, frames = 0;
  double last = 0;
  for (const std::string& line : lines_of(read_file(exported("perf-script", sampled)))) {
    std::smatch match;
    if (line.empty()) {
      EXPECT_GT(frames, 0u);
      frames = 0;
    } else if (std::regex_match(line, match, head)) {
      EXPECT_GE(std::stod(match[4]), last);
      last = std::stod(match[4]);
      events += std::stoull(match[5]);
      ++samples;
    } else {
      ASSERT_TRUE(std::regex_match(line, frame)) << line;
      ++frames;
    }
  }
  const Json expected = report(sampled).at("events");
  EXPECT_EQ(samples, expected[0].at("samples").get<std::uint64_t>() + expected[1].at("samples").get<std::uint64_t>());
  EXPECT_EQ(events,
            expected[0].at("estimated").get<std::uint64_t>() + expected[1].at("estimated").get<std::uint64_t>());
}

}  // namespace
}  // namespace pmusim::cli_test
