// Lines of other tools must be imported with their meaning, and rejected where they are wrong.
#include <gmock/gmock.h>

#include "common.h"

namespace pmusim::trace::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr unsigned elf_i386 = 3, elf_alpha = 0x9026;

// --- execlog ---------------------------------------------------------------------------------------------------

TEST_F(Importing, ExeclogTellsAllButSizes) {
  EXPECT_EQ(imported("execlog",
                     "0, 0x10000084, 0xc480, \"lwz r6, 0(r4)\", load, 0x100100c0\n"
                     "0, 0x10000088, 0x400c494, \"stwu r6, 4(r4)\", store, 0x100100c4\n"
                     "0, 0x1000008c, 0xf8ff0042, \"bdnz 0x10000084\"\n"
                     "0, 0x10000084, 0xc480, \"lwz r6, 0(r4)\", load, 0x100100c4\n\n",
                     options(Isa::ppc)),
            "10000084 80c40000 L 100100c0 4\n"
            "10000088 94c40004 S 100100c4 4\n"
            "1000008c 4200fff8 T 10000084\n"
            "10000084 80c40000 L 100100c4 4\n");
  EXPECT_EQ(result.instructions, 4u);
  EXPECT_EQ(result.gaps, 0u);
}

// The log has four bytes: the bytes after a shorter instruction are ignored, and a longer one is read from the program.
TEST_F(Importing, ExeclogTakesLongInstructionsFromTheProgram) {
  const auto program = write("a.out", elf_of(elf_i386, 0x8049000, std::string("\x55\xb8\x01\x00\x00\x00", 6)));
  const std::string text =
      "0, 0x8049000, 0x123455, \"pushl %ebp\", store, 0x40800828\n"
      "0, 0x8049001, 0x1b8, \"movl $1, %eax\"\n";
  EXPECT_EQ(imported("execlog", text, options(Isa::i386, {{program}})),
            "8049000 55 S 40800828 4\n8049001 b801000000\n");
  EXPECT_THAT(error_of("execlog", text, options(Isa::i386)),
              AllOf(HasSubstr("from.txt:2: no bytes of the instruction at 8049001"), HasSubstr("--elf")));
  const auto other = write("b.out", elf_of(elf_i386, 0x8049000, std::string("\x55\xb8\x02\x00\x00\x00", 6)));
  EXPECT_THAT(error_of("execlog", text, options(Isa::i386, {{other}})), HasSubstr("other bytes at 8049001"));
  // A library is mapped at its load address.
  const auto library = write("lib.so", elf_of(elf_i386, 0x1000, std::string("\x55\xb8\x01\x00\x00\x00", 6)));
  EXPECT_EQ(imported("execlog", text, options(Isa::i386, {{library, 0x8048000}})),
            "8049000 55 S 40800828 4\n8049001 b801000000\n");
}

// Of a tool that tells bytes, an address alone is no sign that this program ran: another one lies there as well.
TEST_F(Importing, ElfOfWhichNothingWasExecuted) {
  const auto ran = write("ran.out", elf_of(elf_i386, 0x8049000, "\x90\x50"));
  const auto elsewhere = write("elsewhere.so", elf_of(elf_i386, 0x1000, "\x90\x50"));
  const auto other = write("other.out", elf_of(elf_i386, 0x8049000, "\x40\x41"));
  const std::pair<const char*, const char*> texts[] = {
      {"execlog", "0, 0x8049000, 0x90, \"nop\"\n"},
      {"lackey", "I  08049000,1\n"},
      {"perf", "a 1 [000] 0.0: 8049000 main+0x0 (/a) insn: 90\n"},
  };
  for (const auto& [tool, text] : texts) {
    EXPECT_EQ(imported(tool, text, options(Isa::i386, {{ran}})), "8049000 90\n") << tool;
    EXPECT_EQ(imported(tool, text, options(Isa::i386, {{ran}, {ran, 0, true}})), "8049000 90\n") << tool;
    EXPECT_THAT(error_of(tool, text, options(Isa::i386, {{ran}, {elsewhere, 0x4a0000, true}})),
                AllOf(HasSubstr("executes nothing of --elf "), HasSubstr("elsewhere.so at base 4a0000; expected"),
                      HasSubstr("FILE@BASE")))
        << tool;
  }
  for (const char* tool : {"execlog", "perf"}) {
    const char* const text = tool == std::string("execlog") ? texts[0].second : texts[2].second;
    EXPECT_THAT(error_of(tool, text, options(Isa::i386, {{other}})), HasSubstr("other.out; expected")) << tool;
  }
}

