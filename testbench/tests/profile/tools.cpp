#include "tools.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "testbench/tests/cli/command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

std::string source(const std::string& name) { return as_word(source_file("isa-traces/programs/" + name)); }

/// The compiler command of scripts/record-traces, with line numbers.
std::string compiled(const std::string& compiler, const std::string& isa) {
  std::string sources;
  for (const std::string& name : {"start_" + isa + ".s", std::string("quicksort.c"), std::string("memory.c")})
    sources += ' ' + source(name);
  if (isa == "alpha") sources += ' ' + source("alpha_divide.s");
  return compiler +
         " -g -O1 -std=c17 -ffreestanding -fno-builtin -nostdlib -static -fno-pic -no-pie -fno-stack-protector "
         "-fno-asynchronous-unwind-tables -Wl,--build-id=none -o OUTPUT" +
         sources + " -lgcc";
}

}  // namespace

const std::vector<CrossTools>& cross_tools() {
  static const std::vector<CrossTools> all{
      {trace::Isa::i386, "i686-linux-gnu-", compiled("i686-linux-gnu-gcc -march=athlon -mfpmath=387 -mno-sse", "i386"),
       "main"},
      {trace::Isa::ppc, "powerpc-linux-gnu-", compiled("powerpc-linux-gnu-gcc -mcpu=750 -Wa,-mregnames", "ppc"),
       "main"},
      {trace::Isa::alpha, "alpha-linux-gnu-", compiled("alpha-linux-gnu-gcc -mcpu=ev4", "alpha"), "main"},
      {trace::Isa::ia64, "ia64-linux-gnu-",
       fmt::format("ia64-linux-gnu-as -g -x -o start.o {} && ia64-linux-gnu-as -g -x -o sieve.o {} && "
                   "ia64-linux-gnu-ld -static -o OUTPUT start.o sieve.o",
                   source("ia64/crt0.s"), source("ia64/sieve-O2.s")),
       "main"}};
  return all;
}

std::string built_program(const CrossTools& tools) {
  static std::map<std::string, std::string> built;
  const bool assembled = tools.isa == trace::Isa::ia64;
  if (!have_tools({tools.prefix + (assembled ? "as" : "gcc"), tools.prefix + "objdump"})) return "";
  auto [entry, fresh] = built.try_emplace(tools.prefix);
  if (fresh) {
    const std::string name = std::string(trace::name_of(tools.isa)) + "-program";
    std::string command = tools.build;
    command.replace(command.find("OUTPUT"), 6, name);
    (void)output_of(command);
    entry->second = scratch() + '/' + name;
  }
  return entry->second;
}

std::string output_of(const std::string& command) {
  const Outcome outcome = shell(command);
  EXPECT_EQ(outcome.code, 0) << command << '\n' << outcome.err;
  return outcome.out;
}

}  // namespace pmusim::cli_test
