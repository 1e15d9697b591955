// `pmusim trace import --from`, `convert`, `cut`, `merge`, `stats` and `capture` must do what their help describes.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "testbench/tests/cli/command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* samples = PMUSIM_SOURCE_DIR "/testbench/tests/importers/samples";

bool exists(const std::string& name) { return std::filesystem::exists(scratch() + "/" + name); }

TEST(TraceImport, FromAToolToACount) {
  const Outcome made =
      pmusim(std::string("trace import --from execlog --isa ppc '") + samples + "/sample_ppc.execlog' -o s.pmt");
  EXPECT_EQ(made.code, 0);
  EXPECT_EQ(made.err, "");
  EXPECT_EQ(made.out, "s.pmt: 27 instructions\n");
  EXPECT_EQ(json_of(pmusim("trace info s.pmt --format json")).at("program"), "sample_ppc");
  const auto run = json_of(pmusim("run -t ppc750gx --trace s.pmt -e INSTRUCTIONS_COMPLETED --format json"));
  EXPECT_EQ(run.at("instructions"), 27);
  EXPECT_EQ(shell(std::string("\"$PMUSIM\" trace import --from execlog --isa ppc - -o piped.pmt < '") + samples +
                  "/sample_ppc.execlog'")
                .code,
            0);
  EXPECT_EQ(pmusim("trace dump piped.pmt").out, pmusim("trace dump s.pmt").out);
}

TEST(TraceImport, SaysWhatItPutIn) {
  write_file("gap.log", "0, 0x100, 0x60, \"nop\"\n0, 0x200, 0x60, \"nop\"\n1, 0x200, 0x60, \"nop\"\n");
  const Outcome made = pmusim("trace import --from execlog --isa ppc --thread 0 gap.log -o gap.pmt");
  EXPECT_EQ(made.code, 0);
  EXPECT_THAT(made.err, AllOf(HasSubstr("1 jumps without a branch; '! switch' was inserted"),
                              HasSubstr("1 executed lines of other threads were skipped")));
}

// The imported trace knows the names of its program as a recorded one does.
TEST(TraceImport, NamesOfTheProgram) {
  if (!have_tools({"powerpc-linux-gnu-gcc"})) GTEST_SKIP() << "needs gcc-powerpc-linux-gnu";
  ASSERT_EQ(shell(std::string("powerpc-linux-gnu-gcc -nostdlib -static -no-pie -Wl,--build-id=none -Wa,-mregnames -o "
                              "sample_ppc '") +
                  samples + "/sample_ppc.s'")
                .code,
            0);
  const std::string log = std::string(" '") + samples + "/sample_ppc.execlog' -o named.pmt";
  ASSERT_EQ(pmusim("trace import --from execlog --elf sample_ppc" + log).code, 0);
  EXPECT_THAT(pmusim("trace dump named.pmt").out, HasSubstr("\n! function addr=10000074 name=_start\n"));
  EXPECT_THAT(pmusim("report -t ppc750gx -e INSTRUCTIONS_COMPLETED --trace named.pmt").out, HasSubstr("_start"));
  const Outcome elsewhere = pmusim("trace import --from execlog --elf sample_ppc@1000 --isa ppc" + log);
  EXPECT_EQ(elsewhere.code, 2);
  EXPECT_THAT(elsewhere.err, HasSubstr("executes nothing of --elf sample_ppc at base 1000; expected"));
}

TEST(TraceImport, EveryCoreRunsATraceThatEndsInABranch) {
  write_file("end.i386", "! isa i386\n1000 90\n1001 ebfd T 1000\n");
  write_file("end.ppc", "! isa ppc\n1000 60000000\n1004 4bfffffc T 1000\n");
  write_file("end.alpha", "! isa alpha\n1000 1f04ff47\n1004 feffffc3 T 1000\n");
  write_file("end.ia64", "! isa ia64\n1000 11000000010000000002000000000040 xxx T2 1000 bsp=8000\n");
  const std::pair<const char*, int> rows[] = {
      {"athlon --trace end.i386 -e RETIRED_INSTRUCTIONS", 2}, {"ppc750gx --trace end.ppc -e INSTRUCTIONS_COMPLETED", 2},
      {"alpha-ev5 --trace end.alpha -e PF5_MUX0_ISSUES", 2},  {"alpha-ev67 --trace end.alpha -e RETINST", 2},
      {"itanium2 --trace end.ia64 -e IA64_INST_RETIRED", 1},  {"montecito --trace end.ia64 -e IA64_INST_RETIRED", 1}};
  for (const auto& [arguments, lines] : rows) {
    const auto run = json_of(pmusim(std::string("run --format json -t ") + arguments));
    EXPECT_EQ((run.contains("threads") ? run.at("threads")[0] : run).at("instructions"), lines) << arguments;
  }
}