TEST_F(Importing, ExeclogSharesSizesAmongAccesses) {
  EXPECT_EQ(
      imported("execlog",
               "0, 0x10, 0x60, \"pusha\", store, 0x5c, store, 0x58, store, 0x54, store, 0x50, store, 0x4c, store, "
               "0x48, store, 0x44, store, 0x40\n",
               options(Isa::i386)),
      "10 60 S 5c 4 S 58 4 S 54 4 S 50 4 S 4c 4 S 48 4 S 44 4 S 40 4\n");
  EXPECT_EQ(imported("execlog", "0, 0x11, 0x28db, \"fldt (%eax)\", load, 0x80, load, 0x88\n", options(Isa::i386)),
            "11 db28 L 80 10\n");
}

// An emulator performs a store-conditional as a load and a store, and reports no address for some block instructions.
TEST_F(Importing, ExeclogOfPowerPcOddities) {
  EXPECT_EQ(imported("execlog",
                     "0, 0x100, 0x2d21007d, \"stwcx. r8, 0, r4\", load, 0x40, store, 0x40\n"
                     "0, 0x104, 0xec27007c, \"dcbz 0, r4\"\n"
                     "0, 0x108, 0xac20007c, \"dcbf 0, r4\", load, 0x44\n",
                     options(Isa::ppc)),
            "100 7d00212d S 40 4\n104 7c0027ec\n108 7c0020ac L 44 1\n");
  EXPECT_EQ(result.without_access, 1u);
}

TEST_F(Importing, ExeclogOfTwoProcessors) {
  const std::string text =
      "0, 0x100, 0x60, \"nop\"\n"
      "1, 0x200, 0x60, \"nop\"\n"
      "0, 0x104, 0x60, \"nop\"\n";
  EXPECT_THAT(error_of("execlog", text, options(Isa::ppc)),
              AllOf(HasSubstr("from.txt:2: thread 1 after thread 0"), HasSubstr("--thread 0")));
  import::Options one = options(Isa::ppc);
  one.thread = "0";
  EXPECT_EQ(imported("execlog", text, one), "100 60000000\n104 60000000\n");
  EXPECT_EQ(result.other_threads, 1u);
  one.thread = "7";
  EXPECT_THAT(error_of("execlog", text, one), HasSubstr("no instruction of thread 7"));
}

TEST_F(Importing, ExeclogPassesOverDevicesAndRegisters) {
  EXPECT_EQ(imported("execlog", "0, 0x100, 0xc480, \"lwz\", load, 0x40, RAM, r6 -> 0x00000001\n", options(Isa::ppc)),
            "100 80c40000 L 40 4\n");
}

