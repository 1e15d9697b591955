// The table of directives must accept exactly what the grammar permits.
#include <gmock/gmock.h>

#include <set>

#include "trace_tools.h"

namespace pmusim::trace::test {
namespace {

using ::testing::HasSubstr;

std::string refusal_of(const std::string& directive) {
  return error_of([&] { records_of_text("! isa ppc\n" + directive + "\n"); });
}

TEST(Directives, LegalOnes) {
  for (const char* line : {"! cpl 0",
                           "! cpl 3",
                           "! msr pr=1",
                           "! msr ee=0 pm=1 pr=0",
                           "! psr up=1 pp=0 sp=1 is=0",
                           "! psr is=1",
                           "! mode pal",
                           "! mode native",
                           "! mode ia32",
                           "! if 1",
                           "! thread 1",
                           "! process 0x1f",
                           "! process 12",
                           "! interrupt",
                           "! interrupt vector=0x80",
                           "! return",
                           "! idle cycles=1",
                           "! halt cycles=500",
                           "! snoop kind=read addr=7f00",
                           "! bus kind=write addr=FF",
                           "! bus kind=write addr=ff agent=io",
                           "! pin SMI# level=0",
                           "! pin PM0 level=1 cycles=2",
                           "! state addr=10 line=M",
                           "! state line=I addr=10",
                           "! tb ratio=8",
                           "! tb ratio=7/2",
                           "! switch",
                           "! memory addr=a000 size=4096 type=uc",
                           "! map addr=1000 to=f000",
                           "! ecc source=l2 addr=0",
                           "! ecc source=system addr=0",
                           "! stop cycles=9",
                           "! nmi",
                           "! smi",
                           "! ipl 7",
                           "! mcheck",
                           "! reset",
                           "! parity addr=120000000",
                           "! pcb asn=3",
                           "! pcb fen=0 pme=1 asn=0x7f",
                           "!nmi"}) {
    EXPECT_EQ(refusal_of(line), "") << line;
  }
}

TEST(Directives, WrongOnes) {
  const std::pair<const char*, const char*> rows[] = {
      {"!", "name is missing"},
      {"! interupt", "did you mean 'interrupt'"},
      {"! zzzzzzzz", "known: bus cpl"},
      {"! cpl", "operand '0|1|2|3' is missing"},
      {"! cpl 4", "'4': wrong value, must be 0|1|2|3"},
      {"! cpl 0 1", "'1': given twice"},
      {"! cpl n=0", "'n=0': 'cpl' takes no such operand"},
      {"! msr", "at least 1 operand"},
      {"! msr pr=2", "must be 0|1"},
      {"! msr pr=1 pr=0", "'pr=0': given twice"},
      {"! psr", "at least 1 operand"},
      {"! mode", "missing"},
      {"! if on", "must be 0|1"},
      {"! thread one", "a number, decimal or hexadecimal with 0x"},
      {"! process", "missing"},
      {"! interrupt vector=", "a number"},
      {"! return 1", "'1': 'return' takes no such operand; expected '! return'"},
      {"! idle", "operand 'cycles' is missing; expected '! idle cycles=COUNT'"},
      {"! idle cycles=0", "a decimal number from 1"},
      {"! halt cycles=-1", "a decimal number from 1"},
      {"! snoop addr=10", "operand 'kind' is missing"},
      {"! snoop kind=read", "operand 'addr' is missing"},
      {"! snoop kind=read addr=0x10", "hexadecimal without 0x"},
      {"! bus kind=read addr=10 agent=me", "must be any|io"},
      {"! pin level=1", "operand 'NAME' is missing"},
      {"! pin X", "operand 'level' is missing"},
      {"! state addr=10 line=X", "must be M|O|E|S|I"},
      {"! tb ratio=0", "N or N/M"},
      {"! tb ratio=1/0", "N or N/M"},
      {"! memory addr=0 size=0 type=wb", "a decimal number from 1"},
      {"! memory addr=0 size=1 type=wx", "must be uc|wc|wt|wp|wb"},
      {"! map addr=0", "operand 'to' is missing"},
      {"! ecc source=l1 addr=0", "must be l2|system"},
      {"! stop", "operand 'cycles' is missing"},
      {"! function addr=10", "operand 'name' is missing"},
      {"! function addr=10 name=a size=0", "must be a decimal number from 1"},
      {"! line addr=10 line=x", "must be a decimal number from 1"},
      {"! ipl 8", "'8': wrong value, must be 0|1|2|3|4|5|6|7"},
      {"! mcheck 1", "'1': 'mcheck' takes no such operand"},
      {"! parity", "operand 'addr' is missing"},
      {"! pcb", "at least 1 operand"},
      {"! pcb pme=yes", "must be 0|1"},
      {"! pin =x level=1", "operands are VALUE or key=VALUE"},
      {"! pi\x01n X level=1", "not a directive's name"},
  };
  for (const auto& [line, right] : rows) {
    EXPECT_THAT(refusal_of(line), ::testing::AllOf(::testing::StartsWith("t:2: "), HasSubstr(right))) << line;
  }
}

TEST(Directives, TableIsSortedAndSound) {
  std::string_view last;
  std::set<std::string_view> jumps;
  for (const DirectiveForm& form : directive_forms()) {
    EXPECT_LT(last, form.name);
    last = form.name;
    EXPECT_EQ(find_directive_form(form.name), &form);
    EXPECT_EQ(std::count(form.operands.begin(), form.operands.end(), '['),
              std::count(form.operands.begin(), form.operands.end(), ']'));
    if (form.explains_jump) jumps.insert(form.name);
  }
  EXPECT_EQ(jumps,
            (std::set<std::string_view>{"interrupt", "return", "switch", "nmi", "smi", "mcheck", "reset", "init"}));
  EXPECT_EQ(find_directive_form("isa"), nullptr);
}

TEST(Directives, Nearest) {
  const std::string_view words[] = {"snoop", "stop", "state"};
  EXPECT_EQ(nearest("snop", words), "snoop");
  EXPECT_EQ(nearest("stat", words), "state");
  EXPECT_EQ(nearest("interrupt", words), "");
}

}  // namespace
}  // namespace pmusim::trace::test
