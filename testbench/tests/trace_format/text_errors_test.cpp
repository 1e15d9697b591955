// Every wrong line must be rejected, with its position, its token and the right form.
#include <gmock/gmock.h>

#include "trace_tools.h"

namespace pmusim::trace::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Wrong {
  const char* isa;
  const char* lines;  // after `! isa`, which is line 1
  unsigned line;      // named in the message
  const char* token;  // named in the message
  const char* right;  // given in the message
};

std::string message_of(const std::string& text) {
  return error_of([&] { records_of_text(text); });
}

#define BUNDLE "00112233445566778899aabbccddeeff"

// nop.m, nop.i and nop.b; br.cond.sptk to itself; (p6) br.cond.dptk; br.ret; br.cloop.
#define NOP_B "10000000010000000002000000000020"
#define BR "10000000010000000002000000000040"
#define BR_OF_P6 "10000000010000000002000300000042"
#define BR_RET "10000000010000000002008000008400"
#define BRL_CALL "040000000100000000000000000000d0"  // nop.m; brl.call in slots 1 and 2
#define BR_CLOOP "1000000001000000000200a000000040"

// A branch wrongly marked as not taken is reported at the next line.
const Wrong wrong_lines[] = {
    // Outcomes that the instruction cannot have.
    {"ppc", "100 38630001 T 200", 2, "'T 200': addi is no branch", "expected no T"},
    {"ppc", "100 38630001 T 104", 2, "'T 104': addi is no branch", "expected no T"},
    {"ppc", "100 48000010\n! switch\n200 60000000", 4, "the line before, b at 100,", "expected T 110 in that line"},
    {"ppc", "100 48000010\n104 60000000", 3, "the line before, b at 100,", "expected T 110 in that line"},
    {"ppc", "100 48000011\n104 60000000", 3, "b at 100, is a branch without a condition", "expected T 110"},
    {"ppc", "100 42800010\n104 60000000", 3, "bc at 100, is a branch without a condition", "expected T 110"},
    {"ppc", "100 44000002 T 104", 2, "sc is no branch", "expected no T, and a directive such as '! interrupt'"},
    {"i386", "100 90 T 200", 2, "'T 200': nop is no branch", "expected no T"},
    {"i386", "100 eb10\n102 90", 3, "the line before, jmp at 100,", "expected T 112 in that line"},
    {"i386", "100 e810000000\n! interrupt\n9000 90", 4, "call at 100,", "expected T 115 in that line"},
    {"alpha", "100 03044240 T 200", 2, "'T 200': addq is no branch", "expected no T"},
    {"alpha", "100 0300e0c3\n104 1f04ff47", 3, "the line before, br at 100,", "expected T 110 in that line"},
    {"ia64", "100 " NOP_B " xxx T2 200", 2, "'T2 200': nop.b is no branch", "expected no T"},
    {"ia64", "100 " BR " xxx\n110 " NOP_B " xxx", 3, "br.cond.sptk.few at 100,", "expected T2 100 in that line"},
    {"ia64", "100 " BR " xxp\n110 " NOP_B " xxx", 3, "br.cond.sptk.few at 100,", "a mask with x in slot 2"},
    {"ia64", "100 " BRL_CALL " x-x\n110 " NOP_B " xxx", 3, "brl.call", "expected T2 100 in that line"},
    {"ia64", "100 " BR_RET " xxx\n110 " NOP_B " xxx", 3, "at 100,", "expected T2 TARGET in that line"},
    // Tokens.
    {"ppc", "0x100 60000000", 2, "'0x100'", "hexadecimal without 0x"},
    {"ppc", "xyz 60000000", 2, "'xyz'", "the pc must be hexadecimal"},
    {"alpha", "10000000000000000 60000000", 2, "'10000000000000000'", "at most 64 bits"},
    {"ppc", "100", 2, "bytes are missing", "PC HEXBYTES"},
    {"ppc", "100 6000000", 2, "'6000000'", "pairs"},
    {"ppc", "100 6000000g", 2, "'6000000g'", "pairs of hexadecimal digits"},
    {"ppc", "100 6000", 2, "'6000'", "2 instruction bytes; one ppc instruction has 4"},
    {"alpha", "100 6000000000", 2, "'6000000000'", "one alpha instruction has 4"},
    {"i386", "100 90909090909090909090909090909090", 2, "16 instruction bytes", "1 to 15"},
    {"i386", "100 9090909090909090909090909090909090", 2, "17 instruction bytes", "1 to 15"},
    {"ia64", "100 00112233 xxx", 2, "4 instruction bytes", "one ia64 bundle has 16"},
    {"ppc", "102 60000000", 2, "'102'", "multiple of 4"},
    {"ia64", "108 " BUNDLE " xxx", 2, "'108'", "multiple of 16"},
    {"ppc", "100000000 60000000", 2, "'100000000'", "at most 32 bits"},
    {"ppc", "100 60000000 L", 2, "address of an access is missing", "missing"},
    {"ppc", "100 60000000 L zz 4", 2, "'zz'", "hexadecimal without 0x"},
    {"ppc", "100 60000000 S 40", 2, "the size is missing", "S EA SIZE"},
    {"ppc", "100 60000000 L 40 0", 2, "'0'", "1 to 65535"},
    {"ppc", "100 60000000 L 40 65536", 2, "'65536'", "1 to 65535"},
    {"ppc", "100 60000000 L 40 4x", 2, "'4x'", "decimal"},
    {"ppc", "100 60000000 L 100000000 4", 2, "'100000000'", "at most 32 bits"},
    {"ppc", "100 60000000 L1 40 4", 2, "'L1'", "only ia64"},
    {"ppc", "100 60000000 T", 2, "the target is missing", "missing"},
    {"ppc", "100 60000000 T 102", 2, "'102'", "multiple of 4"},
    {"ppc", "100 60000000 T 104 L 40 4", 2, "'L'", "out of order"},
    {"ppc", "100 60000000 T 104 T 104", 2, "'T'", "out of order"},
    {"ppc", "100 60000000 X", 2, "'X'", "[T TARGET] [key=value]"},
    {"ppc", "100 60000000 # end", 2, "'#'", "a comment has a line of its own"},
    {"ppc", "# fine\n\n100 60000000 \x01", 4, "'\\x01'", "unknown"},
    {"ia64", "100 " BUNDLE, 2, "slot mask is missing", "MASK"},
    {"ia64", "100 " BUNDLE " xx", 2, "'xx'", "three of x"},
    {"ia64", "100 " BUNDLE " xyx", 2, "'xyx'", "three of x"},
    {"ia64", "100 " BUNDLE " ---", 2, "'---'", "not all -"},
    {"ia64", "100 " BUNDLE " xxx L 40 8", 2, "'L'", "the slot, 0 to 2"},
    {"ia64", "100 " BUNDLE " xxx L3 40 8", 2, "'L3'", "the slot, 0 to 2"},
    {"ia64", "100 " BUNDLE " xpx L1 40 8", 2, "slot 1", "executed"},
    {"ia64", "100 " BUNDLE " xxx T1 200", 2, "'T1'", "slot 2"},
    {"ia64", "100 " BUNDLE " xxp T1 200", 2, "ends its bundle", "after it are -"},
    {"ia64", "100 " BUNDLE " xx- T1 208", 2, "'208'", "multiple of 16"},
    // Keys.
    {"ppc", "100 60000000 latt=3", 2, "'latt=3'", "did you mean 'lat='"},
    {"ppc", "100 60000000 colour=red", 2, "'colour=red'", "known: rd wr mispredict"},
    {"ppc", "100 60000000 lat=0", 2, "'lat=0'", "1 to 4294967295"},
    {"ppc", "100 60000000 lat=4294967296", 2, "'lat=4294967296'", "1 to 4294967295"},
    {"ppc", "100 60000000 cfm=1", 2, "'cfm=1'", "a key of ia64 only"},
    {"ia64", "0 05000d0480c5ffffffff5f208014e861 x-x cfm=4000000000", 2, "'cfm=4000000000'", "at most 38 bits"},
    {"ia64", "0 05000d0480c5ffffffff5f208014e861 x-x bsp=1f8", 2, "'bsp=1f8'", "NaT collection"},
    {"ia64", "0 05000d0480c5ffffffff5f208014e861 x-x bsp=204", 2, "'bsp=204'", "multiple of 8"},
    {"ia64", "0 05000d0480c5ffffffff5f208014e861 x-x bsp=8 bsp=8", 2, "'bsp=8'", "given twice"},
    {"ia64", "0 05000d0480c5ffffffff5f208014e861 x-x loadrs=16384", 2, "'loadrs=16384'", "at most 16376"},
    {"ia64", "0 05000d0480c5ffffffff5f208014e861 x-x defer=3:0", 2, "'defer=3:0'", "expected defer=SLOT:EA"},
    {"ia64", "0 05000d0480c5ffffffff5f208014e861 x-x ftz=7", 2, "'ftz=7'", "at most 6"},
    {"ppc", "100 60000000 trap=arithmetic", 2, "'trap=arithmetic'", "a key of alpha only"},
    {"alpha", "100 00000000 trap=reset", 2, "'trap=reset'", "arithmetic"},
    {"ppc", "100 60000000 lat=1 lat=1", 2, "'lat=1'", "given twice"},
    {"ppc", "100 60000000 data=l4", 2, "'data=l4'", "l1|l2|l3|mem"},
    {"ppc", "100 60000000 data=", 2, "'data='", "l1|l2|l3|mem"},
    {"ppc", "100 60000000 fetch=l1 fetch=l2", 2, "'fetch=l2'", "given twice"},
    {"ppc", "100 60000000 dtlb=miss", 2, "'dtlb=miss'", "hit|l2|walk|fault"},
    {"ppc", "100 60000000 itlb=l3", 2, "'itlb=l3'", "hit|l2|walk|fault"},
    {"ppc", "100 60000000 mispredict=yes", 2, "'mispredict=yes'", "none|path|target"},
    {"ppc", "100 60000000 rd=", 2, "'rd='", "rd=REG"},
    {"ppc", "100 60000000 rd=PMC1:3", 2, "'rd=PMC1:3'", "rd=REG"},
    {"ppc", "100 60000000 wr=PMC1", 2, "'wr=PMC1'", "wr=REG:VALUE"},
    {"ppc", "100 60000000 wr=PMC1:0x", 2, "'wr=PMC1:0x'", "wr=REG:VALUE"},
    {"ppc", "100 60000000 wr=PMC1:g", 2, "'wr=PMC1:g'", "VALUE hexadecimal"},
    {"ppc", "100 60000000 wr=P/MC:1", 2, "'wr=P/MC:1'", "wr=REG:VALUE"},
    // Sequence.
    {"ppc", "100 60000000\n108 60000000", 3, "'108'", "goes to 104"},
    {"ppc", "100 48000100 T 200\n104 60000000", 3, "'104'", "'! interrupt'"},
    {"ppc", "100 60000000\n! thread 1\n200 60000000", 4, "'200'", "'! switch'"},
    {"ppc", "100 60000000\n! interrupt\n200 60000000\n300 60000000", 5, "'300'", "goes to 204"},
    {"i386", "10 f3a5 T 10\n10 f3a5", 2, "without", "only the last one"},
    {"i386", "10 66f2ae L 40 1 T 20\n20 90", 2, "'20'", "no target but itself"},
    {"i386", "10 f3a5 L 40 4 S 50 4\n10 f3a5", 3, "'10'", "goes to 12"},
    {"ppc", "100 60000000\n! isa ppc\n104 60000000", 3, "'isa'", "only the first line"},
};