TEST_F(Importing, WrongLinesOfExeclog) {
  const std::pair<const char*, const char*> rows[] = {
      {"hello\n", "no number of a virtual processor"},
      {"0 0x100\n", "no comma after the virtual processor"},
      {"0, 100, 0x60, \"nop\"\n", "an address without 0x"},
      {"0, 0x100, 0x60\n", "no disassembly"},
      {"0, 0x100, 0x60, \"nop\n", "has no end"},
      {"0, 0x100, 0x60, \"nop\" load\n", "something after the accesses"},
      {"0, 0x100, 0x60, \"nop\", load, 44\n", "an address without 0x"},
      {"0, 0x100000000, 0x60, \"nop\"\n", "addresses of ppc have 32 bits"},
      {"0, 0x102, 0x60, \"nop\"\n", "the pc of ppc is a multiple of 4"},
      {"", "no instruction in it"},
  };
  for (const auto& [text, message] : rows) {
    const std::string error = error_of("execlog", text, options(Isa::ppc));
    EXPECT_THAT(error, AllOf(HasSubstr("from.txt:"), HasSubstr(message)));
    EXPECT_EQ(error.find('\n'), error.npos);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "only from.txt";
}

// --- jumps without a branch ------------------------------------------------------------------------------------

TEST_F(Importing, SignalsAndLostPartsAreSwitches) {
  const std::string text =
      "0, 0x100, 0x60, \"nop\"\n"
      "0, 0x200, 0x800048, \"b 0x280\"\n"  // nop cannot reach this address
      "0, 0x300, 0x60, \"nop\"\n";         // b does not branch to this address
  EXPECT_EQ(imported("execlog", text, options(Isa::ppc)),
            "100 60000000\n! switch\n200 48008000 T 8200\n! switch\n300 60000000\n");
  EXPECT_EQ(result.gaps, 2u);
  import::Options how = options(Isa::ppc);
  how.gap = "interrupt";
  EXPECT_THAT(imported("execlog", text, how), HasSubstr("100 60000000\n! interrupt\n200"));
  how.gap = "";
  EXPECT_THAT(error_of("execlog", text, how), AllOf(HasSubstr("from.txt:2: '200'"), HasSubstr("--gap switch")));
}

// Texts truncated in the middle of a line, and after a branch: complete lines are imported.
TEST_F(Importing, CutTexts) {
  EXPECT_EQ(imported("execlog", "0, 0x100, 0x60, \"nop\"\n0, 0x104, 0x60, \"no", options(Isa::ppc)), "100 60000000\n");
  EXPECT_EQ(imported("execlog", "0, 0x100, 0x60, \"nop\"\n0, 0x104, 0xfcffff4b, \"b 0x100\"\n", options(Isa::ppc)),
            "100 60000000\n104 4bfffffc\n");
}

// --- lackey ----------------------------------------------------------------------------------------------------

TEST_F(Importing, LackeyWithTheProgram) {
  // addl %eax,0x8060000; rep movsb; jmp back
  const auto program =
      write("a.out", elf_of(elf_i386, 0x8049000, std::string("\x01\x05\x00\x00\x06\x08\xf3\xa4\xeb\xf6", 10)));
  const std::string text =
      "==4711== Lackey, an example Valgrind tool\n"
      "I  08049000,6\n M 08060000,4\n"
      "I  08049006,2\n L 08060010,1\n S 08060020,1\n"
      "I  08049006,2\n L 08060011,1\n S 08060021,1\n"
      "I  08049006,2\n"
      "I  08049008,2\n"
      "I  08049000,6\n M 08060000,4\n"
      "==4711== \n";
  EXPECT_EQ(imported("lackey", text, options(Isa::i386, {{program}})),
            "8049000 010500000608 L 8060000 4 S 8060000 4\n"
            "8049006 f3a4 L 8060010 1 S 8060020 1 T 8049006\n"
            "8049006 f3a4 L 8060011 1 S 8060021 1 T 8049006\n"
            "8049006 f3a4\n"
            "8049008 ebf6 T 8049000\n"
            "8049000 010500000608 L 8060000 4 S 8060000 4\n");
  import::Options from_program;
  from_program.images = {{program}};
  EXPECT_EQ(import::isa_of(*import::find_tool("lackey"), from_program), Isa::i386);
}

TEST_F(Importing, WrongLinesOfLackey) {
  const auto program = write("a.out", elf_of(elf_i386, 0x8049000, "\x90\x90\x90"));
  const import::Options with = options(Isa::i386, {{program}});
  const std::pair<const char*, const char*> rows[] = {
      {"I  08049000,1\nhello\n", "from.txt:2: 'hello': no line of lackey"},
      {" L 08049000,1\n", "from.txt:1: an access before the first instruction"},
      {"I  08049000\n", "no line of lackey"},
      {"I  08049000,0\n", "no line of lackey"},
      {"I  08048000,1\n", "no bytes of the instruction at 8048000"},
      {"I  08049001,9\n", "are no i386 instruction"},
      {"==1== nothing\n", "no instruction in it"},
  };
  for (const auto& [text, message] : rows) EXPECT_THAT(error_of("lackey", text, with), HasSubstr(message));
  EXPECT_THAT(error_of("lackey", "I  08049000,1\n", options(Isa::i386)), HasSubstr("--elf a.out"));
  EXPECT_THAT(error_of("lackey", "", options(Isa::alpha, {{program}})),
              HasSubstr("a program for i386 where alpha is read"));
  EXPECT_THAT(error_of("lackey", "", options(Isa::i386, {{write("wide", elf_of(62, 0, "x"))}})),
              HasSubstr("a program for machine 62"));
  EXPECT_THAT(error_of("lackey", "", options(Isa::i386, {{write("text", "text")}})), HasSubstr("no ELF file"));
  EXPECT_THAT(error_of("lackey", "", options(Isa::i386, {{"absent"}})), HasSubstr("absent: cannot be read"));
}

// --- the lines of each tool ------------------------------------------------------------------------------------

/// What surrounds a line of a kind, and the trace that comes of all.
struct Fed {
  const char* tool;
  const char* example;  ///< beginning of the documented line
  const char* before;
  const char* after;
  const char* trace;
};
// The program: i386 movl 0x804a00c, %eax; nop. Alpha: bis; ldq; bis.
constexpr const char* movl = "I  08049000,5\n";
constexpr Fed fed[] = {
    {"execlog", "0, 0x8049000, 0x90018b, \"movl (%ecx), %eax\", load, 0x0804a00c, eax", "", "",
     "8049000 8b01 L 804a00c 4\n"},
    {"execlog", "0, 0x8049000, 0x90018b, \"movl (%ecx), %eax\", load, 0x0804a00c", "", "",
     "8049000 8b01 L 804a00c 4\n"},
    {"gem5", " 252000: system.cpu T0 : 0x1004    : ldq", " 1: system.cpu T0 : 0x1000    : bis r1,r2,r3 : IntAlu :\n",
     " 9: system.cpu T0 : 0x1004    : ldq r22,0(r20) : MemRead :  A=0x590\n", "1000 94079446\n1004 0000d4a6 L 590 8\n"},
    {"gem5", " 252000: system.cpu T0 : 0x1004    : bis", " 1: system.cpu T0 : 0x1000    : bis r1,r2,r3 : IntAlu :\n",
     "", "1000 94079446\n1004 0000d4a6\n"},
    {"lackey", "I  08049000,5", "", " L 0804a00c,4\n", "8049000 a10ca00408 L 804a00c 4\n"},
    {"lackey", " L 0804a00c,4", movl, "", "8049000 a10ca00408 L 804a00c 4\n"},
    {"lackey", "==4711== Lackey", movl, "I  08049005,1\n", "8049000 a10ca00408\n8049005 90\n"},
    {"perf", " instruction trace error", "spin 1 1.1:  8049000 _start+0x0 (./spin) insn: 90\n",
     "spin 1 1.2:  8049001 _start+0x1 (./spin) insn: 90\n", "8049000 90\n! switch\n8049001 90\n"},
    {"perf", "spin 12115 26445.255752811:", "", "", "8049000 ebfe\n"},
};
/// The same for lines that are ignored: two instructions around them.
constexpr Fed around[] = {
    {"execlog", "", "0, 0x10, 0x90, \"nop\"\n", "0, 0x11, 0x90, \"nop\"\n", "10 90\n11 90\n"},
    {"gem5", "", " 1: system.cpu T0 : 0x1000    : bis r1,r2,r3 : IntAlu :\n",
     " 9: system.cpu T0 : 0x1004    : ldq r22,0(r20) : MemRead :  A=0x590\n", "1000 94079446\n1004 0000d4a6 L 590 8\n"},
    {"lackey", "", movl, "I  08049005,1\n", "8049000 a10ca00408\n8049005 90\n"},
    {"perf", "", "spin 1 1.1:  8049000 _start+0x0 (./spin) insn: 90\n",
     "spin 1 1.2:  8049001 _start+0x1 (./spin) insn: 90\n", "8049000 90\n8049001 90\n"},
};

/// The cells of a row of a table in Markdown.
std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  for (std::size_t from = 2; from < row.size();) {
    const std::size_t end = std::min(row.find(" |", from), row.size());
    cells.push_back(row.substr(from, end - from));
    from = end + 3;
  }
  return cells;
}

