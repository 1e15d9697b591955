#include "assembled.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "testbench/tests/as_word.h"

namespace pmusim::testbench {

namespace fs = std::filesystem;

std::vector<std::uint8_t> assemble(const std::vector<fs::path>& sources, const std::string& switches) {
  const Scratch scratch;
  std::string command, objects;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string object = as_word(scratch / fmt::format("{}.o", i));
    command += fmt::format("ia64-linux-gnu-as {} -o {} {} && ", switches, object, as_word(sources[i]));
    objects += " " + object;
  }
  const fs::path program = scratch.path() / "program";
  command += fmt::format("ia64-linux-gnu-ld -static -o {}{}", as_word(program), objects);
  if (std::system(command.c_str()) != 0) throw std::runtime_error("binutils refuse: " + command);
  std::ifstream in(program, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::uint8_t> assemble_text(const std::string& source, const std::string& switches) {
  const Scratch scratch;
  const fs::path file = scratch.path() / "source.s";
  std::string text = source;
  if (switches.empty()) {  // the assembler inserts the stops itself and warns about missing ones
    for (std::size_t at = text.find(";;"); at != text.npos; at = text.find(";;", at)) text.replace(at, 2, "  ");
  }
  std::ofstream(file) << text;
  return assemble({file}, switches);
}

std::vector<std::uint64_t> evaluate(const std::vector<std::string>& snippets) {
  std::string text = ".text\n.global _start\n_start:\nalloc r2 = ar.pfs, 0, 96, 0, 0\nmovl r13 = results\n;;\n";
  for (const std::string& snippet : snippets) text += snippet + "\n;;\nst8 [r13] = r8, 8\n;;\n";
  // write(1, results, size), exit(0); the arguments are in the first output registers
  text += fmt::format(
      "alloc r2 = ar.pfs, 0, 0, 3, 0\n;;\nmov r32 = 1\nmovl r33 = results\nmovl r34 = {}\nmov r15 = 1027\n;;\n"
      "break.m 0x100000\n;;\nmov r32 = 0\nmov r15 = 1025\n;;\nbreak.m 0x100000\n;;\n"
      ".data\n.align 16\nwork: .skip 1024\nresults: .skip {}\n",
      8 * snippets.size(), 8 * snippets.size());
  const auto program = assemble_text(text);
  std::vector<std::uint64_t> results(snippets.size());
  trace::ia64::SimulationOptions options;
  options.output = [&](int, std::string_view bytes) {
    ASSERT_EQ(bytes.size(), 8 * results.size());
    std::memcpy(results.data(), bytes.data(), bytes.size());
  };
  (void)trace::ia64::simulate(program, "snippets", options);
  return results;
}

std::string error_of(const std::string& source, const trace::ia64::SimulationOptions& options) {
  const auto program =
      assemble_text(".text\n.global _start\n_start:\n" + source + "\n.data\n.align 16\n.skip 1\nodd: .skip 15\n");
  try {
    (void)trace::ia64::simulate(program, "program", options);
  } catch (const trace::ia64::SimulationError& error) {
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    return error.what();
  }
  return {};
}

}  // namespace pmusim::testbench