// 3 moves, a rep of 10 iterations, 8 no-operations: 12 instructions in 21 lines. The Athlon retires 12.
constexpr const char* repeated =
    "! isa i386\n8049000 b90a000000\n8049005 be00a00408\n804900a bf00a10408\n"
    "804900f f3a5 L 804a000 4 S 804a100 4 T 804900f\n804900f f3a5 L 804a004 4 S 804a104 4 T 804900f\n"
    "804900f f3a5 L 804a008 4 S 804a108 4 T 804900f\n804900f f3a5 L 804a00c 4 S 804a10c 4 T 804900f\n"
    "804900f f3a5 L 804a010 4 S 804a110 4 T 804900f\n804900f f3a5 L 804a014 4 S 804a114 4 T 804900f\n"
    "804900f f3a5 L 804a018 4 S 804a118 4 T 804900f\n804900f f3a5 L 804a01c 4 S 804a11c 4 T 804900f\n"
    "804900f f3a5 L 804a020 4 S 804a120 4 T 804900f\n804900f f3a5 L 804a024 4 S 804a124 4\n"
    "8049011 90\n8049012 90\n8049013 90\n8049014 90\n8049015 90\n8049016 90\n8049017 90\n8049018 90\n";

TEST(Numbering, IsTheSameInAllCommands) {
  write_file("rep.txt", repeated);
  const std::string run = "run -t athlon --trace rep.txt -e RETIRED_INSTRUCTIONS --format json";
  EXPECT_EQ(json_of(pmusim(run)).at("counts")[0].at("value"), 12);
  EXPECT_EQ(json_of(pmusim(run)).at("instructions"), 12);
  for (const char* command : {"trace info", "trace stats"}) {
    const auto object = json_of(pmusim(std::string(command) + " rep.txt --format json"));
    EXPECT_EQ(object.at("instructions"), 12) << command;
    EXPECT_EQ(object.at("lines"), 21) << command;
  }
  EXPECT_THAT(pmusim("trace stats rep.txt").out, HasSubstr("12 i386 instructions in 21 lines"));
  for (const char* command : {"trace import rep.txt -o rep.pmt", "trace convert rep.txt -o rep.pmt",
                              "trace cut rep.txt --range : -o rep.pmt", "trace export rep.pmt -o again.txt"})
    EXPECT_THAT(pmusim(command).out, HasSubstr(": 12 instructions\n")) << command;
  EXPECT_THAT(pmusim("activity record -t athlon --trace rep.txt -o rep.pma").out,
              HasSubstr(" cycles, 12 instructions,"));
  EXPECT_EQ(pmusim("trace merge rep.txt rep.pmt --turns 5 -o both.pmt").out, "both.pmt: 24 instructions\n");

  const std::string last = "8049015 90\n8049016 90\n8049017 90\n8049018 90\n";
  ASSERT_EQ(pmusim("trace cut rep.txt --range 8:12 -o cut.txt").out, "cut.txt: 4 instructions\n");
  EXPECT_EQ(read_file(scratch() + "/cut.txt"), "! isa i386\n" + last);
  EXPECT_EQ(pmusim("trace dump rep.txt --range 8:12").out, "! isa i386\n" + last);
  const auto dumped = lines_of(pmusim("trace dump rep.txt --range 3:5 --format json").out);
  ASSERT_EQ(dumped.size(), 11u) << "the iterations and the no-operation";
  EXPECT_EQ(nlohmann::json::parse(dumped[9]).at("index"), 3);
  EXPECT_EQ(nlohmann::json::parse(dumped[10]).at("index"), 4);
  // Cycles are not split: run says which instructions it counted, and those alone are a trace as long.
  const auto region = json_of(pmusim(run + " --roi 8:12"));
  const unsigned from = region.at("first_instruction"), counted = region.at("instructions");
  EXPECT_EQ(region.at("counts")[0].at("value"), counted);
  EXPECT_EQ(from + counted, 12u);
  EXPECT_EQ(pmusim("trace cut rep.txt --range " + std::to_string(from) + ": -o same.txt").out,
            "same.txt: " + std::to_string(counted) + " instructions\n");
  // Nothing is beyond the last one, for both.
  EXPECT_THAT(pmusim("run -t athlon --trace rep.txt -e RETIRED_INSTRUCTIONS --roi 13:21").err,
              HasSubstr("the trace has 12"));
  const Outcome beyond = pmusim("trace cut rep.txt --range 13:21 -o none.txt");
  EXPECT_EQ(beyond.code, 2);
  EXPECT_THAT(beyond.err, HasSubstr("rep.txt: has no instructions in 13:21"));
}