std::string plain(const std::string& cell) {
  return cell == "(empty)" ? "" : cell.size() > 1 && cell.front() == '`' ? cell.substr(1, cell.size() - 2) : cell;
}

// The page lists each kind of line of each tool: the table of the code has the same rows, and a line of each kind has
// the documented effect.
TEST_F(Importing, EachKindOfLineIsDocumented) {
  const std::string page = content_of(PMUSIM_SOURCE_DIR "/docs/traces.md");
  const auto i386_program = write("a.out", elf_of(elf_i386, 0x8049000, std::string("\xa1\x0c\xa0\x04\x08\x90", 6)));
  const auto alpha_program =
      write("b.out", elf_of(elf_alpha, 0x1000, std::string("\x94\x07\x94\x46\x00\x00\xd4\xa6\x94\x07\x94\x46", 12)));
  unsigned rows = 0;
  for (const import::Tool& tool : import::tools()) {
    const std::string name(tool.name);
    const bool wide = name == "gem5", needs_program = tool.needs_elf;
    const auto with = options(wide ? Isa::alpha : Isa::i386,
                              needs_program ? std::vector<import::Image>{{wide ? alpha_program : i386_program}}
                                            : std::vector<import::Image>{});
    for (const import::LineKind& kind : tool.kinds()) {
      const std::string begin = "| `" + name + "` | " + std::string(kind.what) + " | ";
      const std::size_t at = page.find(begin);
      ASSERT_NE(at, page.npos) << begin;
      const std::vector<std::string> cells = cells_of(page.substr(at, page.find('\n', at) - at));
      ASSERT_EQ(cells.size(), 4u) << begin;
      ++rows;
      const std::string line = plain(cells[2]);
      EXPECT_EQ(line, kind.example);
      EXPECT_EQ(import::kind_of(tool.kinds(), line), &kind) << line;
      std::string effect = kind.becomes == import::Becomes::read      ? "read"
                           : kind.becomes == import::Becomes::ignored ? "ignored"
                                                                      : "refused";
      if (kind.becomes != import::Becomes::refused && !kind.why.empty()) effect += ": " + std::string(kind.why);
      EXPECT_EQ(cells[3], effect) << line;

      const Fed* use = nullptr;
      for (const Fed& one : fed)
        if (name == one.tool && kind.becomes == import::Becomes::read && line.starts_with(one.example) &&
            use == nullptr)
          use = &one;
      for (const Fed& one : around)
        if (name == one.tool && kind.becomes != import::Becomes::read) use = &one;
      ASSERT_NE(use, nullptr) << line;
      const std::string text = use->before + line + '\n' + use->after;
      if (kind.becomes == import::Becomes::refused) {
        EXPECT_THAT(error_of(name.c_str(), text, with), AllOf(HasSubstr("from.txt:2: '"), HasSubstr(kind.why)));
      } else {
        EXPECT_EQ(imported(name.c_str(), text, with), use->trace) << line;
      }
    }
  }
  unsigned documented = 0;
  for (const import::Tool& tool : import::tools()) {
    const std::string start = "\n| `" + std::string(tool.name) + "` | ";
    const std::size_t table = page.find("| tool | kind of line |");
    for (std::size_t at = page.find(start, table); at != page.npos; at = page.find(start, at + 1)) ++documented;
  }
  EXPECT_EQ(documented, rows);
}