TEST(WrongLine, IsRefused) {
  for (const Wrong& wrong : wrong_lines) {
    SCOPED_TRACE(wrong.lines);
    const std::string message = message_of(std::string("! isa ") + wrong.isa + "\n" + wrong.lines + "\n");
    EXPECT_THAT(message, AllOf(StartsWith("t:" + std::to_string(wrong.line) + ": "), HasSubstr(wrong.token),
                               HasSubstr(wrong.right)));
    EXPECT_EQ(message.find('\n'), message.npos);
  }
}

const std::pair<const char*, const char*> right_lines[] = {
    {"ppc", "100 48000010"},                // the last instruction needs no target
    {"ppc", "100 48000010 T 200"},          //
    {"ppc", "100 48000004\n104 60000000"},  // continues at the next line, taken or not
    {"ppc", "100 4e800020\n104 60000000"},  // the register may contain the next address
    {"ppc", "100 4c000064 T 300"},          // rfi
    {"i386", "100 cd80 T 200"},             // int, iret, a far jump
    {"i386", "100 cf T 200"},               //
    {"i386", "100 eb00\n102 90"},           //
    {"i386", "100 f3a4 L 4 1 T 100\n100 f3a4"},
    {"i386", "10 f3c3 T 40\n40 90"},    // rep ret is no rep
    {"i386", "10 ebfe T 10\n10 ebfe"},  // and so is a jmp to itself
    {"alpha", "100 83000000 T 8000"},   // call_pal
    {"ia64", "100 " BUNDLE " xxx"},     //
    {"ia64", "100 " BR " xxx T2 100"},  //
    {"ia64", "100 " BR_OF_P6 " xxp\n110 " NOP_B " xxx"},
    {"ia64", "100 " BR_OF_P6 " xxx\n110 " NOP_B " xxx"},
    {"ia64", "100 " BR_CLOOP " xxx\n110 " NOP_B " xxx"}};

