// Files of the writers for other programs, read back by the project's reader.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "testbench/tests/cli/command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

using ::testing::HasSubstr;

/// The writer in Python of traces, and that of activity.
const std::string foreign = source_file("isa-traces/foreign");
const std::string python = "python3 -W error " + as_word(foreign + "/example.py");
const std::string python_activity = "python3 -B " + as_word(source_file("models/activity_file/foreign/example.py"));

/// The contents that example.c and example.py write, as text.
std::string expected(unsigned rounds) {
  std::ostringstream text;
  text << "! isa i386\n! cpl 3\n" << std::hex;
  for (unsigned i = rounds; i-- > 0;) {
    text << "8049000 03048e L " << 0x804c000 + 4 * i << " 4\n8049003 49\n8049004 79fa" << (i > 0 ? " T 8049000" : "")
         << "\n";
  }
  text << "8049006 c3 L bffff7fc 4 T 8048100\n";
  return text.str();
}

TEST(Writers, ExamplesAreReadBack) {
  for (const unsigned rounds : {1u, 1000u, 30000u}) {  // the last one in two chunks
    const std::string count = std::to_string(rounds);
    ASSERT_EQ(shell(as_word(built("trace-example-c")) + " c.pmt " + count).code, 0);
    ASSERT_EQ(shell(python + " p.pmt " + count).code, 0);
    EXPECT_EQ(pmusim("trace dump c.pmt").out, expected(rounds));
    EXPECT_EQ(read_file(scratch() + "/c.pmt"), read_file(scratch() + "/p.pmt"));
  }
  EXPECT_EQ(json_of(pmusim("trace info c.pmt --format json")).at("chunks"), 2);
  EXPECT_EQ(pmusim("trace convert c.pmt -o packed.pmt").code, 0);
  EXPECT_EQ(pmusim("trace dump packed.pmt").out, expected(30000));
  EXPECT_EQ(shell("ls *.part 2>&1").out.find(".part\n"), std::string::npos) << "the file has its name when it is whole";
}

/// The writers of traces and of activity, and whether they accept a device.
const std::vector<std::pair<std::string, bool>> writers{{as_word(built("trace-example-c")), false},
                                                        {python, false},
                                                        {as_word(built("activity-example-c")), true},
                                                        {as_word(built("activity-example-cpp")), true},
                                                        {python_activity, true}};

TEST(Writers, DevicesStayDevices) {
  for (const auto& [writer, in_place] : writers) {
    EXPECT_NE(shell(writer + " /dev/full 1").code, 0) << writer;
    EXPECT_EQ(shell("test -c /dev/full").code, 0) << writer;
    EXPECT_EQ(shell(writer + " /dev/null 1").code == 0, in_place) << writer;
    EXPECT_EQ(shell("test -c /dev/null").code, 0) << writer;
  }
}

// Links are followed, also dangling ones; a file name planted by another user is not written to.
TEST(Writers, LinksAreFollowedAndPlantedNamesLeftAlone) {
  for (const auto& [writer, in_place] : writers) {
    const std::string prepare =
        "rm -rf d; mkdir -p d/e; printf mine > d/e/victim; printf old > d/e/real; ln -s e/real d/link; "
        "ln -s ../new d/e/dangling; ln -s victim d/e/real.part; ";
    EXPECT_EQ(
        shell(prepare + writer + " d/link 1000 && " + writer + " d/e/dangling 1000; ls d d/e; cat d/e/victim").out,
        "d:\ne\nlink\nnew\n\nd/e:\ndangling\nreal\nreal.part\nvictim\nmine")
        << writer;
    EXPECT_EQ(shell("test -L d/link && test -L d/e/dangling && cmp d/link d/new").code, 0) << writer;
    const std::string read = in_place ? "activity check " : "trace info ";
    EXPECT_EQ(pmusim(read + "d/e/real").code, 0) << writer;
  }
}

TEST(Writers, FullDisksLeaveTheOldFile) {
  for (const auto& [writer, in_place] : writers) {
    EXPECT_EQ(shell("rm -rf d; mkdir d; printf old > d/kept; (trap '' XFSZ; ulimit -f 0; " + writer +
                    " d/kept 1 2>&1 || echo failed) | tail -n 1; ls d; cat d/kept")
                  .out,
              "failed\nkept\nold")
        << writer;
  }
}