// Valgrind implements an atomic exchange as a load and a compare-and-swap, which loads again.
TEST_F(Importing, LackeyTellsAtomicLoadsTwice) {
  const auto program = write("a.out", elf_of(elf_i386, 0x8049000, std::string("\x87\x1d\x00\x00\x06\x08", 6)));
  EXPECT_EQ(imported("lackey", "I  08049000,6\n L 08060000,4\n M 08060000,4\n", options(Isa::i386, {{program}})),
            "8049000 871d00000608 L 8060000 4 S 8060000 4\n");
}

// --- gem5 ------------------------------------------------------------------------------------------------------
// These lines follow the format in src/cpu/exetrace.cc but were written by hand; tools_test.cpp has lines made by gem5.

// lda; ldq; stl; bne to the ldq; call_pal
const std::string alpha_code("\x08\x00\x9f\x20\x00\x00\xc4\xa4\x10\x00\xc4\xb0\xfd\xff\xdf\xf4\x83\x00\x00\x00", 20);

TEST_F(Importing, Gem5OfAlpha) {
  const auto program = write("a.out", elf_of(elf_alpha, 0x120000000, alpha_code));
  const std::string text =
      "info: Entering event queue @ 0.  Starting simulation...\n"
      "      0: system.cpu T0 : 0x120000000 @_start    : lda        r4,8(r31)       : IntAlu :  D=0x0000000000000008\n"
      "    500: system.cpu T0 : 0x120000004 @_start+4    : ldq        r6,0(r4)        : MemRead :  "
      "D=0x0000000000000000 "
      "A=0x11ff98008\n"
      "   1000: system.cpu: T0 : 0x120000008 @_start+8    : stl        r6,16(r4)       : MemWrite :  "
      "D=0x0000000000000000 A=0x11ff98018  flags=(IsInteger|IsMemRef|IsStore)\n"
      "   1500: system.cpu.dcache: Access to addr 1ff98018\n"
      "   1500: system.cpu T0 : 0x12000000c @_start+12    : bne        r6,0x120000004  : IntAlu :\n"
      "   2000: system.cpu T0 : 0x120000004 @_start+4    : ldq        r6,0(r4)        : MemRead :  A=0x11ff98008\n";
  EXPECT_EQ(imported("gem5", text, options(Isa::alpha, {{program}})),
            "120000000 08009f20\n"
            "120000004 0000c4a4 L 11ff98008 8\n"
            "120000008 1000c4b0 S 11ff98018 4\n"
            "12000000c fdffdff4 T 120000004\n"
            "120000004 0000c4a4 L 11ff98008 8\n");
}