TEST(RightLine, IsRead) {
  for (const auto& [isa, lines] : right_lines)
    EXPECT_EQ(message_of(std::string("! isa ") + isa + "\n" + lines + "\n"), "") << lines;
}

TEST(TextErrors, ExplainedJumpsAreLegal) {
  for (const char* directive :
       {"interrupt", "return", "switch", "nmi", "smi", "mcheck", "reset", "interrupt vector=3\n! cpl 0"}) {
    EXPECT_EQ(message_of(std::string("! isa i386\n10 90\n! ") + directive + "\n200 90\n"), "") << directive;
  }
}

TEST(TextErrors, IsaLine) {
  EXPECT_THAT(message_of("100 60000000\n"), AllOf(StartsWith("t: "), HasSubstr("'! isa alpha|ppc|i386|ia64'")));
  EXPECT_THAT(message_of(""), HasSubstr("no trace, for nothing is in it"));
  EXPECT_THAT(message_of("! isa mips\n"), AllOf(StartsWith("t:1: 'mips'"), HasSubstr("alpha|ppc|i386|ia64")));
  EXPECT_THAT(message_of("! isa\n"), StartsWith("t:1: 'isa': needs one name"));
  EXPECT_THAT(error_of([] { records_of_text("# c\n! isa ppc\n", Isa::alpha); }),
              AllOf(StartsWith("t:2: "), HasSubstr("expected to be alpha")));
}

