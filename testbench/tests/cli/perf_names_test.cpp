// What users of perf type: its names of commands and events, ratios beside the counts, a program in place of a trace.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* all_targets[] = {"athlon",    "ppc750gx",    "ppc750gl", "alpha-ev4",  "alpha-ev5",
                                       "alpha-ev6", "alpha-pca56", "itanium2", "alpha-ev67", "montecito"};

// perf-list(1): hardware events, and the cache events of the first level and the TLBs.
const std::set<std::string> perfs_names = {
    "cycles",           "instructions",          "branches",         "branch-misses",
    "cache-references", "cache-misses",          "L1-dcache-loads",  "L1-dcache-load-misses",
    "L1-icache-loads",  "L1-icache-load-misses", "dTLB-load-misses", "iTLB-load-misses"};

TEST(PerfNames, EachIsAnEventOrHasAReason) {
  for (const std::string target : all_targets) {
    std::set<std::string> names;
    for (const auto& row : rows_of(pmusim("events --generic --format json -t " + target))) {
      const std::string name = row.at("name");
      EXPECT_TRUE(names.insert(name).second) << target << ' ' << name;
      const Outcome encoded = pmusim("encode -t " + target + " -e " + name);
      if (row.at("event").is_null()) {
        EXPECT_EQ(encoded.code, 2) << target << ' ' << name;
        EXPECT_THAT(encoded.err, HasSubstr(name + ": no event of " + target +
                                           " counts this: " + row.at("remark").get<std::string>()));
      } else {
        EXPECT_EQ(encoded.code, 0) << target << ' ' << name << ' ' << encoded.err;
        EXPECT_THAT(encoded.err, HasSubstr(name + " is " + row.at("event").get<std::string>()));
      }
    }
    EXPECT_EQ(names, perfs_names) << target;
    // The 21064 counts cycles and issues on counter 0 only (pfm(7), EV4 statistics).
    EXPECT_EQ(pmusim("encode -t " + target + " -e cycles -e instructions").code, target == "alpha-ev4" ? 2 : 0)
        << target;
  }
}

// 37 no-operations are 37 instructions; a level stays with the name.
TEST(PerfNames, CountWhatTheyStandFor) {
  write_file("nops.txt", nops(37));
  const auto run = json_of(pmusim("run -t athlon --trace nops.txt -e cpu-cycles:u,instructions:u --format json"));
  EXPECT_EQ(run.at("counts")[1].at("value"), 37);
  EXPECT_EQ(run.at("counts")[1].at("event"), "athlon::RETIRED_INSTRUCTIONS:k=0:u=1:e=0:i=0:c=0");
  EXPECT_EQ(run.at("counts")[0].at("value"), run.at("cycles"));
  EXPECT_THAT(pmusim("events -t alpha-ev67 instructions").out, HasSubstr("alpha-ev67::RETINST\n"));
  EXPECT_EQ(pmusim("events -t alpha-ev67 branch-misses").code, 2);
}

TEST(PerfNames, OfCommands) {
  write_file("nops.txt", nops(37));
  const std::string rest = " -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS";
  EXPECT_EQ(pmusim("stat" + rest).out, pmusim("run" + rest).out);
  EXPECT_EQ(pmusim("list -t athlon CACHE").out, pmusim("events -t athlon CACHE").out);
  const Outcome script = pmusim("script");
  EXPECT_EQ(script.code, 2);
  EXPECT_THAT(script.err, HasSubstr("the nearest is pmusim record"));
  const Outcome bare = pmusim("");
  EXPECT_EQ(bare.code, 0);
  EXPECT_EQ(bare.out, pmusim("--help").out);
}

// perf(1) lists the commands, perf-stat(1), perf-record(1) and perf-report(1) the options. Whatever is named exists.
TEST(PerfNames, ThatAreNotThereNameTheNearest) {
  for (const char* name : {"top", "script", "mem", "c2c", "kvm", "timechart", "sched", "lock", "bench", "test", "probe",
                           "ftrace", "kmem", "evlist", "archive", "data", "inject", "config", "version"}) {
    const Outcome outcome = pmusim(std::string(name) + " --anything");
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_EQ(outcome.out, "") << name;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << name;
    const std::string nearest = "the nearest is pmusim ";
    ASSERT_THAT(outcome.err, HasSubstr(nearest)) << name;
    const std::string rest = outcome.err.substr(outcome.err.find(nearest) + nearest.size());
    EXPECT_EQ(pmusim(rest.substr(0, rest.find_first_of(" :")) + " --help").code, 0) << rest;
  }
}