// Micro-operations of one instruction are one step; the same instruction again is another step.
TEST_F(Importing, Gem5OfMicroOperations) {
  const auto program = write("a.out", elf_of(elf_i386, 0x8049000, "\x50\xeb\xfd"));
  const std::string push =
      "  1000: system.cpu: A0 T0 : 0x8049000 @_start    : push   eax\n"
      "  1000: system.cpu: A0 T0 : 0x8049000 @_start. 0 :   PUSH_R : st   eax, SS:[rsp - 4] : MemWrite :  "
      "D=0x0000000000000001 A=0xbffff7fc  flags=(IsStore|IsMicroop)\n"
      "  1500: system.cpu: A0 T0 : 0x8049000 @_start. 1 :   PUSH_R : subi   esp, esp, 0x4 : IntAlu :  "
      "D=0x00000000bffff7fc\n";
  const std::string jump = "  2000: system.cpu: A0 T0 : 0x8049001 @_start+1    : jmp\n";
  EXPECT_EQ(imported("gem5", push + jump + push, options(Isa::i386, {{program}})),
            "8049000 50 S bffff7fc 4\n8049001 ebfd T 8049000\n8049000 50 S bffff7fc 4\n");
  // Without lines of whole instructions (-ExecMacro) the first micro-operation begins an instruction.
  const std::string micro = push.substr(push.find('\n') + 1);
  EXPECT_EQ(imported("gem5", micro + jump + micro, options(Isa::i386, {{program}})),
            "8049000 50 S bffff7fc 4\n8049001 ebfd T 8049000\n8049000 50 S bffff7fc 4\n");
}