TEST(Numbering, HelpNamesTheUnit) {
  for (const char* command :
       {"run", "record", "explain", "report", "activity record", "trace cut", "trace dump", "trace merge"})
    EXPECT_THAT(shell(std::string("\"$PMUSIM\" ") + command + " --help | tr -s ' \\n' ' '").out,
                HasSubstr("(i386: a rep with all its iterations is one; ia64: bundles"))
        << command;
  EXPECT_THAT(shell("\"$PMUSIM\" trace capture --help | tr -s ' \\n' ' '").out,
              HasSubstr("an iteration of a rep is a line"));
}

TEST(TraceConvert, ByTheNameOfTheOutput) {
  write_file("c.txt", nops(3000));
  EXPECT_EQ(pmusim("trace convert c.txt -o c.pmt --chunk 1000 --level 1 --program made").out,
            "c.pmt: 3000 instructions\n");
  const auto info = json_of(pmusim("trace info c.pmt --format json"));
  EXPECT_EQ(info.at("chunks"), 3);
  EXPECT_EQ(info.at("program"), "made");
  EXPECT_EQ(pmusim("trace convert c.pmt -o d.pmt --format-version 1").code, 0);
  EXPECT_EQ(json_of(pmusim("trace info d.pmt --format json")).at("chunks"), 1);
  EXPECT_EQ(json_of(pmusim("trace info d.pmt --format json")).at("program"), "made");
  EXPECT_EQ(pmusim("trace convert d.pmt -o back.txt").code, 0);
  EXPECT_EQ(read_file(scratch() + "/back.txt"), read_file(scratch() + "/c.txt"));
}

TEST(TraceCut, OfARecordedTrace) {
  const std::string all = recorded("ia64-sieve-O2");
  EXPECT_EQ(pmusim("trace cut '" + all + "' --range 500:900 -o piece.pmt").out, "piece.pmt: 400 bundles\n");
  EXPECT_EQ(json_of(pmusim("run -t itanium2 --trace piece.pmt -e CPU_CYCLES --format json")).at("instructions"), 400);
  const std::string whole = recorded("i386-units");
  EXPECT_EQ(pmusim("trace cut '" + whole + "' --range :1000 -o a.txt").code, 0);
  EXPECT_EQ(pmusim("trace cut '" + whole + "' --range 1000: -o b.txt").code, 0);
  // The concatenated pieces equal the whole trace. Each piece has the instruction set and the names.
  std::string second = read_file(scratch() + "/b.txt");
  while (second.starts_with('!')) second.erase(0, second.find('\n') + 1);
  EXPECT_EQ(read_file(scratch() + "/a.txt") + second, pmusim("trace dump '" + whole + "'").out);
}

TEST(TraceMerge, InTurns) {
  write_file("m1.txt", nops(10));
  write_file("m2.txt", nops(4));
  EXPECT_EQ(pmusim("trace merge m1.txt m2.txt --turns 4 -o m.pmt").out, "m.pmt: 14 instructions\n");
  EXPECT_EQ(json_of(pmusim("trace info m.pmt --format json")).at("program"), "m1+m2");
  EXPECT_EQ(json_of(pmusim("trace info m.pmt --format json")).at("directives"), 2 * 4 - 1) << "four turns";
  EXPECT_EQ(json_of(pmusim("run -t athlon --trace m.pmt -e RETIRED_INSTRUCTIONS --format json")).at("instructions"),
            14);
}