TEST(Writers, EveryFieldOfTheFormatInPython) {
  write_file("all.py", R"(
import sys
sys.path.insert(0, ')" + foreign +
                           R"(')
from pmusim_trace import Writer
nops = bytes.fromhex("11000000010000000200030000000020")
jump = bytes.fromhex("11000000010000000200030000000042")
with Writer("all.pmt", "ia64", program="every field") as w:
    w.directive("psr up=1 pp=0")
    w.directive("process 7")
    w.instruction(0x4000, nops, [("L", 0x9000, 8, 0), ("S", 0x8ff8, 4, 1)], mask="xxp", bsp=0x8000, cfm=0x186, lat=9,
                  data="l2", dtlb="walk", fetch="mem", itlb="hit", mispredict="path", ftz=2, loadrs=16,
                  deferrals=[(1, 0x55)], reads=["PMD4"], writes=[("PMC4", 0x1f)])
    w.instruction(0x4010, jump, target=0x4000)
    w.directive("interrupt")
    w.instruction(0x9000, jump, mask="x--")
    w.directive("idle cycles=3")
)");
  const Outcome made = shell("python3 -W error all.py");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(pmusim("trace dump all.pmt").out,
            "! isa ia64\n! psr up=1 pp=0\n! process 7\n"
            "4000 11000000010000000200030000000020 xxp L0 9000 8 S1 8ff8 4 rd=PMD4 wr=PMC4:0x1f bsp=8000 cfm=186 lat=9 "
            "data=l2 dtlb=walk fetch=mem itlb=hit mispredict=path ftz=2 loadrs=16 defer=1:55\n"
            "4010 11000000010000000200030000000042 xxx T2 4000\n! interrupt\n"
            "9000 11000000010000000200030000000042 x--\n! idle cycles=3\n");
  EXPECT_EQ(json_of(pmusim("trace info all.pmt --format json")).at("program"), "every field");
}

TEST(Writers, EveryFieldOfTheFormatInC) {
  write_file("all.c", R"(
#define PMUSIM_TRACE_IMPLEMENTATION
#include "pmusim_trace.h"
int main(void) {
  static const unsigned char nops[16] = {0x11, 0, 0, 0, 1, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0x20};
  static const unsigned char jump[16] = {0x11, 0, 0, 0, 1, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0x42};
  pmt_writer* w = pmt_open("allc.pmt", "ia64", "every field");
  pmt_directive(w, "psr up=1 pp=0");
  pmt_directive(w, "process 7");
  pmt_instruction(w, 0x4000, nops, 16);
  pmt_slot_access(w, 0, 0, 0x9000, 8), pmt_slot_access(w, 1, 1, 0x8ff8, 4), pmt_mask(w, "xxp");
  pmt_register(w, 0, "PMD4", 0), pmt_register(w, 1, "PMC4", 0x1f);
  pmt_key(w, PMT_BSP, 0x8000), pmt_key(w, PMT_CFM, 0x186), pmt_key(w, PMT_LAT, 9);
  pmt_key(w, PMT_DATA, 2), pmt_key(w, PMT_DTLB, 3), pmt_key(w, PMT_FETCH, 4), pmt_key(w, PMT_ITLB, 1);
  pmt_key(w, PMT_MISPREDICT, 2), pmt_key(w, PMT_FTZ, 2), pmt_key(w, PMT_LOADRS, 16), pmt_deferral(w, 1, 0x55);
  pmt_instruction(w, 0x4010, jump, 16), pmt_taken(w, 0x4000);
  pmt_directive(w, "interrupt");
  pmt_instruction(w, 0x9000, jump, 16), pmt_mask(w, "x--");
  pmt_directive(w, "idle cycles=3");
  return pmt_close(w);
}
)");
  const Outcome made =
      shell("cc -std=c99 -Wall -Wextra -Werror -pedantic -I" + as_word(foreign) + " all.c -o all && ./all");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(read_file(scratch() + "/allc.pmt"), read_file(scratch() + "/all.pmt")) << "as the Python writer wrote it";
}

TEST(Writers, ErrorsLeaveNoFile) {
  write_file("wrong.c", R"(
#define PMUSIM_TRACE_IMPLEMENTATION
#include "pmusim_trace.h"
int main(int argc, char** argv) {
  pmt_writer* w = pmt_open(argv[1], argc > 2 ? argv[2] : "i386", "");
  pmt_instruction(w, 1, "\x90", 1);
  pmt_access(w, 0, 4, 0);
  return pmt_close(w);
}
)");
  ASSERT_EQ(shell("cc -std=c99 -I" + as_word(foreign) + " wrong.c -o wrong").code, 0);
  EXPECT_EQ(shell("./wrong size.pmt").code, 1);
  EXPECT_EQ(shell("./wrong isa.pmt vax").code, 1);
  EXPECT_EQ(shell("./wrong absent/x.pmt").code, 1);
  EXPECT_THAT(shell("ls size.pmt* isa.pmt* 2>&1").out, HasSubstr("cannot access 'size.pmt*'"));
}

}  // namespace
}  // namespace pmusim::cli_test