TEST(TextErrors, LongLine) {
  const std::string longest(65536 - 13, ' ');
  EXPECT_EQ(message_of("! isa ppc\n100 60000000 " + longest + "\n"), "");
  EXPECT_THAT(message_of("! isa ppc\n100 60000000 " + longest + " \n"), StartsWith("t:2: the line is too long"));
  EXPECT_THAT(message_of("! isa ppc\n100 60000000\n" + std::string(1 << 20, 'x')),
              StartsWith("t:3: the line is too long"));
}

TEST(TextErrors, AnErrorStaysAnError) {
  const auto reader = open_text("! isa ppc\nnonsense\n100 60000000\n", "t");
  Item item;
  EXPECT_THROW(reader->next(item), TraceError);
  EXPECT_THROW(reader->next(item), TraceError);
}

TEST(TextErrors, Files) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { (void)open(folder / "absent"); }), HasSubstr("absent: cannot be opened: No such file"));
  EXPECT_THAT(error_of([&] { (void)open(folder / ""); }), HasSubstr("cannot be read: Is a directory"));
}

TEST(TextErrors, PackedTextCutOrDamaged) {
  const TemporaryFolder folder;
  std::string text = "! isa ppc\n";
  for (unsigned i = 0; i < 20000; ++i) text += "100 4bffffff L " + std::to_string(i * 7919 % 10007) + " 4 T 100\n";
  text += "100 4bffffff\n";
  make_file(folder / "t", text);
  const auto writer = create_text(folder / "t.zst", Isa::ppc);
  const auto reader = open(folder / "t");
  copy(*reader, *writer);
  writer->close();
  const std::string packed = content_of(folder / "t.zst");
  EXPECT_THAT(error_of([&] { read_all(*open_memory(packed.substr(0, packed.size() / 2), "t.zst")); }),
              AllOf(StartsWith("t.zst: byte "), HasSubstr("was cut")));
  std::string damaged = packed;
  damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x55);
  EXPECT_THAT(error_of([&] { read_all(*open_memory(damaged, "t.zst")); }), HasSubstr("t.zst"));
}

TEST(TextErrors, WriterRefusesIllegalItems) {
  const TemporaryFolder folder;
  Record one;
  one.code.pc = 0x100;
  one.code.length = 4;
  Record far = one;
  far.code.pc = 0x200;
  const auto writer = create_text(folder / "t", Isa::ppc);
  writer->write(one.item());
  EXPECT_THAT(error_of([&] { writer->write(far.item()); }), AllOf(HasSubstr("instruction 1: '200'"), HasSubstr("104")));
  Record isa;
  isa.is_directive = true;
  isa.directive.name = "isa";
  EXPECT_THAT(error_of([&] { writer->write(isa.item()); }), HasSubstr("unknown directive"));
}

}  // namespace
}  // namespace pmusim::trace::test