// An instruction that faults is printed again when it executes, as a whole or by micro-operations; with ExecSpeculative
// a minus marks what is not executed at all.
TEST_F(Importing, Gem5OfWhatDidNotExecute) {
  const auto program = write("a.out", elf_of(elf_alpha, 0x120000000, alpha_code));
  const std::string lda = "0: system.cpu T0 : 0x120000000 @s : lda r4,8(r31) : IntAlu :  D=0x8\n";
  const std::string ldq = "500: system.cpu T0 : 0x120000004 @s+4 : ldq r6,0(r4) : MemRead :  D=0x0 A=0x11ff98008";
  EXPECT_EQ(imported("gem5", lda + ldq + "  FAULTING\n" + ldq + "\n", options(Isa::alpha, {{program}})),
            "120000000 08009f20\n120000004 0000c4a4 L 11ff98008 8\n");
  EXPECT_EQ(imported("gem5", lda + "1: system.cpu - T0 : 0x12000000c @s+12 : bne r6 : IntAlu : \n" + ldq + "\n",
                     options(Isa::alpha, {{program}})),
            "120000000 08009f20\n120000004 0000c4a4 L 11ff98008 8\n");
  const auto two = write("two", elf_of(elf_i386, 0x8049000, "\x90\x50\x90"));
  const std::string nop = "1: system.cpu: T0 : 0x8049000 @s : nop : NOP : \n";
  const std::string push =
      "2: system.cpu: T0 : 0x8049001 @s+1    : push   eax\n"
      "2: system.cpu: T0 : 0x8049001 @s+1. 0 :   PUSH_R : st   eax, SS:[rsp - 4] : MemWrite :  "
      "D=0x1 A=0xbffff7fc  flags=(IsStore|IsMicroop)";
  const std::string last = "3: system.cpu: T0 : 0x8049002 @s+2 : nop : NOP : \n";
  EXPECT_EQ(imported("gem5", nop + push + "  FAULTING\n" + push + "\n" + last, options(Isa::i386, {{two}})),
            "8049000 90\n8049001 50 S bffff7fc 4\n8049002 90\n");
  const std::string micro = push.substr(push.find('\n') + 1);  // without lines of whole instructions
  EXPECT_EQ(imported("gem5", nop + micro + "  FAULTING\n" + micro + "\n" + last, options(Isa::i386, {{two}})),
            "8049000 90\n8049001 50 S bffff7fc 4\n8049002 90\n");
}

TEST_F(Importing, LackeyOfSuperblocksAndOfTwoProcesses) {
  const auto program = write("a.out", elf_of(elf_i386, 0x8049000, "\x90\x90"));
  const std::string first = "==17== Lackey\nSB 08049000\nI  08049000,1\n";
  EXPECT_EQ(imported("lackey", first + "SB 08049001\nI  08049001,1\n==17== \n", options(Isa::i386, {{program}})),
            "8049000 90\n8049001 90\n");
  EXPECT_THAT(error_of("lackey", first + "==18== \nI  08049001,1\n", options(Isa::i386, {{program}})),
              HasSubstr("process 18 after those of process 17"));
}

