// The report on two defects: as text, CSV and JUnit.
#include "testbench/sweep/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "examined.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench::questions {
namespace {

const std::vector<std::string> events = {"DATA_CACHE_MISSES", "RETIRED_BRANCH_INSTRUCTIONS", "RETIRED_INSTRUCTIONS"};

/// Three events: one is encoded with its levels exchanged, one without interrupts, and one is right.
const TargetVerdict& with_two_defects() {
  const auto job = [](const std::string& event, const char* defect, std::size_t questions, double seconds) {
    const faults::EncoderFault* const wrong = defect == nullptr ? nullptr : &defect_named("athlon", defect);
    JobVerdict verdict = examined("athlon", event, wrong, questions);
    verdict.job = event;
    verdict.seconds = seconds;
    return verdict;
  };
  static const TargetVerdict verdict =
      merge("athlon", events, {},
            {job(events[0], "no-interrupt", 25, 1.5), job(events[1], nullptr, 25, 0.25),
             job(events[2], "levels-swapped", 100, 3)});
  return verdict;
}

std::string report(Format format, bool verbose) {
  std::ostringstream out;
  print_report(out, {with_two_defects()}, format, verbose);
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Report, ExplainsAllMismatchesOnAPage) {
  std::uint64_t mismatches = 0;
  for (const auto& [name, row] : with_two_defects().rows) mismatches += row.mismatches;
  const std::vector<std::string> lines = lines_of(report(Format::text, false));
  EXPECT_LE(lines.size(), 60u);
  EXPECT_NE(std::find(lines.begin(), lines.end(), fmt::format("athlon: {} mismatches", mismatches)), lines.end());
  const std::regex explains("  (.+): explains ([0-9]+) of ([0-9]+)");
  std::vector<std::uint64_t> sizes;
  for (const std::string& line : lines) {
    std::smatch parts;
    if (!std::regex_match(line, parts, explains)) continue;
    sizes.push_back(std::stoull(parts[2]));
    EXPECT_EQ(std::stoull(parts[3]), mismatches) << line;
  }
  ASSERT_GE(sizes.size(), 2u);
  ASSERT_LE(sizes.size(), 5u) << "more are not printed";
  EXPECT_TRUE(std::is_sorted(sizes.rbegin(), sizes.rend()));
  std::uint64_t explained = 0;
  for (const std::uint64_t size : sizes) explained += size;
  EXPECT_EQ(explained, mismatches);
}

TEST(Report, WhatIsNotDiagnosedComesLast) {
  TargetVerdict verdict;
  verdict.target = "athlon";
  verdict.mismatched = 1234;
  verdict.causes = {{std::string(not_diagnosed), 1200}, {"small", 4}, {"large", 30}};
  std::ostringstream out;
  print_report(out, {verdict}, Format::text);
  const std::string text = out.str();
  const std::size_t large = text.find("large: explains 30 of 1,234"), small = text.find("small: explains 4 of 1,234"),
                    rest = text.find(fmt::format("{}: 1,200 of 1,234", not_diagnosed));
  ASSERT_NE(rest, std::string::npos) << text;
  EXPECT_LT(large, small);
  EXPECT_LT(small, rest);
}

// Columns: target, event, registers, counted, expected, checks, vacuous, trace, verdict.
TEST(Report, AFailingRowShowsAFailingCheck) {
  const TargetVerdict& verdict = with_two_defects();
  const std::vector<std::string> csv = lines_of(report(Format::csv, false)),
                                 verbose = lines_of(report(Format::text, true));
  std::size_t failing = 0;
  for (const auto& [name, row] : verdict.rows) {
    if (row.mismatches == 0) continue;
    ++failing;
    EXPECT_NE(row.failed.counted, row.failed.expected) << name;
    const auto shows = [&, &event = name, &failed = row.failed](const std::string& line) {
      const std::size_t at = line.find(event), registers = line.find(failed.registers);
      return at != std::string::npos && registers != std::string::npos && line.find("MISMATCH") != std::string::npos &&
             std::regex_search(line.substr(registers + failed.registers.size()),
                               std::regex(fmt::format("^[\", ]+{}[, ]+{}[, ]", failed.counted, failed.expected)));
    };
    EXPECT_EQ(std::count_if(csv.begin(), csv.end(), shows), 1) << name << '\n' << report(Format::csv, false);
    // As text the registers may stand below the row.
    const auto begins = [&event = name](const std::string& line) {
      return line.find(event) != std::string::npos && line.find("MISMATCH") != std::string::npos;
    };
    EXPECT_EQ(std::count_if(verbose.begin(), verbose.end(), begins), 1) << name << '\n' << report(Format::text, true);
  }
  EXPECT_EQ(failing, 2u);
}

// The seconds of a job belong to its only row.
TEST(Report, JunitHasTimesAndAFailureOfEachFailingEvent) {
  const Scratch folder;
  const std::filesystem::path file = folder / "two.xml";
  write_junit(file, {with_two_defects()});
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find(R"(tests="3" failures="2" skipped="0" time="4.750">)"), std::string::npos) << text;
  const std::vector<std::string> times = {"1.500", "0.250", "3.000"};
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::size_t begin = text.find(fmt::format(R"(name="{}" time="{}")", events[i], times[i]));
    ASSERT_NE(begin, std::string::npos) << events[i] << '\n' << text;
    const std::string own = text.substr(begin, text.find("<testcase", begin) - begin);
    std::size_t failures = 0;
    for (std::size_t at = own.find("<failure"); at != std::string::npos; at = own.find("<failure", at + 1)) ++failures;
    EXPECT_EQ(failures, i == 1 ? 0u : 1u) << own;
    std::smatch parts;
    if (failures == 0) continue;
    ASSERT_TRUE(std::regex_search(own, parts, std::regex("; ([0-9]+) of ([0-9]+) checks failed"))) << own;
    EXPECT_LE(std::stoull(parts[1]), std::stoull(parts[2]));
  }
}

}  // namespace
}  // namespace pmusim::testbench::questions
