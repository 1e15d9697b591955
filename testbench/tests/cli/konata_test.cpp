// `run --konata`: a log in which every instruction is fetched, passes its stages in order, and leaves.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "command.h"

namespace pmusim::cli_test {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
  return words;
}

/// The life of one instruction in the log.
struct Way {
  std::string label, stages;
  char stage = 0;
  std::uint64_t begin = 0, end = 0;
  bool flushed = false;
};

std::map<std::string, Way> ways(const std::string& file) {
  const auto lines = lines_of(read_file(scratch() + '/' + file));
  EXPECT_EQ(lines.at(0), "Kanata\t0004");
  std::map<std::string, Way> all;
  std::uint64_t now = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto words = words_of(lines[i]);
    if (words[0] == "C=") {
      now = std::stoull(words.at(1));
    } else if (words[0] == "C") {
      EXPECT_GT(std::stoull(words.at(1)), 0u);
      now += std::stoull(words.at(1));
    } else if (words[0] == "I") {
      EXPECT_FALSE(all.contains(words.at(1)));
      all[words.at(1)].begin = now;
    } else {
      Way& way = all.at(words.at(1));
      if (words[0] == "L") way.label = words.at(3);
      if (words[0] == "S") {
        EXPECT_EQ(way.stage, 0) << lines[i];
        way.stages += words.at(3);
        way.stage = words.at(3)[0];
      }
      if (words[0] == "E") {
        EXPECT_EQ(words.at(3), std::string(1, way.stage));
        way.stage = 0;
      }
      if (words[0] == "R") {
        way.end = now;
        way.flushed = words.at(3) == "1";
      }
    }
  }
  return all;
}

TEST(Konata, EveryInstructionComesAndGoes) {
  write_file("nops.txt", nops(37));
  ASSERT_EQ(pmusim("run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --konata nops.log").code, 0);
  const auto all = ways("nops.log");
  EXPECT_EQ(all.size(), 37u);
  for (const auto& [id, way] : all) {
    EXPECT_NE(way.label.find("nop"), std::string::npos);
    EXPECT_EQ(way.stages.front(), 'F');
    EXPECT_EQ(way.stages.back(), 'C');
    EXPECT_LT(way.begin, way.end);
    EXPECT_FALSE(way.flushed);
  }
}

// A region ends with instructions in flight: the format demands an end of each.
TEST(Konata, ARegionEndsEveryInstruction) {
  const std::pair<std::string, std::string> runs[] = {{"-t alpha-ev67 -e RETINST", "alpha-recursion-O2"},
                                                      {"-t athlon -e RETIRED_INSTRUCTIONS", "i386-units"}};
  for (const auto& [options, trace] : runs) {
    ASSERT_EQ(pmusim("run " + options + " --trace '" + recorded(trace) + "' --roi 0:300 --konata roi.log").code, 0);
    const auto all = ways("roi.log");
    EXPECT_GE(all.size(), 300u);
    for (const auto& [id, way] : all) EXPECT_GT(way.end, 0u) << options << ' ' << id << ' ' << way.label;
  }
}

// All instructions that retire are in the log; those of a wrong path leave without retiring.
TEST(Konata, OnEveryFamily) {
  const std::pair<std::string, std::string> runs[] = {{"-t ppc750gx -e INSTRUCTIONS_COMPLETED", "ppc-units"},
                                                      {"-t itanium2 -e IA64_INST_RETIRED", "ia64-pipelined"},
                                                      {"-t alpha-ev5 -e PF5_MUX0_ISSUES", "alpha-units"},
                                                      {"-t alpha-ev6 -e PF6_MUX0_RET_INSTRUCTIONS", "alpha-units"}};
  for (const auto& [options, trace] : runs) {
    const Outcome run = pmusim("run " + options + " --trace '" + recorded(trace) + "' --konata way.log");
    ASSERT_EQ(run.code, 0) << run.err;
    const auto all = ways("way.log");
    EXPECT_GT(all.size(), 20u);
    for (const auto& [id, way] : all) {
      EXPECT_EQ(std::string("FDXC").find(way.stages[0]), 0u) << options;
      for (std::size_t i = 1; i < way.stages.size(); ++i) {
        EXPECT_LT(std::string("FDXC").find(way.stages[i - 1]), std::string("FDXC").find(way.stages[i]))
            << options << id;
      }
    }
  }
}

}  // namespace
}  // namespace pmusim::cli_test