TEST(PerfNames, OfOptionsNameTheNearest) {
  const std::string helps = pmusim("run --help").out + pmusim("record --help").out + pmusim("report --help").out;
  for (const std::string& line : lines_of(
           "stat -a\nstat -r 5\nstat --repeat=5\nstat -p 17\nstat --pid 17\nstat -C 0\nstat -x ,\nstat -d\nstat -M x\n"
           "stat -D 100\nrecord --call-graph dwarf\nrecord -g\nrecord -F 99\nrecord -c 100\nrecord -b\n"
           "report -i perf.data\nreport --stdio\nreport --sort dso\nreport --no-children\nannotate -i perf.data")) {
    const Outcome outcome = pmusim(line);
    EXPECT_EQ(outcome.code, 2) << line;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << line;
    const std::string nearest = "; the nearest is ";
    ASSERT_THAT(outcome.err, HasSubstr(nearest)) << line;
    const std::string rest = outcome.err.substr(outcome.err.find(nearest) + nearest.size());
    if (rest.starts_with("--") && !rest.starts_with("-- ")) {
      EXPECT_THAT(helps, HasSubstr(rest.substr(0, rest.find_first_of(" :")))) << line;
    }
  }
  EXPECT_EQ(pmusim("run --treace x").err, "pmusim: unknown option '--treace'; did you mean '--trace'?\n");
}

// perf-list(1): events of the operating system, hardware events that no target has, and modifiers in one group.
TEST(PerfNames, OfOtherEventsNameTheNearest) {
  for (const char* name : {"page-faults", "faults", "task-clock", "cpu-clock", "context-switches", "cs", "ref-cycles",
                           "bus-cycles", "stalled-cycles-frontend", "L1-dcache-stores", "dTLB-loads", "LLC-stores"}) {
    const Outcome outcome = pmusim("encode -t athlon -e " + std::string(name) + ":u");
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_THAT(outcome.err,
                testing::StartsWith("pmusim: athlon has no event '" + std::string(name) + "'; the nearest is "));
  }
  EXPECT_THAT(pmusim("encode -t athlon -e nothing-like-it").err, Not(HasSubstr("nearest")));
  EXPECT_EQ(pmusim("encode -t athlon -e cycles:uk").out, pmusim("encode -t athlon -e cycles:u:k").out);
  const Outcome precise = pmusim("encode -t athlon -e cycles:pp");
  EXPECT_EQ(precise.code, 2);
  EXPECT_THAT(precise.err, HasSubstr("cycles:pp: the nearest is pmusim report"));
}

// The quotient of the two counts in the same output.
TEST(Metrics, AreQuotientsOfTheCounts) {
  const std::string run = "run -t athlon --trace '" + recorded("i386-recursion-O2") + "' --format json -e ";
  const auto both = json_of(pmusim(run + "cycles,instructions,branches,branch-misses"));
  ASSERT_EQ(both.at("metrics").size(), 2u);
  const auto count = [&](unsigned i) { return both.at("counts")[i].at("value").get<double>(); };
  EXPECT_EQ(both.at("metrics")[0].at("name"), "cycles per instruction");
  EXPECT_DOUBLE_EQ(both.at("metrics")[0].at("value"), count(0) / count(1));
  EXPECT_DOUBLE_EQ(both.at("metrics")[1].at("value"), count(3) / count(2));
  // A ratio of other things than its name says is none.
  for (const char* events : {"cycles:u,instructions:k", "cycles:c=1,instructions:c=1", "cycles,instructions:e=1"})
    EXPECT_FALSE(json_of(pmusim(run + events)).contains("metrics")) << events;
}

TEST(Metrics, AsText) {
  write_file("nops.txt", nops(300));
  const auto object = json_of(pmusim("run -t athlon --trace nops.txt -e cycles,instructions --format json"));
  const double cycles = object.at("cycles").get<double>();
  char expected[80];
  std::snprintf(expected, sizeof expected, "\n%.2f cycles per instruction, %.2f insn per cycle\n", cycles / 300,
                300 / cycles);
  EXPECT_THAT(pmusim("run -t athlon --trace nops.txt -e cycles,instructions").out, HasSubstr(expected));
  EXPECT_THAT(pmusim("run -t athlon -e branches,branch-misses --trace '" + recorded("i386-recursion-O2") + "'").out,
              testing::ContainsRegex("\n[0-9]+\\.[0-9][0-9] % mispredicted branches per branch\n"));
}