TEST_F(Importing, Gem5OfTwoProcessorsAndSymbols) {
  const auto program = write("a.out", elf_of(elf_alpha, 0x120000000, alpha_code));
  import::Options one = options(Isa::alpha, {{ program }});
  const std::string text =
      "0: system.cpu0 T0 : 0x120000000 : lda : IntAlu : \n"
      "0: system.cpu1 T0 : 0x120000010 : callsys : IntAlu : \n"
      "0: system.cpu0 T1 : 0x120000010 : callsys : IntAlu : \n";
  EXPECT_THAT(error_of("gem5", text, one), HasSubstr("thread system.cpu1 after thread system.cpu0"));
  one.thread = "system.cpu0.T1";
  EXPECT_EQ(imported("gem5", text, one), "120000010 83000000\n");
  EXPECT_THAT(error_of("gem5", "0: system.cpu0 T1 : @_start    : lda : IntAlu : \n", one),
              HasSubstr("symbol '_start' is in no ELF file"));
  EXPECT_THAT(error_of("gem5", "**** REAL SIMULATION ****\n", one), HasSubstr("no instruction"));
}

// --- perf ------------------------------------------------------------------------------------------------------

TEST_F(Importing, PerfTellsBytesAndNoAddresses) {
  const std::string text =
      "           a.out 27143 [005]  4239.741523163:      8049000 _start+0x0 (/home/me/a.out) insn: 8b 04 24\n"
      "           a out 27143 [005]  4239.741523163:      8049003 _start+0x3 (/home/me/a out) insn: eb 03\n"
      "           a.out 27143  4239.741523164:      8049008 [unknown] (/home/me/a.out) insn: 90\n"
      "instruction trace error type 1 time 4239.741523170 cpu 5 pid 27143 tid 27143 ip 0x8049009 code 8: Lost trace "
      "data\n"
      "           a.out 27143  4239.741523199:      8049009 _start+0x9 (/home/me/a.out) insn: c3\n"
      "           a.out 27143  4239.741523199:      8049100 main+0x0 (/home/me/a.out) insn: 90\n";
  EXPECT_EQ(imported("perf", text),
            "8049000 8b0424\n8049003 eb03 T 8049008\n8049008 90\n! switch\n8049009 c3 T 8049100\n8049100 90\n");
  EXPECT_EQ(result.gaps, 1u);
  EXPECT_EQ(result.without_access, 2u);
  EXPECT_EQ(imported("perf", " 8049000 insn: 90\n 8049001 insn: 90\n"), "8049000 90\n8049001 90\n") << "-F ip,insn";
}

TEST_F(Importing, WrongLinesOfPerf) {
  const std::pair<const char*, const char*> rows[] = {
      {"a.out 1 2.3: 8049000 main+0x0 (a.out)\t\tmov %eax, %ebx\n", "no bytes of the instruction"},
      {"a.out 1 2.3: 8049000 main+0x0 (a.out) insn: 9\n", "not the bytes of an instruction"},
      {"a.out 1 2.3: main (a.out) insn: 90\n", "no pc after the time"},
      {"a.out 1 2.3: ffffffff81000000 main (vmlinux) insn: 90\n", "32-bit program, without the kernel"},
      {"a.out 1 2.3: 8049000 m (a) insn: 90\na.out 2 2.3: 8049001 m (a) insn: 90\n", "thread 2 after thread 1"},
  };
  for (const auto& [text, message] : rows) EXPECT_THAT(error_of("perf", text), HasSubstr(message));
}

// --- samples made by the tools ---------------------------------------------------------------------------------

TEST_F(Importing, PerfSample) {
  EXPECT_EQ(imported("perf", content_of(samples / "spin.perf")),
            "8049000 ebfe T 8049000\n8049000 ebfe T 8049000\n8049000 ebfe T 8049000\n8049000 ebfe T 8049000\n"
            "8049000 ebfe T 8049000\n8049000 ebfe\n");
}

TEST(Tools, NamesAndBases) {
  EXPECT_EQ(import::find_tool("strace"), nullptr);
  EXPECT_EQ(import::image_of("libc.so.6@f7c00000").base, 0xf7c00000u);
  EXPECT_EQ(import::image_of("libc.so.6@0xf7c00000").base, 0xf7c00000u);
  EXPECT_EQ(import::image_of("a.out").file, "a.out");
  EXPECT_THROW(static_cast<void>(import::image_of("a.out@here")), TraceError);
}

}  // namespace
}  // namespace pmusim::trace::test
