// Tests of `pmusim activity` and of --activity in the commands that count: results equal those over the trace, and
// wrong uses are reported.
#include "testbench/tests/cli/command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "testbench/tests/sampling.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

std::string micro(const std::string& name) { return as_word(source_file("isa-traces/micro/" + name)); }

/// Records a trace and returns the file's name in the scratch folder.
std::string record(const std::string& target, const std::string& traces, const std::string& more = "") {
  const std::string file = target + ".pma";
  const Outcome outcome = pmusim("activity record -t " + target + traces + " -o " + file + more);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(pmusim("activity check " + file).code, 0);
  return file;
}

/// Expects the same output of `run` over the trace and over its activity, except for the name of the input.
void expect_same_run(const std::string& target, const std::string& traces, const std::string& events) {
  const std::string file = record(target, traces);
  const std::string options = " --registers --format json " + events;
  nlohmann::json over_trace = json_of(pmusim("run -t " + target + traces + options));
  nlohmann::json over_activity = json_of(pmusim("run --activity " + file + options));
  for (nlohmann::json* object : {&over_trace, &over_activity}) {
    object->erase("trace");
    object->erase("traces");
    if (!object->contains("threads")) continue;
    for (nlohmann::json& thread : (*object)["threads"]) thread.erase("trace");
  }
  EXPECT_GT(over_trace["instructions"].get<std::uint64_t>(), 0u);
  EXPECT_EQ(over_activity, over_trace) << target;
}

TEST(ActivityCommand, RunCountsTheSame) {
  expect_same_run("athlon", " --trace " + micro("athlon.pmt/branches"),
                  "-e RETIRED_BRANCH_INSTRUCTIONS -e DATA_CACHE_MISSES:u");
  expect_same_run("ppc750gx", " --trace " + micro("ppc750gx.pmt/ordering"), "-e INSTRUCTIONS_COMPLETED");
  expect_same_run("itanium2", " --trace " + micro("itanium2.pmt/latencies"),
                  "-e DATA_EAR_CACHE_LAT4 -e IA64_INST_RETIRED");
  expect_same_run(
      "montecito",
      " --trace " + as_word(recorded("ia64-recursion-O3")) + " --trace " + as_word(recorded("ia64-sieve-O3")),
      "-e CPU_OP_CYCLES_ALL -e IA64_INST_RETIRED");
  expect_same_run("alpha-ev4", " --trace " + micro("alpha.pmt/branches"), "-e PF_LOADI");
  expect_same_run("alpha-ev67", " --trace " + micro("alpha.pmt/arithmetic"), "-e RETINST");
}

// The core reports the line of the trace; the command adds the name of the trace.
TEST(ActivityCommand, ErrorsOfTheCoreNameTheTrace) {
  write_file("long.txt", "! isa i386\n10000 90\n! idle cycles=18446744073709551615\n10001 90\n");
  const Outcome outcome = pmusim("activity record -t athlon --trace long.txt -o long.pma");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err.find("pmusim: long.txt: trace line 3: '! idle'"), 0u) << outcome.err;
}

TEST(ActivityCommand, RegionAndMeasuredAgain) {
  const std::string trace = " --trace " + as_word(recorded("i386-units"));
  const std::string file = record("athlon", trace, " --roi 100:900");
  const std::string events = " -e RETIRED_INSTRUCTIONS --format json";
  const nlohmann::json over_trace = json_of(pmusim("run -t athlon --roi 100:900" + trace + events));
  const nlohmann::json over_activity = json_of(pmusim("run --activity " + file + events));
  for (const char* key : {"cycles", "first_instruction", "instructions", "counts"})
    EXPECT_EQ(over_activity[key], over_trace[key]) << key;
}

TEST(ActivityCommand, SamplesAreTheSame) {
  const std::string trace = " --trace " + as_word(recorded("i386-units"));
  const std::string file = record("athlon", trace);
  const std::string options = " -e RETIRED_INSTRUCTIONS --period 500 --format csv";
  const Outcome over_trace = pmusim("record -t athlon" + trace + options);
  EXPECT_EQ(over_trace.code, 0);
  EXPECT_GT(lines_of(over_trace.out).size(), 3u);
  EXPECT_EQ(pmusim("record --activity " + file + options).out, over_trace.out);
}

TEST(ActivityCommand, InfoAndDumpSayWhatIsThere) {
  write_file("nops.txt", nops(40));
  const std::string file = record("athlon", " --trace nops.txt");
  const nlohmann::json info = json_of(pmusim("activity info " + file + " --format json"));
  EXPECT_EQ(info["target"], "athlon");
  EXPECT_EQ(info["trace.0"], "nops.txt");
  EXPECT_EQ(info["occurrences"]["retire"], 40);
  EXPECT_EQ(info["instruction_records"], 40);
  const auto lines = lines_of(pmusim("activity dump " + file + " --signal retire --format json").out);
  ASSERT_EQ(lines.size(), 40u);
  const nlohmann::json last = nlohmann::json::parse(lines.back());
  EXPECT_EQ(last["signal"], "retire");
  EXPECT_EQ(last["instruction"]["id"], 39);
  EXPECT_EQ(last["instruction"]["encoding"], 0x90);
  EXPECT_EQ(lines_of(pmusim("activity dump " + file +
                            " --signal retire --range 0:" + std::to_string(last["cycle"].get<int>()))
                         .out)
                .size(),
            39u);  // three retire in a cycle: 13 times three; the last is alone in its cycle
}