TEST(ShippedTraces, AreListedAndFoundByName) {
  std::set<std::string> names, files;
  for (const auto& row : rows_of(pmusim("traces --format json"))) names.insert(row.at("name").get<std::string>());
  for (const auto& entry : std::filesystem::directory_iterator(PMUSIM_SOURCE_DIR "/isa-traces/recorded")) {
    if (entry.path().extension() == ".pmt") files.insert(entry.path().stem().string());
  }
  EXPECT_EQ(names, files);
  const auto row = rows_of(pmusim("traces -t itanium2 --format json")).at(0);
  EXPECT_EQ(row.at("isa"), "ia64");
  EXPECT_EQ(row.at("targets"), "itanium2 montecito");
  EXPECT_EQ(row.at("lines"),
            json_of(pmusim("trace info --format json " + row.at("name").get<std::string>())).at("instructions"));
  EXPECT_THAT(pmusim("run -t athlon --trace i386-selfmod -e cycles").out,
              testing::StartsWith("i386-selfmod on athlon: "));
  const Outcome near = pmusim("run -t athlon --trace i386-lz7 -e cycles");
  EXPECT_EQ(near.code, 2);
  EXPECT_THAT(near.err, HasSubstr("i386-lz7: cannot be opened: No such file, and no trace of this name comes with "
                                  "pmusim; did you mean 'i386-lz77'?"));
  // A file of the current folder comes first.
  write_file("i386-lz77", nops(5));
  EXPECT_EQ(json_of(pmusim("run -t athlon --trace i386-lz77 -e instructions --format json")).at("instructions"), 5);
  std::filesystem::remove(scratch() + "/i386-lz77");
}

TEST(RunProgram, CountsAsItsTraceDoes) {
  if (!have_tools({"powerpc-linux-gnu-gcc", "qemu-ppc"})) GTEST_SKIP() << "needs gcc-powerpc-linux-gnu, qemu-user";
  write_file("three.s", ".globl _start\n_start: li 3,3\n li 0,1\n sc\n");
  ASSERT_EQ(shell("powerpc-linux-gnu-gcc -nostdlib -static -no-pie three.s -o three").code, 0);
  const Outcome run = pmusim("run -t ppc750gx -e instructions --format json -- ./three");
  EXPECT_THAT(run.err, HasSubstr("./three ends with exit status 3"));
  ASSERT_EQ(pmusim("trace capture --isa ppc ./three -o three.pmt").code, 0);
  const auto expected = json_of(pmusim("run -t ppc750gx -e instructions --format json --trace three.pmt"));
  EXPECT_EQ(json_of(run).at("instructions"), 3);
  EXPECT_EQ(json_of(run).at("trace"), "./three");
  EXPECT_EQ(json_of(run).at("counts"), expected.at("counts"));
  EXPECT_EQ(pmusim("run -t ppc750gx -e instructions ./three").code, 0) << "without a dash";
  EXPECT_THAT(pmusim("run -t ppc750gx -e instructions --trace three.pmt ./three").err,
              HasSubstr("unexpected './three'"));
  EXPECT_THAT(pmusim("run -t ppc750gx -e instructions three.pmt").err, HasSubstr("expected --trace three.pmt"));
  EXPECT_EQ(pmusim("run -t ppc750gx -e instructions -- ./absent").code, 2);
  EXPECT_EQ(pmusim("run -e instructions -- ./three").code, 2);
}

// The command line that an error names builds a program that is recorded.
TEST(RunProgram, WithTheCLibraryOfTheCrossCompiler) {
  write_file("program.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n");
  for (const auto& [target, cpu] :
       {std::pair<const char*, const char*>{"ppc750gx", "ppc"}, {"athlon", "i386"}, {"alpha-ev67", "alpha"}}) {
    const std::string run = std::string("run -t ") + target + " -e instructions --format json -- ";
    const Outcome wrong = pmusim(run + "/bin/true");
    EXPECT_EQ(wrong.code, 2);
    const std::size_t at = wrong.err.find("expected one built by ");
    ASSERT_NE(at, std::string::npos) << wrong.err;
    const std::string line = wrong.err.substr(at + 22, wrong.err.find(" (Debian: ") - at - 22);
    const std::string compiler = line.substr(0, line.find(' '));
    const bool headers = shell("echo '#include <stdio.h>' | " + compiler + " -E - >/dev/null").code == 0;
    if (!have_tools({compiler, std::string("qemu-") + cpu}) || !available(headers, wrong.err)) continue;
    ASSERT_EQ(shell(line).code, 0) << line;
    const Outcome outcome = pmusim(run + "./program");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("hello\n")) << "standard output has the JSON alone";
    EXPECT_GT(json_of(outcome).at("instructions"), 1000) << target;
  }
}

}  // namespace
}  // namespace pmusim::cli_test