TEST(TraceStats, TextAndJsonAreTheSameValues) {
  const std::string file = "'" + recorded("ppc-lz77") + "'";
  const auto json = json_of(pmusim("trace stats " + file + " --format json"));
  const auto info = json_of(pmusim("trace info " + file + " --format json"));
  EXPECT_EQ(json.at("instructions"), info.at("instructions"));
  EXPECT_EQ(json.at("data").at("loads"), info.at("loads"));
  EXPECT_EQ(json.at("data").at("stores"), info.at("stores"));
  EXPECT_EQ(json.at("branches").at("taken"), info.at("taken_branches"));
  std::uint64_t sum = 0;
  for (const auto& kind : json.at("mix")) sum += kind.at("count").get<std::uint64_t>();
  EXPECT_EQ(sum, json.at("instructions"));
  std::string instructions = std::to_string(info.at("instructions").get<std::uint64_t>());
  for (int at = static_cast<int>(instructions.size()) - 3; at > 0; at -= 3)
    instructions.insert(static_cast<std::size_t>(at), ",");
  EXPECT_THAT(pmusim("trace stats " + file).out, HasSubstr(instructions + " ppc instructions"));
}

TEST(TraceCommands, BadUsageIsOneLineAndLeavesNoFile) {
  write_file("n.txt", nops(5));
  write_file("p.txt", ppc_nops(5));
  const std::pair<const char*, const char*> rows[] = {
      {"import n.txt -o x.pmt --from strace", "--from strace: unknown tool; expected execlog, gem5, lackey"},
      {"import n.txt -o x.pmt --elf a.out", "--elf goes with --from"},
      {"import n.txt -o x.pmt --thread 1", "--thread goes with --from"},
      {"import n.txt -o x.pmt --from perf --gap later", "--gap later: expected switch, interrupt or error"},
      {"import n.txt -o x.pmt --from perf --salvage", "--salvage has no effect with --from"},
      {"import n.txt -o x.pmt --from execlog", "nothing tells the instruction set; expected --isa"},
      {"import n.txt -o x.pmt --from execlog --isa ia64", "execlog of ia64: not read; expected one of: i386 ppc alpha"},
      {"import n.txt -o x.pmt --from lackey --isa i386", "name the program that ran, as in --elf a.out"},
      {"import n.txt -o x.pmt --from execlog --isa i386", "n.txt:1: '! isa i386': no number of a virtual processor"},
      {"import gone.txt -o x.pmt --from perf", "gone.txt: cannot be opened"},
      {"convert n.txt -o x.txt --level 3", "--level has no effect on a text"},
      {"convert n.txt -o x.pmt --level 99", "zstd level 99; must be 1 to 22"},
      {"convert n.txt -o x.pmt --chunk 0", "chunks of 0 instructions"},
      {"convert n.txt -o x.pmt --format-version 2", "--format-version 2: not known; expected 1"},
      {"convert n.txt", "--output is missing"},
      {"cut n.txt -o x.pmt", "--range is missing"},
      {"cut n.txt -o x.pmt --range 9:12", "has no instructions in 9:12"},
      {"cut n.txt -o x.pmt --range 3", "expected BEGIN:END"},
      {"merge n.txt -o x.pmt", "two traces or more are needed"},
      {"merge n.txt p.txt -o x.pmt", "traces of one instruction set"},
      {"merge n.txt n.txt -o x.pmt --turns 0", "--turns 0"},
      {"merge n.txt n.txt -o x.pmt --as threads", "no hardware threads"},
      {"merge n.txt n.txt -o x.pmt --as jobs", "--as jobs: expected processes or threads"},
      {"stats n.txt --line 48", "--line 48: expected a power of two"},
      {"stats n.txt --format csv", "expected text, json"},
      {"stats", "the trace file is missing; usage: pmusim trace stats FILE"},
  };
  for (const auto& [arguments, message] : rows) {
    const Outcome result = pmusim(std::string("trace ") + arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_THAT(result.err, AllOf(::testing::StartsWith("pmusim: trace "), HasSubstr(message)));
    EXPECT_EQ(lines_of(result.err).size(), 1u) << result.err;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_FALSE(exists("x.pmt"));
  EXPECT_FALSE(exists("x.txt"));
}

// A PowerPC program whose load multiple requires a second run: its output appears once, and it reads its input once.
TEST(TraceCapture, OutputAppearsOnceAndInputIsReadAgain) {
  if (!have_tools({"powerpc-linux-gnu-gcc", "qemu-ppc"})) GTEST_SKIP() << "needs gcc-powerpc-linux-gnu, qemu-user";
  write_file("echo.s",
             ".globl _start\n_start: lis %r4,buffer@ha\naddi %r4,%r4,buffer@l\nli %r0,3\nli %r3,0\nli %r5,8\nsc\n"
             "mr %r5,%r3\nlis %r4,buffer@ha\naddi %r4,%r4,buffer@l\nlmw %r30,0(%r4)\n"
             "li %r0,4\nli %r3,1\nsc\nli %r0,1\nli %r3,0\nsc\n.bss\nbuffer: .space 64\n");
  ASSERT_EQ(shell("powerpc-linux-gnu-gcc -nostdlib -static -no-pie -Wa,-mregnames -o echo echo.s").code, 0);
  const Outcome piped = shell("printf hello | \"$PMUSIM\" trace capture --isa ppc ./echo -o echo.pmt");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(piped.out, "helloecho.pmt: 16 instructions, exit status 0\n");
  EXPECT_THAT(pmusim("trace dump echo.pmt").out, HasSubstr(" L 10010")) << "the operands of lmw";
  write_file("input", "there");
  EXPECT_THAT(shell("\"$PMUSIM\" trace capture --isa ppc ./echo -o echo.pmt < input").out,
              ::testing::StartsWith("thereecho"));
  const Outcome endless = shell("yes | \"$PMUSIM\" trace capture --isa ppc ./echo -o echo.pmt");
  EXPECT_THAT(endless.out, ::testing::StartsWith("y\ny\ny\ny\necho.pmt"));
}

struct Dynamic {
  const char *isa, *system, *library, *linker;
};

// Linked with the C library of Debian's cross compilers, for which no headers are installed.
TEST(TraceCapture, DynamicallyLinkedPrograms) {
  write_file("hello.c", "int puts(const char*);\nvoid exit(int);\nvoid _start(void) { puts(\"once\"); exit(3); }\n");
  for (const Dynamic& one : {Dynamic{"ppc", "powerpc-linux-gnu", "libc.so.6", "/lib/ld.so.1"},
                             Dynamic{"i386", "i686-linux-gnu", "libc.so.6", "/lib/ld-linux.so.2"},
                             Dynamic{"alpha", "alpha-linux-gnu", "libc.so.6.1", "/lib/ld-linux.so.2"}}) {
    const std::string isa = one.isa, system = one.system, program = "hello-" + isa;
    if (!have_tools({system + "-gcc", "qemu-" + isa})) GTEST_SKIP() << "needs the cross compilers and qemu-user";
    const Outcome built = shell(system + "-gcc -O1 -fno-stack-protector -nostdlib -o " + program + " hello.c /usr/" +
                                system + "/lib/" + one.library + " -Wl,-dynamic-linker=" + one.linker);
    ASSERT_EQ(built.code, 0) << built.err;
    const std::string command = "trace capture --isa " + isa + " ./" + program + " -o ";
    const Outcome first = pmusim(command + "first.pmt");
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.out, AllOf(::testing::StartsWith("once\nfirst.pmt: "), HasSubstr("exit status 3")));
    EXPECT_EQ(lines_of(first.out).size(), 2u) << "what the program prints appears once";
    EXPECT_EQ(pmusim(command + "second.pmt").code, 0);
    EXPECT_EQ(shell("cmp first.pmt second.pmt").code, 0) << isa << ": a second recording gives the same bytes";
    const Outcome missing = pmusim(command + "x.pmt --sysroot /nowhere");
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, AllOf(HasSubstr("its dynamic linker " + std::string(one.linker) + " is not in /nowhere"),
                                   HasSubstr("install libc6"), HasSubstr("-cross")));
    EXPECT_FALSE(exists("x.pmt"));
  }
}

}  // namespace
}  // namespace pmusim::cli_test