/// The three examples write the same activity: 5,000 instructions, one every two cycles, the 50 in cycles 1,000 to
/// 1,099 at level 0; every tenth misses.
TEST(ActivityCommand, ForeignWritersAreCounted) {
  const std::string writers[] = {as_word(built("activity-example-c")), as_word(built("activity-example-cpp")),
                                 "python3 -B " + as_word(source_file("models/activity_file/foreign/example.py"))};
  for (const std::string& writer : writers) {
    const std::string file = "foreign.pma";
    const Outcome written = shell(writer + " " + file);
    ASSERT_EQ(written.code, 0) << written.err;
    EXPECT_EQ(pmusim("activity check " + file).out, file + ": 3 blocks, all rules kept\n") << writer;
    const nlohmann::json run =
        json_of(pmusim("run --activity " + file +
                       " -e RETIRED_INSTRUCTIONS -e RETIRED_INSTRUCTIONS:u -e DATA_CACHE_MISSES -e DATA_CACHE_MISSES:k "
                       "--format json"));
    EXPECT_EQ(run["cycles"], 9999);
    EXPECT_EQ(run["instructions"], 5000);
    const int expected[] = {5000, 4950, 500, 5};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(run["counts"][i]["value"], expected[i]) << writer;
  }
}

/// A writer that breaks a rule gets an error, and its output is not counted.
TEST(ActivityCommand, BrokenRulesAreTold) {
  write_file("broken.py",
             "import sys\nsys.path.insert(0, sys.argv[2])\n"
             "from pmusim_activity import Writer\n"
             "with Writer(sys.argv[1], 'athlon') as w:\n"
             "    retire = w.signal('retire')\n    w.occur(retire, 7, 3)\n"
             "    w.end_block(10)\n");
  const std::string file = "broken.pma";
  const Outcome written =
      shell("python3 -B broken.py " + file + " " + as_word(source_file("models/activity_file/foreign")));
  ASSERT_EQ(written.code, 0) << written.err;
  const Outcome checked = pmusim("activity check " + file);
  EXPECT_EQ(checked.code, 1);
  EXPECT_NE(checked.out.find("block 0: signal retire: occurrence 0 names instruction 3 of 0"), std::string::npos);
  const Outcome run = pmusim("run --activity " + file + " -e RETIRED_INSTRUCTIONS");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("pmusim activity check lists all"), std::string::npos) << run.err;
}

TEST(ActivityCommand, WrongUseIsTold) {
  write_file("nops.txt", nops(40));
  const std::string file = record("athlon", " --trace nops.txt");
  const auto error_of = [](const std::string& arguments) {
    const Outcome outcome = pmusim(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    return outcome.err;
  };
  const auto expect = [&](const std::string& arguments, const std::string& part) {
    const std::string error = error_of(arguments);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  const std::string run = "run -e RETIRED_INSTRUCTIONS --activity ";
  expect(run + file + " --trace x.txt", "--trace does not go with --activity");
  expect(run + file + " --roi 1:2", "--roi does not go with --activity");
  expect(run + file + " --perturb", "--perturb needs a core that takes interrupts");
  expect(run + file + " -t ppc750gx", "activity of athlon, not of ppc750gx");
  expect(run + file + " --set core.l1d_ways=4", "the core of");
  expect(run + "none.pma", "cannot be opened");
  write_file("text.pma", "no activity at all");
  expect(run + "text.pma", "not a .pma file");
  expect("activity", "a command is missing; legal: record, info, dump, check");
  expect("activity chek x", "unknown command 'chek'");
  expect("activity dump " + file + " --signal retired", "did you mean 'retire'?");
  expect("activity dump " + file + " --range 5:5", "is empty");
  expect("activity record -t athlon --trace nops.txt -o x.pma --block 0", "--block 0: 1 to");

  std::string damaged = read_file(scratch() + "/" + file);
  damaged.resize(damaged.size() - 60);
  const std::string cut = "cut.pma";
  write_file(cut, damaged);
  expect("activity check " + cut, "was cut");
  expect(run + cut, "was cut");
  EXPECT_EQ(pmusim("activity info --salvage " + cut).code, 0);
  EXPECT_EQ(pmusim(run + file + " --set pmu.counting_with_pc=only_clear").code, 0);
}

}  // namespace
}  // namespace pmusim::cli_test
